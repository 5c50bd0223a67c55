"""Makes the analyses of finished matches, in a process of their own."""

from __future__ import annotations

import logging
from functools import partial

from bot.domain.ids import MatchId
from bot.failures import count_failure
from bot.features.analyses.service import LEASE_SECONDS, Analyses
from bot.logs import log_context
from bot.storage.leases import Lease
from bot.urgency import Urgency
from bot.workers.pool import Outcome, WorkerError, WorkerPool
from engine.record import Record

log = logging.getLogger(__name__)

PROGRESS_TIMEOUT_SECONDS = LEASE_SECONDS - 60.0
"""Maximum seconds without progress of an analysis: it has to end before its lease does."""


class Analyst:
    """Makes the requested analyses, one at a time.

    Args:
        workers: the worker process; without it, requests wait.
    """

    def __init__(self, analyses: Analyses, workers: WorkerPool) -> None:
        self._analyses = analyses
        self._workers = workers

    async def run(self) -> None:
        """Make all analyses that are requested, unless another process does; a background job."""
        try:
            await self._make_requested()
        finally:
            self._workers.renew()

    async def _make_requested(self) -> None:
        while self._workers.enabled and (taken := await self._analyses.take()):
            match_id, record, lease = taken
            with log_context(match=match_id):
                try:
                    await self._make(match_id, record, lease)
                except WorkerError as error:
                    if error.outcome is Outcome.CLOSED:
                        return
                    keep = error.outcome is not Outcome.REFUSED
                    await self._failed(match_id, lease, error, keep=keep)
                except (KeyError, TypeError, ValueError) as error:  # it is no analysis
                    await self._failed(match_id, lease, error, keep=False)

    async def _make(self, match_id: MatchId, record: Record, lease: Lease) -> None:
        """Make an analysis, beginning with the judgements of an earlier attempt."""
        steps = [*self._analyses.steps(match_id)]
        answer = await self._workers.ask(
            {"do": "analyse", "record": str(record), "steps": steps},
            PROGRESS_TIMEOUT_SECONDS,
            urgency=Urgency.ANALYSIS,
            on_report=partial(self._analyses.add, match_id, lease),
        )
        await self._analyses.store(match_id, lease, answer)

    async def _failed(
        self, match_id: MatchId, lease: Lease, error: Exception, *, keep: bool
    ) -> None:
        log.warning("the analysis failed: %s", error)
        count_failure("analysis", error)
        await self._analyses.fail(match_id, lease, keep=keep)

    async def close(self) -> None:
        """End the process, and with it the replies that wait for an analysis."""
        self._analyses.stop_waiting()
        await self._workers.close()
