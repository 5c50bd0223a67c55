"""Database files for tests: with matches in them, older, newer, and broken."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.app.run import open_database
from bot.domain.ids import ChannelId, UserId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.factory import services_on
from bot.storage import inspection
from bot.storage.database import Database
from bot.storage.schema import METADATA, absences

ADA, BO = UserId(11), UserId(22)

LATER = """
from alembic import op
revision, down_revision = "9000", "{head}"
def upgrade(): op.execute("CREATE TABLE later (x)")
"""


async def fill(path: Path) -> None:
    """Make a database with a running match in it."""
    await fill_at(f"sqlite+aiosqlite:///{path}")


async def fill_at(url: str) -> None:
    """The same with any address."""
    async with open_database(url) as database:
        services = services_on(database, make_seed=lambda: bytes(32))
        players = [Player(ADA, "Ada"), Player(BO, "Bo")]
        terms = Terms(game="wormholes", guild_id=None, channel_id=ChannelId(5))
        outcome = await services.challenges.challenge(1, terms, players)
        await services.challenges.accept(2, outcome.match_id, BO)


def change(path: Path, *statements: str) -> None:
    """Do to a database what Starpost never would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def count(path: Path, table: str) -> int:
    """Return the number of rows of a table."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def damage_page(path: Path, name: str = "matches") -> None:
    """Overwrite the page in which a table or index begins."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(query, (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xee" * size)


def age(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every database older: this program gets one migration more."""
    *_, head = inspection.revisions()
    later = folder / "migrations"
    shutil.copytree(inspection.MIGRATIONS, later)
    (later / "versions" / "9000_later.py").write_text(LATER.format(head=head), "utf-8")
    monkeypatch.setattr(inspection, "MIGRATIONS", later)
    monkeypatch.setattr("bot.storage.migrate.MIGRATIONS", later)


async def contents(database: Database) -> list[list[tuple[Any, ...]]]:
    """Return all rows of all tables."""
    async with database.read() as connection:
        return [
            [tuple(row) for row in await connection.execute(select(table))]
            for table in METADATA.sorted_tables
        ]


async def vacation_end(database: Database) -> float | None:
    """Return the end of the only vacation; None if there is none."""
    async with database.read() as connection:
        return (await connection.execute(select(absences.c.ends_at))).scalar_one_or_none()
