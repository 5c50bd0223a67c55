"""PostgreSQL: any number of processes, each with a few connections.

Writers run at READ COMMITTED. Two rules make that as safe as one writer at a time:

- A transaction about one match holds the match's row from its first statement on
  (`bot.services.match_store.load`).
- All writers share an advisory lock; a transaction about more than one match holds it exclusively.

So any data that two concurrent transactions could share is a row that one of them holds. Each
transaction takes the advisory lock first and one match after it, so there is no deadlock.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import URL, NullPool, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.storage.backup import Backups
from bot.storage.database import CONNECTION_WAIT_SECONDS, ROW_LOCK_WAIT_SECONDS, Database
from bot.storage.erasure_list import ErasureTable

ADVISORY = 0x5354_4152_504F_5354
"""Key of the lock that all writers share: STARPOST in letters."""

SHARED = text(f"SELECT pg_advisory_xact_lock_shared({ADVISORY})")
EXCLUSIVE = text(f"SELECT pg_advisory_xact_lock({ADVISORY})")

CONNECT_TIMEOUT_SECONDS = 1.5
"""Seconds to wait for a connection to the server."""

STATEMENT_TIMEOUT_SECONDS = 10.0
"""Timeout of a statement in seconds; also the server's timeout for connections that are idle in a
transaction, because others wait for their locks."""

MIGRATION_TIMEOUT_SECONDS = 600.0
"""The same for migrations, which can take long and wait for another process's migration."""

VACUUMED = ("seats", "matches", "outbox", "players", "absences", "posted_messages")
"""The tables that hold users' data."""


class Postgres(Database):
    """Transactions on a PostgreSQL database, which other processes share.

    Args:
        url: e.g. `postgresql+asyncpg://user:password@host/name`.
    """

    shared = True
    purge_pause = 3600.0
    erasures = ErasureTable()

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._engine = _engine(
            self.url,
            ROW_LOCK_WAIT_SECONDS,
            STATEMENT_TIMEOUT_SECONDS,
            pool_size=5,
            max_overflow=5,
            pool_timeout=CONNECTION_WAIT_SECONDS,
            pool_pre_ping=True,  # detects a restarted server before a player does
        )
        self._patient = _engine(
            self.url, MIGRATION_TIMEOUT_SECONDS, MIGRATION_TIMEOUT_SECONDS, poolclass=NullPool
        )
        self._readers = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    @asynccontextmanager
    async def write(self, *, exclusive: bool = False) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        with self._writing() as before_commit:
            async with _begun(self._engine) as connection:
                await connection.execute(EXCLUSIVE if exclusive else SHARED)
                yield connection
                await before_commit(connection)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        with self.observing(writes=False):
            async with _begun(self._readers) as connection:
                yield connection

    @asynccontextmanager
    async def migration(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`; a second process waits, and finds nothing left to do."""
        async with _begun(self._patient) as connection:
            await connection.execute(EXCLUSIVE)
            yield connection

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; the server rolls a failed migration back as a whole."""

    def mark_initialised(self) -> None:
        """See `Database`; the server knows."""

    def touch_heartbeat(self) -> None:
        """See `Database`; the tables hold the heartbeats (`bot.services.heartbeats`)."""

    async def purge(self) -> bool:
        """See `Database`; the freed space is overwritten when it is reused."""
        patient = self._patient.execution_options(isolation_level="AUTOCOMMIT")
        async with _begun(patient) as connection:
            await connection.execute(text(f"VACUUM {', '.join(VACUUMED)}"))
        return True

    async def close(self) -> None:
        """See `Database`."""
        await self._engine.dispose()


def _engine(url: URL, lock: float, command: float, **pool: Any) -> AsyncEngine:
    """Return an engine with timeouts in seconds for locks (`lock`) and statements (`command`)."""
    session = {
        "application_name": "starpost",
        "lock_timeout": f"{lock * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{command * 1000:.0f}",
        "default_transaction_isolation": "read committed",  # regardless of the server's default
        "default_transaction_read_only": "off",
        "synchronous_commit": "on",  # regardless of the server's default: a reply means on disk
    }
    arguments = {
        "timeout": CONNECT_TIMEOUT_SECONDS,
        "command_timeout": command,
        "server_settings": session,
    }
    return create_async_engine(url, hide_parameters=True, connect_args=arguments, **pool)


@asynccontextmanager
async def _begun(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Begin a transaction; raise a network error like any other error of the database.

    Raises:
        OperationalError: a network error or timeout.
    """
    try:
        async with engine.begin() as connection:
            yield connection
    except OSError as error:  # includes TimeoutError; the block uses only the database
        raise OperationalError("", None, error) from error
