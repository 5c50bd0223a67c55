"""The memory test in small, and how it judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tools.load import memory
from tools.load.memory import GROWTH, growth, measure, read_rows, table


def rows_of(*private: int) -> list[dict[str, int]]:
    rest = {"rss": 2048, "blocks": 7, "objects": 8, "cached": 9}
    return [{"seconds": 60 * at, "private": kB} | rest for at, kB in enumerate(private)]


def test_growth_is_that_of_the_second_half() -> None:
    filling = [10 * at for at in range(10)]
    assert growth(rows_of(*filling, *[100] * 10)) == 1.0
    grown = growth(rows_of(*filling, *[100] * 8, 110, 110))
    assert grown == pytest.approx(1.1)
    assert grown > GROWTH


def test_table_begins_with_the_first_row_and_ends_with_the_last() -> None:
    _, first, *_, last = table(rows_of(1024, 2048, 3072), steps=2).splitlines()
    assert first.split() == ["0", "2", "1", "7", "8", "9"]
    assert last.split()[:3] == ["2", "2", "3"]


def test_samples_of_the_restart_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "memory.csv"
    file.write_text("seconds,private\n0,5\n30,6\nseconds,private\n0,7\n", "ascii")
    assert read_rows(file) == [{"seconds": 0, "private": 5}, {"seconds": 30, "private": 6}]


def test_folder_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = list[Path]()

    async def note(folder: Path, **_: float) -> Any:
        folders.append(folder)
        raise click.Abort

    monkeypatch.setattr(memory, "measure", note)
    monkeypatch.chdir(tmp_path)
    CliRunner().invoke(memory.main, ["samples"])
    assert folders == [tmp_path / "samples"]  # the bot's own process runs in it


@pytest.mark.soak
async def test_matches_that_end_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "LONGEST", 2)
    monkeypatch.setattr(memory, "SAMPLE_SECONDS", 1.0)
    load = await measure(tmp_path, matches=30, servers=3, rate=8, computers=4, seconds=12)
    assert load.events["replaced"] > 10
    assert len(load.people) == 15
    assert load.result.answered == {"done": load.result.asked}
    assert load.result.lost == 0
    assert len(read_rows(tmp_path / "memory.csv")) > 5
