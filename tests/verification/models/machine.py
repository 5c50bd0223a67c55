"""State machines whose rules call the real services, on a database file of their own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from sqlalchemy import Row, Select

from bot.app.run import open_database
from tests.support.matches import MatchFixture

Result = TypeVar("Result")


class ServiceMachine(RuleBasedStateMachine):
    """Two players, the services, and an event loop in which rules run coroutines."""

    template: ClassVar[Path]
    """A migrated database file, which each example copies."""

    def __init__(self) -> None:
        super().__init__()
        self._runner, self._open = asyncio.Runner(), AsyncExitStack()
        folder = self._open.enter_context(TemporaryDirectory())
        path = shutil.copyfile(self.template, Path(folder) / "machine.db")
        opening = open_database(f"sqlite+aiosqlite:///{path}")
        self.env = MatchFixture(self.run(self._open.enter_async_context(opening)))

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine to its end."""
        return self._runner.run(work)

    def rows(self, query: Select[*tuple[Any, ...]]) -> Sequence[Row[Any]]:
        """Return the rows that a query finds."""
        return self.run(self._rows_of(query))

    async def _rows_of(self, query: Select[*tuple[Any, ...]]) -> Sequence[Row[Any]]:
        async with self.env.database.read() as connection:
            return (await connection.execute(query)).all()

    def teardown(self) -> None:
        """Close the database and the event loop."""
        self.run(self._open.aclose())
        self._runner.close()


def check_machine(
    machine: type[ServiceMachine], template: Path, examples: int, *, steps: int
) -> None:
    """Run random rules of a machine until one of them fails.

    Args:
        template: a migrated database file.
        examples: number of sequences of rules.
        steps: number of rules in each.
    """
    machine.template = template
    limits = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(machine, settings=limits)
