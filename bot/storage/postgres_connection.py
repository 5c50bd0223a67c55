"""Connections to PostgreSQL that also work through a pooler such as PgBouncer.

In its transaction mode, each transaction may run in another session of the server, and settings of
a connection are refused or dropped. So nothing here outlives a transaction: a transaction makes its
settings itself and takes its first lock, in one trip to the server together with `BEGIN`. Only a
connection without a pooler gives names to its prepared statements, which the server keeps.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import count
from typing import Any, cast

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import URL, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

IDLE_SECONDS = 10.0
"""Seconds after which an unused connection is tested before it is used again."""

LAST_USE = "last use"
"""Key of the time at which a pooled connection was returned."""

PING = "SELECT 1"
UNNAMED = ""


def beginning(isolation: str, *statements: str, **settings: float | str) -> str:
    """Return the statements that begin a transaction, to be sent at once.

    Args:
        isolation: the transaction's isolation level and access mode.
        statements: the first ones of the transaction, whose results are not read.
        settings: settings of the server until the end of the transaction.
    """
    local = (f"SET LOCAL {name} = {value}" for name, value in settings.items())
    return "; ".join((f"BEGIN ISOLATION LEVEL {isolation}", *local, *statements))


class PostgresConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection of asyncpg that chooses how transactions begin.

    Attributes:
        is_pooled: whether a pooler is in between.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.beginning = "BEGIN"
        self.is_pooled = True
        self._numbers = count(1)
        self._for_many = dict[str, Any]()

    async def detect_pooler(self) -> None:
        """Compare the session that the connection was announced with, and its real one."""
        session = await self.fetchval("SELECT pg_backend_pid()")
        self.is_pooled = session != self.get_server_pid()

    def transaction(self, **_: Any) -> PostgresTransaction:
        """Return a transaction that begins with `beginning`."""
        return PostgresTransaction(self)

    async def prepare(self, query: str, **options: Any) -> Any:
        """Prepare a statement; through a pooler, it is sent again with each execution."""
        name = UNNAMED if self.is_pooled else f"starpost_{next(self._numbers)}"
        return await super().prepare(query, **options | {"name": name})

    async def executemany(self, command: str, args: Iterable[Any], **options: Any) -> None:
        """Run a statement for each of several rows."""
        statement = self._for_many.pop(command, None) or await self.prepare(command)
        await statement.executemany(args, **options)
        self._for_many[command] = statement  # unless it failed: then it may have become invalid


class PostgresTransaction:
    """A transaction that begins with several statements in one trip."""

    def __init__(self, connection: PostgresConnection) -> None:
        self._connection = connection

    async def start(self) -> None:
        """Begin.

        Raises:
            asyncpg.PostgresError: one of the first statements failed.
        """
        try:
            await self._connection.execute(self._connection.beginning)
        except asyncpg.PostgresError:
            if not self._connection.is_closed():
                await self.rollback()
            raise

    async def commit(self) -> None:
        """Commit."""
        await self._connection.execute("COMMIT")

    async def rollback(self) -> None:
        """Roll back."""
        await self._connection.execute("ROLLBACK")


def connect_engine(
    url: URL, name: str, connect_seconds: float, command_seconds: float, **options: Any
) -> AsyncEngine:
    """Return an engine whose connections are `PostgresConnection`s.

    Args:
        connect_seconds: maximum seconds to connect.
        command_seconds: maximum seconds for a statement.
    """
    arguments = {
        "connection_class": PostgresConnection,
        "statement_cache_size": 0,  # asyncpg's own; SQLAlchemy keeps prepared statements as well
        "timeout": connect_seconds,
        "command_timeout": command_seconds,
        "server_settings": {"application_name": name},
    }
    engine = create_async_engine(url, hide_parameters=True, connect_args=arguments, **options)
    event.listen(engine.sync_engine, "connect", _detect_pooler)
    event.listen(engine.sync_engine, "checkin", _note_use)
    event.listen(engine.sync_engine, "checkout", _check_connection)
    return engine


def driver_of(connection: AsyncConnection) -> PostgresConnection:
    """Return asyncpg's connection."""
    driver: PostgresConnection = cast(
        "Any", connection.sync_connection
    ).connection.driver_connection
    return driver


def _detect_pooler(connection: Any, _: object) -> None:
    connection.run_async(PostgresConnection.detect_pooler)


def _note_use(connection: Any, record: Any) -> None:
    if connection is not None:
        record.info[LAST_USE] = time.monotonic()


def _check_connection(connection: Any, record: Any, _: object) -> None:
    """Refuse a connection that is lost, which the pool then replaces.

    Only one that was idle for a while costs a trip, unlike with `pool_pre_ping`, which makes three.
    """
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError
    if time.monotonic() - record.info.get(LAST_USE, time.monotonic()) > IDLE_SECONDS:
        try:
            connection.run_async(_ping)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            raise InvalidatePoolError from error


async def _ping(connection: PostgresConnection) -> None:
    await connection.execute(PING)
