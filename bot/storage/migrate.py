"""Upgrading a database to the schema of this program, or refusing to use it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.backup import Backups
from bot.storage.database import Database, is_unreachable
from bot.storage.file_lock import DatabaseError, DatabaseUnavailableError
from bot.storage.inspection import (
    MIGRATED_BY,
    MIGRATIONS,
    SchemaState,
    compare_schema,
    newer_text,
    revisions,
)
from bot.storage.schema import facts
from bot.version import version

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

ALEMBIC_TABLE = "alembic_version"
"""The table where Alembic stores the last migration."""


def config() -> Config:
    """Return Alembic's settings; there is no alembic.ini."""
    from alembic.config import Config  # noqa: PLC0415 - see bot.storage.inspection.revisions

    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    return settings


async def upgrade(
    database: Database,
    backups: Backups | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Run all pending migrations in one transaction.

    Args:
        backups: folder for the backup before any change; by default beside the database.
        ready: called when the database is usable except for the migrations.

    Raises:
        DatabaseError: it is damaged, newer than this program, or missing.
        DatabaseUnavailableError: the server does not respond.
    """
    try:
        revisions()
        database.prepare(backups)
        current = await _is_current(database)
        ready()
        if not current:
            log.info("migrating the database to schema %s", revisions()[-1])
            begun = time.monotonic()
            async with database.migration() as connection:
                await connection.run_sync(_upgrade, database.name)
            log.info("the database was migrated in %.1f s", time.monotonic() - begun)
        database.mark_initialised()
    except SQLAlchemyError as error:
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        if is_unreachable(error):
            raise DatabaseUnavailableError(f"{database.name} does not answer: {reason}.") from error
        raise DatabaseError(f"{database.name} cannot be opened: {reason}.") from error
    except OSError as error:
        raise DatabaseError(f"{error.filename}: {error.strerror}.") from error


async def _is_current(database: Database) -> bool:
    """Return whether no migration is pending, so that a start does not block other processes."""
    async with database.read() as connection:
        return await connection.run_sync(schema) is SchemaState.CURRENT


def schema(connection: Connection) -> SchemaState:
    """Compare a database's schema with this program's.

    Raises:
        DatabaseError: it is not a Starpost database.
    """
    tables = inspect(connection).get_table_names()
    noted = text(f"SELECT version_num FROM {ALEMBIC_TABLE}")  # noqa: S608 - a constant
    revision = connection.execute(noted).scalar_one_or_none() if ALEMBIC_TABLE in tables else None
    return compare_schema(tables, revision)


def _upgrade(connection: Connection, name: str) -> None:
    from alembic import command  # noqa: PLC0415 - see bot.storage.inspection.revisions

    if schema(connection) is SchemaState.NEWER:
        raise DatabaseError(f"{name} {newer_text(connection.exec_driver_sql)}")
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
    connection.execute(delete(facts).where(facts.c.name == MIGRATED_BY))
    connection.execute(insert(facts).values(name=MIGRATED_BY, value=version()))
