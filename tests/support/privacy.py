"""Players whose data is deleted, and the traces of it."""

from __future__ import annotations

from sqlalchemy import select

from bot.services.models import Player
from bot.services.privacy import Privacy
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.storage.schema import METADATA, players
from bot.storage.sqlite import SQLite
from tests.support.matches import BO, MatchFixture, terms

ADA = 0x0A_DA_0A_DA_0A_DA_0A
"""A number like those of Discord: as an integer it is eight bytes, which nothing else is."""


PLAYERS = [Player(ADA, "Ada L."), Player(BO, "Bo")]


def privacy_of(env: MatchFixture) -> Privacy:
    return Privacy(env.database, env.matches, Leases(env.database, "", lambda: env.now))


async def traces(database: Database, user_id: int) -> list[str]:
    """Where an id stands: in which tables, and for SQLite in which files, even if deleted."""
    async with database.read() as connection:
        tables = [
            table.name
            for table in METADATA.sorted_tables
            for row in await connection.execute(select(table))
            if str(user_id) in str(tuple(row))
        ]
    if not isinstance(database, SQLite):
        return tables
    row = bytes((user_id >> 7 * at & 0x7F) | (0x80 if at else 0) for at in range(7, -1, -1))
    forms = (str(user_id).encode(), user_id.to_bytes(8, "big"), row)
    files = [database.path, database.path.with_name(f"{database.path.name}-wal")]
    return tables + [
        each.name
        for each in files
        if each.exists() and any(form in each.read_bytes() for form in forms)
    ]


async def busy(env: MatchFixture) -> tuple[int, int, int]:
    """Ada has a running match, a finished one and a challenge, settings, and a DM to come."""
    numbers = []
    for _ in range(3):
        outcome = await env.challenges.challenge(next(env.ids), terms(), PLAYERS, side="O")
        numbers.append(outcome.match_id)
    running, finished, asked = numbers
    await env.challenges.accept(next(env.ids), running, BO)
    await env.challenges.accept(next(env.ids), finished, BO)
    await env.matches.act(next(env.ids), finished, ADA, "resign")
    async with env.database.write() as connection:
        await connection.execute(players.insert().values(user_id=ADA, preferences={"hand": "on"}))
    return running, finished, asked
