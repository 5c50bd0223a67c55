"""Selecting the database backend for a URL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import make_url

from bot.storage.database import Database
from bot.storage.file_lock import DatabaseError
from bot.storage.sqlite import SQLite

DRIVER = "asyncpg"
"""Package of PostgreSQL's driver, an extra."""


def _postgres(url: str) -> Database:
    try:
        from bot.storage.postgres import Postgres  # noqa: PLC0415 - most hosts do without
    except ModuleNotFoundError as error:
        if error.name != DRIVER:
            raise
        raise DatabaseError(
            "PostgreSQL needs the package asyncpg: install starpost[postgres] instead of starpost."
        ) from None
    return Postgres(url)


BACKENDS: Mapping[str, Callable[[str], Database]] = {
    "sqlite+aiosqlite": SQLite,
    "postgresql+asyncpg": _postgres,
}


def connect(url: str) -> Database:
    """Return the database at a URL; its content is not checked yet.

    Raises:
        InUseError: another process has it open.
        DatabaseError: the folder cannot be written to, or the package of its driver is missing.
    """
    return BACKENDS[make_url(url).drivername](url)
