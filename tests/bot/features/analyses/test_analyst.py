"""The analyst: sends requests to its worker, and survives malformed answers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, cast

import pytest

from bot.domain.ids import MatchId
from bot.features.analyses.analyst import PROGRESS_TIMEOUT_SECONDS, Analyst
from bot.features.analyses.service import EXTENSION_SECONDS, LEASE_SECONDS, Analyses
from bot.storage.leases import Lease, LostLeaseError
from bot.urgency import Urgency
from bot.workers.pool import OnReport, Outcome, WorkerError, WorkerPool
from tests.support.metrics import failures_of

REFUSED = WorkerError(Outcome.REFUSED, "the worker refused the request")
DIED = WorkerError(Outcome.DIED, "the worker died")
CLOSED = WorkerError(Outcome.CLOSED, "the workers are closed")


class Asked:
    """In place of a pool of one worker: reports a step, then answers with the next answer."""

    def __init__(self, *answers: dict[str, Any] | WorkerError, enabled: bool = True) -> None:
        self.enabled = enabled
        self.answers = [*answers]
        self.requests: list[tuple[Mapping[str, Any], float, int]] = []
        self.renewed = self.closed = 0

    async def ask(
        self,
        request: Mapping[str, Any],
        timeout_seconds: float,
        *,
        urgency: int,
        on_report: OnReport,
    ) -> dict[str, Any]:
        self.requests.append((request, timeout_seconds, urgency))
        await on_report({"step": len(self.requests)})
        answer = self.answers.pop(0)
        if isinstance(answer, WorkerError):
            raise answer
        return answer

    def renew(self) -> None:
        self.renewed += 1

    async def close(self) -> None:
        self.closed += 1


class Requested:
    """In place of the analyses: match after match is requested, each under a lease of its own."""

    def __init__(self, *matches: int, error: Exception | None = None) -> None:
        self.matches = [*matches]
        self.error = error
        self.stored: list[tuple[int, object, Any]] = []
        self.failed: list[tuple[int, object, bool]] = []
        self.begun: list[tuple[int, object, int]] = []
        self.stopped = 0

    def stop_waiting(self) -> None:
        self.stopped += 1

    async def take(self) -> tuple[int, str, object] | None:
        if not self.matches:
            return None
        match_id = self.matches.pop(0)
        return match_id, f"record {match_id}", f"lease {match_id}"

    def steps(self, match_id: int) -> list[str]:
        return [f"step of {match_id}"]

    async def add(self, match_id: MatchId, lease: Lease, report: dict[str, Any]) -> None:
        self.begun.append((match_id, lease, report["step"]))

    async def store(self, match_id: MatchId, lease: Lease, result: Any) -> None:
        if self.error:
            error, self.error = self.error, None
            raise error
        self.stored.append((match_id, lease, result))

    async def fail(self, match_id: MatchId, lease: Lease, *, keep: bool) -> None:
        self.failed.append((match_id, lease, keep))


def analyst(requested: Requested, pool: Asked) -> Analyst:
    return Analyst(cast("Analyses", requested), cast("WorkerPool", pool))


async def test_all_that_is_requested_is_made_in_order() -> None:
    requested, pool = Requested(7, 8), Asked({"of": 7}, {"of": 8})
    await analyst(requested, pool).run()
    assert requested.stored == [(7, "lease 7", {"of": 7}), (8, "lease 8", {"of": 8})]
    assert not requested.failed
    assert pool.requests == [
        (
            {"do": "analyse", "record": f"record {match_id}", "steps": [f"step of {match_id}"]},
            PROGRESS_TIMEOUT_SECONDS,
            Urgency.ANALYSIS,
        )
        for match_id in (7, 8)
    ]
    assert requested.begun == [(7, "lease 7", 1), (8, "lease 8", 2)]
    assert pool.renewed == 1


async def test_nothing_is_taken_without_workers() -> None:
    requested, pool = Requested(7), Asked(enabled=False)
    await analyst(requested, pool).run()
    assert requested.matches == [7], "an attempt would be lost"


@pytest.mark.parametrize("error", [KeyError("seats"), TypeError("none"), ValueError("version")])
async def test_answer_that_is_no_analysis_holds_up_no_other(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    requested, failures = Requested(7, 8, error=error), failures_of("analysis")
    await analyst(requested, Asked({}, {"of": 8})).run()
    assert requested.failed == [(7, "lease 7", False)]
    assert [match_id for match_id, *_ in requested.stored] == [8]
    assert failures_of("analysis") == failures + 1
    assert len(caplog.messages) == 1


@pytest.mark.parametrize(("error", "keep"), [(DIED, True), (REFUSED, False)])
async def test_worker_that_fails_holds_up_no_other_analysis(error: WorkerError, keep: bool) -> None:
    requested = Requested(7, 8)
    await analyst(requested, Asked(error, {"of": 8})).run()
    assert requested.failed == [(7, "lease 7", keep)], "what was refused is not asked again"
    assert [match_id for match_id, *_ in requested.stored] == [8]


async def test_end_of_the_bot_is_no_failure_of_the_analysis(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    requested, failures = Requested(7, 8), failures_of("analysis")
    await analyst(requested, Asked(CLOSED)).run()
    assert requested.matches == [8]
    assert not requested.failed
    assert failures_of("analysis") == failures
    assert not caplog.messages


async def test_worker_is_replaced_after_any_end() -> None:
    pool = Asked({})
    with pytest.raises(LostLeaseError):
        await analyst(Requested(7, error=LostLeaseError("analysis")), pool).run()
    assert pool.renewed == 1


async def test_closing_ends_the_worker_and_the_replies_that_wait() -> None:
    requested, pool = Requested(), Asked()
    await analyst(requested, pool).close()
    assert (requested.stopped, pool.closed) == (1, 1)


def test_analysis_without_progress_ends_before_its_lease() -> None:
    assert PROGRESS_TIMEOUT_SECONDS + EXTENSION_SECONDS <= LEASE_SECONDS
