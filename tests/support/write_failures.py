"""Databases that cannot be written to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from sqlalchemy import text

from bot.domain.ids import MatchId
from bot.storage.database import Database
from bot.storage.sqlite import SQLite
from tests.support.harness import Stage, words
from tests.support.wormholes.positions import GAME


@asynccontextmanager
async def quota(database: Database) -> AsyncIterator[None]:
    """SQLite may take no more pages; those that migrations have freed are used up."""
    async with database.write() as connection:
        free = (await connection.execute(text("PRAGMA freelist_count"))).scalar_one()
        size = {"size": free * (await connection.execute(text("PRAGMA page_size"))).scalar_one()}
        await connection.execute(text("CREATE TABLE filler AS SELECT zeroblob(:size)"), size)
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        await connection.execute(text(f"PRAGMA max_page_count={pages}"))
    yield
    async with database.write() as connection:
        await connection.execute(text("PRAGMA max_page_count=1000000"))
        await connection.execute(text("DROP TABLE filler"))


@asynccontextmanager
async def read_only(database: SQLite) -> AsyncIterator[None]:
    """No transaction can write; SQLite reports it as for a disk without room."""

    async def switch(to: str) -> None:
        async with database._writer.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            await driver.execute_fetchall(f"PRAGMA query_only={to}")

    await switch("ON")
    yield
    await switch("OFF")


async def choose(stage: Stage, match_id: MatchId) -> str:
    """Type a choice, and return the answer."""
    actor = await stage.deciding(match_id)
    action = Random(1).choice(GAME.legal(await stage.state(match_id)))
    line = " ".join((action.verb, *action.args))
    result = await actor.slash(stage.channel, "do", action=line)
    assert result.ephemeral
    return words(result.response)
