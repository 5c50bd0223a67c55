"""Statements of the bot that scan a table are noticed, and those of tests are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from bot.storage.connection import all_rows
from bot.storage.schema import guilds, matches, seats
from tests.support.matches import MatchFixture
from tests.support.scans import Scans

SQLITE = ["SQLite"]


@pytest.fixture
def own_scans(monkeypatch: pytest.MonkeyPatch, scans: Scans) -> Iterator[Scans]:
    """Scans that this test alone looks at."""
    local_scans = Scans()
    local_scans.watch(monkeypatch)
    yield local_scans
    local_scans.close()
    scans.unexpected.clear()


@pytest.mark.parametrize("backend", SQLITE)
async def test_scan_of_a_table_that_grows_is_noticed_once(
    env: MatchFixture, own_scans: Scans
) -> None:
    scan = select(matches.c.id).where(matches.c.version > 7)
    async with env.database.read() as connection:
        await all_rows(connection, scan)
    (statement,) = own_scans.unexpected
    assert own_scans.unexpected[statement] == {"matches"}
    own_scans.unexpected.clear()
    async with env.database.read() as connection:
        await all_rows(connection, scan)
    assert not own_scans.unexpected


@pytest.mark.parametrize("backend", SQLITE)
async def test_look_ups_small_tables_and_tests_may_read(
    env: MatchFixture, own_scans: Scans
) -> None:
    async with env.database.read() as connection:
        await all_rows(connection, select(seats).where(seats.c.user_id == 1))
        await all_rows(connection, select(guilds))
        await connection.execute(select(matches))
    assert not own_scans.unexpected
