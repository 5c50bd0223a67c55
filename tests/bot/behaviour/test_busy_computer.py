"""One worker for many players: turns come first, and requests of one player delay no other."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.resource_pool import ResourcePool
from bot.services.computer_turns import ChoiceRequest, ComputerChoice, ComputerTurns
from bot.services.suggestions import Suggestions
from bot.urgency import Urgency
from engine.computer.players import VERSION, ComputerPlayer
from tests.support.computer_turns import begin, choosers, claim
from tests.support.matches import ADA, BO, EVE, MatchFixture, warp6

CLICKS = 40
"""Number of requests before the turn of another player's match."""


class Worker:
    """One worker.

    Attributes:
        arrived: requests that it has got, or that wait for it.
        may_answer: set while it answers.
        served: the requests in the order in which they were answered.
    """

    def __init__(self) -> None:
        self.arrived = asyncio.Queue[ChoiceRequest]()
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.served: list[ChoiceRequest] = []
        self._pool = ResourcePool(["worker"])

    async def choose(self, request: ChoiceRequest) -> ComputerChoice:
        """Choose at random under the name of the level."""
        self.arrived.put_nowait(request)
        async with self._pool.acquired(request.urgency, request.user_id):
            await self.may_answer.wait()
            self.served.append(request)
            player = ComputerPlayer("random", request.seed)
            action = player.choose(request.record, request.seat).action
            return ComputerChoice(action.notation, f"{request.level}/{VERSION}")


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def turns(env: MatchFixture, worker: Worker) -> ComputerTurns:
    return ComputerTurns(env.match_store, env.matches, worker.choose, 0.0)


async def queued(worker: Worker, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    """Begin work, and return when its first request has arrived."""
    task = asyncio.create_task(work)
    await worker.arrived.get()
    return task


@pytest.mark.parametrize("job_kind", ["hint", "plan"])
async def test_turn_waits_for_one_choice_of_the_clicks_before_it(
    env: MatchFixture, worker: Worker, turns: ComputerTurns, job_kind: str
) -> None:
    clicked, match_id = await warp6(env, ""), await begin(env)
    user = await env.on_turn(clicked)
    seat = (await env.queries.match(clicked)).seat_of(user)
    suggestions = Suggestions(env.match_store, turns)
    ask = suggestions.set_up if job_kind == "plan" else turns.hint
    (job,) = await claim(env)
    worker.may_answer.clear()
    tasks = [await queued(worker, ask(clicked, seat)) for _ in range(CLICKS)]
    turn = await queued(worker, turns.play(job))
    worker.may_answer.set()
    await turn
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    urgencies = [request.urgency for request in worker.served]
    first = urgencies.index(Urgency.TURN)
    last = len(urgencies) - 1 - urgencies[::-1].index(Urgency.TURN)
    assert urgencies[first : last + 1] == [Urgency.TURN] * (last + 1 - first)
    assert urgencies[:first] == [Urgency.HINT], "the one that the worker had begun"
    assert set(await choosers(env, match_id)) == {f"admiral/{VERSION}"}


@pytest.mark.parametrize("job", ["hint", "plan"])
async def test_requests_name_the_player_who_asks(
    env: MatchFixture, worker: Worker, turns: ComputerTurns, job: str
) -> None:
    match_id = await warp6(env, "", setup="secret")
    match = await env.queries.match(match_id)
    for user in (ADA, BO):
        worker.served.clear()
        seat = match.seat_of(user)
        if job == "hint":
            await turns.hint(match_id, seat)
        else:
            await Suggestions(env.match_store, turns).set_up(match_id, seat)
        assert {(r.user_id, r.urgency, r.seat) for r in worker.served} == {
            (user, Urgency.HINT, seat)
        }


async def test_hints_of_two_players_take_turns(
    env: MatchFixture, worker: Worker, turns: ComputerTurns
) -> None:
    match_id = await warp6(env, "", setup="secret")
    seats = [(await env.queries.match(match_id)).seat_of(user) for user in (ADA, BO)]
    worker.may_answer.clear()
    clicks = [
        await queued(worker, turns.hint(match_id, seat)) for seat in (*seats[:1] * 4, seats[1])
    ]
    worker.may_answer.set()
    await asyncio.gather(*clicks)
    assert [request.user_id for request in worker.served] == [ADA, ADA, BO, ADA, ADA]


async def test_turn_is_played_for_the_person_who_waits(
    env: MatchFixture, worker: Worker, turns: ComputerTurns
) -> None:
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [Player(EVE, "Eve"), *[computer_player("admiral")] * 2]
    for _ in range(6):  # who begins depends on the dice
        await env.challenges.challenge(next(env.ids), three, players)
    jobs = await claim(env)
    assert jobs
    for job in jobs:
        await turns.play(job)
    assert {(r.user_id, r.urgency) for r in worker.served} == {(EVE, Urgency.TURN)}
