"""Players who no longer decide: the others learn of it, give notice, and go on without them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, select

from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.waiting import GONE_SECONDS, NOTICE_SECONDS, SILENCE_SECONDS, Absent
from bot.services.preferences import Preferences
from bot.storage.schema import rated_results, timers
from engine.endings import ABANDONED
from tests.support.cups import CupFixture
from tests.support.matches import ADA, BO, EVE, MatchFixture, choose, opponent_of, scheduled, warp6
from tests.support.silence import give_notice, live, rate, reports, state, waiting
from tests.support.stand_ins import agree, leave_for_vacation, stored, until_turn

pytestmark = pytest.mark.slow

RUNNING = ("running", "", "")


@pytest.mark.parametrize("clock", ["", "3d"])
@pytest.mark.parametrize(("is_gone", "pause"), [(False, SILENCE_SECONDS), (True, GONE_SECONDS)])
async def test_a_silent_player_can_be_given_notice(
    env: MatchFixture, clock: str, *, is_gone: bool, pause: float
) -> None:
    match_id, patient, late = await waiting(env, clock)
    await live(env, pause - 1)
    early = await give_notice(env, match_id, patient, late, is_gone=is_gone)
    assert (early.kind, early.next_at) == ("refused", env.now + 1)
    assert "{time}" in early.sentence
    await live(env, 1)
    assert (await give_notice(env, match_id, patient, late, is_gone=is_gone)).kind == "done"
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert (await env.queries.match(match_id)).notices == {seat: env.now + NOTICE_SECONDS}
    await live(env, NOTICE_SECONDS - 1)
    assert await state(env, match_id) == RUNNING
    await live(env, 1)
    assert await state(env, match_id) == ("finished", ABANDONED, "")
    assert set(await scheduled(env, match_id)) <= {"expire"}


async def test_a_notice_is_sent_to_all_and_by_dm(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, SILENCE_SECONDS)
    await env.clear_outbox()
    await give_notice(env, match_id, patient, late)
    match = await env.queries.match(match_id)
    seat = match.seat_of(late)
    sent = [(row.kind, row.target) for row in await env.queued(match_id=match_id)]
    assert sent == [("notice", "channel"), ("notice", f"user:{late}"), ("edit_board", "channel")]
    (payload, _) = [row.payload for row in await env.queued(kind="notice")]
    assert payload == {f"ping:{seat}": match.decisions[seat]}
    repeated = await give_notice(env, match_id, patient, late)
    assert (repeated.kind, repeated.next_at) == ("refused", env.now + NOTICE_SECONDS)
    assert "notice already" in repeated.sentence
    assert len(await env.queued(kind="notice")) == 2


async def test_a_player_is_silent_since_the_decision_appeared(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, SILENCE_SECONDS)
    offer = await env.matches.act(next(env.ids), match_id, patient, "draw offer")
    assert offer.kind == "done", "the match changes, though the other has still not decided"
    assert (await give_notice(env, match_id, patient, late)).kind == "done"


async def test_any_choice_keeps_the_match(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, SILENCE_SECONDS)
    await give_notice(env, match_id, patient, late)
    await live(env, NOTICE_SECONDS - 1)
    seat, version = next(iter((await env.queries.match(match_id)).decisions.items()))
    assert (await choose(env, match_id, late)).kind == "done"
    assert not (await env.queries.match(match_id)).notices
    assert await void_notices(env, match_id) == [{f"void:{seat}": 1}]
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == RUNNING
    assert len(await void_notices(env, match_id)) == 1
    await env.strike("notice", match_id, seat, version)
    assert await state(env, match_id) == RUNNING, "a timer of an earlier decision"


async def void_notices(env: MatchFixture, match_id: MatchId) -> list[Any]:
    """The messages that a notice is void."""
    rows = await env.queued(match_id=match_id, kind="notice")
    return [row.payload for row in rows if any(name.startswith("void:") for name in row.payload)]


@pytest.mark.slow
async def test_a_notice_is_not_void_while_the_player_is_silent(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await choose_until_silent(env, match_id, patient, late)
    assert not await void_notices(env, match_id), "another choice leaves the decision pending"
    assert (await env.queries.match(match_id)).notices
    await env.matches.act(next(env.ids), match_id, late, "resign")
    assert not await void_notices(env, match_id), "the match does not go on"


async def choose_until_silent(
    env: MatchFixture, match_id: MatchId, patient: UserId, late: UserId
) -> None:
    """Give a player notice, and offer the same player a draw."""
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, patient, late)).kind == "done"
    offer = await env.matches.act(next(env.ids), match_id, patient, "draw offer")
    assert offer.kind == "done"


async def test_a_takeback_by_the_waiting_player_ends_the_notice(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    await choose(env, match_id, first)
    second = await env.on_turn(match_id)
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, first, second)).kind == "done"
    taken = await env.takebacks.take_back(next(env.ids), match_id, first)
    assert taken.kind == "done", taken
    assert len(await void_notices(env, match_id)) == 1
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == RUNNING


@pytest.mark.slow
async def test_the_third_and_the_other_play_on(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env, seats="3")
    await live(env, SILENCE_SECONDS)
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert (await give_notice(env, match_id, patient, late)).kind == "done"
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == ("running", "", seat)
    assert not await void_notices(env, match_id), "it has ended, and not by a move"
    following = await env.on_turn(match_id)
    (last,) = {ADA, BO, EVE} - {late, following}
    assert (await choose(env, match_id, following)).kind == "done"
    assert await env.on_turn(match_id) == last
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, following, last)).kind == "done"
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == ("finished", ABANDONED, seat)


# Who, and for whom


async def test_only_players_who_wait_give_notice(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env, seats="3")
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, UserId(99), late)).kind == "unknown"
    assert (await give_notice(env, match_id, patient, patient)).kind == "stale"
    assert "your own turn" in (await give_notice(env, match_id, late, late)).sentence
    match = await env.queries.match(match_id)
    before = match.version
    stale = await give_notice(env, match_id, patient, late, version=before - 1)
    assert (stale.kind, "moved on" in stale.sentence) == ("stale", True)
    (third,) = {ADA, BO, EVE} - {patient, late}
    await env.matches.act(next(env.ids), match_id, third, "leave")
    refused = await give_notice(env, match_id, third, late)
    assert (refused.kind, refused.sentence) == ("refused", "You've left this match.")
    assert not await env.queued(kind="notice")


async def test_who_has_to_decide_as_well_moves_first(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    await live(env, SILENCE_SECONDS)
    refused = await give_notice(env, match_id, ADA, BO)
    assert (refused.kind, "your own turn" in refused.sentence) == ("refused", True)
    await choose(env, match_id, ADA)
    assert (await give_notice(env, match_id, ADA, BO)).kind == "done"


async def test_a_seat_that_the_computer_plays_gets_no_notice(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await until_turn(env, match_id, BO)
    await leave_for_vacation(env, BO)
    assert (await agree(env, match_id, ADA, BO)).kind == "done"
    await env.change_seat(match_id, (await stored(env, match_id, BO)).seat, level="cadet")
    await live(env, DAY)
    assert (await give_notice(env, match_id, ADA, BO)).kind == "stale"
    assert not (await env.queries.match(match_id)).waits_since


async def test_a_notice_ends_no_match_in_which_the_computer_plays(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await until_turn(env, match_id, BO)
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, ADA, BO)).kind == "done"
    assert (await agree(env, match_id, ADA, BO)).kind == "done"
    assert not (await env.queries.match(match_id)).notices
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == RUNNING


@pytest.mark.parametrize("clock", ["", "3d"])
async def test_the_clock_alone_ends_a_rated_match_that_has_one(
    env: MatchFixture, clock: str
) -> None:
    match_id, patient, late = await waiting(env, clock)
    await rate(env, match_id)
    await live(env, SILENCE_SECONDS - 1)
    for is_gone in (False, True):
        early = await give_notice(env, match_id, patient, late, is_gone=is_gone)
        assert early.kind == "refused", "also if the player is gone"
    await live(env, 1)
    outcome = await give_notice(env, match_id, patient, late)
    assert outcome.kind == ("refused" if clock else "done")
    assert ("has a clock" in outcome.sentence) is bool(clock)
    await live(env, NOTICE_SECONDS)
    assert (await state(env, match_id) == RUNNING) is bool(clock)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(rated_results))).all()


@pytest.mark.slow
async def test_a_match_of_a_cup_ends_by_its_clock(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3)
    match = await env.queries.match((await cup.pairing(cup_id)).match_id or NO_MATCH)
    late = await env.on_turn(match.id)
    (patient,) = {player.user_id for player in match.players.values()} - {late}
    await env.vacations.begin(late, env.now + 30 * DAY)
    await env.clear_outbox()
    await live(env, SILENCE_SECONDS)
    refused = await give_notice(env, match.id, patient, late)
    assert (refused.kind, "belongs to a cup" in refused.sentence) == ("refused", True)
    assert not await reports(env, match.id)
    async with env.database.write() as connection:
        await cup.cups.close(connection, cup_id)
    await live(env, 30 * DAY)
    assert (await give_notice(env, match.id, patient, late)).kind == "done", "it is over"


async def test_a_match_of_a_cup_knows_no_silence(env: MatchFixture) -> None:
    cup = CupFixture(env)
    match = await env.queries.match((await cup.pairing(await cup.begun(3))).match_id or NO_MATCH)
    ((seat, version),) = match.decisions.items()
    late = match.players[seat].user_id
    (patient,) = {player.user_id for player in match.players.values()} - {late}
    await env.clear_outbox()
    for kind in ("gone", "silent", "stuck"):
        await env.strike(kind, match.id, seat, version)
    assert not await env.queued(match_id=match.id)
    env.now += SILENCE_SECONDS
    refused = await give_notice(env, match.id, patient, late)
    assert (refused.kind, "belongs to a cup" in refused.sentence) == ("refused", True)


@pytest.mark.parametrize("players", [2, 3])
async def test_of_three_two_play_on_after_a_notice(env: MatchFixture, players: int) -> None:
    match_id, _, late = await waiting(env, seats=str(players))
    match = await env.queries.match(match_id)
    seat = match.seat_of(late)
    await env.strike("notice", match_id, seat, match.decisions[seat])
    ended, after = ("finished", ABANDONED, ""), ("running", "", seat)
    assert await state(env, match_id) == (ended if players == 2 else after)


# Settings, vacations, outages


@pytest.mark.parametrize(
    ("remind", "is_away", "tells"),
    [("on", False, False), ("off", False, True), ("on", True, True), ("off", True, True)],
)
async def test_a_board_tells_of_silence_without_a_reminder(
    env: MatchFixture, remind: str, *, is_away: bool, tells: bool
) -> None:
    match_id, _, late = await waiting(env)
    match = await env.queries.match(match_id)
    if remind == "off":
        await Preferences(env.database).set(late, "remind", "off")
    if is_away:
        await env.vacations.begin(late, env.now + DAY)
    await env.clear_outbox()
    seat = match.seat_of(late)
    await env.strike("gone", match_id, seat, match.decisions[seat])
    (board,) = await env.queued(match_id=match_id, kind="edit_board")
    assert ("tell" in board.payload) is tells


async def snooze(env: MatchFixture, match_id: MatchId, late: UserId) -> None:
    await env.deadlines.snooze(next(env.ids), match_id, late)


SETTINGS: dict[str, Any] = {
    "none": lambda _env, _match, _late: None,
    "no reminders": lambda env, _, late: Preferences(env.database).set(late, "remind", "off"),
    "quiet hours": lambda env, _, late: Preferences(env.database).set(late, "quiet", "22-8"),
    "snoozed": snooze,
    "closed DMs": lambda env, _, late: Preferences(env.database).record_dm_result(
        late, by_dm=False
    ),
    "blocked": lambda env, _, late: Preferences(env.database).block(late, opponent_of(late)),
}


OTHER_KINDS = [("3", ""), ("2", "3d"), ("3", "3d")]
"""Seats and clocks of matches."""


@pytest.mark.first(test=3)
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("seats", "clock"),
    [("2", ""), *(pytest.param(*kind, marks=pytest.mark.slow) for kind in OTHER_KINDS)],
)
async def test_however_a_player_vanishes_the_others_go_on(
    env: MatchFixture, setting: str, seats: str, clock: str
) -> None:
    match_id, patient, late = await waiting(env, clock, seats=seats)
    if change := SETTINGS[setting](env, match_id, late):
        await change
    await live(env, GONE_SECONDS)
    assert await reports(env, match_id) == ["edit_board"], "posted if the player is gone"
    await live(env, SILENCE_SECONDS - GONE_SECONDS)
    assert await reports(env, match_id) == ["edit_board", "post_board"]
    assert (await give_notice(env, match_id, patient, late)).kind == "done"
    await live(env, NOTICE_SECONDS)
    status, result, departed = await state(env, match_id)
    seat = (await env.queries.match(match_id)).seat_of(late)
    ended, out = ("finished", ABANDONED, ""), ("running", "", seat)
    assert (status, result, departed) == (ended if seats == "2" else out)


@pytest.mark.slow
@pytest.mark.parametrize(("is_gone", "pause"), [(False, 10 * DAY), (True, 0)])
async def test_a_vacation_comes_before_the_notice(
    env: MatchFixture, *, is_gone: bool, pause: float
) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, SILENCE_SECONDS)
    await env.vacations.begin(late, env.now + 10 * DAY)
    assert (await give_notice(env, match_id, patient, late, is_gone=is_gone)).kind == "done"
    (at,) = (await env.queries.match(match_id)).notices.values()
    assert at == env.now + pause + NOTICE_SECONDS


async def test_a_vacation_is_no_silence(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, 10 * DAY)
    await env.vacations.begin(late, env.now + 20 * DAY)
    await live(env, 17 * DAY)
    assert await reports(env, match_id) == ["edit_board"]
    await live(env, 3 * DAY)
    await env.vacations.end(late)
    assert await reports(env, match_id) == ["edit_board"], "the four weeks have not passed"
    await live(env, 18 * DAY - 1)
    early = await give_notice(env, match_id, patient, late)
    assert (early.kind, early.next_at) == ("refused", env.now + 1)
    assert not Absent.of(await env.queries.match(match_id), env.now, "").endable
    await live(env, 1)
    assert await reports(env, match_id) == ["edit_board", "post_board"]
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert Absent.of(await env.queries.match(match_id), env.now, "").endable == seat
    assert (await give_notice(env, match_id, patient, late)).kind == "done"


@pytest.mark.first(test=1)
@pytest.mark.parametrize("changed_to", [1, 5, 20])
async def test_only_the_days_away_are_no_silence(env: MatchFixture, changed_to: int) -> None:
    match_id, patient, late = await waiting(env)
    begin = env.now
    await env.vacations.begin(late, begin + 10 * DAY)
    await env.vacations.begin(late, begin + changed_to * DAY)
    used = min(changed_to, 6)
    await live(env, used * DAY)
    await env.vacations.end(late)
    for __ in range(3):  # a vacation that ends at once gains nothing
        await env.vacations.begin(late, env.now + 10 * DAY)
        await env.vacations.end(late)
    early = await give_notice(env, match_id, patient, late)
    assert (early.kind, early.next_at) == ("refused", begin + used * DAY + SILENCE_SECONDS)


async def test_a_turn_that_comes_on_vacation_waits_for_the_return(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await env.vacations.begin(patient, env.now + 10 * DAY)
    back = env.now + 10 * DAY
    await live(env, DAY)
    while await env.on_turn(match_id) == late:
        await choose(env, match_id, late)
    early = await give_notice(env, match_id, late, patient)
    assert (early.kind, early.next_at) == ("refused", back + SILENCE_SECONDS)
    gone = await give_notice(env, match_id, late, patient, is_gone=True)
    assert (gone.kind, gone.next_at) == ("refused", env.now + GONE_SECONDS)


@pytest.mark.slow
async def test_a_vacation_after_four_weeks_of_silence_changes_nothing(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await live(env, SILENCE_SECONDS)
    await env.vacations.begin(late, env.now + 10 * DAY)
    await env.vacations.end(late)
    assert (await env.queries.match(match_id)).patience == {}
    assert (await give_notice(env, match_id, patient, late)).kind == "done"


async def test_a_move_after_a_vacation_begins_the_wait_again(env: MatchFixture) -> None:
    match_id, _, late = await waiting(env)
    await env.vacations.begin(late, env.now + 10 * DAY)
    assert list((await env.queries.match(match_id)).patience.values()) == [
        env.now + 10 * DAY + SILENCE_SECONDS
    ]
    await env.vacations.end(late)
    await choose(env, match_id, late)
    match = await env.queries.match(match_id)
    assert match.seat_of(late) not in match.patience


async def test_an_outage_is_no_silence(env: MatchFixture) -> None:
    match_id, patient, late = await waiting(env)
    await env.timers().fire()
    env.now += SILENCE_SECONDS
    await env.timers().fire()
    refused = await give_notice(env, match_id, patient, late)
    assert (refused.kind, refused.next_at) == ("refused", env.now + SILENCE_SECONDS)
    await live(env, SILENCE_SECONDS)
    assert (await give_notice(env, match_id, patient, late)).kind == "done"
    await env.timers().fire()
    env.now += 2 * NOTICE_SECONDS
    await env.timers().fire()
    assert await state(env, match_id) == RUNNING
    await live(env, NOTICE_SECONDS)
    assert await state(env, match_id) == ("finished", ABANDONED, "")


async def test_a_match_of_an_earlier_version_waits_since_its_change(
    env: MatchFixture,
) -> None:
    match_id, patient, late = await waiting(env)
    async with env.database.write() as connection:
        await connection.execute(delete(timers))
    begin = env.now
    seat = (await env.queries.match(match_id)).seat_of(late)
    assert (await env.queries.match(match_id)).waits_since == {seat: begin}
    env.now += SILENCE_SECONDS - 1
    refused = await give_notice(env, match_id, patient, late)
    assert (refused.kind, refused.next_at) == ("refused", env.now + 1)
    env.now += 1
    assert (await give_notice(env, match_id, patient, late)).kind == "done"
