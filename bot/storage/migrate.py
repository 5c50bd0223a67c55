"""Bringing a database to the schema of this program, or refusing to begin with it."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DatabaseError as SQLDatabaseError

from bot.storage.backup import Backups
from bot.storage.database import Database
from bot.storage.files import MIGRATIONS, Standing, damage, is_there, reading, scripts, standing
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
        _prepare(database, backups or Backups(database.path))
        async with database.write() as connection:
            await connection.run_sync(_upgrade)
        database.lock.mark()
    except SQLDatabaseError as error:
        raise DatabaseError(f"{database.path} cannot be opened: {error.orig}.") from error
    except OSError as error:
        raise DatabaseError(f"{error.filename}: {error.strerror}.") from error


def _prepare(database: Database, backups: Backups) -> None:
    """Make sure that there is something to begin with, and a way back."""
    scripts()
    if not is_there(database.path):
        backups.refuse_anew()
        return
    with reading(database.path) as connection:
        broken = damage(connection, quick=True)
        if broken:
            raise DatabaseError(f"{database.path} is damaged: {broken}.")
        found = standing(connection)
    if found is Standing.EMPTY:
        backups.refuse_anew()
    if found is Standing.NEWER:
        raise DatabaseError(f"{database.path} belongs to a newer Starpost than this one.")
    if found is Standing.OLDER:
        backups.make()


def _upgrade(connection: Connection) -> None:
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
