"""Bringing a database to the schema of this program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError as SQLDatabaseError

from bot.storage.database import Database, DatabaseError

MIGRATIONS = Path(__file__).parent.parent / "migrations"


def config() -> Config:
    """Alembic's settings; there is no alembic.ini to go astray."""
    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    return settings


async def upgrade(database: Database) -> None:
    """Run the migrations that this database has not seen, all in one transaction.

    Raises:
        DatabaseError: it is damaged, or newer than this program.
    """
    name = database.url.database
    try:
        async with database.write() as connection:
            await connection.run_sync(_upgrade)
    except CommandError as error:
        raise DatabaseError(f"{name} belongs to a newer Starpost than this one.") from error
    except SQLDatabaseError as error:
        raise DatabaseError(f"{name} cannot be opened: {error.orig}.") from error


def _upgrade(connection: Connection) -> None:
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
