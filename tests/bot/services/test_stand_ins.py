"""The computer stands in for players who are away, until they come back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select, update

from bot.domain.clocks import DAY
from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player, Rated
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import Outcome
from bot.domain.waiting import GONE_SECONDS, SILENCE_SECONDS
from bot.services.computer_turns import ChoiceRequest, ComputerChoice
from bot.services.stand_ins import voters
from bot.storage.schema import matches, seats
from engine.computer.players import VERSION
from tests.support.computer_turns import choosers, claim, job_count, play_all, properly, turns
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    PLAYERS,
    MatchFixture,
    act,
    begun,
    choose,
    terms,
    warp6,
)
from tests.support.privacy import export_of, privacy_of
from tests.support.stand_ins import (
    agree,
    come_back,
    leave_for_vacation,
    replaced,
    seat_of,
    stored,
    until_turn,
)


async def test_computer_decides_for_a_player_who_keeps_the_seat(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    assert await env.on_turn(match_id) == ADA
    assert set(await choosers(env, match_id)) == {f"cadet/{VERSION}"}
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

    visible = (await env.queries.record(match_id, BO)).actions
    await agree(env, match_id, ADA, BO)
    await play_all(env, note)
    assert requests[0].record.actions == visible
    assert set(requests[0].record.headers) <= {"Game", "Version", "Rules", "Options"}
    assert {request.seat for request in requests} == {await seat_of(env, match_id, BO)}


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


@pytest.mark.parametrize(("is_gone", "pause"), [(True, GONE_SECONDS), (False, SILENCE_SECONDS)])
async def test_player_who_is_silent_need_not_agree(
    env: MatchFixture, *, is_gone: bool, pause: float
) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    env.now += pause - 1
    refused = await agree(env, match_id, ADA, BO, is_gone=is_gone)
    assert (refused.kind, refused.next_at) == ("refused", env.now + 1)
    assert (await stored(env, match_id, BO)).decides_itself
    env.now += 1
    assert (await agree(env, match_id, ADA, BO, is_gone=is_gone)).kind == "done"
    assert (await stored(env, match_id, BO)).level == "navigator"


async def test_player_is_silent_since_the_decision_appeared(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    env.now += GONE_SECONDS
    offer = await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    assert offer.kind == "done", "the match changes, though Bo has still not decided"
    assert (await agree(env, match_id, ADA, BO, is_gone=True)).kind == "done"


async def test_player_who_plays_on_elsewhere_is_not_replaced(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    for _ in range(6):
        env.now += 2 * DAY
        await choose(env, match_id, await env.on_turn(match_id))
    while await env.on_turn(match_id) != BO:
        await choose(env, match_id, ADA)
    assert (await agree(env, match_id, ADA, BO, is_gone=True)).kind == "refused"
    await choose(env, match_id, BO)
    env.now += SILENCE_SECONDS
    assert (await agree(env, match_id, ADA, BO, is_gone=True)).kind == "stale", "not Bo's turn"
    assert (await stored(env, match_id, BO)).decides_itself


@pytest.mark.parametrize("has_agreed", [False, True])
async def test_player_of_a_rated_match_must_have_agreed(
    env: MatchFixture, *, has_agreed: bool
) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(rated=Rated.RATED))
    await until_turn(env, match_id, BO)
    if has_agreed:
        await leave_for_vacation(env, BO)
    env.now += 2 * SILENCE_SECONDS
    outcome = await agree(env, match_id, ADA, BO, is_gone=True)
    assert outcome.kind == ("done" if has_agreed else "stale")
    assert (await stored(env, match_id, BO)).decides_itself is not has_agreed


async def board_edits(env: MatchFixture) -> int:
    """How many edits of boards were queued."""
    return len(await env.queued(kind=OutboxKind.EDIT_BOARD))


async def test_all_others_in_the_match_must_agree(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    await leave_for_vacation(env, BO)
    before = await board_edits(env)
    for _ in range(2):
        assert (await agree(env, match_id, EVE, BO)).kind == "done"
    assert await board_edits(env) == before + 2
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
    env.now += GONE_SECONDS
    assert (await agree(env, match_id, EVE, BO, is_gone=True)).kind == "done"
    await choose(env, match_id, BO)
    assert not (await env.queries.match(match_id)).agreed_by
    while await env.on_turn(match_id) != BO:
        await choose(env, match_id, await env.on_turn(match_id))
    env.now += GONE_SECONDS
    assert (await agree(env, match_id, ADA, BO, is_gone=True)).kind == "done"
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


async def make_a_choice(env: MatchFixture, match_id: MatchId) -> Outcome:
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


async def test_vacation_without_the_computer_is_extended_without_it(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    await leave_for_vacation(env, BO, "")
    env.now += GONE_SECONDS
    assert (await agree(env, match_id, ADA, BO, is_gone=True)).kind == "done"
    extended = await env.vacations.begin(BO, env.now + 12 * DAY, "")
    assert extended.stand_in is None
    assert (await env.vacations.balance(BO)).stand_in is None
    assert (await stored(env, match_id, BO)).level == "navigator", "nothing else was said"


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
    rematch = await env.rematches.rematch(next(env.ids), match_id, ADA)
    match = await env.queries.match(rematch.match_id)
    assert match.status == "challenge"
    assert match.unaccepted == match.seat_of(BO)
    assert not match.players[match.seat_of(BO)].level


async def test_erased_player_has_no_stand_in(env: MatchFixture) -> None:
    match_id = await replaced(env)
    assert await privacy_of(env).erase(BO)
    assert (await env.queries.match(match_id)).status == "finished"
    async with env.database.read() as connection:
        rows = await connection.execute(select(seats.c.user_id, seats.c.level))
        assert {tuple(row) for row in rows} == {(ADA, None), (-1, None)}


async def test_export_names_the_stand_in(env: MatchFixture) -> None:
    await replaced(env)
    data = await export_of(env.database, BO)
    assert data["absences"][0]["stand_in"] == "cadet"
    assert data["matches"][0]["seat"]["level"] == "cadet"
    assert "cadet" not in str((await export_of(env.database, ADA))["matches"])


async def test_late_answer_of_another_holder_changes_nothing(env: MatchFixture) -> None:
    match_id = await replaced(env)
    (job,) = await claim(env)
    await come_back(env, match_id)
    await agree(env, match_id, ADA, BO)
    await turns(env).play(job)
    assert not await choosers(env, match_id)
    await play_all(env)
    assert await choosers(env, match_id)


async def test_no_computer_plays_for_a_player_who_has_left(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    await leave_for_vacation(env, EVE)
    assert (await env.matches.act(next(env.ids), match_id, EVE, "leave")).kind == "done"
    absent = (await env.queries.match(match_id)).seat_of(EVE)
    for seat in (absent, "X"):
        refused = await env.stand_ins.agree(next(env.ids), match_id, ADA, seat, is_gone=False)
        assert (refused.kind, refused.match_id) == ("stale", match_id)
        assert refused.sentence == "There's no player to stand in for."


async def test_no_computer_stands_in_for_a_computer(env: MatchFixture) -> None:
    players = [PLAYERS[0], computer_player()]
    challenge = await env.challenges.challenge(next(env.ids), terms(), players, side="O")
    seats = (await env.queries.match(challenge.match_id)).players
    (seat,) = (seat for seat, player in seats.items() if player.is_computer)
    refused = await env.stand_ins.agree(next(env.ids), challenge.match_id, ADA, seat, is_gone=False)
    assert refused.sentence == "There's no player to stand in for."


def test_players_whose_data_was_deleted_are_not_asked() -> None:
    players = {"B": Player(ADA, "Ada"), "Y": Player(BO, "Bo"), "W": Player(UserId(-1), "")}
    assert voters(players, "BYW", "Y") == "B"
