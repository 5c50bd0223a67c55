"""Deadlines: whose time is over, who loses by it, and who is pinged by the same message."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import TimerKind
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import Outcome
from bot.domain.terms import Terms
from bot.services.clocks import schedule
from bot.services.match_repository import seat_row
from bot.services.pings import WATCHING_SECONDS
from tests.support.matches import (
    ADA,
    BO,
    PLAYERS,
    MatchFixture,
    choose,
    opponent_of,
    scheduled,
    time_of,
    times,
    warp6,
)


async def late_match(env: MatchFixture, **fields: Any) -> tuple[MatchId, UserId, str, int]:
    """A match of Warp 6 in which time has run out: number, user, seat and decision."""
    terms = Terms(game="warp6", clock="3d", guild_id=None, channel_id=ChannelId(5), **fields)
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    match_id, user = challenge.match_id, await env.on_turn(challenge.match_id)
    match = await env.queries.match(match_id)
    seat = match.seat_of(user)
    env.now += 3 * DAY
    await env.timers().fire()
    assert (await time_of(env, match_id, user)).over
    return match_id, user, seat, match.decisions[seat]


async def claim(
    env: MatchFixture, match_id: MatchId, user: UserId, seat: str, **kwargs: Any
) -> Outcome:
    return await env.deadlines.claim_win(next(env.ids), match_id, user, seat, **kwargs)


async def set_pings(env: MatchFixture, match_id: MatchId, due: dict[str, float]) -> None:
    """Set a timer for each seat, which pings its player."""
    decisions = (await env.queries.match(match_id)).decisions
    async with env.database.write() as connection:
        for seat, at in due.items():
            player = await seat_row(connection, match_id, seat)
            await schedule(connection, player, decisions[seat], {TimerKind.PING: at})


async def pings(env: MatchFixture) -> list[tuple[int, str]]:
    """Match and seats of each ping that was queued."""
    return sorted(
        (
            row.match_id,
            "".join(sorted(name[-1] for name in row.payload if name.startswith("ping:"))),
        )
        for row in await env.queued(kind=OutboxKind.TURN_PING)
    )


async def test_confirmed_claim_holds_for_the_same_position(env: MatchFixture) -> None:
    match_id, user, seat, _ = await late_match(env)
    version = (await env.queries.match(match_id)).version
    other = opponent_of(user)
    before = await claim(env, match_id, other, seat, confirmed_version=version - 1)
    assert before.kind == "stale"
    assert (await claim(env, match_id, other, seat, confirmed_version=version)).kind == "done"


async def test_claim_against_an_unknown_seat_is_stale(env: MatchFixture) -> None:
    match_id, user, *_ = await late_match(env)
    assert (await claim(env, match_id, opponent_of(user), "X")).kind == "stale"


async def test_time_of_other_seats_and_matches_goes_on(env: MatchFixture) -> None:
    match_id, other_id = [await warp6(env, "3d", setup="secret") for _ in range(2)]
    before, elsewhere = await times(env, match_id), await times(env, other_id)
    env.now += 3 * DAY
    seat = (await env.queries.match(match_id)).seat_of(ADA)
    await env.strike("flag", match_id, seat, await env.decision(match_id, ADA))
    assert await times(env, match_id) == {ADA: (0.0, env.now), BO: before[BO]}
    assert await times(env, other_id) == elsewhere


async def test_last_second_after_a_vacation_runs_out(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    user = await env.on_turn(match_id)
    env.now += DAY - 1
    await env.vacations.begin(user, env.now + DAY)
    await env.vacations.end(user)
    env.now += 1
    await env.timers().fire()
    assert await time_of(env, match_id, user) == (0.0, env.now)


@pytest.mark.parametrize("rated", [False, True])
async def test_match_of_two_people_is_not_lost_without_a_claim(
    env: MatchFixture, rated: bool
) -> None:
    match_id, _, seat, version = await late_match(env, rated=rated)
    assert "flag" not in await scheduled(env, match_id)
    await env.strike("flag", match_id, seat, version)
    assert (await env.queries.match(match_id)).status == "running"


async def test_rated_match_is_not_lost_while_the_clock_stands(env: MatchFixture) -> None:
    terms = Terms(game="warp6", clock="3d", rated=True, guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], computer_player("navigator")]
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    match = await env.queries.match(challenge.match_id)
    assert "B" in match.decisions
    await env.vacations.begin(ADA, env.now + DAY)
    await env.strike("flag", match.id, "B", match.decisions["B"])
    assert (await env.queries.match(match.id)).status == "running"


async def test_players_whose_pings_are_due_share_a_message(env: MatchFixture) -> None:
    match_id, other_id = [await warp6(env, "", setup="secret") for _ in range(2)]
    for number in (match_id, other_id):
        await set_pings(env, number, {"B": env.now, "Y": env.now})
    await env.timers().fire()
    assert await pings(env) == [(match_id, "BY"), (other_id, "BY")]


async def test_ping_that_is_due_later_is_sent_then(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    await set_pings(env, match_id, {"B": env.now, "Y": env.now + 1})
    await env.timers().fire()
    assert await pings(env) == [(match_id, "B")]
    env.now += 1
    await env.timers().fire()
    assert await pings(env) == [(match_id, "B"), (match_id, "Y")]


async def pauses(env: MatchFixture, match_id: MatchId, count: int) -> list[float]:
    """Let reminders of a pending decision fire; return the days after each until the next."""
    user, days = await env.on_turn(match_id), list[float]()
    seat = (await env.queries.match(match_id)).seat_of(user)
    for _ in range(count):
        await env.strike("remind", match_id, seat, await env.decision(match_id, user))
        latest = max((await scheduled(env, match_id))["remind"])
        days.append((latest - env.now) / DAY)
    return days


async def test_pauses_between_reminders_double_within_a_decision(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    assert await pauses(env, match_id, 3) == [2, 4, 8]
    for _ in range(2):
        await choose(env, match_id, await env.on_turn(match_id))
    assert await pauses(env, match_id, 2) == [2, 4]


async def test_snoozed_reminder_comes_instead_of_the_usual_one(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    env.now += DAY / 2
    assert (await env.deadlines.snooze(next(env.ids), match_id, user)).kind == "done"
    timers = await scheduled(env, match_id)
    assert timers["snooze"] == [env.now + DAY]
    assert "remind" not in timers


@pytest.mark.parametrize(("seconds", "pinged"), [(-1, False), (0, True)])
async def test_player_who_has_clicked_lately_is_pinged_later(
    env: MatchFixture, seconds: int, pinged: bool
) -> None:
    match_id, other_id = [await warp6(env, "", setup="secret") for _ in range(2)]
    match = await env.queries.match(match_id)
    env.match_store.clicks.record(match_id, match.players["B"].user_id)
    env.now += WATCHING_SECONDS + seconds
    for number in (match_id, other_id):
        await set_pings(env, number, {"B": env.now, "Y": env.now})
    await env.timers().fire()
    assert await pings(env) == [(match_id, "BY" if pinged else "Y"), (other_id, "BY")]
    env.now += -seconds
    await env.timers().fire()
    assert (match_id, "BY" if pinged else "B") in await pings(env)
