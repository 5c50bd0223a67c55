"""Reading matches for deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import DELETED_USER_ID, ChannelId, MatchId, UserId, Version
from bot.domain.models import Rated
from bot.domain.outbox import OutboxKind, OutboxMessage, PostedKind, SentCopy, Target
from bot.domain.ratings import Rating
from bot.domain.terms import Terms
from bot.services.automatic_moves import StopReason
from bot.services.deliveries import Deliveries, DeliverySnapshot, MessageState
from bot.services.match_location import note_left_places
from bot.services.match_repository import NoMatchError
from bot.services.match_store import load
from bot.services.preferences import PreferenceKey, Preferences, language_of
from bot.services.rated_results import PAIR_LIMIT
from bot.storage.schema import outbox, plans, posted_messages, rated_results
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, choose, warp6
from tests.support.privacy import privacy_of
from tests.support.stand_ins import agree, leave_for_vacation

CHANNEL = ChannelId(5)


def message(
    match_id: MatchId,
    kind: OutboxKind,
    payload: Mapping[str, int] | None = None,
    user: UserId | None = None,
) -> OutboxMessage:
    fields = {"action_count": 0} if payload is None else payload
    return OutboxMessage(1, match_id, Target(user), kind, fields, 1, 1000.0, "key")


async def read(
    env: MatchFixture,
    match_id: MatchId,
    kind: OutboxKind,
    payload: Mapping[str, int] | None = None,
    user: UserId | None = None,
) -> DeliverySnapshot:
    deliveries = Deliveries(env.database, env.queries, env.clock)
    return await deliveries.read(message(match_id, kind, payload, user))


async def rated_challenge(env: MatchFixture, **options: Any) -> MatchId:
    """A challenge of Ada to Bo to a rated match of Warp 6."""
    fields: dict[str, Any] = {"rated": True} | options
    terms = Terms(game="warp6", guild_id=None, channel_id=CHANNEL, **fields)
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    assert challenge.kind == "done", challenge
    return challenge.match_id


async def accept(env: MatchFixture, match_id: MatchId) -> None:
    assert (await env.challenges.accept(next(env.ids), match_id, BO)).kind == "done"


async def resign(env: MatchFixture, match_id: MatchId) -> None:
    """Bo resigns after the set-up."""
    await env.race(match_id)
    assert (await env.matches.act(next(env.ids), match_id, BO, "resign")).kind == "done"


async def test_no_match_is_no_delivery(env: MatchFixture) -> None:
    for kind in (OutboxKind.POST_CHALLENGE, OutboxKind.POST_BOARD):
        with pytest.raises(NoMatchError, match="999"):
            await read(env, MatchId(999), kind)


async def test_a_challenge_has_no_perspective(env: MatchFixture) -> None:
    challenge_id = await env.ask()
    challenge = await read(env, challenge_id, OutboxKind.POST_CHALLENGE)
    with pytest.raises(NoMatchError):
        challenge.perspective()
    with pytest.raises(NoMatchError, match=str(challenge_id)):
        await read(env, challenge_id, OutboxKind.POST_BOARD)
    begun = await read(env, await env.begin(), OutboxKind.POST_BOARD)
    assert begun.perspective(ADA).seat == "O"
    assert begun.perspective().seat == ""


async def test_board_shows_the_position_of_its_time(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    earlier = (await env.queries.view(match_id)).view
    queued = {"action_count": 1, "version": (await env.queries.match(match_id)).version}
    await choose(env, match_id, user)
    match, now = await env.queries.match(match_id), (await env.queries.view(match_id)).view
    old = await read(env, match_id, OutboxKind.POST_BOARD, queued)
    assert (old.view, old.legal) == (earlier, {})
    edited = await read(env, match_id, OutboxKind.EDIT_BOARD, queued)
    assert (edited.view, edited.legal) == (now, {})
    current = {"action_count": 2, "version": match.version}
    new = await read(env, match_id, OutboxKind.POST_BOARD, current)
    assert new.view == now != earlier
    (seat,) = match.decisions
    assert {viewer: view.seat for viewer, view in new.legal.items()} == {seat: seat}
    assert new.legal[seat].legal


async def test_message_by_dm_shows_the_receivers_view(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    current = {"action_count": 1, "version": match.version}
    delivery = await read(env, match_id, OutboxKind.TURN_DM, current, user)
    assert delivery.view
    assert delivery.view.seat == match.seat_of(user)
    assert delivery.legal == {}


async def test_earlier_turns_of_a_change_are_told(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await env.race(match_id)
    for _ in range(3):
        await choose(env, match_id, await env.on_turn(match_id))
    end = await env.lines()
    delivery = await read(
        env, match_id, OutboxKind.POST_BOARD, {"told_from": end - 3, "action_count": end}
    )
    assert delivery.earlier
    assert delivery.earlier == await env.queries.stories(match_id, end - 3, end)
    assert not (await read(env, match_id, OutboxKind.POST_BOARD, {"action_count": end})).earlier


async def test_messages_that_are_kept_up_to_date(env: MatchFixture) -> None:
    match_id, other_id = await env.begin(), await env.begin()
    board = {"kind": PostedKind.BOARD, "action_count": 3}
    copies = [SentCopy(ADA, ChannelId(7), 70), SentCopy(BO, ChannelId(8), 80)]
    async with env.database.write() as connection:
        for place, copy in ((match_id, copies[0]), (other_id, SentCopy(ADA, ChannelId(7), 71))):
            row = {"match_id": place, **board, **copy._asdict()}
            await connection.execute(insert(posted_messages).values(row))
        row = {"match_id": match_id, **board, **copies[1]._asdict()}
        await connection.execute(insert(posted_messages).values(row))
    delivery = await read(env, match_id, OutboxKind.TURN_DM, user=BO)
    assert delivery.posted[PostedKind.BOARD] == MessageState(tuple(copies), 3)
    assert delivery.posted[PostedKind.PING] == MessageState((), 0)
    assert (delivery.match.link, delivery.match.linked_by_dm) == ((8, 80), True)
    assert (await read(env, match_id, OutboxKind.POST_BOARD)).match.link is None


async def test_language_of_players_and_others(env: MatchFixture) -> None:
    await Preferences(env.database).set(BO, PreferenceKey.LANGUAGE, "de")
    delivery = await read(env, await env.begin(), OutboxKind.POST_BOARD)
    languages = [delivery.language_of(user) for user in (ADA, BO, EVE)]
    assert languages == [language_of(None), "de", language_of(None)]


async def test_channels_before_a_move_concern_later_attempts(env: MatchFixture) -> None:
    match_id = await env.begin()
    condition = (outbox.c.match_id == match_id) & (outbox.c.kind == OutboxKind.POST_BOARD)
    async with env.database.write() as connection:
        await connection.execute(update(outbox).where(condition).values(first_attempt_at=env.now))
        row = await load(connection, match_id)
        assert row
        await note_left_places(connection, row)
        queued = (await connection.execute(select(outbox).where(condition))).one()
    deliveries = Deliveries(env.database, env.queries, env.clock)
    for attempts, channels in ((1, ()), (2, (CHANNEL,)), (3, (CHANNEL,))):
        again = message(match_id, OutboxKind.POST_BOARD, queued.payload)
        again = again._replace(id=queued.id, key=queued.key, attempts=attempts)
        assert (await deliveries.read(again)).former_channels == channels


async def test_challenge_shows_the_record_that_it_takes_over(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await choose(env, match_id, await env.on_turn(match_id))
    lines = (await env.queries.record(match_id)).actions
    asked = await rated_challenge(env, rated=False, lines=lines)
    record = (await read(env, asked, OutboxKind.POST_CHALLENGE)).challenge.taken_over
    assert record
    assert record.actions == lines
    await accept(env, asked)
    assert (await read(env, asked, OutboxKind.POST_BOARD)).challenge.taken_over is None
    plain = await rated_challenge(env, rated=False)
    assert (await read(env, plain, OutboxKind.POST_CHALLENGE)).challenge.taken_over is None


async def test_result_shows_the_changes_of_ratings(env: MatchFixture) -> None:
    match_id = await rated_challenge(env)
    await accept(env, match_id)
    assert (await read(env, match_id, OutboxKind.POST_BOARD)).ratings == ()
    await resign(env, match_id)
    changes = (await read(env, match_id, OutboxKind.POST_RESULT)).ratings
    assert [(change.seat, change.before) for change in changes] == [
        ("B", Rating()),
        ("Y", Rating()),
    ]


async def test_spent_pair_is_named_at_a_rated_challenge(env: MatchFixture) -> None:
    for number in range(1, PAIR_LIMIT + 1):
        match_id = await warp6(env, "")
        async with env.database.write() as connection:
            row = {"match_id": match_id, "number": number, "pool": "warp6/2", "ended_at": env.now}
            rating = Rating()._asdict()
            for seat, user in (("B", ADA), ("Y", BO)):
                result = {"seat": seat, "user_id": user, "rank": 0}
                await connection.execute(insert(rated_results).values(**row, **result, **rating))
    casual, rated = await rated_challenge(env, rated=False), await rated_challenge(env)
    assert (await read(env, casual, OutboxKind.POST_CHALLENGE)).challenge.pair_is_spent is False
    assert (await read(env, rated, OutboxKind.POST_CHALLENGE)).challenge.pair_is_spent is True
    await accept(env, rated)
    assert (await read(env, rated, OutboxKind.UPDATE_CHALLENGE)).challenge.pair_is_spent is False


async def next_of_series(env: MatchFixture, **options: Any) -> MatchId:
    """The challenge to the second match of a series whose first match Ada has won."""
    first = await rated_challenge(env, rounds=3, **options)
    await accept(env, first)
    await resign(env, first)
    (second,) = await env.queries.list_for(BO, "challenge")
    return second.id


async def test_declined_match_of_a_rated_series_shows_its_result(env: MatchFixture) -> None:
    second = await next_of_series(env)
    assert (await read(env, second, OutboxKind.UPDATE_CHALLENGE)).series_end is None
    await env.challenges.decline(next(env.ids), second, BO)
    end = (await read(env, second, OutboxKind.UPDATE_CHALLENGE)).series_end
    assert end
    assert end.rated == Rated.RATED
    assert [change.seat for change in end.changes] == ["B", "Y"]


@pytest.mark.parametrize("kind", [OutboxKind.POST_CHALLENGE, OutboxKind.UPDATE_CHALLENGE])
@pytest.mark.parametrize("closer", [ADA, BO, DELETED_USER_ID, None])
async def test_challenge_that_is_posted_late_says_who_has_closed_it(
    env: MatchFixture, kind: OutboxKind, closer: UserId | None
) -> None:
    """The message that tells it waits behind that of the challenge."""
    await rated_challenge(env)
    match_id = await rated_challenge(env)
    assert (await read(env, match_id, kind)).closed_by is None
    if closer == DELETED_USER_ID:
        await privacy_of(env).erase(ADA)
    elif closer:
        await env.challenges.decline(next(env.ids), match_id, closer)
    else:
        async with env.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            await env.challenges.expire(connection, row, "", Version(0))
    assert (await read(env, match_id, kind)).closed_by == closer


async def test_other_series_and_begun_matches_show_no_result(env: MatchFixture) -> None:
    casual = await next_of_series(env, rated=False)
    await env.challenges.decline(next(env.ids), casual, BO)
    assert (await read(env, casual, OutboxKind.UPDATE_CHALLENGE)).series_end is None
    begun = await next_of_series(env)
    await accept(env, begun)
    async with env.database.write() as connection:
        row = await load(connection, begun)
        assert row
        await env.match_store.end_outdated(connection, row)
    assert (await read(env, begun, OutboxKind.UPDATE_POST)).series_end is None


async def test_dm_tells_why_the_receivers_own_plan_has_stopped(env: MatchFixture) -> None:
    match_id, other_id = [await warp6(env, "", setup="secret") for _ in range(2)]
    match = await env.queries.match(match_id)
    at = match.decisions["B"]
    assert match.decisions == {"B": at, "Y": at}
    stops = [(match_id, "B", "illegal"), (match_id, "Y", "draw"), (other_id, "B", "condition")]
    async with env.database.write() as connection:
        for place, seat, reason in stops:
            plan = {"orders": "place b8a", "version": 1, "changed_at": env.now}
            stop = {"match_id": place, "seat": seat, "stopped": reason, "stopped_at": at}
            await connection.execute(insert(plans).values(**plan, **stop))
    users = [match.players[seat].user_id for seat in "BY"]
    stop_reasons = [
        (await read(env, match_id, OutboxKind.TURN_DM, user=user)).stopped for user in users
    ]
    assert stop_reasons == [StopReason.ILLEGAL, StopReason.DRAW]
    assert (await read(env, match_id, OutboxKind.PRIVATE_HAND, user=users[0])).stopped is None
    async with env.database.write() as connection:
        await connection.execute(update(plans).values(stopped_at=at - 1))
    assert (await read(env, match_id, OutboxKind.TURN_DM, user=users[0])).stopped is None


async def test_board_for_all_has_only_the_choices_of_people(env: MatchFixture) -> None:
    """Not those of a seat for which the computer plays: they show its secrets."""
    match_id = await warp6(env, "", setup="secret")
    await leave_for_vacation(env, BO)
    assert (await agree(env, match_id, ADA, BO)).kind == "done"
    match = await env.queries.match(match_id)
    assert len(match.decisions) == 2
    payload = {"version": match.version, "action_count": 0}
    delivery = await read(env, match_id, OutboxKind.POST_BOARD, payload)
    assert set(delivery.legal) == {match.seat_of(ADA)}
    by_dm = await read(env, match_id, OutboxKind.TURN_DM, payload, ADA)
    assert not by_dm.legal
    later = await read(env, match_id, OutboxKind.POST_BOARD, payload | {"version": 99})
    assert not later.legal
