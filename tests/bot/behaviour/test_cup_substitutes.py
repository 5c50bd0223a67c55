"""A cup's place and a match's seat: a place that was taken over while its match was running."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.models import Match, MatchStatus, Player
from bot.features.cups import views
from bot.features.cups.formats import NO_ONE, CupFormat
from bot.features.cups.rows import CupStatus, PairingStatus, update_entrant
from bot.features.cups.service import Actor
from bot.features.cups.standings import PairingReason
from bot.storage.schema import matches, rated_results
from tests.support.cups import ORGANISER, CupFixture
from tests.support.limits import components
from tests.support.matches import MatchFixture, act
from tests.support.privacy import privacy_of

SUBSTITUTE = UserId(5000)

FIRST, SECOND = "B", "Y"
"""The seats of Warp 6."""


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def running_match(cup: CupFixture, cup_id: int) -> Match:
    """The match of the first pairing."""
    return await cup.env.queries.match((await cup.pairing(cup_id)).match_id or NO_MATCH)


async def taken_over(cup: CupFixture, *, rounds: int = 1) -> tuple[int, Match]:
    """A rated cup in which a substitute has the place of the first seat of a running match."""
    cup_id = await cup.begun(3, rated=True, rounds=rounds, max_open=1)
    match = await running_match(cup, cup_id)
    first = match.players[FIRST].user_id
    substitute = Player(SUBSTITUTE, "Sub")
    outcome = await cup.cups.offer_place(next(cup.env.ids), cup_id, Actor(first), first, substitute)
    assert outcome.kind == "done"
    assert (await cup.join(cup_id, SUBSTITUTE)).kind == "done"
    return cup_id, match


async def play_for_long(env: MatchFixture, match_id: MatchId) -> None:
    """Make as many choices as a rated match needs to count."""
    await env.race(match_id)
    for _ in range(8):
        await act(env, match_id)


async def rated_users(env: MatchFixture) -> dict[int, int]:
    """The ranks of all users with results."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(rated_results.c.user_id, rated_results.c.rank))
        return {row.user_id: row.rank for row in rows}


def users(match: Match) -> list[UserId]:
    return [player.user_id for player in match.players.values()]


async def test_a_place_taken_over_is_that_of_the_substitute(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    place = (await cup.get(cup_id)).entrants[0]
    async with env.database.write() as connection:
        await update_entrant(connection, place, has_left=True)
    kim = Player(SUBSTITUTE, "Kim")
    await cup.cups.offer_place(next(env.ids), cup_id, Actor(ORGANISER), place.user_id, kim)
    env.now += 100
    click = next(env.ids)
    assert (await cup.cups.join(click, cup_id, kim)).kind == "done"
    assert (await cup.get(cup_id)).entrants[0] == replace(
        place, user_id=SUBSTITUTE, name="Kim", joined_by=click, checked_at=env.now
    )
    outcome = await cup.join(cup_id, SUBSTITUTE)
    assert outcome.sentence == "The sign-up for this cup is over."


async def test_an_offer_ends_when_its_player_withdraws(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3)
    first = (await cup.get(cup_id)).entrants[0].user_id
    kim = Player(SUBSTITUTE, "Kim")
    await cup.cups.offer_place(next(env.ids), cup_id, Actor(first), first, kim)
    assert await cup.cups.of_user(SUBSTITUTE) == {cup_id}
    await cup.withdraw(cup_id, first)
    assert await cup.cups.of_user(SUBSTITUTE) == set()


async def test_a_withdrawal_leaves_a_closed_match_alone(cup: CupFixture, env: MatchFixture) -> None:
    cup_id = await cup.begun(3, max_open=1)
    match = await running_match(cup, cup_id)
    async with env.database.write() as connection:
        closed = update(matches).where(matches.c.id == match.id)
        await connection.execute(closed.values(status=MatchStatus.CLOSED))
    assert (await cup.withdraw(cup_id, match.players[FIRST].user_id)).kind == "done"
    after = await env.queries.match(match.id)
    assert (after.status, after.version) == (MatchStatus.CLOSED, match.version)


async def test_a_substitute_who_withdraws_resigns_no_match_of_another(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match = await taken_over(cup)
    number = (await cup.pairing(cup_id)).seated[0]
    assert (await cup.withdraw(cup_id, SUBSTITUTE)).kind == "done"
    after = await env.queries.match(match.id)
    assert (after.status, after.version) == (MatchStatus.RUNNING, match.version)
    assert not (await cup.get(cup_id)).by_number[number].is_active
    assert (await cup.pairing(cup_id)).status == PairingStatus.RUNNING
    await cup.resign(match.id, 1)
    done = await cup.pairing(cup_id)
    assert (done.winners, done.reason) == (done.seated[1:], PairingReason.WITHDRAWN), (
        "the place lost it"
    )


async def test_a_substitute_who_withdraws_resigns_the_own_matches(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match = await taken_over(cup)
    await cup.resign(match.id, 1)
    place = (await cup.pairing(cup_id)).seated[0]
    while not any(place in pairing.seated for pairing in (await cup.get(cup_id)).running):
        await cup.resign((await cup.get(cup_id)).running[0].match_id)
    (later,) = (await cup.get(cup_id)).running
    assert SUBSTITUTE in users(await env.queries.match(later.match_id or NO_MATCH))
    await cup.withdraw(cup_id, SUBSTITUTE)
    assert (await env.queries.match(later.match_id or NO_MATCH)).status == MatchStatus.FINISHED


async def own_matches(cup: CupFixture, cup_id: int, user_id: UserId) -> str:
    """What a player gets who asks for their matches of a cup."""
    stored_cup = await cup.get(cup_id)
    entrant = stored_cup.entrant_of(user_id)
    assert entrant
    return str(
        components(views.own_matches(stored_cup, entrant, await cup.cups.open_matches(stored_cup)))
    )


async def test_a_substitute_sees_only_own_matches(cup: CupFixture, env: MatchFixture) -> None:
    cup_id, match = await taken_over(cup)
    rival = match.players[SECOND].user_id
    text = await own_matches(cup, cup_id, SUBSTITUTE)
    assert "You have no match" in text
    assert "The player whose place you took over is finishing a match." in text
    assert "'url'" not in text
    rivals = await own_matches(cup, cup_id, rival)
    assert "Your matches" in rivals
    assert rivals.count("'url'") == 1
    assert "finishing" not in rivals
    await cup.resign(match.id, 1)
    place = (await cup.pairing(cup_id)).seated[0]
    while not any(place in pairing.seated for pairing in (await cup.get(cup_id)).running):
        await cup.resign((await cup.get(cup_id)).running[0].match_id)
    text = await own_matches(cup, cup_id, SUBSTITUTE)
    assert "Your matches" in text
    assert text.count("'url'") == 1
    assert "finishing" not in text


async def test_a_final_without_players_has_no_winner(cup: CupFixture, env: MatchFixture) -> None:
    """Both places of a semi-final are empty, and its rival has withdrawn before."""
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    first, second = [await cup.pairing(cup_id, 1, place) for place in (0, 1)]
    people = (await cup.get(cup_id)).by_number
    await cup.win(cup_id, second, second.seated[0])
    await cup.withdraw(cup_id, people[second.seated[0]].user_id)
    giver, other = (people[number].user_id for number in first.seated)
    kim = Player(SUBSTITUTE, "Kim")
    await cup.cups.offer_place(next(env.ids), cup_id, Actor(giver), giver, kim)
    await cup.join(cup_id, SUBSTITUTE)
    for user_id in (SUBSTITUTE, other):
        assert (await cup.withdraw(cup_id, user_id)).kind == "done"
    over = await cup.get(cup_id)
    assert [pairing.reason for pairing in over.pairings if pairing.id != second.id] == [
        PairingReason.VOID
    ] * 2
    assert (over.row.status, over.winner) == (CupStatus.FINISHED, None)
    assert {pairing.ended_at for pairing in over.pairings} == {env.now}
    assert over.pairings[-1].numbers[0] == NO_ONE


async def test_those_who_began_a_series_play_it_to_its_end(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match = await taken_over(cup, rounds=2)
    first, second = users(match)
    await play_for_long(env, match.id)
    await cup.resign(match.id, 0)
    following = await running_match(cup, cup_id)
    assert following.id != match.id
    assert users(following) == [first, second]
    assert following.salt == match.salt, "the numbers of the clicks by which they joined"
    await cup.resign(following.id, 0)
    assert await rated_users(env) == {first: 1, second: 0}
    assert (await cup.pairing(cup_id)).status == PairingStatus.DONE


async def test_a_withdrawal_of_a_substitute_loses_no_series_of_another(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match = await taken_over(cup, rounds=2)
    first, second = users(match)
    await cup.withdraw(cup_id, SUBSTITUTE)
    await play_for_long(env, match.id)
    await cup.resign(match.id, 1)
    done = await cup.pairing(cup_id)
    assert (done.winners, done.reason) == (done.seated[1:], PairingReason.WITHDRAWN)
    assert await rated_users(env) == {}, "the series is not over"
    challenge = await env.queries.match(MatchId(match.id + 2))
    assert (challenge.status, challenge.round) == (MatchStatus.CHALLENGE, 2)
    assert users(challenge) == [first, second]


async def test_a_player_who_withdraws_stops_the_own_series(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3, rated=True, rounds=2, max_open=1)
    match = await running_match(cup, cup_id)
    await play_for_long(env, match.id)
    first, second = users(match)
    await cup.withdraw(cup_id, first)
    assert await rated_users(env) == {first: 2, second: 0}
    assert first not in users(await env.queries.match(MatchId(match.id + 1))), (
        "no challenge to go on"
    )
    assert not await env.queries.list_for(second, "challenge")


async def test_a_deleted_player_resigns_matches_of_a_former_place(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match = await taken_over(cup, rounds=2)
    first, _ = users(match)
    assert await privacy_of(env).erase(first)
    done = await cup.pairing(cup_id)
    assert (done.winners, done.reason) == (done.seated[1:], PairingReason.RESIGNED)
    assert (await cup.get(cup_id)).by_number[done.seated[0]].user_id == SUBSTITUTE
