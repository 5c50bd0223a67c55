"""Statements run where they are asked for; whoever waits for the disk does so elsewhere."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.storage.schema import METADATA, players
from bot.storage.sqlite import SQLite

HERE = threading.get_ident()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SQLite]:
    base = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield base
    await base.close()


async def test_only_commits_and_locks_go_to_the_thread(database: SQLite) -> None:
    where: dict[str, int] = {}

    def note(statement: str) -> None:
        where[statement.split(maxsplit=1)[0]] = threading.get_ident()

    async with database._writer.connect() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        raw._conn.set_trace_callback(note)
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=1, preferences={}))
        assert (await connection.execute(select(players.c.user_id))).scalar_one() == 1
    elsewhere = {word for word, thread in where.items() if thread != HERE}
    assert elsewhere == {"BEGIN", "COMMIT"}
    assert {"INSERT", "SELECT"} <= set(where)


async def test_a_closed_connection_says_so(database: SQLite) -> None:
    async with database._writer.connect() as connection:
        raw: Any = (await connection.get_raw_connection()).driver_connection
        await raw.close()
        with pytest.raises(ValueError, match="Connection closed"):
            await raw._execute(int)
        await connection.invalidate()
