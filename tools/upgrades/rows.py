"""The rows of a database, by the names that tables, columns and values have today."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

MIGRATIONS = "bot.storage.migrations.versions"
NAMES = import_module(f"{MIGRATIONS}.0006_names")
COLUMNS = import_module(f"{MIGRATIONS}.0007_columns")

Row = Mapping[str, Any]

TABLES = {"surfaces": "posted_messages"}
RENAMED: Mapping[str, Mapping[str, str]] = {
    table: NAMES.COLUMNS.get(table, {}) | COLUMNS.COLUMNS.get(table, {})
    for table in NAMES.COLUMNS | COLUMNS.COLUMNS
} | {
    "posted_messages": {"shown": "action_count"},
    "outbox": {
        "what": "payload",
        "state": "status",
        "due": "next_attempt_at",
        "lease": "lease_expires_at",
        "holder": "worker_id",
        "tried": "first_attempt_at",
    },
}
"""Table of today → columns by earlier names → names of today."""

UNCOMPARED = {"alembic_version", "leases"}
"""Tables of the process, not of matches."""


def read(path: Path, query: str, *values: object) -> list[Any]:
    """Return the rows of a query."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(query, values).fetchall()


def dump(path: Path) -> list[str]:
    """Return everything in a database as statements."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())


def columns(path: Path, table: str) -> list[str]:
    """Return the columns of a table, by their names in this database."""
    return [row[1] for row in read(path, f"PRAGMA table_info({table})")]


def schema(path: Path) -> str:
    """Return the number of the last migration."""
    ((revision,),) = read(path, "SELECT version_num FROM alembic_version")
    return str(revision)


def tables(path: Path) -> dict[str, list[Row]]:
    """Return the rows of all tables, by their present names."""
    names = [name for (name,) in read(path, "SELECT name FROM sqlite_master WHERE type='table'")]
    return {
        TABLES.get(name, name): list(_rows(path, name))
        for name in names
        if name not in UNCOMPARED and not name.startswith("sqlite_")
    }


def _rows(path: Path, name: str) -> Iterator[Row]:
    table = TABLES.get(name, name)
    renamed = RENAMED.get(table, {})
    new_columns = [renamed.get(column, column) for column in columns(path, name)]
    for row in read(path, f"SELECT * FROM {name} ORDER BY 1, 2"):  # noqa: S608 - a table
        yield _as_today(table, dict(zip(new_columns, row, strict=True)))


def _as_today(table: str, row: dict[str, Any]) -> Row:
    """Return a row with the values that migrations rename."""
    if table == "outbox":
        payload = {NAMES.FIELDS.get(k, k): v for k, v in json.loads(row["payload"]).items()}
        row |= {"kind": NAMES.KINDS.get(row["kind"], row["kind"]), "payload": payload}
        row |= {"status": NAMES.STATUSES.get(row["status"], row["status"])}
        row.pop("id")  # numbered again
    elif table == "posted_messages":
        row |= {"kind": "board" if row["kind"] == "notice" else row["kind"]}
    elif table == "players":
        preferences = json.loads(row["preferences"])
        row |= {"preferences": {COLUMNS.PREFERENCES.get(k, k): v for k, v in preferences.items()}}
    elif table == "facts":
        heart = "heart" if row["name"].startswith("beat:") else ""
        row |= {"name": heart + row["name"]}
    return row


def lost(before: Mapping[str, list[Row]], after: Mapping[str, list[Row]]) -> Iterator[str]:
    """Yield each row of a database that is not, with all its values, in another one."""
    for table, rows in before.items():
        remaining = list(after.get(table, ()))
        for row in rows:
            equal = next(
                (candidate for candidate in remaining if row.items() <= candidate.items()), None
            )
            if equal is None:
                yield f"{table}: {row}"
            else:
                remaining.remove(equal)
