"""Moving an installation to another database: all of it, verified, or nothing."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Table, delete, func, insert, select, text, tuple_
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.connection import Connection
from bot.storage.database import Database, DatabaseError, InUseError
from bot.storage.erasure_list import Erasure
from bot.storage.factory import connect
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.inspection import MIGRATED_BY, SchemaState
from bot.storage.migrate import schema, upgrade
from bot.storage.schema import METADATA, erasures, facts

TABLES = [table for table in METADATA.sorted_tables if table is not erasures]
"""The tables to copy; the list of deletions is a table on a server only."""

BATCH_ROWS = 1000
"""Number of rows in memory at once."""

RUNNING_IF_HEARTBEAT_WITHIN_SECONDS = 60.0
"""Seconds since the last heartbeat during which a bot is considered running."""


class Copied(NamedTuple):
    """The content of a copied table, the same on both sides.

    Attributes:
        rows: number of rows.
        digest: SHA-256 of all rows, in the order of their keys.
    """

    table: str
    rows: int
    digest: str


async def copy(source_url: str, target_url: str) -> list[Copied]:
    """Copy a whole database into an empty one, which stays empty if the copy fails.

    Args:
        source_url: the database to copy; no bot may be running on it.
        target_url: the empty database; its tables are created if needed.

    Raises:
        InUseError: a bot is running on one of them.
        DatabaseError: the source is no database of this version, the target is not empty, or the
            copy differs from the source.
    """
    if source_url == target_url:
        raise DatabaseError("Source and target are the same database.")
    source = connect(source_url)
    try:
        target = connect(target_url)
        try:
            await upgrade(target)
            return await _copy(source, target)
        finally:
            await target.close()
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        raise DatabaseError(f"Nothing is copied: {reason}.") from error
    finally:
        await source.close()


async def _copy(source: Database, target: Database) -> list[Copied]:
    async with source.read() as old, target.migration() as new:
        await _check_source(source, old)
        # Written by the migration of the target; the source brings its own
        await new.execute(delete(facts).where(facts.c.name == MIGRATED_BY))
        await _check_target_is_empty(target, new)
        copied = [await _transfer(old, new, table) for table in TABLES]
        for table, sent in zip(TABLES, copied, strict=True):
            if await _summarise(new, table) != sent:
                raise DatabaseError(f"{table.name} differs after copying; nothing is copied.")
            await _advance_sequence(new, table)
        listed = await source.erasures.read(old)
        await _add_erasures(target, new, listed.entries)  # last, for a file is not rolled back
        return copied


async def _check_source(source: Database, old: Connection) -> None:
    """Refuse a source that is in use or has an unknown schema."""
    if await old.run_sync(schema) is not SchemaState.CURRENT:
        raise DatabaseError(
            f"{source.name} has the schema of another version of Starpost: start the bot on "
            "it once, then stop it and copy."
        )
    heartbeats = select(facts.c.value).where(facts.c.name.like(f"{HEARTBEAT}%"))
    beats = [float(beat) for beat in (await old.execute(heartbeats)).scalars()]
    if source.shared and any(
        abs(time.time() - beat) < RUNNING_IF_HEARTBEAT_WITHIN_SECONDS for beat in beats
    ):
        raise InUseError(f"A bot is running on {source.name}, or was a minute ago: stop it first.")


async def _check_target_is_empty(target: Database, new: Connection) -> None:
    for table in METADATA.sorted_tables:
        if (await new.execute(select(table).limit(1))).first() is not None:
            raise DatabaseError(f"{target.name} is not empty: it has {table.name}.")


async def _add_erasures(target: Database, new: Connection, listed: Sequence[Erasure]) -> None:
    """Add the deletions to the target's list, which may have them since an earlier attempt."""
    entries = (await target.erasures.read(new)).entries
    if not set(entries) <= set(listed):
        raise DatabaseError(
            f"{target.name} has the list of deletions of another installation, see "
            "docs/hosts/hosting.md: move that list away."
        )
    if missing := [entry for entry in listed if entry not in entries]:
        await target.erasures.add(new, missing)


async def _transfer(old: Connection, new: Connection, table: Table) -> Copied:
    """Copy a table and return the summary of the sent rows."""
    summary = _Summary(table)
    async for rows in _batches(old, table):
        summary.add(rows)
        await new.execute(insert(table), [dict(row._mapping) for row in rows])  # noqa: SLF001
    return summary.result()


async def _summarise(connection: Connection, table: Table) -> Copied:
    """Return the summary of a table."""
    summary = _Summary(table)
    async for rows in _batches(connection, table):
        summary.add(rows)
    return summary.result()


async def _batches(connection: Connection, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """Yield the rows of a table in batches, in the order of their keys."""
    key = [*table.primary_key.columns]
    batch = select(table).order_by(*key).limit(BATCH_ROWS)
    rows = (await connection.execute(batch)).all()
    while rows:
        yield rows
        last = tuple_(*(rows[-1]._mapping[column] for column in key))  # noqa: SLF001 - public
        rows = (await connection.execute(batch.where(tuple_(*key) > last))).all()


class _Summary:
    """Counts and hashes rows, independently of the database backend."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._rows = 0
        self._hash = hashlib.sha256()

    def add(self, rows: Sequence[Row[Any]]) -> None:
        """Add rows."""
        self._rows += len(rows)
        for row in rows:
            line = json.dumps(list(row), default=bytes.hex, separators=(",", ":"))
            self._hash.update(line.encode() + b"\n")

    def result(self) -> Copied:
        """Return the summary of all rows added."""
        return Copied(self._table.name, self._rows, self._hash.hexdigest())


async def _advance_sequence(new: Connection, table: Table) -> None:
    """Continue the numbering of rows after the copied ones; SQLite does so automatically."""
    numbered = table.autoincrement_column
    if new.dialect.name != "postgresql" or numbered is None:
        return
    last = (await new.execute(select(func.max(numbered)))).scalar_one()
    if last is not None:
        name = {"of": table.name, "column": numbered.name, "last": last}
        sequence = "pg_get_serial_sequence(:of, :column)"
        await new.execute(text(f"SELECT setval({sequence}, CAST(:last AS bigint))"), name)
