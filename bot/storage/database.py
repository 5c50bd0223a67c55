"""The interface of both database backends, `bot.storage.sqlite` and `bot.storage.postgres`.

A transaction that writes may rely on this: data of a match that it has loaded for writing
(`bot.services.match_store.load`) does not change until it ends; while it is `exclusive`, nothing
else changes either.
"""

from __future__ import annotations

import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from enum import IntEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, Select, Table, bindparam, make_url, select
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.database_errors import Trouble, is_unreachable, trouble
from bot.outages import Outage
from bot.storage.connection import Connection
from bot.storage.file_lock import DatabaseError, DatabaseUnavailableError, InUseError
from bot.storage.hooks import HOOKS, Hooks

if TYPE_CHECKING:
    from bot.storage.backup import Backups
    from bot.storage.erasure_list import Erasures

__all__ = [
    "COMMIT_STATE",
    "CommitState",
    "Database",
    "DatabaseError",
    "DatabaseUnavailableError",
    "InUseError",
    "get_or_create",
    "is_unreachable",
    "track_commit",
    "upsert",
]

CONNECTION_WAIT_SECONDS = 1.5
"""Seconds to wait for a connection in use by another task of this process."""

FILE_LOCK_WAIT_SECONDS = 0.7
"""Seconds to wait for a file that another process has locked; a click can wait twice for it."""

ROW_LOCK_WAIT_SECONDS = 0.9
"""Seconds to wait for another process's lock on a server; a click can wait for two of them."""


SETTLE_SECONDS = 60.0
"""Seconds without a failed write before a disk counts as free: a small write may still fit."""


class CommitState(IntEnum):
    """Whether data has been written; `UNKNOWN` until the data is read again."""

    NO = 0
    UNKNOWN = 1
    YES = 2


COMMIT_STATE: ContextVar[CommitState] = ContextVar("COMMIT_STATE", default=CommitState.NO)
"""Whether the current task has written data, so that no reply says that nothing changed."""


_NOTIFIED: ContextVar[set[str]] = ContextVar("_NOTIFIED")
"""The topics notified by the current transaction."""


Transaction = AbstractAsyncContextManager[Connection]

Listener = Callable[[], None]
"""Is called after a commit."""

AfterCommit = Callable[[bool], None]
"""Is called with whether a commit succeeded; False if it failed, or if that is unknown."""

CommitStep = Callable[[Connection], Awaitable[AfterCommit]]
"""The last step of a transaction; returns a function to call after the commit."""

BeforeCommit = Callable[[Connection], Awaitable[None]]
"""Has to be called by `Database.write` right before the commit."""


class Database(ABC):
    """Transactions on one database.

    Args:
        url: database URL, e.g. `sqlite+aiosqlite:///starpost.db`.
    """

    shared = False
    """Whether other processes can use it at the same time."""

    purge_pause = 86_400.0
    """Seconds between two purges that were complete."""

    erasures: Erasures
    """The list of users whose data was deleted."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self._reached = False
        self._listeners: dict[str, Listener] = {}
        self._commit_steps: dict[str, CommitStep] = {}
        self.hooks = Hooks()
        self.unreachable = Outage("The database")
        self.unwritable = Outage("The database", "not writable", settle=SETTLE_SECONDS)

    def listen(self, topic: str, callback: Listener) -> None:
        """Call a function after each commit of a transaction that has notified a topic.

        It replaces the previous listener of the topic.
        """
        self._listeners[topic] = callback

    def run_before_commit(self, topic: str, step: CommitStep) -> None:
        """Run a last step of each transaction that has notified a topic.

        It replaces the previous step of the topic.
        """
        self._commit_steps[topic] = step

    @staticmethod
    def notify(topic: str) -> None:
        """Call the listener of a topic after the commit of the current transaction."""
        _NOTIFIED.get().add(topic)

    @contextmanager
    def _notifying(self) -> Iterator[BeforeCommit]:
        """Call the listeners of the topics notified in the block, if its transaction commits."""
        token, hooks = _NOTIFIED.set(set()), HOOKS.set(self.hooks)
        callbacks: list[AfterCommit] = []
        listeners: list[Listener] = []
        is_committed = False

        async def run_steps(connection: Connection) -> None:
            topics = _NOTIFIED.get()
            for topic in topics & self._commit_steps.keys():
                callback = await self._commit_steps[topic](connection)
                callbacks.append(callback)  # a later step may fail
            listeners.extend(self._listeners[topic] for topic in topics & self._listeners.keys())

        try:
            yield run_steps
            is_committed = True
        finally:
            _NOTIFIED.reset(token)
            HOOKS.reset(hooks)
            for callback in callbacks:
                callback(is_committed)
        for listener in listeners:
            listener()

    @contextmanager
    def observing(self, *, writes: bool) -> Iterator[None]:
        """Detect the beginning and end of outages from the result of the transaction in the block.

        Args:
            writes: whether the transaction writes.
        """
        begun = time.monotonic()
        try:
            yield
        except SQLAlchemyError as error:
            kind, reason = trouble(error), str(getattr(error, "orig", None) or error)
            if kind is Trouble.UNREACHABLE and self._reached:  # a failed start logs its own line
                self.unreachable.begin(reason)
            elif kind is Trouble.FULL:
                self.unwritable.begin(reason)
            raise
        self._reached = True
        self.unreachable.end(begun)
        if writes:
            self.unwritable.end(begun)

    @contextmanager
    def _writing(self) -> Iterator[BeforeCommit]:
        """Measure and observe a writing transaction and notify listeners; see `track_commit`."""
        with (
            self._notifying() as run_steps,
            metrics.TRANSACTION.time(),
            self.observing(writes=True),
            track_commit() as commits,
        ):

            async def before_commit(connection: Connection) -> None:
                await run_steps(connection)
                commits()

            yield before_commit

    @property
    def name(self) -> str:
        """Return its name for display, without a password."""
        return self.url.render_as_string(hide_password=True)

    def free(self) -> int | None:
        """Return the free bytes on its disk; None for a server."""
        return None

    @abstractmethod
    def write(self, *, exclusive: bool = False) -> Transaction:
        """Open a transaction that may write; it is on disk after the block.

        Args:
            exclusive: exclude all other writers; needed for changes to more than one match.
        """

    @abstractmethod
    def read(self) -> Transaction:
        """Open a read-only snapshot transaction."""

    @abstractmethod
    def migration(self) -> Transaction:
        """Open a transaction that may change the schema; others wait for its end."""

    @abstractmethod
    def prepare(self, backups: Backups | None) -> None:
        """Check the database before a migration, and back it up if needed.

        Raises:
            DatabaseError: it is damaged, newer than this program, or missing.
            DatabaseUnavailableError: the disk is full.
        """

    @abstractmethod
    def mark_initialised(self) -> None:
        """Record that the database exists from now on."""

    @abstractmethod
    def touch_heartbeat(self) -> None:
        """Update the heartbeat outside the database, if the backend has one."""

    @abstractmethod
    async def purge(self) -> bool:
        """Remove remains of deleted rows from the files; return whether that is complete.

        It may wait for a better moment, and must be retried.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close all connections and release the database."""


def in_doubt(error: SQLAlchemyError) -> bool:
    """Return whether a commit that failed with this error may have succeeded.

    The connection to a server broke before its answer; or SQLite has written all of it, but the
    sync to disk failed: it is gone now, but comes back if the machine stops at once.
    """
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
    failing = code & 0xFF == sqlite3.SQLITE_IOERR and code != sqlite3.SQLITE_IOERR_WRITE
    return failing or is_unreachable(error)


@contextmanager
def track_commit() -> Iterator[Callable[[], None]]:
    """Update `COMMIT_STATE` for the transaction in the block.

    Yields a function to call right before the commit.
    """
    before = COMMIT_STATE.get()

    def commits() -> None:
        COMMIT_STATE.set(max(before, CommitState.UNKNOWN))

    try:
        yield commits
    except SQLAlchemyError as error:
        if not in_doubt(error):
            COMMIT_STATE.set(before)
        raise
    COMMIT_STATE.set(CommitState.YES)


async def upsert(connection: Connection, table: Table, **row: Any) -> None:
    """Insert a row, or replace the row with the same key."""
    await connection.execute(_upsert(connection.dialect.name, table, tuple(row)), row)


async def upsert_all(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows with the same columns, or replace rows with the same keys."""
    if rows:
        await connection.execute(_upsert(connection.dialect.name, table, tuple(rows[0])), rows)


async def get_or_create(connection: Connection, table: Table, **row: Any) -> Row[Any]:
    """Return the row with the same key, locked; insert this one first if there is none."""
    await connection.execute(_create(connection.dialect.name, table, tuple(row)), row)
    return (await connection.execute(_locked(table), row)).one()


# Statements are built once: building them costs more than running them


@cache
def _upsert(dialect: str, table: Table, columns: tuple[str, ...]) -> Any:
    new = _insert(dialect, table).values({name: bindparam(name) for name in columns})
    rest = {name: new.excluded[name] for name in columns if name not in _key(table)}
    return new.on_conflict_do_update(index_elements=_key(table), set_=rest)


@cache
def _create(dialect: str, table: Table, columns: tuple[str, ...]) -> Any:
    new = _insert(dialect, table).values({name: bindparam(name) for name in columns})
    return new.on_conflict_do_nothing(index_elements=_key(table))


@cache
def _locked(table: Table) -> Select[*tuple[Any, ...]]:
    key = [column == bindparam(column.name) for column in table.primary_key]
    return select(table).where(*key).with_for_update()


def _key(table: Table) -> list[str]:
    return [column.name for column in table.primary_key]


def _insert(dialect: str, table: Table) -> Any:
    """Return the dialect's insert statement, which supports `ON CONFLICT`."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
