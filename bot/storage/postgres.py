"""PostgreSQL: any number of processes, each with a few connections.

Writers run at READ COMMITTED. Two rules make that as safe as one writer at a time:

- A transaction about one match holds the match's row from its first statement on
  (`bot.services.transactions.load`).
- All who write share an advisory lock; what is about more than one match holds it exclusively.

So whatever two transactions at the same time could have in common is a row that one of them holds.
Each transaction takes the advisory lock first and one match after it, so there is no deadlock.
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
from bot.storage.erasures import ErasureTable

ADVISORY = 0x5354_4152_504F_5354
"""The lock that all who write share: STARPOST in letters."""

SHARED = text(f"SELECT pg_advisory_xact_lock_shared({ADVISORY})")
EXCLUSIVE = text(f"SELECT pg_advisory_xact_lock({ADVISORY})")

CONNECT_TIMEOUT_SECONDS = 1.5
"""Seconds to wait for the server to answer at all."""

STATEMENT_TIMEOUT_SECONDS = 10.0
"""Seconds after which a statement is given up; the server drops who is idle in a transaction after
as many, for others wait for what it has locked."""

MIGRATION_TIMEOUT_SECONDS = 600.0
"""The same for migrations, which can take long and wait for that of another process."""

VACUUMED = ("seats", "matches", "outbox", "players", "absences", "posted_messages")
"""The tables in which a person is named."""


class Postgres(Database):
    """Transactions on a PostgreSQL database, which other processes share.

    Args:
        url: e.g. `postgresql+asyncpg://user:password@host/name`.
    """

    shared = True
    overwrite_pause = 3600.0
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
            pool_pre_ping=True,  # a server that was restarted is noticed before a player does
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
        with self._writing() as commits:
            async with _begun(self._engine) as connection:
                await connection.execute(EXCLUSIVE if exclusive else SHARED)
                yield connection
                commits()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        with self.observing(writes=False):
            async with _begun(self._readers) as connection:
                yield connection

    @asynccontextmanager
    async def migration(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`; who comes second waits, and finds nothing left to do."""
        async with _begun(self._patient) as connection:
            await connection.execute(EXCLUSIVE)
            yield connection

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; a migration that fails is taken back as a whole by the server."""

    def settle(self) -> None:
        """See `Database`; the server knows."""

    def touch_heartbeat(self) -> None:
        """See `Database`; the tables tell (`bot.services.timers`)."""

    async def overwrite(self) -> bool:
        """See `Database`; what is free then is overwritten as it is used again."""
        patient = self._patient.execution_options(isolation_level="AUTOCOMMIT")
        async with _begun(patient) as connection:
            await connection.execute(text(f"VACUUM {', '.join(VACUUMED)}"))
        return True

    async def close(self) -> None:
        """See `Database`."""
        await self._engine.dispose()


def _engine(url: URL, lock: float, command: float, **pool: Any) -> AsyncEngine:
    """Connections that wait so many seconds for a lock, and for the end of a statement."""
    session = {
        "application_name": "starpost",
        "lock_timeout": f"{lock * 1000:.0f}",
        "idle_in_transaction_session_timeout": f"{command * 1000:.0f}",
        "default_transaction_isolation": "read committed",  # whatever the server's default is
        "default_transaction_read_only": "off",
        "synchronous_commit": "on",  # whatever the server's default is: answered means on disk
    }
    arguments = {
        "timeout": CONNECT_TIMEOUT_SECONDS,
        "command_timeout": command,
        "server_settings": session,
    }
    return create_async_engine(url, hide_parameters=True, connect_args=arguments, **pool)


@asynccontextmanager
async def _begun(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A transaction; a server that cannot be reached is trouble with the database like any other.

    Raises:
        OperationalError: the network, or a time that was too short, came between.
    """
    try:
        async with engine.begin() as connection:
            yield connection
    except OSError as error:  # a TimeoutError is one; nothing but the database is used in the block
        raise OperationalError("", None, error) from error
