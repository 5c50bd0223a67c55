"""The computer stands in for players who are away, until they come back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random

import pytest
from sqlalchemy import select

from bot.services.clocks import DAY
from bot.services.computer_turns import ChoiceRequest, ComputerChoice
from bot.services.match_rows import seat_row
from bot.services.outcomes import Outcome
from bot.services.preferences import Preferences
from bot.services.privacy import Privacy
from bot.services.seat_clocks import SEAT_TIMERS
from bot.services.stored import StoredSeat
from bot.storage.leases import Leases
from bot.storage.schema import outbox, seats
from tests.support.computer_turns import choosers, claim, job_count, play_all, properly, turns
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    act,
    armed,
    begun,
    choose,
    take_back,
    time_of,
    warp6,
)

PROBED = 0.3
"""Share of the choices that are taken back."""


async def seat_of(env: MatchFixture, match_id: int, user: int) -> str:
    """Return a user's seat."""
    return (await env.queries.match(match_id)).seat_of(user)


async def stored(env: MatchFixture, match_id: int, user: int) -> StoredSeat:
    """Return a user's seat as stored."""
    async with env.database.read() as connection:
        return await seat_row(connection, match_id, await seat_of(env, match_id, user))


async def agree(
    env: MatchFixture, match_id: int, user: int, absent: int, *, has_left: bool = False
) -> Outcome:
    """A user agrees that the computer stands in for another one."""
    seat = await seat_of(env, match_id, absent)
    return await env.stand_ins.agree(next(env.ids), match_id, user, seat, has_left=has_left)


async def leave_for_vacation(env: MatchFixture, user: int, level: str | None = "cadet") -> None:
    """A user goes away for ten days."""
    await env.vacations.begin(user, env.now + 10 * DAY, level)


async def until_turn(env: MatchFixture, match_id: int, user: int) -> None:
    """The others choose until a user has to decide."""
    while user != await env.on_turn(match_id):
        await act(env, match_id)


async def replaced(env: MatchFixture, clock: str = "", absent: int = BO) -> int:
    """Begin a match in which the computer has to decide for a user who is away."""
    match_id = await begun(env, clock)
    await until_turn(env, match_id, absent)
    await leave_for_vacation(env, absent)
    assert (await agree(env, match_id, ADA + BO - absent, absent)).kind == "done"
    return match_id


async def test_computer_decides_for_a_player_who_keeps_the_seat(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    assert await env.on_turn(match_id) == ADA
    assert set(await choosers(env, match_id)) == {"cadet/1"}
    match = await env.queries.match(match_id)
    player = match.players[match.seat_of(BO)]
    assert (player.user_id, player.name, player.level) == (BO, "Bo", "cadet")
    assert list(match.acting_people) == [match.seat_of(ADA)]


async def test_request_contains_only_what_the_seat_knows(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    await leave_for_vacation(env, BO)
    requests: list[ChoiceRequest] = []

    async def note(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request)
        return await properly(request)

    own = (await env.queries.record(match_id, BO)).actions
    await agree(env, match_id, ADA, BO)
    await play_all(env, note)
    assert requests[0].record.actions == own
    assert set(requests[0].record.headers) <= {"Game", "Version", "Rules", "Options"}
    assert {each.seat for each in requests} == {await seat_of(env, match_id, BO)}


@pytest.mark.parametrize("level", [None, ""])
async def test_player_on_vacation_must_have_agreed(env: MatchFixture, level: str | None) -> None:
    match_id = await begun(env, "")
    await leave_for_vacation(env, BO, level)
    refused = await agree(env, match_id, ADA, BO)
    assert "hasn't agreed" in refused.sentence
    assert (await stored(env, match_id, BO)).decides_itself


async def test_player_who_is_back_is_not_replaced(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await leave_for_vacation(env, BO)
    await env.vacations.end(BO)
    assert (await agree(env, match_id, ADA, BO)).kind == "stale"
    assert (await stored(env, match_id, BO)).decides_itself


async def test_player_who_has_left_need_not_agree(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    assert (await agree(env, match_id, ADA, BO, has_left=True)).kind == "done"
    assert (await stored(env, match_id, BO)).level == "navigator"


async def test_all_others_in_the_match_must_agree(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    await leave_for_vacation(env, BO)
    for _ in range(2):
        assert (await agree(env, match_id, EVE, BO)).kind == "done"
    match = await env.queries.match(match_id)
    assert match.agreed_by == {match.seat_of(BO): match.seat_of(EVE)}
    assert (await stored(env, match_id, BO)).decides_itself
    assert (await agree(env, match_id, ADA, BO)).kind == "done"
    assert (await stored(env, match_id, BO)).level == "cadet"
    assert not (await env.queries.match(match_id)).agreed_by


async def test_agreement_ends_when_the_player_acts(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d", seats="3")
    while await env.on_turn(match_id) != BO:
        await choose(env, match_id, await env.on_turn(match_id))
    assert (await agree(env, match_id, EVE, BO, has_left=True)).kind == "done"
    await choose(env, match_id, BO)
    assert not (await env.queries.match(match_id)).agreed_by
    assert (await agree(env, match_id, ADA, BO, has_left=True)).kind == "done"
    assert (await stored(env, match_id, BO)).decides_itself


async def test_player_who_has_left_the_match_is_not_asked(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    await leave_for_vacation(env, BO)
    await env.matches.act(next(env.ids), match_id, EVE, "leave")
    assert (await agree(env, match_id, EVE, BO)).kind == "refused"
    assert (await agree(env, match_id, ADA, BO)).kind == "done"
    assert (await stored(env, match_id, BO)).level == "cadet"


async def test_players_cannot_agree_for_themselves(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await leave_for_vacation(env, BO)
    assert (await agree(env, match_id, BO, BO)).kind == "refused"
    assert (await agree(env, match_id, EVE, BO)).kind == "unknown"
    assert (await stored(env, match_id, BO)).decides_itself


async def come_back(env: MatchFixture, match_id: int, user: int = BO) -> Outcome:
    """Press *I'm back*."""
    return await env.stand_ins.come_back(next(env.ids), match_id, user)


async def make_a_choice(env: MatchFixture, match_id: int) -> Outcome:
    """Make a choice instead."""
    line = (await env.queries.view(match_id, BO)).view.legal[0].notation
    return await env.matches.act(next(env.ids), match_id, BO, line)


async def end_vacation(env: MatchFixture, _match_id: int) -> Outcome:
    """End the vacation."""
    assert await env.vacations.end(BO)
    return Outcome("done")  # type: ignore[arg-type]


async def allow_no_one(env: MatchFixture, _match_id: int) -> Outcome:
    """Stay away, but without the computer."""
    await leave_for_vacation(env, BO, "")
    return Outcome("done")  # type: ignore[arg-type]


WAYS = [come_back, make_a_choice, end_vacation, allow_no_one]


@pytest.mark.parametrize("way", WAYS)
async def test_player_comes_back_during_the_computers_turn(
    env: MatchFixture, way: Callable[[MatchFixture, int], Awaitable[Outcome]]
) -> None:
    match_id = await replaced(env, "3d")
    before = await env.lines()

    async def late(request: ChoiceRequest) -> ComputerChoice:
        if (await stored(env, match_id, BO)).level:
            assert (await way(env, match_id)).kind == "done"
        return await properly(request)

    await play_all(env, late)
    assert not await choosers(env, match_id)
    assert (await stored(env, match_id, BO)).decides_itself
    assert await job_count(env) == 0
    assert (await env.lines() > before) is (way is make_a_choice)
    await until_turn(env, match_id, BO)
    await act(env, match_id)


@pytest.mark.parametrize("level", ["cadet", "captain"])
async def test_another_level_needs_new_consent(env: MatchFixture, level: str) -> None:
    match_id = await replaced(env)
    await leave_for_vacation(env, BO, level)
    assert ((await stored(env, match_id, BO)).level or "") == ("cadet" if level == "cadet" else "")


async def test_level_stays_when_the_vacation_is_extended(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await env.vacations.begin(BO, env.now + 12 * DAY)
    assert (await env.vacations.balance(BO)).stand_in == "cadet"
    assert (await stored(env, match_id, BO)).level == "cadet"


async def test_clock_of_a_player_who_has_left_stands_still(env: MatchFixture) -> None:
    match_id = await begun(env, "3d")
    await until_turn(env, match_id, BO)
    env.now += DAY
    await agree(env, match_id, ADA, BO, has_left=True)
    assert (await time_of(env, match_id, BO)) == (2 * DAY, None)
    assert not set(await armed(env, match_id)) & set(SEAT_TIMERS)
    env.now += 5 * DAY
    await come_back(env, match_id)
    assert (await time_of(env, match_id, BO)) == (2 * DAY, env.now)
    assert set(await armed(env, match_id)) >= {"flag", "warn", "remind"}


async def test_computer_plays_without_a_clock(env: MatchFixture) -> None:
    match_id = await replaced(env, "3d")
    for _ in range(2):
        await play_all(env)
        env.now += DAY
        await until_turn(env, match_id, ADA)
        assert await time_of(env, match_id, BO) == (3 * DAY, None)
        while await env.on_turn(match_id) == ADA:
            await act(env, match_id)
    assert await time_of(env, match_id, BO) == (3 * DAY, None)
    assert not set(await armed(env, match_id)) & set(SEAT_TIMERS)


async def test_match_of_a_replaced_player_cannot_be_claimed(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    await until_turn(env, match_id, BO)
    env.now += 2 * DAY
    seat = await seat_of(env, match_id, BO)
    await env.strike("flag", match_id, seat, await env.decision(match_id, BO))
    await agree(env, match_id, ADA, BO, has_left=True)
    claimed = await env.deadlines.claim(next(env.ids), match_id, ADA, seat)
    assert claimed.kind == "stale"
    await play_all(env)
    assert await time_of(env, match_id, BO) == (DAY, None)


async def accept(request: ChoiceRequest) -> ComputerChoice:
    """Accept a draw whatever is asked."""
    return ComputerChoice("draw accept", f"{request.level}/1")


async def resign(request: ChoiceRequest) -> ComputerChoice:
    """Resign whatever is asked."""
    if request.level == "random":
        return await properly(request)
    return ComputerChoice("resign", f"{request.level}/1")


async def test_stand_in_declines_draws(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    before = len(await choosers(env, match_id))
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await play_all(env, accept)
    view = (await env.queries.view(match_id)).view
    assert not view.offer
    assert not view.result
    assert len(await choosers(env, match_id)) == before


async def test_draw_offered_before_is_declined(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    await play_all(env)
    actions = (await env.queries.record(match_id)).actions
    seat = await seat_of(env, match_id, BO)
    assert [str(each) for each in actions].count(f"{seat} draw decline") == 1
    assert await choosers(env, match_id)


async def test_stand_in_never_resigns(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env, resign)
    assert set(await choosers(env, match_id)) == {"random/1"}
    assert (await env.queries.match(match_id)).status == "running"


async def test_takeback_that_needs_consent_is_refused(env: MatchFixture) -> None:
    match_id, random, asked = await begun(env, ""), Random(2), False
    while not asked:
        user = await env.on_turn(match_id)
        line = random.choice((await env.queries.view(match_id, user)).view.legal).notation
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
        if user == ADA and random.random() < PROBED:
            asked = (await take_back(env, match_id, ADA)).kind == "ask"
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    assert "Bo isn't here to agree" in (await take_back(env, match_id, ADA)).sentence
    await come_back(env, match_id)
    assert (await take_back(env, match_id, ADA)).kind == "ask"


async def test_choice_of_the_computer_cannot_be_taken_back(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    await come_back(env, match_id)
    assert (await take_back(env, match_id, BO)).kind == "refused"


async def test_taking_back_an_own_choice_is_coming_back(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    while await env.on_turn(match_id) == ADA:
        await choose(env, match_id, ADA)
    await choose(env, match_id, BO)
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    assert (await take_back(env, match_id, BO)).kind == "done"
    assert (await stored(env, match_id, BO)).decides_itself


async def test_match_waits_when_no_other_person_plays(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    for absent in (BO, EVE):
        await leave_for_vacation(env, absent)
    for user, absent in ((EVE, BO), (ADA, BO), (ADA, EVE)):
        assert (await agree(env, match_id, user, absent)).kind == "done"
    await env.matches.act(next(env.ids), match_id, ADA, "leave")
    assert await job_count(env) == 0
    for user in (BO, EVE):
        assert (await stored(env, match_id, user)).decides_itself
    assert (await env.queries.match(match_id)).status == "running"


async def test_rematch_asks_the_person(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    assert (await stored(env, match_id, BO)).decides_itself
    assert await job_count(env) == 0
    again = await env.rematches.rematch(next(env.ids), match_id, ADA)
    match = await env.queries.match(again.match_id)
    assert match.status == "challenge"
    assert match.unaccepted == match.seat_of(BO)
    assert not match.players[match.seat_of(BO)].level


async def test_erased_player_has_no_stand_in(env: MatchFixture) -> None:
    match_id = await replaced(env)
    assert await Privacy(env.database, env.matches, Leases(env.database, "one")).erase(BO)
    assert (await env.queries.match(match_id)).status == "finished"
    async with env.database.read() as connection:
        found = await connection.execute(select(seats.c.user_id, seats.c.level))
        assert {tuple(row) for row in found} == {(ADA, None), (-1, None)}


async def test_export_names_the_stand_in(env: MatchFixture) -> None:
    await replaced(env)
    privacy = Privacy(env.database, env.matches, Leases(env.database, "one"))
    data = await privacy.export(BO)
    assert data["absences"][0]["stand_in"] == "cadet"
    assert data["matches"][0]["seat"]["level"] == "cadet"
    assert "cadet" not in str((await privacy.export(ADA))["matches"])


async def test_replaced_player_gets_no_turn_dm(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await Preferences(env.database).set(BO, "turns", "on")
    await play_all(env)
    await until_turn(env, match_id, ADA)
    while await env.on_turn(match_id) == ADA:
        await act(env, match_id)
    async with env.database.read() as connection:
        assert "turn_dm" not in (await connection.execute(select(outbox.c.kind))).scalars().all()


async def test_late_answer_of_another_holder_changes_nothing(env: MatchFixture) -> None:
    match_id = await replaced(env)
    (job,) = await claim(env)
    await come_back(env, match_id)
    await agree(env, match_id, ADA, BO)
    await turns(env).play(job)
    assert not await choosers(env, match_id)
    await play_all(env)
    assert await choosers(env, match_id)
