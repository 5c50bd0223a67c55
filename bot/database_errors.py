"""Classification of database errors."""

from __future__ import annotations

import sqlite3
from enum import StrEnum

import sqlalchemy.exc
from sqlalchemy.exc import SQLAlchemyError

UNREACHABLE_STATES = ("08", "53300", "57P")
"""Prefixes of PostgreSQL's codes for: no connection, too many, shutting down."""

FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY})
BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
FULL_STATES = frozenset({"53100"})
BUSY_STATES = frozenset({"40001", "40P01", "53300", "55P03", "57014"})
"""PostgreSQL: conflict with another transaction, too many connections, locked, took too long."""


class Trouble(StrEnum):
    """Kinds of trouble, as counted in metrics."""

    UNREACHABLE = "database unreachable"
    FULL = "disk full"
    BUSY = "database busy"
    OTHER = "database error"


def is_unreachable(error: SQLAlchemyError) -> bool:
    """Return whether an error means that the server is unreachable, not that it is faulty."""
    cause = getattr(error, "orig", None)
    state = getattr(cause, "sqlstate", None) or ""
    return isinstance(cause, OSError) or state.startswith(UNREACHABLE_STATES)


def trouble(error: SQLAlchemyError) -> Trouble:
    """Return the kind of trouble of an error."""
    cause = getattr(error, "orig", None)
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    state = getattr(cause, "sqlstate", None) or ""
    if code in FULL or state in FULL_STATES:
        return Trouble.FULL
    timed_out = isinstance(error, sqlalchemy.exc.TimeoutError)
    if timed_out or code in BUSY or state in BUSY_STATES:
        return Trouble.BUSY
    if is_unreachable(error):
        return Trouble.UNREACHABLE
    return Trouble.OTHER
