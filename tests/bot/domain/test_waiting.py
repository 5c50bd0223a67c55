"""For how long a match has waited: the timers that say so, and what begins the wait again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import delete

from bot.domain.clocks import DAY, HOUR
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId
from bot.domain.models import Rated, TimerKind
from bot.domain.terms import Terms
from bot.domain.waiting import (
    GONE_SECONDS,
    NOTICE_SECONDS,
    SILENCE_SECONDS,
    Absent,
    endable_seats,
    replaceable_seats,
)
from bot.services.clocks import SILENCE
from bot.services.preferences import Preferences
from bot.storage.schema import timers
from tests.support.matches import ADA, BO, TABLE, MatchFixture, choose, scheduled, warp6
from tests.support.silence import live, reports, waiting
from tests.support.stand_ins import stored, until_turn


async def test_silence_is_reported_every_four_weeks(env: MatchFixture) -> None:
    match_id, _, late = await waiting(env)
    await Preferences(env.database).set(late, "remind", "off")
    begin, seat = env.now, (await env.queries.match(match_id)).seat_of(late)
    kinds = (TimerKind.GONE, TimerKind.SILENT, TimerKind.STUCK, TimerKind.STUCK)
    ends = (GONE_SECONDS, SILENCE_SECONDS, 2 * SILENCE_SECONDS, 3 * SILENCE_SECONDS)
    for number, (kind, end) in enumerate(zip(kinds, ends, strict=True)):
        due = await scheduled(env, match_id)
        assert {name: due[name] for name in due if name in SILENCE} == {kind: [begin + end]}
        since = (await env.queries.match(match_id)).waits_since[seat]
        assert since == begin + max(0, end - 2 * SILENCE_SECONDS)
        await live(env, begin + end - 1 - env.now)
        assert len(await reports(env, match_id)) == number
        await live(env, 1)
    boards = await reports(env, match_id)
    assert boards == ["edit_board", "post_board", "post_board", "post_board"]


async def test_silence_begins_anew_with_each_choice(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, 2 * DAY)
    await choose(env, match_id, late)
    if await env.on_turn(match_id) == late:
        patient, late = late, patient
    late = await env.on_turn(match_id)
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert (await env.queries.match(match_id)).waits_since == {seat: env.now}
    assert (await scheduled(env, match_id))["gone"] == [env.now + GONE_SECONDS]


async def test_timers_of_earlier_decisions_do_nothing(env: MatchFixture) -> None:
    match_id, _, late = await waiting(env)
    seat, version = next(iter((await env.queries.match(match_id)).decisions.items()))
    await env.clear_outbox()
    before = await scheduled(env, match_id)
    for kind in ("gone", "silent", "stuck", "notice"):
        await env.strike(kind, match_id, seat, version - 1)
    await env.matches.act(next(env.ids), match_id, late, "resign")
    await env.clear_outbox()
    for kind in ("gone", "silent", "stuck", "notice"):
        await env.strike(kind, match_id, seat, version)
    assert not await env.queued(match_id=match_id)
    assert "gone" in before
    assert set(await scheduled(env, match_id)) <= {"expire"}


async def test_a_stand_in_begins_the_wait_again(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await until_turn(env, match_id, BO)
    seat = await stored(env, match_id, BO)
    version = (await env.queries.match(match_id)).decisions[seat.seat]
    await env.change_seat(match_id, seat.seat, level="cadet")
    async with env.database.write() as connection:
        await connection.execute(delete(timers))
    await env.clear_outbox()
    for kind in ("gone", "silent"):
        await env.strike(kind, match_id, seat.seat, version)
        assert (await scheduled(env, match_id))["gone"][-1] == env.now + GONE_SECONDS
    assert not await env.queued(match_id=match_id)


async def test_a_person_alone_is_not_waited_for(env: MatchFixture) -> None:
    """In a secret set-up both have to decide."""
    terms = Terms(game="warp6", options={"setup": "secret"}, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, [TABLE[0], computer_player()])
    match = await env.queries.match(challenge.match_id)
    assert match.seat_of(ADA) in match.decisions
    assert "gone" not in await scheduled(env, challenge.match_id)
    among_people = await warp6(env, "", setup="secret")
    assert len((await scheduled(env, among_people))["gone"]) == 2


async def test_reminders_slow_down(env: MatchFixture) -> None:
    match_id, _, _ = await waiting(env)
    begin, ends = env.now, list[float]()
    while len(ends) < 4:
        (due,) = (await scheduled(env, match_id))["remind"]
        ends.append(due - begin)
        await live(env, due - env.now)
    assert ends == [1 * DAY, 3 * DAY, 7 * DAY, 15 * DAY]
    await live(env, HOUR)
    posted = [row for row in await env.queued(match_id=match_id) if "reminder" in row.payload]
    assert len(posted) == 4


def test_days_of_waiting_are_those_that_the_rules_name() -> None:
    assert (GONE_SECONDS, SILENCE_SECONDS, NOTICE_SECONDS) == (3 * DAY, 28 * DAY, 3 * DAY)


SINCE = 1000.0


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("clock", ["", "3d"])
@pytest.mark.parametrize("gone", ["", "B"])
async def test_what_can_be_done_about_a_silent_player(
    env: MatchFixture, gone: str, clock: str, *, rated: bool
) -> None:
    match_id = await warp6(env, clock)
    match = replace(
        await env.queries.match(match_id),
        waits_since={"B": SINCE},
        rated=Rated.RATED if rated else Rated.CASUAL,
    )
    notice = GONE_SECONDS if gone and not rated else SILENCE_SECONDS
    stand_in = GONE_SECONDS if gone else SILENCE_SECONDS
    endable, replaceable = ("" if rated and clock else "B"), ("" if rated else "B")
    assert endable_seats(match, SINCE + notice - 1, gone) == ""
    assert endable_seats(match, SINCE + notice, gone) == endable
    assert replaceable_seats(match, SINCE + stand_in - 1, gone) == ""
    assert replaceable_seats(match, SINCE + stand_in, gone) == replaceable
    noticed = replace(match, notices={"B": SINCE})
    assert endable_seats(noticed, SINCE + notice, gone) == "", "once is enough"
    both = Absent.of(match, SINCE + SILENCE_SECONDS, gone)
    assert both == Absent(gone, endable, replaceable)


async def test_only_the_player_who_is_gone_has_three_days(env: MatchFixture) -> None:
    match = replace(await env.queries.match(await warp6(env, "")), waits_since={"B": 0.0, "Y": 0.0})
    for seats in (endable_seats, replaceable_seats):
        assert seats(match, GONE_SECONDS, "Y") == "Y"
        assert seats(match, SILENCE_SECONDS, "Y") == "BY"
