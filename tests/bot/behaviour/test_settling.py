"""Simulations wait until the bot has sent everything, or report the rest."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Engine, NullPool, create_engine

from bot.storage.schema import METADATA, cups, daily_positions, guilds, outbox
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.settling import told_if_late, unsettled

NOW = 1000.0

MESSAGE = {
    "status": "waiting",
    "match_id": 3,
    "target": "bo",
    "kind": "move",
    "attempts": 2,
    "next_attempt_at": NOW + 60,
    "lease_expires_at": NOW + 5,
    "worker_id": "a",
    "error": "503",
}

TOLD = (
    "message 1 of match 3 to bo, move, after 2 attempts: due in 60 s, leased for 5 s by a,"
    " error 503"
)


def engine_of(audit_log: FileAuditLog) -> Engine:
    """A connection without the bot."""
    return create_engine(f"sqlite:///{audit_log.path}", poolclass=NullPool)


@pytest.fixture
def simulation(tmp_path: Path) -> Any:
    """One that has come to its end, with nothing in its database."""
    audit_log = FileAuditLog(tmp_path / "kills.db")
    with engine_of(audit_log).begin() as connection:
        METADATA.create_all(connection, tables=[cups, daily_positions, guilds, outbox])
    clock = SimpleNamespace(now=lambda: NOW)
    return SimpleNamespace(fake=None, audit_log=audit_log, now=clock.now, wall=clock)


def insert(simulation: Any, name: str, **values: Any) -> None:
    """Insert a row into a table; columns that are not given are 0 if they must not be empty."""
    table = METADATA.tables[name]
    row = {column.name: 0 for column in table.columns if not column.nullable} | values
    row.pop("id", None)
    with engine_of(simulation.audit_log).begin() as connection:
        connection.execute(table.insert().values(row))


@pytest.mark.parametrize("status", ["open", "solved"])
def test_nothing_is_left_once_the_last_position_is_posted(simulation: Any, status: str) -> None:
    insert(simulation, "daily_positions", day=1, status="solved")
    insert(simulation, "daily_positions", day=2, status=status)
    insert(simulation, "outbox", status="failed")
    insert(simulation, "guilds", guild_id=7, daily_due_at=NOW + 1)
    insert(simulation, "cups", status="running", version=2, shown_version=2, announced=1)
    assert unsettled(simulation) == []


@pytest.mark.parametrize(
    ("table", "row", "line"),
    [
        ("outbox", MESSAGE, TOLD),
        ("cups", {"status": "sign_up", "version": 1}, "the post of cup 1"),
        ("cups", {"status": "running"}, "an announcement of cup 1, running"),
        ("cups", {"status": "finished", "announced": 1}, "an announcement of cup 1, finished"),
        ("guilds", {"guild_id": 7, "daily_due_at": NOW}, "a position of the day that is due in 7"),
        ("daily_positions", {"day": 2, "status": "waiting"}, "the position of the day, waiting"),
    ],
)
def test_each_thing_that_is_left_is_told(
    simulation: Any, table: str, row: dict[str, Any], line: str
) -> None:
    insert(simulation, "daily_positions", day=1, status="solved")
    insert(simulation, table, **row)
    assert unsettled(simulation) == [line]
    with (
        pytest.raises(AssertionError, match="still to be done:\n" + line),
        told_if_late(simulation),
    ):
        raise TimeoutError


def test_earlier_position_must_be_solved(simulation: Any) -> None:
    assert unsettled(simulation) == ["the position of the day, not chosen"]
    for day, status in enumerate(("open", "solved")):
        insert(simulation, "daily_positions", day=day, status=status)
    assert unsettled(simulation) == ["an earlier position of the day, open"]
