"""Makes the analyses of finished matches, in a process of lowest priority."""

from __future__ import annotations

import logging

from bot.domain.ids import MatchId
from bot.failures import count_failure
from bot.features.analyses.service import LEASE_SECONDS, Analyses
from bot.logs import log_context
from bot.storage.leases import Lease
from bot.urgency import Urgency
from bot.workers.pool import LIMITS, Outcome, WorkerError, WorkerPool
from bot.workers.process import LOWEST_NICENESS, Limits

log = logging.getLogger(__name__)

ANALYSIS_LIMITS = Limits(LOWEST_NICENESS, LIMITS.address_space_bytes, LIMITS.resident_bytes)
"""Limits of the process: whatever else has to be done goes first."""

ANALYSIS_TIMEOUT_SECONDS = LEASE_SECONDS - 60.0
"""Timeout of an analysis: it has to end before its lease does."""


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
                    request = {"do": "analyse", "record": str(record)}
                    answer = await self._workers.ask(
                        request, ANALYSIS_TIMEOUT_SECONDS, urgency=Urgency.ANALYSIS
                    )
                    await self._analyses.store(match_id, lease, answer)
                except WorkerError as error:
                    if error.outcome is Outcome.CLOSED:
                        return
                    await self._failed(match_id, lease, error)
                except (KeyError, TypeError, ValueError) as error:  # it is no analysis
                    await self._failed(match_id, lease, error)

    async def _failed(self, match_id: MatchId, lease: Lease, error: Exception) -> None:
        log.warning("the analysis failed: %s", error)
        count_failure("analysis", error)
        await self._analyses.fail(match_id, lease)

    async def close(self) -> None:
        """End the process, and with it the replies that wait for an analysis."""
        self._analyses.stop_waiting()
        await self._workers.close()
