"""Turns of the computer with two workers, compared with a model after each random step."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import select

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.computer_jobs import ComputerJob, release_jobs
from bot.services.computer_turns import ChoiceRequest, ComputerChoice, StoppedError
from bot.storage.schema import actions, computer_jobs, matches
from engine import games
from engine.endings import ENDING_VERBS, is_offer
from engine.game import CHANCE, Action
from engine.plans import forced_action
from tests.support.computer_turns import claim, properly, turns
from tests.support.matches import ADA, MatchFixture, take_back
from tests.support.tiers import sampled
from tests.verification.models.computers import QueueModel
from tests.verification.models.machine import ServiceMachine, check_machine

GAME = games.get("warp6")

LATER = st.sampled_from([0, 0, 16, 121, 121, None])
"""Seconds until a worker claims turns; None if its process dies, and the next one claims them."""


class Turn:
    """A turn that a worker plays: the computer is asked, and answers when it is told to."""

    def __init__(self, env: MatchFixture, worker: str, job: ComputerJob) -> None:
        self.worker, self.job = worker, job
        self._asked, self._may_answer = asyncio.Event(), asyncio.Event()
        self._fails = False
        self._task = asyncio.create_task(turns(env, self._answer).play(job))

    async def _answer(self, request: ChoiceRequest) -> ComputerChoice:
        self._asked.set()
        await self._may_answer.wait()
        if self._fails:
            raise StoppedError
        return await properly(request)

    async def wait(self) -> None:
        """Wait until the computer is asked."""
        await self._asked.wait()

    async def end(self, *, fails: bool = False) -> bool:
        """Let the computer answer, or fail; return whether the worker went through with it."""
        self._fails = fails
        self._may_answer.set()
        await asyncio.wait({self._task})
        error = self._task.exception()
        assert error is None or isinstance(error, StoppedError)
        return error is None

    async def stop(self) -> None:
        """End it as when its process dies."""
        self._task.cancel()
        await asyncio.wait({self._task})


class ComputerMachine(ServiceMachine):
    """A match of Ada against two computers, whose turns are played by two workers."""

    @initialize()
    def begin(self) -> None:
        self.turns: list[Turn] = []
        self.match_id = self.run(self._begin())
        match = self.run(self.env.queries.match(self.match_id))
        self.computers = "".join(seat for seat, player in match.players.items() if player.level)
        self.lines = self.stored()
        self.model = QueueModel(match.version - 1)
        self.model.change(self.due())

    @precondition(lambda self: self.is_over())
    @rule()
    def begin_another_match(self) -> None:
        self.run(self._stop())
        self.begin()

    @precondition(lambda self: not self.is_over())
    @rule(picks=st.lists(st.integers(0, 9), min_size=1, max_size=3), offers=st.booleans())
    def choose(self, picks: list[int], *, offers: bool) -> None:
        for pick in picks:
            legal = [
                action for action in GAME.legal(self.state()) if action.actor not in self.computers
            ]
            if legal:
                self.act(legal[pick % len(legal)].notation)
        if offers and not self.is_over() and self.may_offer():
            self.act("draw offer")

    @precondition(lambda self: not self.is_over())
    @rule()
    def take_back(self) -> None:
        last = max((place for place in range(len(self.lines)) if self.is_of_ada(place)), default=0)
        since = self.lines[last:]
        is_possible = any(since) and not any(
            line.actor == CHANCE or line.verb in ENDING_VERBS for line in since
        )
        assert (self.run(take_back(self.env, self.match_id, ADA)).kind == "done") == is_possible
        if is_possible:
            del self.lines[last:]
            self.model.change(self.due())

    @rule(worker=st.sampled_from(["one", "two"]), later=LATER)
    def claim(self, worker: str, later: int | None) -> None:
        if later is None:
            self.restart(worker)
        self.env.now += later or 0
        expected = self.model.claim(worker, self.env.now)
        started = self.run(self._start(worker))
        jobs = [turn.job for turn in started]
        assert sorted((job.seat, job.version, job.attempts) for job in jobs) == sorted(expected)
        self.turns += started

    @precondition(lambda self: self.turns)
    @rule(pick=st.integers(0, 5), fails=st.booleans())
    def end_a_turn(self, pick: int, *, fails: bool) -> None:
        turn = self.turns.pop(pick % len(self.turns))
        seat, version, attempt = turn.job.seat, turn.job.version, turn.job.attempts
        went_through = self.run(turn.end(fails=fails))
        stored = self.stored()
        if went_through and self.model.is_current(version):
            assert stored[: len(self.lines)] == self.lines
            assert stored[len(self.lines)].actor == seat
            self.lines = stored
            assert seat not in self.due()
            self.model.change(self.due())
        elif not went_through:
            self.run(self._postpone(turn.job))
            self.model.postpone(seat, version, attempt, self.env.now)

    @precondition(lambda self: self.turns)
    @rule(pick=st.integers(0, 5))
    def renew_a_lease(self, pick: int) -> None:
        job = self.turns[pick % len(self.turns)].job
        self.run(self._renew(job))
        self.model.renew(job.seat, job.version, job.attempts, self.env.now)

    @invariant()
    def jobs_and_lines_are_those_of_the_model(self) -> None:
        assert self.stored() == self.lines
        (row,) = self.rows(select(matches).where(matches.c.id == self.match_id))
        assert row.version == self.model.version
        assert row.position == GAME.dump(self.state())
        jobs = select(computer_jobs).where(computer_jobs.c.match_id == self.match_id)
        assert {
            job.seat: (job.version, job.attempts, job.lease_expires_at) for job in self.rows(jobs)
        } == {
            seat: (job.version, job.attempts, job.free_at) for seat, job in self.model.jobs.items()
        }

    def teardown(self) -> None:
        """End the turns in progress, and close the database."""
        self.run(self._stop())
        super().teardown()

    def restart(self, worker: str) -> None:
        """Let the process of a worker die, and the next one release its leases."""
        for turn in [turn for turn in self.turns if turn.worker == worker]:
            self.run(turn.stop())
            self.turns.remove(turn)
        self.run(self._release(worker))
        self.model.release(worker)

    def act(self, line: str) -> None:
        """Let Ada make a choice."""
        act = self.env.matches.act
        assert self.run(act(next(self.env.ids), self.match_id, ADA, line)).kind == "done"
        self.lines = self.stored()
        self.model.change(self.due())

    def state(self) -> Any:
        """Return the position after all lines."""
        state = GAME.start(GAME.rules[0], {"seats": "3"})
        for line in self.lines:
            state, _ = GAME.apply(state, line)
        return state

    def is_over(self) -> bool:
        """Return whether the match is over."""
        return bool(GAME.result(self.state()))

    def is_of_ada(self, place: int) -> bool:
        """Return whether Ada has made a line, and could have made another one."""
        line, state = self.lines[place], GAME.start(GAME.rules[0], {"seats": "3"})
        for earlier in self.lines[:place]:
            state, _ = GAME.apply(state, earlier)
        is_free = line.actor != CHANCE and forced_action(GAME, state, line.actor) != line
        return is_free and line.actor not in self.computers

    def may_offer(self) -> bool:
        """Return whether Ada can offer a draw: not twice without a move of hers between."""
        lines = [line for line in self.lines if line.actor not in (*self.computers, CHANCE)]
        return not GAME.view(self.state()).offer and not (lines and is_offer(lines[-1]))

    def due(self) -> set[str]:
        """Return the seats in which the computer has to act."""
        view = GAME.view(self.state())
        return set(self.computers) & {*view.pending, *view.answering}

    def stored(self) -> list[Action]:
        """Return the lines of the match that were not taken back."""
        condition = (actions.c.match_id == self.match_id) & actions.c.undone_at.is_(None)
        lines = select(actions.c.line).where(condition).order_by(actions.c.number)
        return [Action.parse(line) for (line,) in self.rows(lines)]

    async def _begin(self) -> MatchId:
        players = [Player(ADA, "Ada"), computer_player("cadet"), computer_player("cadet")]
        terms = Terms(
            game=GAME.name, options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5)
        )
        return (await self.env.challenges.challenge(next(self.env.ids), terms, players)).match_id

    async def _start(self, worker: str) -> list[Turn]:
        started = [Turn(self.env, worker, job) for job in await claim(self.env, worker)]
        for turn in started:
            await turn.wait()
        return started

    async def _release(self, worker: str) -> None:
        async with self.env.database.write() as connection:
            await release_jobs(connection, worker)

    async def _postpone(self, job: ComputerJob) -> None:
        async with self.env.database.write() as connection:
            await job.postpone(connection, self.env.now)

    async def _renew(self, job: ComputerJob) -> None:
        async with self.env.database.write() as connection:
            await job.renew(connection, self.env.now)

    async def _stop(self) -> None:
        for turn in getattr(self, "turns", []):
            await turn.stop()


@sampled(1, 12, 2_000)
def test_turns_of_the_computer_equal_their_model(template: Path, samples: int) -> None:
    check_machine(ComputerMachine, template, samples, steps=25)
