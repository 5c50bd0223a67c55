"""Turns of the computer: jobs, leases, fallbacks, and matches that change meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from bot.services.computer_jobs import LEASE_SECONDS, ComputerJob, claim_jobs, release_jobs
from bot.services.computer_players import COMPUTER_NAMES, LEVEL_TITLES, computer_player
from bot.services.computer_turns import ChoiceError, ChoiceRequest, ComputerChoice, ComputerTurns
from bot.services.models import Player
from bot.storage.schema import actions, computer_jobs
from engine.computer.levels import LEVELS
from engine.computer.players import ComputerPlayer
from tests.support.matches import ADA, MatchFixture, terms

Answer = Callable[[ChoiceRequest], Awaitable[ComputerChoice]]


async def properly(request: ChoiceRequest) -> ComputerChoice:
    """Choose as a worker does."""
    player = ComputerPlayer(request.level, request.seed)
    choice = player.choose(request.record, request.seat)
    return ComputerChoice(choice.action.notation, player.name)


async def begin(env: MatchFixture, level: str = "admiral") -> int:
    """Begin a match of Ada against the computer, in which the computer has to act."""
    while True:
        players = [Player(ADA, "Ada"), computer_player(level)]
        made = await env.challenges.challenge(next(env.ids), terms(), players)
        assert made.kind == "done"
        match = await env.queries.match(made.match_id)
        if any(match.players[seat].level for seat in match.decisions):
            return made.match_id
        await env.matches.act(next(env.ids), made.match_id, ADA, "resign")


def turns(env: MatchFixture, answer: Answer = properly) -> ComputerTurns:
    """Play without a pause."""
    return ComputerTurns(env.transactions, env.matches, answer, 0.0)


async def claim(env: MatchFixture, worker: str = "one") -> list[ComputerJob]:
    """Claim all free jobs."""
    async with env.database.write() as connection:
        return await claim_jobs(connection, worker, env.now, 10)


async def choosers(env: MatchFixture, match_id: int) -> list[str]:
    """Return the players that chose the computer's actions."""
    async with env.database.read() as connection:
        found = select(actions.c.chosen_by).where(actions.c.match_id == match_id)
        rows = await connection.execute(found.order_by(actions.c.number))
        return [each for each in rows.scalars() if each]


async def job_count(env: MatchFixture) -> int:
    """Return the number of queued jobs."""
    async with env.database.read() as connection:
        return len((await connection.execute(select(computer_jobs))).all())


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
    assert set(await choosers(env, match_id)) == {"admiral/1"}


async def test_job_has_one_holder_until_its_lease_ends(env: MatchFixture) -> None:
    await begin(env)
    (first,) = await claim(env)
    assert not await claim(env, "two")
    env.now += LEASE_SECONDS + 1
    (second,) = await claim(env, "two")
    async with env.database.write() as connection:
        await first.remove(connection)
        await first.postpone(connection, 0.0)
    assert await job_count(env) == 1
    async with env.database.write() as connection:
        await second.remove(connection)
    assert await job_count(env) == 0


async def test_restart_releases_own_leases(env: MatchFixture) -> None:
    await begin(env)
    (job,) = await claim(env)
    async with env.database.write() as connection:
        await release_jobs(connection, "two")
    assert not await claim(env)
    async with env.database.write() as connection:
        await release_jobs(connection, "one")
    (again,) = await claim(env)
    assert (again.match_id, again.attempts) == (job.match_id, 2)


async def test_lease_from_before_the_clock_was_put_back_ends(env: MatchFixture) -> None:
    env.now += 7 * 86400
    await begin(env)
    await claim(env)
    env.now -= 7 * 86400
    assert await claim(env, "two")


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


FAULTS = {"error": "", "nonsense": "fly to the moon", "illegal": "move S N", "resigns": "resign"}


@pytest.mark.parametrize("fault", FAULTS)
async def test_failing_level_is_replaced_by_the_one_below(env: MatchFixture, fault: str) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def fail(request: ChoiceRequest) -> ComputerChoice:
        if request.level != "admiral":
            return await properly(request)
        if fault == "error":
            raise ChoiceError("it hangs")
        return ComputerChoice(FAULTS[fault], "admiral/1")

    await turns(env, fail).play(job)
    assert set(await choosers(env, match_id)) == {"captain/1"}
    assert (await env.queries.match(match_id)).status == "running"


async def test_last_resort_draws_a_legal_action(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)

    async def fail(request: ChoiceRequest) -> ComputerChoice:
        if request.level == "random":
            return await properly(request)
        raise ChoiceError("it hangs")

    await turns(env, fail).play(job)
    assert set(await choosers(env, match_id)) == {"random/1"}


async def test_request_holds_no_secret(env: MatchFixture) -> None:
    match_id = await begin(env)
    (job,) = await claim(env)
    asked: list[ChoiceRequest] = []

    async def note(request: ChoiceRequest) -> ComputerChoice:
        asked.append(request)
        return await properly(request)

    await turns(env, note).play(job)
    for request in asked:
        assert set(request.record.headers) <= {"Game", "Version", "Rules", "Options"}
        assert request.seed != bytes(32)  # that of the dice
    assert (await env.queries.match(match_id)).seat_of(ADA) not in {each.seat for each in asked}
