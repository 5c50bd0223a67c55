"""Stories of a match against the computer, told with other hidden values of one side."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Hashable, Mapping
from random import Random
from typing import Any

import pytest

from bot.app.client import Starpost
from bot.services import computer_turns
from bot.services.computer_turns import ChoiceRequest
from bot.storage.database import Database
from bot.urgency import Urgency
from bot.workers.pool import OnReport, WorkerPool
from bot.workers.process import Outcome, WorkerError
from engine.computer.players import VERSION
from tests.support.driver import silently
from tests.support.harness import actor_bot, play
from tests.support.matches import ListingQueries
from tests.support.wormholes.positions import GAME
from tests.verification.leaks.choices import coins_lying, next_choice
from tests.verification.leaks.story import Story

OWNERS_SIDE = "OrthogonAliens"
"""The side whose coins have other values in the other world."""

OTHER_SIDE = "DiagonAliens"

CHOICES_IN_PLAY = 3
"""Choices of Ada's after all coins are placed."""


class Oracle(WorkerPool):
    """Workers that are asked for real, and whose answers turn over no coin of the owner's.

    Attributes:
        asked: all requests, as sent.
        posted: waits until the outbox is empty.
        state: the position in which the computer has to choose.
        swapped: whether the owner's coins have the values of the other world.
    """

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[str] = []
        self.state: Any = None
        self.posted: Callable[[], Awaitable[None]]
        self.swapped = False
        self._random = Random(10)  # with the dice of a stage, no turn is without a choice

    async def ask(
        self,
        request: Mapping[str, Any],
        timeout_seconds: float,
        *,
        urgency: int = Urgency.TURN,
        owner: Hashable = None,
        patience_seconds: float | None = None,
        on_report: OnReport | None = None,
    ) -> dict[str, Any]:
        """Answer a request, see `WorkerPool`; but only when all boards before it are posted."""
        del timeout_seconds, urgency, owner, patience_seconds, on_report
        await self.posted()
        self.asked.append(json.dumps(request))
        if request["do"] != "choose":
            raise WorkerError(Outcome.TIMEOUT, "no audits here")
        if request["seat"] in GAME.view(self.state).answering:
            return {"line": "draw decline", "player": f"{request['level']}/{VERSION}"}
        swapped = self.swapped and request["seat"] == OWNERS_SIDE[0]
        action = next_choice(self.state, self._random, swapped=swapped)
        assert action, "the computer has to turn over a coin"
        return {"line": action.notation, "player": f"{request['level']}/{VERSION}"}


def consult(patch: pytest.MonkeyPatch) -> None:
    """Show the oracle the position before it is asked."""
    honest = computer_turns._ask

    async def ask(choose: Any, game: Any, state: Any, request: ChoiceRequest) -> Any:
        choose.__self__._workers.state = state
        return await honest(choose, game, state, request)

    patch.setattr(computer_turns, "_ask", ask)


class AgainstComputer(Story):
    """Ada, whose coins differ, against the computer."""

    oracle: Oracle

    @staticmethod
    def bot(database: Database) -> Starpost:
        """See `Telling`."""
        return actor_bot(database, workers=Oracle())

    async def begin(self, **options: Any) -> None:
        """Begin the match; whatever the computer is asked is noted."""
        stage = self.stage
        oracle = stage.client.runtime.computers._workers
        assert isinstance(oracle, Oracle)
        self.oracle, oracle.swapped = oracle, self.swapped
        oracle.posted = stage.client.runtime.outbox.flush
        side = OWNERS_SIDE if self.owner_is_ada else OTHER_SIDE
        await play(stage.ada, stage.channel, level="cadet", side=side, **options)
        (match,) = await ListingQueries(stage.database).list_for(stage.ada.id, "running")
        self.match_id = match.id
        (stage.where,) = stage.channel.threads
        await self.settle()

    async def settle(self) -> None:
        """Wait until the computer has played and everything has arrived."""
        await super().settle()
        owner = f'"seat": "{OWNERS_SIDE[0]}"'
        self.watcher.asked[:] = [request for request in self.oracle.asked if owner not in request]

    async def choose(self, way: Any = silently) -> bool:
        """Make Ada's next choice; the computer answers."""
        stage = self.stage
        state = await stage.state(self.match_id)
        swapped = self.swapped and self.owner_is_ada
        action = next_choice(state, self.random, swapped=swapped)
        if action is None:
            return False
        before = coins_lying(state, "SMCA")
        await way(stage, self.match_id, stage.ada, action)
        await self.settle()
        self.turned = bool(before - coins_lying(await stage.state(self.match_id), "SMCA"))
        self.done["choice"] += 1
        return True

    async def own_takeback(self) -> None:
        """Ada takes her last choice back, if the computer has not followed yet."""
        before = await self.undone()
        await self.stage.ada.slash(self.where, "takeback", match=self.match_id)
        await self.settle()
        self.done["taken back"] += await self.undone() > before

    async def offer_draw(self) -> None:
        """Ada offers a draw, which the computer declines."""
        await self.stage.ada.slash(self.where, "draw", match=self.match_id)
        await self.settle()
        self.done["draw offered"] += not (await self.stage.perspective(self.match_id)).view.offer

    async def ask_for_hint(self) -> None:
        """Ada asks what the computer would do."""
        answer = await self.stage.click(self.stage.ada, self.stage.last(self.where), "hint:")
        self.done["hint"] += answer.ephemeral
        self.watcher.note()


class SecretComputer(AgainstComputer):
    """Ada against the computer, whose coins differ: nothing is the same secret to anyone."""

    owner_is_ada = False


async def against_computer(story: AgainstComputer) -> None:
    """Play a while, with all that a player does beside choosing."""
    await story.begin()
    await story.act(story.look_around)
    for act in (story.own_takeback, story.offer_draw, story.ask_for_hint, story.export):
        await story.choose()
        await story.act(act)
    while await story.is_placing():
        await story.choose()
    for _ in range(CHOICES_IN_PLAY):
        await story.choose()
    await story.act(story.look_around)
    story.watcher.look()
