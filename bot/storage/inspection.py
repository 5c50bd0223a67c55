"""Read-only inspection of a database file, even while the bot uses it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from bot.storage.file_lock import DatabaseError
from bot.version import version

MIGRATIONS = Path(__file__).parent / "migrations"

MIGRATED_BY = "migrated_by"
"""Name of the fact with the version that last migrated the database."""

MAKER = f"SELECT value FROM facts WHERE name = '{MIGRATED_BY}'"  # noqa: S608 - a constant


class SchemaState(Enum):
    """The state of a database's schema, compared with this program's."""

    EMPTY = "empty"
    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection; each statement sees its own snapshot.

    Raises:
        DatabaseError: the file cannot be opened or read, here or in the block.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise DatabaseError(f"{path}: {error}.") from error


def is_there(path: Path) -> bool:
    """Return whether there is a database; SQLite treats an empty file as a new one."""
    return path.exists() and path.stat().st_size > 0


def integrity_error(connection: sqlite3.Connection, *, quick: bool = False) -> str:
    """Return a short description of the damage to a file; empty if undamaged.

    Args:
        connection: see `open_read_only`.
        quick: skip indexes and references.
    """
    pragma = "quick_check" if quick else "integrity_check"
    (result,) = connection.execute(f"PRAGMA {pragma}(1)").fetchone()
    if result != "ok":
        return " ".join(result.split())
    lost = None if quick else connection.execute("PRAGMA foreign_key_check").fetchone()
    return f"a row of {lost[0]} refers to a missing row of {lost[2]}" if lost else ""


def schema_state(connection: sqlite3.Connection) -> SchemaState:
    """Compare a database's schema with this program's.

    Raises:
        DatabaseError: it is not a Starpost database.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    row = (
        "alembic_version" in tables
        and connection.execute("SELECT version_num FROM alembic_version").fetchone()
    )
    return compare_schema(tables, row[0] if row else None)


def compare_schema(tables: Collection[str], revision: str | None) -> SchemaState:
    """Compare a schema with this program's.

    Args:
        tables: the names of all its tables.
        revision: the last migration; None if none is recorded.

    Raises:
        DatabaseError: it is not a database of Starpost's.
    """
    if not tables:
        return SchemaState.EMPTY
    if revision is None:
        raise DatabaseError("This is the database of another program.")
    migrations = revisions()
    if revision == migrations[-1]:
        return SchemaState.CURRENT
    return SchemaState.OLDER if revision in migrations else SchemaState.NEWER


def newer_text(query: Callable[[str], Any]) -> str:
    """Return a sentence about a database with a newer schema, to follow its name.

    Args:
        query: runs a statement and returns its result.
    """
    (schema,) = query("SELECT version_num FROM alembic_version").fetchone()
    row = query(MAKER).fetchone()
    maker = f"version {row[0]}" if row else "an unknown version"
    return (
        f"is from a newer Starpost than this one: {maker} brought it to schema {schema}, and "
        f"{version()} knows none after {revisions()[-1]}. Install that version again, or "
        "restore the backup from before."
    )


def revisions() -> list[str]:
    """Return the migrations of this program in order; file names begin with their number.

    Alembic itself is only needed, and only loaded, to run one of them.

    Raises:
        DatabaseError: the program was installed without them.
    """
    names = sorted(file.stem.partition("_")[0] for file in (MIGRATIONS / "versions").glob("*.py"))
    if not names:
        raise DatabaseError("The migrations are missing: reinstall Starpost.")
    return names
