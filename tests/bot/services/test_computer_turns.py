"""Turns of the computer: jobs, leases, fallbacks, and matches that change meanwhile."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from sqlalchemy import delete, update

from bot.app.heartbeat import HEARTBEAT_SECONDS
from bot.domain.computer_players import COMPUTER_NAMES, LEVEL_TITLES, computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import MatchStatus, Player
from bot.domain.outbox import OutboxKind
from bot.domain.terms import Terms
from bot.services.abuse_limits import MAX_COMPUTER_MATCHES
from bot.services.challenges import OPEN_SEAT
from bot.services.computer_jobs import LEASE_SECONDS
from bot.services.computer_turns import (
    ANSWER_SECONDS,
    ChoiceError,
    ChoiceRequest,
    ComputerChoice,
    ComputerTurns,
    _declined,
    _Position,
)
from bot.services.match_repository import choosers_of, match_with_board
from bot.services.match_store import REPLACED_SECONDS, load
from bot.storage.schema import matches
from engine import games
from engine.computer.levels import LEVELS
from engine.computer.players import VERSION, ComputerPlayer
from engine.game import Action
from tests.support.computer_turns import (
    begin,
    choosers,
    claim,
    job_count,
    play_all,
    properly,
    turns,
)
from tests.support.matches import ADA, BO, MatchFixture, choose, lines_of, terms


def test_levels_are_those_of_the_engine() -> None:
    assert list(COMPUTER_NAMES) == list(LEVELS) == list(LEVEL_TITLES.values())


async def test_turn_is_played_once(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    before = await env.queries.match(match_id)
    await turns(env).play(job)
    await turns(env).play(job)  # again, as after a lease that was lost
    after = await env.queries.match(match_id)
    assert after.version == before.version + 1
    assert set(await choosers(env, match_id)) == {f"admiral/{VERSION}"}


async def edits_due(env: MatchFixture) -> list[float]:
    """Return the due times of the queued board edits, in UTC seconds."""
    return [row.next_attempt_at for row in await env.queued(kind=OutboxKind.EDIT_BOARD)]


@pytest.mark.first(test=1)
@pytest.mark.parametrize(("busy", "pause"), [(True, REPLACED_SECONDS), (False, 0.0), (None, 0.0)])
async def test_move_is_shown_later_while_busy(
    env: MatchFixture, busy: bool | None, pause: float
) -> None:
    """By default the services are not busy."""
    match_id = await begin(env)
    await play_all(env)
    if busy is not None:
        env.match_store._is_busy = lambda: busy
    env.now += 100
    while not await job_count(env):
        line = (await env.queries.view(match_id, ADA)).view.legal[0].notation
        await env.matches.act(next(env.ids), match_id, ADA, line)
    assert await edits_due(env) == [env.now + pause]
    await play_all(env)
    assert await edits_due(env) in ([], [env.now])


async def test_outdated_match_leaves_no_job_when_it_ends(env: MatchFixture) -> None:
    match_id = await begin(env)
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        await env.match_store.end_outdated(connection, row)
    assert await job_count(env) == 0


async def test_deletion_ends_a_whole_series_against_the_computer(env: MatchFixture) -> None:
    players = [Player(ADA, "Ada"), computer_player()]
    await env.challenges.challenge(next(env.ids), terms(rounds=3), players)
    async with env.database.write() as connection:
        await env.matches.leave_all(connection, ADA)
    assert not await env.queries.list_for(ADA, "running", "challenge")
    assert await job_count(env) == 0


async def test_rematches_count_against_the_limit_of_matches(env: MatchFixture) -> None:
    over = await begin(env)
    await env.matches.act(next(env.ids), over, ADA, "resign")
    while (await env.queries.list_for(ADA, "running"))[MAX_COMPUTER_MATCHES - 1 :] == []:
        players = [Player(ADA, "Ada"), computer_player()]
        await env.challenges.challenge(next(env.ids), terms(), players)
    refused = await env.rematches.rematch(next(env.ids), over, ADA)
    assert (refused.kind, "against the computer" in refused.sentence) == ("refused", True)


async def test_salt_has_one_part_for_each_seat(env: MatchFixture) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [Player(ADA, "Ada"), computer_player(), OPEN_SEAT]
    challenged = await env.challenges.challenge(next(env.ids), three, players)
    await env.challenges.accept(next(env.ids), challenged.match_id, BO, "Bo")
    async with env.database.read() as connection:
        row = (await match_with_board(connection, challenged.match_id)).match
    assert row.seat_order
    assert len(row.salt.split(",")) == len(row.seat_order) == 3


async def test_turn_is_discarded_if_the_match_has_changed(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def late(request: ChoiceRequest) -> ComputerChoice:
        await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
        return await properly(request)

    await turns(env, late).play(job)
    assert not await choosers(env, match_id)
    (job,) = await claim(env)
    await turns(env).play(job)
    assert await choosers(env, match_id)
    assert not (await env.queries.view(match_id)).view.offer


async def test_turn_is_discarded_if_the_match_has_ended(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    await turns(env).play(job)
    assert await job_count(env) == 0
    assert not await choosers(env, match_id)


FAULTS = {
    "error": "",
    "empty": "",
    "nonsense": "fly to the moon",
    "lines": "move S N\nO move S N",
    "illegal": "move S N",
    "resigns": "resign",
    "offers": "draw offer",
}

FALSE_NAMES = (
    "",
    f"captain/{VERSION}",
    f"admiral/{VERSION}\n",
    f"admiral/{VERSION} O",
    f"admiral/{'1' * 99}",
)


@pytest.mark.parametrize("fault", FAULTS)
async def test_failing_level_is_replaced_for_the_turn(
    env: MatchFixture, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def fail(request: ChoiceRequest) -> ComputerChoice:
        if request.level != "admiral":
            return await properly(request)
        if fault == "error":
            raise ChoiceError("it hangs")
        return ComputerChoice(FAULTS[fault], f"admiral/{VERSION}")

    await turns(env, fail).play(job)
    assert set(await choosers(env, match_id)) == {f"captain/{VERSION}"}
    assert (await env.queries.match(match_id)).status == "running"
    (line,) = caplog.messages
    assert line.startswith("the computer player “admiral” is replaced by “captain”: ")
    assert FAULTS[fault] == "" or FAULTS[fault] not in line


@pytest.mark.parametrize("name", FALSE_NAMES)
async def test_player_with_a_false_name_is_replaced(env: MatchFixture, name: str) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def boast(request: ChoiceRequest) -> ComputerChoice:
        choice = await properly(request)
        return choice if request.level != "admiral" else choice._replace(player=name)

    await turns(env, boast).play(job)
    assert set(await choosers(env, match_id)) == {f"captain/{VERSION}"}


@pytest.mark.slow
async def test_one_failure_replaces_the_level_until_the_turn_ends(env: MatchFixture) -> None:
    match_id = await begin(env, "tomtube")
    requests: list[str] = []

    async def stumble(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request.level)
        if len(requests) == 1:
            raise ChoiceError("it died")
        return await properly(request)

    game = games.get("tomtube")
    while len(requests) < 3:
        requests.clear()
        for job in await claim(env):
            await turns(env, stumble).play(job)
        while await env.on_turn(match_id) == ADA:
            choice = (await env.queries.view(match_id, ADA)).view.legal[0]
            line = game.fill(choice, Random(1).randrange).notation
            assert (await env.matches.act(next(env.ids), match_id, ADA, line)).kind == "done"
    assert requests == ["admiral", *["captain"] * (len(requests) - 1)]
    assert set(await choosers(env, match_id)) == {f"captain/{VERSION}"}


async def test_turn_that_waits_long_keeps_its_level(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long all workers are busy with other requests."""
    match_id = await begin(env)
    (job,) = await claim(env)
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def wait(request: ChoiceRequest) -> ComputerChoice:
        asked.set()
        await may_answer.wait()
        return await properly(request)

    playing = asyncio.create_task(turns(env, wait).play(job))
    await asked.wait()
    loop = asyncio.get_running_loop()
    later = loop.time() + 10 * LEASE_SECONDS
    monkeypatch.setattr(loop, "time", lambda: later)
    for _ in range(10):  # whatever is due then happens first
        await asyncio.sleep(0)
    may_answer.set()
    await playing
    assert set(await choosers(env, match_id)) == {f"admiral/{VERSION}"}


async def test_last_resort_draws_a_legal_action(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def fail(request: ChoiceRequest) -> ComputerChoice:
        if request.level == "random":
            return await properly(request)
        raise ChoiceError("it hangs")

    await turns(env, fail).play(job)
    assert set(await choosers(env, match_id)) == {f"random/{VERSION}"}


async def test_request_holds_no_secret(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    requests: list[ChoiceRequest] = []

    async def note(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request)
        return await properly(request)

    await turns(env, note).play(job)
    for request in requests:
        assert set(request.record.headers) <= {"Game", "Version", "Rules", "Options"}
        assert request.seed != bytes(32)  # that of the dice
        assert request.user_id == ADA, "players who wait take turns"
    assert (await env.queries.match(match_id)).seat_of(ADA) not in {
        request.seat for request in requests
    }


async def test_computer_learns_nothing_that_others_hide(env: MatchFixture) -> None:
    players = [Player(ADA, "Ada"), computer_player("admiral")]
    secret = terms("standard", "warp6", options={"setup": "secret"})
    challenged = await env.challenges.challenge(next(env.ids), secret, players, side="B")
    requests: list[ChoiceRequest] = []

    async def note(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request)
        choice = ComputerPlayer("random", request.seed).choose(request.record, request.seat)
        return ComputerChoice(choice.action.notation, f"{request.level}/{VERSION}")

    assert (await choose(env, challenged.match_id, ADA)).kind == "done"
    (job,) = await claim(env)
    await turns(env, note).play(job)
    assert "B set ?" in str(requests[0].record)
    assert " set ?" not in (await lines_of(env, challenged.match_id))[0]


def test_limits_of_a_turn_leave_time_for_what_follows() -> None:
    assert ANSWER_SECONDS < REPLACED_SECONDS  # the answer replaces the edit for a player's move
    assert 2 * HEARTBEAT_SECONDS < LEASE_SECONDS  # each heartbeat renews the lease


async def update_row(env: MatchFixture, match_id: MatchId, **fields: Any) -> None:
    """Change a match without a new version, as only an update of the bot would."""
    async with env.database.write() as connection:
        await connection.execute(update(matches).where(matches.c.id == match_id).values(fields))


@pytest.mark.parametrize("fields", [{"status": MatchStatus.CLOSED}, {"engine_version": 99}])
async def test_match_that_cannot_go_on_gets_no_turn(
    env: MatchFixture, fields: dict[str, Any]
) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    await update_row(env, match_id, **fields)
    await turns(env).play(job)
    assert not await choosers(env, match_id)
    assert await job_count(env) == 0


async def test_job_of_an_earlier_version_is_not_played(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await turns(env).play(job)
    assert not await choosers(env, match_id)
    assert await job_count(env) == 1  # the one of the latest version


async def test_only_seats_that_have_to_act_get_a_turn(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    match = await env.queries.match(match_id)
    await turns(env).play(job._replace(seat=match.seat_of(ADA)))
    assert (await env.queries.match(match_id)).version == match.version
    assert await job_count(env) == 0
    await turns(env).play(job)
    after = (await env.queries.match(match_id)).version
    await turns(env).play(job._replace(version=after))  # the computer has nothing to decide
    assert (await env.queries.match(match_id)).version == after == match.version + 1


async def test_match_that_is_deleted_during_its_turn(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def late(request: ChoiceRequest) -> ComputerChoice:
        async with env.database.write() as connection:
            await connection.execute(delete(matches).where(matches.c.id == match_id))
        return await properly(request)

    await turns(env, late).play(job)
    assert await job_count(env) == 0


@pytest.mark.parametrize(
    ("waited", "pause"), [(-50.0, 100.0), (0.0, 100.0), (40.0, 60.0), (100.0, 0.0), (500.0, 0.0)]
)
async def test_answer_comes_after_the_same_time(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, waited: float, pause: float
) -> None:
    await begin(env)
    (job,) = await claim(env)
    slept: list[float] = []

    async def skip(delay: float) -> None:
        slept.append(delay)

    monkeypatch.setattr(asyncio, "sleep", skip)
    env.now += waited
    await ComputerTurns(env.match_store, env.matches, properly, 100.0).play(job)
    assert slept[0] == pause  # SQLite lets others work after each transaction: a pause of 0
    assert await job_count(env) == 0


async def chosen_by(env: MatchFixture, match_id: MatchId) -> list[tuple[str, str | None]]:
    """Each line of a match, and the player that chose it."""
    async with env.database.read() as connection:
        choices = await choosers_of(connection, match_id)
    return list(zip(await lines_of(env, match_id), choices, strict=True))


async def test_computer_answers_a_draw_offer_itself(env: MatchFixture) -> None:
    match_id = await begin(env)
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    seat = next(iter({"O", "D"} - {(await env.queries.match(match_id)).seat_of(ADA)}))

    async def accept(request: ChoiceRequest) -> ComputerChoice:
        return ComputerChoice("draw accept", f"admiral/{VERSION}")

    await play_all(env, accept)
    assert (await chosen_by(env, match_id))[-1] == (f"{seat} draw accept", f"admiral/{VERSION}")


async def test_computer_answers_a_draw_offer_out_of_turn(env: MatchFixture) -> None:
    match_id = await begin(env)
    await play_all(env)
    match = await env.queries.match(match_id)
    assert set(match.decisions) == {match.seat_of(ADA)}
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")

    async def accept(request: ChoiceRequest) -> ComputerChoice:
        return ComputerChoice("draw accept", f"admiral/{VERSION}")

    await play_all(env, accept)
    assert (await lines_of(env, match_id))[-1].endswith("draw accept")
    assert (await env.queries.match(match_id)).status == "finished"


async def test_dice_during_a_turn_are_chosen_by_no_player(env: MatchFixture) -> None:
    match_id = await begin(env, "tomtube")
    lines: list[str] = ["build"]  # it draws a rhomb, and then chooses its place
    computer = f"admiral/{VERSION}"

    async def build(request: ChoiceRequest) -> ComputerChoice:
        choice = await properly(request._replace(level="random"))
        return ComputerChoice(lines.pop() if lines else choice.line, computer)

    (job,) = await claim(env)
    await turns(env, build).play(job)
    marks = [(line[0], mark) for line, mark in await chosen_by(env, match_id)]
    assert marks[-3:] == [(job.seat, computer), ("*", None), (job.seat, computer)]


def test_declined_draw_takes_no_dice() -> None:
    game = games.get("warp6")
    roll = game.chance(game.start("standard", {}), Random(1).randrange)
    offer, answer = Action("B", "draw", ("offer",)), Action("Y", "draw", ("decline",))
    state = game.apply(game.apply(game.start("standard", {}), roll)[0], offer)[0]
    position = _declined(game, _Position(state, (roll, offer), (), (), 1), "Y")
    assert position[1:] == ((roll, offer, answer), (answer,), (None,), 1)
