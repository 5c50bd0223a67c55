"""Nudges: once a day, of players who are there and want it, outside of their quiet hours."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY, HOUR
from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.outcomes import Outcome
from bot.domain.waiting import GONE_SECONDS
from bot.services.preferences import Preferences
from bot.storage.schema import matches, timers
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, act, terms, warp6
from tests.support.stand_ins import agree, stored

Timer = tuple[str, str, float]


async def nudge(env: MatchFixture, match_id: MatchId, user: UserId) -> Outcome:
    """A user nudges the other players."""
    return await env.nudges.nudge(next(env.ids), match_id, user)


async def sent(env: MatchFixture) -> list[tuple[str, Any]]:
    """The nudges and DMs that are queued: target and payload."""
    rows = [row for row in await env.queued() if row.kind in {"nudge", "turn_dm"}]
    return [(row.target, row.payload) for row in rows]


async def scheduled(env: MatchFixture) -> list[Timer]:
    """The timers of nudges: kind, seat and when they are due."""
    query = select(timers.c.kind, timers.c.seat, timers.c.due_at)
    query = query.where(timers.c.kind.in_(("nudge", "nudged"))).order_by(timers.c.due_at)
    async with env.database.read() as connection:
        return [(row[0], row[1], row[2]) for row in await connection.execute(query)]


async def waiting(env: MatchFixture, match_id: MatchId) -> tuple[UserId, UserId]:
    """Who waits, and who has to decide."""
    late = await env.on_turn(match_id)
    return (BO if late == ADA else ADA), late


async def test_a_nudge_is_queued_once_a_day(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    assert (await nudge(env, match_id, patient)).kind == "done"
    match = await env.queries.match(match_id)
    seat = match.seat_of(late)
    assert await sent(env) == [("channel", {f"ping:{seat}": match.decisions[seat]})]
    env.now += DAY - 1
    repeated = await nudge(env, match_id, patient)
    assert (repeated.kind, repeated.next_at) == ("refused", env.now + 1)
    env.now += 1
    assert (await nudge(env, match_id, patient)).kind == "done"
    assert len(await sent(env)) == 2
    assert len(await scheduled(env)) == 1


async def test_a_nudge_delivered_again_counts_once(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, _ = await waiting(env, match_id)
    number = next(env.ids)
    for _ in range(2):
        assert (await env.nudges.nudge(number, match_id, patient)).kind == "done"
    assert len(await sent(env)) == 1


async def test_the_pause_ends_by_its_timer(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, _ = await waiting(env, match_id)
    await nudge(env, match_id, patient)
    env.now += DAY
    await env.timers().fire()
    assert not await scheduled(env)


async def test_one_pause_holds_for_all_players(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    await nudge(env, match_id, patient)
    while await env.on_turn(match_id) == late:
        await act(env, match_id)
    assert (await nudge(env, match_id, late)).next_at


async def test_who_decides_or_plays_elsewhere_cannot_nudge(env: MatchFixture) -> None:
    match_id = await env.begin()
    _, late = await waiting(env, match_id)
    assert "your own turn; `/board` shows" in (await nudge(env, match_id, late)).sentence
    assert (await nudge(env, match_id, EVE)).kind == "unknown"
    assert not await sent(env)
    assert not await scheduled(env)


async def test_a_player_on_vacation_is_left_alone(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    await env.vacations.begin(late, env.now + 5 * DAY)
    assert "is away" in (await nudge(env, match_id, patient)).sentence
    assert not await sent(env)
    await env.vacations.end(late)
    assert (await nudge(env, match_id, patient)).kind == "done"


@pytest.mark.parametrize("how", ["off", "blocked"])
async def test_a_player_who_wants_no_reminders_gets_none(env: MatchFixture, how: str) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    preferences = Preferences(env.database)
    if how == "off":
        await preferences.set(late, "remind", "off")
    else:
        await preferences.block(late, patient)
    assert "doesn't want" in (await nudge(env, match_id, patient)).sentence
    assert not await sent(env)
    assert not await scheduled(env)


async def test_a_nudge_is_sent_by_dm_as_well_if_wanted(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    await Preferences(env.database).set(late, "turns", "on")
    await nudge(env, match_id, patient)
    assert [target for target, _ in await sent(env)] == ["channel", f"user:{late}"]


async def test_a_nudge_waits_for_the_end_of_quiet_hours(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    await Preferences(env.database).set(late, "quiet", "22-8")
    env.now = 23 * HOUR
    assert (await nudge(env, match_id, patient)).kind == "done"
    assert not await sent(env)
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert await scheduled(env) == [("nudge", seat, 32 * HOUR), ("nudged", "", 47 * HOUR)]
    env.now = 32 * HOUR
    await env.timers().fire()
    assert [target for target, _ in await sent(env)] == ["channel"]


async def test_a_late_nudge_is_dropped_after_the_move(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    await Preferences(env.database).set(late, "quiet", "22-8")
    env.now = 23 * HOUR
    await nudge(env, match_id, patient)
    before = (await env.queries.match(match_id)).decisions
    seat, version = next(iter(before.items()))
    while await env.on_turn(match_id) == late:
        await act(env, match_id)
    assert [kind for kind, *_ in await scheduled(env)] == ["nudged"]
    await env.strike("nudge", match_id, seat, version)
    assert not await sent(env)


async def test_a_late_nudge_is_for_one_decision_of_one_player(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3", setup="secret")
    match = await env.queries.match(match_id)
    seat, version = match.seat_of(BO), match.decisions[match.seat_of(BO)]
    for late in (version - 1, version + 1):
        await env.strike("nudge", match_id, seat, late)
    assert not await sent(env)
    await env.strike("nudge", match_id, seat, version)
    assert await sent(env) == [("channel", {f"ping:{seat}": version})], "two others have to decide"
    reminded = {user: (await stored(env, match_id, user)).reminders for user in (ADA, BO, EVE)}
    assert reminded == {ADA: 0, BO: 1, EVE: 0}
    for user in (ADA, EVE):
        await env.matches.act(next(env.ids), match_id, user, "leave")
    await env.strike("nudge", match_id, seat, version)
    assert len(await sent(env)) == 1, "the match is over"


@pytest.mark.parametrize("how", ["away", "off", "quiet"])
async def test_a_late_nudge_asks_again_whether_it_may(env: MatchFixture, how: str) -> None:
    match_id = await env.begin()
    _, late = await waiting(env, match_id)
    seat, version = next(iter((await env.queries.match(match_id)).decisions.items()))
    env.now = 23 * HOUR
    if how == "away":
        await env.vacations.begin(late, env.now + DAY)
    else:
        key = {"off": "remind", "quiet": "quiet"}[how]
        await Preferences(env.database).set(late, key, {"off": "off", "quiet": "22-8"}[how])
    await env.strike("nudge", match_id, seat, version)
    assert not await sent(env)
    expected = [("nudge", seat, 32 * HOUR)] if how == "quiet" else []
    assert await scheduled(env) == expected


@pytest.mark.parametrize("where", [None, 7])
async def test_a_player_who_is_gone_is_not_nudged(env: MatchFixture, where: int | None) -> None:
    match_id = await warp6(env, "", seats="3", setup="secret")
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(guild_id=where))
    line = (await env.queries.view(match_id, EVE)).view.legal[0].notation.replace("?", "1")
    assert (await env.matches.act(next(env.ids), match_id, EVE, line)).kind == "done"
    match = await env.queries.match(match_id)
    ada, bo = match.seat_of(ADA), match.seat_of(BO)
    refused = await env.nudges.nudge(next(env.ids), match_id, EVE, ada + bo)
    words = "has left this server" if where else "I can't reach"
    assert (refused.kind, words in refused.sentence) == ("refused", True)
    assert not await scheduled(env), "another nudge is possible"
    assert (await env.nudges.nudge(next(env.ids), match_id, EVE, ada)).kind == "done"
    ((_, payload),) = await sent(env)
    assert payload == {f"ping:{bo}": match.decisions[bo]}


async def test_only_those_who_have_to_act_are_nudged(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3", setup="secret")
    match = await env.queries.match(match_id)
    assert len(match.decisions) == 3
    form = (await env.queries.view(match_id, EVE)).view.legal[0]
    line = form.notation.replace("?", "1")
    assert (await env.matches.act(next(env.ids), match_id, EVE, line)).kind == "done"
    assert "your own turn" in (await nudge(env, match_id, ADA)).sentence
    assert (await nudge(env, match_id, EVE)).kind == "done"
    called = {f"ping:{match.seat_of(user)}" for user in (ADA, BO)}
    ((_, payload),) = await sent(env)
    assert set(payload) == called


@pytest.mark.parametrize("how", ["away", "off"])
async def test_only_those_who_can_be_reminded_are_nudged(env: MatchFixture, how: str) -> None:
    match_id = await warp6(env, "", seats="3", setup="secret")
    line = (await env.queries.view(match_id, EVE)).view.legal[0].notation.replace("?", "1")
    assert (await env.matches.act(next(env.ids), match_id, EVE, line)).kind == "done"
    if how == "away":
        await env.vacations.begin(BO, env.now + DAY)
    else:
        await Preferences(env.database).set(BO, "remind", "off")
    assert (await nudge(env, match_id, EVE)).kind == "done"
    match = await env.queries.match(match_id)
    seat = match.seat_of(ADA)
    assert await sent(env) == [("channel", {f"ping:{seat}": match.decisions[seat]})]


async def test_a_player_with_a_stand_in_is_not_nudged(env: MatchFixture) -> None:
    match_id = await env.begin()
    patient, late = await waiting(env, match_id)
    env.now += GONE_SECONDS
    assert (await agree(env, match_id, patient, late, is_gone=True)).kind == "done"
    assert "is away and can't be nudged" in (await nudge(env, match_id, patient)).sentence
    assert not await sent(env)


async def test_a_player_who_has_left_cannot_nudge(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    assert (await env.matches.act(next(env.ids), match_id, EVE, "leave")).kind == "done"
    refused = await nudge(env, match_id, EVE)
    assert (refused.kind, refused.sentence) == ("refused", "You've left this match.")
    assert not await sent(env)


async def test_the_computer_cannot_be_nudged(env: MatchFixture) -> None:
    players = [PLAYERS[0], computer_player()]
    challenge = await env.challenges.challenge(next(env.ids), terms(), players, side="O")
    while await env.on_turn(challenge.match_id) == ADA:
        await act(env, challenge.match_id)
    refused = await nudge(env, challenge.match_id, ADA)
    assert refused.kind == "refused"
    assert refused.sentence == "There's no one to nudge here."
    assert not await sent(env)
