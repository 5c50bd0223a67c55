"""PostgreSQL: any number of processes, each with a few connections.

Writers run at READ COMMITTED. Two rules make that as safe as one writer at a time:

- A transaction about one match holds the match's row from its first statement on
  (`bot.services.match_store.load`).
- All writers share an advisory lock; a transaction about more than one match holds it exclusively.

So any data that two concurrent transactions could share is a row that one of them holds. Each
transaction takes the advisory lock as it begins and one match after it, so there is no deadlock.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import NullPool, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage.backup import Backups
from bot.storage.connection import checked_out, dispose
from bot.storage.database import CONNECTION_WAIT_SECONDS, ROW_LOCK_WAIT_SECONDS, Database
from bot.storage.erasure_list import ErasureTable
from bot.storage.postgres_connection import beginning, connect_engine, driver_of

ADVISORY = 0x5354_4152_504F_5354
"""Key of the lock that all writers share: STARPOST in letters."""

SHARED = f"SELECT pg_advisory_xact_lock_shared({ADVISORY})"
EXCLUSIVE = f"SELECT pg_advisory_xact_lock({ADVISORY})"

READ, WRITE = "REPEATABLE READ READ ONLY", "READ COMMITTED READ WRITE"
"""The isolation level and access mode of transactions, regardless of the server's defaults."""

NAME = "starpost"
"""How the server shows the connections."""

POOL_SIZE = 10
"""Most connections for transactions.

They stay open once there was use for them, since a new one knows no statements and no plans.
"""

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
        self._engine = connect_engine(
            self.url,
            NAME,
            CONNECT_TIMEOUT_SECONDS,
            STATEMENT_TIMEOUT_SECONDS,
            pool_size=POOL_SIZE,
            max_overflow=0,
            pool_use_lifo=True,  # a transaction gets the connection that has known more statements
            pool_timeout=CONNECTION_WAIT_SECONDS,
        )
        self._patient = connect_engine(
            self.url,
            NAME,
            CONNECT_TIMEOUT_SECONDS,
            MIGRATION_TIMEOUT_SECONDS,
            poolclass=NullPool,
        )
        idle = _milliseconds(STATEMENT_TIMEOUT_SECONDS)
        self._read = beginning(READ, idle_in_transaction_session_timeout=idle)
        self._write, self._write_alone = (
            _write(lock, ROW_LOCK_WAIT_SECONDS, STATEMENT_TIMEOUT_SECONDS)
            for lock in (SHARED, EXCLUSIVE)
        )

    @asynccontextmanager
    async def write(self, *, exclusive: bool = False) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        with self._writing() as before_commit:
            begin = self._write_alone if exclusive else self._write
            async with _begun(self._engine, begin) as connection:
                yield connection
                await before_commit(connection)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        with self.observing(writes=False):
            async with _begun(self._engine, self._read) as connection:
                yield connection

    @asynccontextmanager
    async def migration(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`; a second process waits, and finds nothing left to do."""
        patience = MIGRATION_TIMEOUT_SECONDS
        begin = _write(EXCLUSIVE, patience, patience)
        async with _begun(self._patient, begin) as connection:
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
        async with _begun(patient, "") as connection:
            await connection.execute(text(f"VACUUM {', '.join(VACUUMED)}"))
        return True

    async def close(self) -> None:
        """See `Database`."""
        await dispose(self._engine, CONNECTION_WAIT_SECONDS)


def _write(lock: str, lock_seconds: float, idle_seconds: float) -> str:
    """Return the beginning of a transaction that writes.

    Args:
        lock: the statement that takes the lock of all writers.
        lock_seconds: maximum seconds to wait for a lock.
        idle_seconds: maximum seconds between two statements.
    """
    return beginning(
        WRITE,
        lock,
        lock_timeout=_milliseconds(lock_seconds),
        idle_in_transaction_session_timeout=_milliseconds(idle_seconds),
        synchronous_commit="on",  # regardless of the server's default: a reply means on disk
    )


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


@asynccontextmanager
async def _begun(engine: AsyncEngine, begin: str) -> AsyncIterator[AsyncConnection]:
    """Begin a transaction; raise a network error like any other error of the database.

    Args:
        begin: the statements that begin the transaction, right before its first one.

    Raises:
        OperationalError: a network error or timeout.
    """
    try:
        async with await checked_out(engine) as connection:
            driver_of(connection).beginning = begin
            async with connection.begin():
                yield connection
    except OSError as error:  # includes TimeoutError; the block uses only the database
        raise OperationalError("", None, error) from error
