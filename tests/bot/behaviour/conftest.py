"""Fixtures of the long tests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Protocol

import pytest

from tests.verification.kills.audit_log import AuditLog, FileAuditLog
from tests.verification.kills.kills import Kills
from tests.verification.kills.report import Report

MAX_RUNS = 4
"""Maximum number of runs of kills until all that a test demands has happened in one."""


class RunKills(Protocol):
    """The type of the fixture `run_kills`."""

    def __call__(
        self, kind: Callable[[AuditLog, Random], Kills], *demands: str
    ) -> Awaitable[Report]:
        """See `run_kills`."""


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[object], None]:
    """Print a line even if the test passes."""

    def tell(line: object) -> None:
        with capsys.disabled():
            print(f"\n{line}")  # noqa: T201 - the numbers are what these tests are for

    return tell


@pytest.fixture
def run_kills(tmp_path: Path, say: Callable[[object], None], samples: int) -> RunKills:
    """Run kills of a kind, `samples` in number, and return the report, in which nothing is wrong.

    All kills of a run can come before something that a test demands by its name in the report;
    then there is another run.
    """

    async def run(kind: Callable[[AuditLog, Random], Kills], *demands: str) -> Report:
        for number in range(MAX_RUNS):
            audit_log = FileAuditLog(tmp_path / f"kills{number}.db")
            report = await kind(audit_log, Random(samples + number)).run(samples)
            say(report)
            assert not report.wrong, str(report)
            if all(report.done[demand] for demand in demands):
                return report
        pytest.fail(f"none of {MAX_RUNS} runs had {' and '.join(demands)}")

    return run
