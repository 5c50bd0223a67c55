"""What a move costs the database, from the click to the posted board."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from bot.services.positions import Positions
from bot.storage.connection import Connection
from bot.storage.database import Database, Transaction
from engine.record import Record
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids
from tests.support.strategies import racing


@dataclass
class Tally:
    """What was done: transactions of both kinds, statements, and replays of a record."""

    writes: int = 0
    reads: int = 0
    replays: int = 0
    statements: list[str] = field(default_factory=list)

    def watch(self, database: Database, patch: pytest.MonkeyPatch) -> None:
        """Count from now on."""
        patch.setattr(database, "write", self._counting(database.write, "writes"))
        patch.setattr(database, "read", self._counting(database.read, "reads"))
        for owner, name in ((Record, "positions"), (Positions, "run_in_thread")):
            patch.setattr(owner, name, self._replaying(getattr(owner, name)))

    def _counting(self, begin: Callable[..., Transaction], kind: str) -> Callable[..., Transaction]:
        @asynccontextmanager
        async def transaction(**options: Any) -> AsyncIterator[Connection]:
            setattr(self, kind, getattr(self, kind) + 1)
            async with begin(**options) as connection:
                yield _Counted(connection, self)

        return transaction

    def _replaying(self, replay: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            self.replays += 1
            return replay(*given, **named)

        return counted

    def __str__(self) -> str:
        counts = f"{self.writes} write, {self.reads} read, {self.replays} replays"
        return "\n".join((counts, *self.statements))


class _Counted:
    """A connection whose statements are counted."""

    def __init__(self, connection: Connection, tally: Tally) -> None:
        self._connection, self._tally = connection, tally

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def execute(self, statement: Any, *given: Any) -> Any:
        """Run a statement and note it."""
        self._tally.statements.append(" ".join(str(statement).split())[:300])
        return await self._connection.execute(statement, *given)


async def race(stage: Stage) -> None:
    """Begin a match of Warp 6 and play its set-up: from now on each choice is a turn."""
    match_id = await stage.begin(game="warp6")
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=racing, limit=18)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def move(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Tally:
    """Make a move that begins a turn by a click on the board of a match, and count."""
    before, actor, tally = stage.last(), await stage.deciding(1), Tally()
    with monkeypatch.context() as patch:
        tally.watch(stage.database, patch)
        await stage.click(actor, before, "act:1:")
    assert stage.last().id != before.id
    stripped = next(each for each in stage.public() if each.id == before.id)
    assert not any(each.startswith("act:") for each in ids(stripped))
    return tally


async def test_move_to_posted_board_costs_few_statements(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await race(stage)
    tally = await move(stage, monkeypatch)
    assert 0 < tally.writes <= 3, tally
    assert 0 < tally.reads <= 4, tally
    assert 0 < len(tally.statements) <= 25, tally
    assert tally.replays == 0, tally


async def test_former_board_of_an_earlier_process_is_replayed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await race(stage)
    await stage.restart()
    assert (await move(stage, monkeypatch)).replays > 0
