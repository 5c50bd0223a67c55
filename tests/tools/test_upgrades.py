"""The drill of upgrades compares the rows of two schemas."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.app.run import open_database
from tests.support.command import ROOT
from tests.support.databases import change
from tools.upgrades.installations import EARLIER
from tools.upgrades.rows import Row, lost, schema, tables

DUMPS = ROOT / "tests" / "bot" / "storage" / "earlier"


async def upgraded(revision: str, folder: Path) -> tuple[dict[str, list[Row]], Path]:
    """Return the rows of an earlier schema, and the database after its upgrade."""
    earlier, path = folder / "earlier.db", folder / "starpost.db"
    with closing(sqlite3.connect(earlier)) as connection:
        connection.executescript((DUMPS / f"{revision}.sql").read_text("utf-8"))
    shutil.copyfile(earlier, path)
    async with open_database(f"sqlite+aiosqlite:///{path}"):
        pass
    assert schema(earlier) == revision
    return tables(earlier), path


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0004", "0006"])
async def test_upgrade_keeps_each_row(revision: str, tmp_path: Path) -> None:
    before, path = await upgraded(revision, tmp_path)
    assert {"matches", "seats", "actions", "outbox", "timers", "posted_messages"} <= set(before)
    assert list(lost(before, tables(path))) == []


@pytest.mark.slow
async def test_rows_that_are_lost_or_changed_are_named(tmp_path: Path) -> None:
    before, path = await upgraded("0004", tmp_path)
    (first, *_) = before["actions"]
    where = f"match_id = {first['match_id']} AND number = {first['number']}"
    change(
        path,
        f"DELETE FROM actions WHERE {where}",  # noqa: S608 - numbers
        "UPDATE seats SET seconds_left = 1 WHERE seconds_left > 1",
        "UPDATE outbox SET kind = 'turn_dm'",
    )
    losses = list(lost(before, tables(path)))
    assert f"actions: {first}" in losses
    assert {loss.partition(":")[0] for loss in losses} == {"actions", "seats", "outbox"}


def test_one_row_does_not_stand_for_two() -> None:
    row = {"number": 1}
    assert list(lost({"a": [row, row]}, {"a": [row]})) == ["a: {'number': 1}"]


def test_versions_of_the_page_are_drilled() -> None:
    page = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")
    going_back = page.partition("### Going back")[2].partition("##")[0]
    assert all(f"| {release.version.removesuffix('.0')}" in going_back for release in EARLIER)
