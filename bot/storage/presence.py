"""Locks on the shards that processes on one PostgreSQL serve, so that none is served twice.

Each process holds an advisory lock for each of its shards, in a transaction that stays open on a
connection of its own: a pooler cannot give a session with an open transaction to another process.
The transaction has read and written nothing, so it holds up neither a vacuum nor a migration.
PostgreSQL releases the locks when the connection ends, so a killed process blocks no other, or when
it hears nothing for a while, as from a machine that is unreachable.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import URL, NullPool, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.shards import Shards
from bot.storage.file_lock import DatabaseUnavailableError, InUseError
from bot.storage.postgres_connection import beginning, connect_engine, driver_of

log = logging.getLogger(__name__)

CLASS = 0x5354_4152
"""The first half of each lock's key, STAR in letters; the second is the shard and the count."""

COUNT_BITS = 15
"""Bits of the second half for the number of shards; the sign bit stays unused."""

WAIT_SECONDS = 20.0
"""Seconds for the previous process to stop: more than it takes to finish its work."""

POLL_SECONDS = 0.5
RENEW_SECONDS = 15.0
CONNECT_SECONDS = 5.0

SILENCE_SECONDS = 60.0
"""Seconds without a sign of life until the server ends the transaction: several of the above."""

BEGIN = beginning(
    "READ COMMITTED READ ONLY", idle_in_transaction_session_timeout=round(1000 * SILENCE_SECONDS)
)

HELD_LOCKS = text(
    "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = :class"
    " AND objsubid = 2 AND granted AND pid <> pg_backend_pid()"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
PING = text("SELECT 1")
TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:class, :key)")


class Presence:
    """Holds the shards of this process."""

    def __init__(self, url: URL, shards: Shards) -> None:
        self._shards = shards
        self._engine: AsyncEngine = connect_engine(
            url, "starpost shards", CONNECT_SECONDS, CONNECT_SECONDS, poolclass=NullPool
        )
        self._connection: AsyncConnection | None = None
        self._held = False

    async def take(self) -> str:
        """Take the shards, or check that they are still held.

        Returns:
            A description of the conflicting process; empty if the shards are held.

        Raises:
            OSError, SQLAlchemyError: the server does not respond.
        """
        try:
            if self._connection is not None:
                await self._connection.execute(PING)
                return ""
            self._connection = await self._engine.connect()
            driver_of(self._connection).beginning = BEGIN
            conflict = await self._conflict(self._connection)
        except (OSError, SQLAlchemyError):
            await self.release()
            raise
        if conflict:
            await self.release()
        self._held = not conflict
        return conflict

    async def _conflict(self, connection: AsyncConnection) -> str:
        """Lock all shards, then look for other shard counts: so one of two processes notices."""
        for shard in self._shards.ids:
            key = {"class": CLASS, "key": shard << COUNT_BITS | self._shards.count}
            if not (await connection.execute(TRY_LOCK, key)).scalar_one():
                return f"that serves shard {shard} of {self._shards.count}"
        keys = (await connection.execute(HELD_LOCKS, {"class": CLASS})).scalars()
        counts = sorted({key & (1 << COUNT_BITS) - 1 for key in keys} - {self._shards.count})
        return f"with SHARD_COUNT={counts[0]}, not {self._shards.count}," if counts else ""

    async def release(self) -> None:
        """Release the shards."""
        connection, self._connection = self._connection, None
        self._held = False
        if connection is not None:
            with suppress(SQLAlchemyError, OSError):
                await connection.close()

    async def keep(self) -> None:
        """Retake the shards whenever the connection is lost; log a conflicting process."""
        last_conflict = ""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                conflict = await self.take()
            except (SQLAlchemyError, OSError):
                continue  # the outage is logged by `bot.outages`
            if conflict and conflict != last_conflict:
                log.error("another Starpost process %s is running on this database", conflict)
            last_conflict = conflict


@asynccontextmanager
async def present(url: URL, shards: Shards) -> AsyncIterator[None]:
    """Hold the shards in the block.

    Raises:
        InUseError: another process holds one of them, or has another shard count.
        DatabaseUnavailableError: the server does not respond.
    """
    presence = Presence(url, shards)
    until, waits = time.monotonic() + WAIT_SECONDS, False
    try:
        while conflict := await presence.take():
            if not waits:
                log.info("waiting for another Starpost %s to stop", conflict)
                waits = True
            if time.monotonic() > until:
                raise InUseError(f"Another Starpost {conflict} is running on this database.")
            await asyncio.sleep(POLL_SECONDS)
    except (OSError, SQLAlchemyError) as error:
        raise DatabaseUnavailableError(f"The database does not answer: {error}.") from error
    keeping = asyncio.create_task(presence.keep(), name="presence")
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping
        await presence.release()
