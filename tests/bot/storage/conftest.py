"""Fixtures of the storage tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.schema import METADATA
from bot.storage.sqlite import SQLite


@pytest.fixture(autouse=True)
def no_syncs() -> None:
    """Write to the disk as the bot does."""


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def backend(request: pytest.FixtureRequest) -> str:
    """Name the database: storage is tested on both in every tier."""
    name: str = request.param
    return name


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SQLite]:
    """Return a database file with the tables of this version and no rows."""
    base = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield base
    await base.close()
