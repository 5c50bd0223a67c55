"""Seats that the computer plays until another player joins."""

from __future__ import annotations

from sqlalchemy import delete, select, update

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player, Rated
from bot.domain.outbox import EVERYONE, OutboxKind, Target
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.terms import Terms
from bot.services.abuse_limits import MAX_COMPUTER_MATCHES
from bot.services.challenges import OPEN_SEAT
from bot.services.match_repository import match_with_board, seats_of
from bot.services.preferences import Preferences
from bot.storage.schema import matches, outbox
from tests.support.computer_turns import claim
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, terms


async def joinable(env: MatchFixture) -> MatchId:
    """A match of Ada in which the computer keeps a seat for another player."""
    challenge = await env.challenges.challenge(
        next(env.ids), terms(), [PLAYERS[0], OPEN_SEAT], side="O"
    )
    filled = await env.computer_seats.play_computer(next(env.ids), challenge.match_id, ADA)
    assert filled.kind == "done", filled
    return challenge.match_id


async def join(env: MatchFixture, match_id: MatchId, user: UserId, name: str) -> Outcome:
    return await env.computer_seats.take_over(next(env.ids), match_id, user, name)


async def test_the_first_player_who_joins_gets_the_seat(env: MatchFixture) -> None:
    match_id = await joinable(env)
    outcome = await join(env, match_id, ADA, "Ada")
    assert (outcome.kind, outcome.match_id) == ("refused", match_id)
    assert outcome.sentence == "You're already playing in this match."
    assert (await join(env, match_id, BO, "Bo")).kind == "done"
    late = await join(env, match_id, EVE, "Eve")
    assert (late.kind, late.sentence) == ("refused", "This match has already started.")
    match = await env.queries.match(match_id)
    assert set(match.names.values()) == {"Ada", "Bo"}
    assert not match.joinable


async def test_a_blocked_player_takes_over_no_seat(env: MatchFixture) -> None:
    match_id = await joinable(env)
    await Preferences(env.database).block(ADA, BO)
    refused = await join(env, match_id, BO, "Bo")
    sentence = "Ada isn't starting matches with you right now; choose another match."
    assert (refused.kind, refused.sentence) == ("refused", sentence)
    assert (await env.queries.match(match_id)).joinable
    assert (await join(env, match_id, EVE, "Eve")).kind == "done"


async def test_the_challenge_is_updated_when_the_match_ends(env: MatchFixture) -> None:
    match_id, other = await joinable(env), await env.begin()
    updates = select(outbox.c.match_id).where(outbox.c.kind == OutboxKind.UPDATE_CHALLENGE)

    async def updated() -> list[int]:
        async with env.database.read() as connection:
            return list((await connection.execute(updates)).scalars())

    before = await updated()
    for number in (match_id, other):
        assert (await env.matches.act(next(env.ids), number, ADA, "resign")).kind == "done"
    assert sorted(await updated()) == sorted([*before, match_id])


async def warp6_for(env: MatchFixture, *others: Player, **options: str) -> MatchId:
    """A challenge of Ada, who sits first, to other players."""
    terms = Terms(game="warp6", options=options, guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], *others]
    return (await env.challenges.challenge(next(env.ids), terms, players, side="B")).match_id


async def test_all_open_seats_are_played_by_the_computer(env: MatchFixture) -> None:
    match_id = await warp6_for(env, OPEN_SEAT, OPEN_SEAT, seats="3")
    env.now += 60
    filled = await env.computer_seats.play_computer(30, match_id, ADA)
    assert filled == Outcome(OutcomeKind.DONE, match_id)
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
        people = {seat.seat: seat for seat in await seats_of(connection, match_id)}
    assert (people["B"].player, people["B"].joinable) == (PLAYERS[0], False)
    for seat in set(people) - {"B"}:
        assert (people[seat].player, people[seat].joinable) == (computer_player(), True)
        assert people[seat].joined_at == env.now
    assert row.salt == "1,30,30"
    assert row.seat_order
    assert (row.seat_order[0], sorted(row.seat_order)) == ("B", sorted(people))


async def test_only_the_challenger_begins_against_the_computer(env: MatchFixture) -> None:
    match_id = await warp6_for(env, PLAYERS[1], OPEN_SEAT, seats="3")
    for user in (BO, EVE):
        refused = await env.computer_seats.play_computer(next(env.ids), match_id, user)
        assert refused == Outcome(
            OutcomeKind.REFUSED,
            match_id,
            sentence="Only Ada can start against the computer, but you can join.",
        )


async def test_computer_takes_no_seat_of_a_rated_challenge(env: MatchFixture) -> None:
    match_id = await warp6_for(env, OPEN_SEAT)
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(rated=Rated.RATED))
    refused = await env.computer_seats.play_computer(next(env.ids), match_id, ADA)
    assert (refused.kind, "only people can take its seats" in refused.sentence) == ("refused", True)
    assert (await env.queries.match(match_id)).status == "challenge"


async def queued(env: MatchFixture) -> set[tuple[int, str, str]]:
    """The messages that wait to be sent: match, kind and receiver."""
    return {(row.match_id, row.kind, row.target) for row in await env.queued()}


async def test_player_who_takes_over_has_to_decide_anew(env: MatchFixture) -> None:
    match_id, other_id = [await warp6_for(env, OPEN_SEAT, setup="secret") for _ in range(2)]
    for number in (match_id, other_id):
        filled = await env.computer_seats.play_computer(next(env.ids), number, ADA)
        assert filled.kind == "done"
    before, other = await env.queries.match(match_id), await env.queries.match(other_id)
    assert set(before.decisions) == set("BY")
    async with env.database.write() as connection:
        await connection.execute(delete(outbox))
    assert await join(env, match_id, BO, "Bo") == Outcome(OutcomeKind.DONE, match_id)
    after = await env.queries.match(match_id)
    assert after.players == {"B": PLAYERS[0], "Y": PLAYERS[1]}
    assert after.version == before.version + 1
    assert after.decisions == {"B": before.decisions["B"], "Y": after.version}
    assert await queued(env) == {
        (match_id, OutboxKind.UPDATE_CHALLENGE, str(EVERYONE)),
        (match_id, OutboxKind.POST_BOARD, str(EVERYONE)),
        (match_id, OutboxKind.PRIVATE_HAND, str(Target(BO))),
    }
    assert await env.queries.match(other_id) == other
    assert [(job.match_id, job.seat) for job in await claim(env)] == [(other_id, "Y")]


async def test_player_who_takes_over_brings_their_days_off(env: MatchFixture) -> None:
    await Preferences(env.database).set(BO, "days_off", "45")
    for clock, days_off in {"3do": "45 UTC", "3dw": "56 UTC", "3d": None}.items():
        challenge = await env.challenges.challenge(
            next(env.ids), terms(clock=clock), [PLAYERS[0], OPEN_SEAT], side="O"
        )
        match_id = challenge.match_id
        await env.computer_seats.play_computer(next(env.ids), match_id, ADA)
        assert await join(env, match_id, BO, "Bo") == Outcome(OutcomeKind.DONE, match_id)
        async with env.database.read() as connection:
            stored = {seat.user_id: seat.days_off for seat in await seats_of(connection, match_id)}
        assert stored == {ADA: "56 UTC" if clock == "3dw" else None, BO: days_off}


async def test_matches_against_the_computer_are_limited(env: MatchFixture) -> None:
    for _ in range(MAX_COMPUTER_MATCHES):
        await joinable(env)
    match_id = await warp6_for(env, OPEN_SEAT)
    refused = await env.computer_seats.play_computer(next(env.ids), match_id, ADA)
    assert (refused.kind, "finish one first" in refused.sentence) == ("refused", True)
    assert (await env.queries.match(match_id)).status == "challenge"
