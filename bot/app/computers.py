"""The computer's part in matches: claims its jobs and has worker processes choose."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from bot.database_errors import Trouble, trouble
from bot.domain.computer_audit import AuditError
from bot.domain.computer_players import FALLBACK
from bot.domain.ids import UserId
from bot.failures import count_failure
from bot.logs import log_context
from bot.services.computer_jobs import (
    TOPIC,
    ComputerJob,
    claim_jobs,
    release_jobs,
    waiting_matches,
)
from bot.services.computer_turns import (
    ChoiceError,
    ChoiceRequest,
    ComputerChoice,
    ComputerTurns,
    StoppedError,
)
from bot.services.match_repository import AbsentGameError, NoMatchError
from bot.storage.database import Database
from bot.urgency import Urgency
from bot.workers.pool import Outcome, WorkerError, WorkerPool
from engine.computer.choosers import Audit, choosers_of
from engine.computer.reasons import Reason
from engine.record import Record, RecordError

log = logging.getLogger(__name__)

CHOICE_TIMEOUT_SECONDS = 10.0
"""Seconds for one choice: ten times the need of the highest level."""

AUDIT_SLICE = 4
"""Number of choices repeated in one request: a turn that comes meanwhile waits for no more."""

AUDIT_SLICE_SECONDS = AUDIT_SLICE * CHOICE_TIMEOUT_SECONDS / 2
"""Seconds for one such request."""

AUDIT_TIMEOUT_SECONDS = 600.0
"""Seconds for a whole match; Discord lets a reply be edited for 15 minutes."""

CLAIM_SHARE = 0.1
"""Share of the pause before an answer for collecting turns, to claim them together."""

MAX_TURNS_AT_ONCE = 100
"""Maximum number of turns in progress; most of them wait for a worker."""


class WorkerClient:
    """Asks the computer players, which run in worker processes."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers

    async def choose(self, request: ChoiceRequest) -> ComputerChoice:
        """Return the choice of a computer player.

        Raises:
            ChoiceError: it gives none.
            StoppedError: the workers are stopping.
        """
        if request.level == FALLBACK:
            return await asyncio.to_thread(_choose_here, request)
        question = {
            "do": "choose",
            "level": request.level,
            "seed": request.seed.hex(),
            "seat": request.seat,
            "record": str(request.record),
            "advise": request.advises,
        }
        try:
            answer = await self._workers.ask(
                question, CHOICE_TIMEOUT_SECONDS, urgency=request.urgency, owner=request.user_id
            )
        except WorkerError as error:
            stopped = error.outcome is Outcome.CLOSED
            raise (StoppedError if stopped else ChoiceError)(str(error)) from error
        try:
            pairs = answer.get("reasons", ())
            reasons = [Reason(str(template), dict(fields)) for template, fields in pairs]
        except (TypeError, ValueError) as error:
            raise ChoiceError("the worker answered without reasons") from error
        return ComputerChoice(str(answer.get("line")), str(answer.get("player")), reasons)

    async def audit(self, record: Record, user_id: UserId) -> Audit:
        """Replay the choices of computer players in the record of a finished match.

        Args:
            record: with its seed.

        Raises:
            AuditError: a choice differs, or there is no answer.
        """
        try:
            async with asyncio.timeout(AUDIT_TIMEOUT_SECONDS):
                slices = [await self._audit(part, user_id) for part in _audit_requests(record)]
            return Audit(*map(sum, zip(*slices, strict=True)))
        except WorkerError as error:
            raise AuditError(differs=error.outcome is Outcome.REFUSED) from error
        except RecordError as error:
            raise AuditError(differs=True) from error
        except (TimeoutError, KeyError, TypeError, ValueError) as error:
            raise AuditError(differs=False) from error

    async def _audit(self, request: Mapping[str, Any], user_id: UserId) -> Audit:
        """Repeat a few choices.

        Raises:
            WorkerError: a choice differs, or there is no answer.
            KeyError, TypeError, ValueError: the answer has no numbers.
        """
        answer = await self._workers.ask(
            request, AUDIT_SLICE_SECONDS, urgency=Urgency.AUDIT, owner=user_id
        )
        return Audit(int(answer["checked"]), int(answer["unknown"]))


def _audit_requests(record: Record) -> Iterator[dict[str, Any]]:
    """Yield requests that together audit a record.

    Raises:
        RecordError: the header with the computer's choices cannot be read.
    """
    places, text, first = sorted(choosers_of(record)), str(record), 0
    for end in places[AUDIT_SLICE::AUDIT_SLICE]:
        yield {"do": "audit", "record": text, "first": first, "end": end}
        first = end
    yield {"do": "audit", "record": text, "first": first}


def _choose_here(request: ChoiceRequest) -> ComputerChoice:
    """Return the choice of the fallback, which takes no time and cannot fail."""
    from engine.computer.players import ComputerPlayer  # noqa: PLC0415 - loads all networks

    player = ComputerPlayer(request.level, request.seed)
    choice = player.choose(request.record, request.seat)
    return ComputerChoice(choice.action.notation, player.name)


class Computers:
    """Plays the computer's turns as they are queued.

    Args:
        workers: the processes that choose; without any, the jobs wait.
        worker_id: identifies this process, also after a restart.
    """

    def __init__(
        self,
        database: Database,
        turns: ComputerTurns,
        workers: WorkerPool,
        clock: Callable[[], float],
        worker_id: str,
    ) -> None:
        self._database = database
        self._turns = turns
        self._workers = workers
        self._clock = clock
        self._worker_id = worker_id
        self._claiming: asyncio.Task[None] | None = None
        self._playing: dict[asyncio.Task[None], ComputerJob] = {}
        self._is_due = False
        self._is_running = False
        self._context = copy_context()
        database.listen(TOPIC, self.wake)

    async def resume(self) -> None:
        """Release the leases of this worker's previous process, and start playing.

        Turns are unrelated to the click that wakes this, so they run in the context of this call.
        """
        self._context = copy_context()
        if not self._workers.enabled:
            await self._warn()
            return
        async with self._database.write() as connection:
            await release_jobs(connection, self._worker_id)
        self._is_running = True
        self.wake()

    async def _warn(self) -> None:
        """Tell the host if matches wait for the computer."""
        async with self._database.read() as connection:
            count = len(await waiting_matches(connection))
        if count:
            log.warning("COMPUTER_WORKERS is 0, and matches wait for the computer: %d", count)

    def wake(self) -> None:
        """Look for jobs, if this process plays and has released its old leases."""
        if not self._is_running:
            return
        self._is_due = True
        if self._claiming is None or self._claiming.done():
            start = partial(asyncio.create_task, self._claim_all(), name="computers")
            self._claiming = self._context.run(start)

    async def continue_all(self) -> None:
        """Keep the turns in progress, however long they wait for a worker; look for more."""
        if jobs := [*self._playing.values()]:
            async with self._database.write() as connection:
                for job in jobs:
                    await job.renew(connection, self._clock())
        self.wake()

    async def stop(self) -> None:
        """Stop playing; turns in progress are played after the next start."""
        self._is_running = False
        tasks = self._tasks()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._workers.close()

    def _tasks(self) -> set[asyncio.Task[None]]:
        tasks = {*self._playing, *([self._claiming] if self._claiming else [])}
        return {task for task in tasks if not task.done()}

    async def _claim_all(self) -> None:
        """Start the turns that are due, as many as may be in progress; more when one ends."""
        try:
            while self._is_due and len(self._playing) < MAX_TURNS_AT_ONCE:
                await asyncio.sleep(CLAIM_SHARE * self._turns.pause_seconds)
                self._is_due = False
                for job in await self._claim():
                    self._spawn(job)
        except SQLAlchemyError as error:
            log.warning("the computer's turns are postponed: %s", error)

    async def _claim(self) -> list[ComputerJob]:
        count = MAX_TURNS_AT_ONCE - len(self._playing)
        async with self._database.write() as connection:
            jobs = await claim_jobs(connection, self._worker_id, self._clock(), count)
        self._is_due |= len(jobs) == count
        return jobs

    def _spawn(self, job: ComputerJob) -> None:
        task = asyncio.create_task(self._play(job), name=f"computer {job.match_id}")
        self._playing[task] = job
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._playing.pop(task, None)
        if self._is_due:
            self.wake()

    async def _play(self, job: ComputerJob) -> None:
        with log_context(match=job.match_id):
            try:
                await self._turns.play(job)
            except AbsentGameError as error:
                await self._postpone(job, error)
            except NoMatchError:
                return
            except (SQLAlchemyError, StoppedError) as error:
                log.warning("the computer's turn is postponed: %s", error)
                await self._postpone(job, error, growing=_is_fault(error))
            except Exception as error:
                log.exception("the computer's turn failed and is retried")
                await self._postpone(job, error)

    async def _postpone(self, job: ComputerJob, error: Exception, *, growing: bool = True) -> None:
        count_failure("computer", error)
        try:
            async with self._database.write() as connection:
                await job.postpone(connection, self._clock(), growing=growing)
        except SQLAlchemyError as unreachable:
            log.warning("not recorded, the turn is retried when its lease ends: %s", unreachable)


def _is_fault(error: SQLAlchemyError | StoppedError) -> bool:
    """Return whether a turn may have failed by itself: a busy database is soon free again."""
    return isinstance(error, SQLAlchemyError) and trouble(error) is Trouble.OTHER
