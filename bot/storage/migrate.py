"""Bringing a database to the schema of this program, or refusing to begin with it."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.backup import Backups
from bot.storage.database import Database
from bot.storage.files import MIGRATIONS, Standing, compare, scripts
from bot.storage.lock import DatabaseError


def config() -> Config:
    """Alembic's settings; there is no alembic.ini to go astray."""
    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    return settings


async def upgrade(database: Database, backups: Backups | None = None) -> None:
    """Run the migrations that this database has not seen, all in one transaction.

    Args:
        database: which.
        backups: where one is made before anything is changed; without it beside the database.

    Raises:
        DatabaseError: it is damaged, newer than this program, or gone.
    """
    try:
        scripts()
        database.prepare(backups)
        async with database.migration() as connection:
            await connection.run_sync(_upgrade, database.name)
        database.settle()
    except SQLAlchemyError as error:
        reason = getattr(error, "orig", None) or error
        raise DatabaseError(f"{database.name} cannot be opened: {reason}.") from error
    except OSError as error:
        raise DatabaseError(f"{error.filename}: {error.strerror}.") from error


def schema(connection: Connection) -> Standing:
    """How the schema of a database compares with this program's.

    Raises:
        DatabaseError: it is not a database of Starpost's.
    """
    tables = inspect(connection).get_table_names()
    version = MigrationContext.configure(connection).get_current_revision()
    return compare(tables, version)


def _upgrade(connection: Connection, name: str) -> None:
    if schema(connection) is Standing.NEWER:
        raise DatabaseError(f"{name} belongs to a newer Starpost than this one.")
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
