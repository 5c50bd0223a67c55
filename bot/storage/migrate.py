"""Bringing a database to the schema of this program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection

from bot.storage.database import Database

MIGRATIONS = Path(__file__).parent.parent / "migrations"


def config() -> Config:
    """Alembic's settings; there is no alembic.ini to go astray."""
    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    return settings


async def upgrade(database: Database) -> None:
    """Run the migrations that this database has not seen, all in one transaction."""
    async with database.write() as connection:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, "head")
