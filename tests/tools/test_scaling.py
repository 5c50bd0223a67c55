"""docs/developers/scaling.md says what its command says."""

from __future__ import annotations

import re

import pytest

from tests.support.command import ROOT
from tools.scaling import DISCORD_REQUESTS, PEAK, Need, table, walls

TEXT = (ROOT / "docs" / "developers" / "scaling.md").read_text("utf-8")


def test_the_table_is_what_the_command_prints() -> None:
    assert table() in TEXT
    assert walls() in " ".join(TEXT.split())


def test_ten_times_the_servers_need_ten_times_as_much() -> None:
    less, more = Need(1_000), Need(10_000)
    assert more.matches == 10 * less.matches
    assert more.requests == pytest.approx(10 * less.requests)
    assert more.workers == pytest.approx(10 * less.workers)
    assert more.gigabytes == pytest.approx(10 * less.gigabytes)


def test_what_breaks_first_is_what_the_page_says() -> None:
    small, middle, large = Need(1_000), Need(10_000), Need(100_000)
    assert small.requests < DISCORD_REQUESTS / 9
    assert 0.9 < middle.requests / DISCORD_REQUESTS < 1
    assert 0.9 < large.requests / PEAK / DISCORD_REQUESTS < 1
    assert [small.processes, middle.processes] == [1, 2]
    assert middle.peak + middle.computer_turns == pytest.approx(54, abs=0.5)
    assert small.workers < middle.workers < 1 < large.workers < 10


def test_every_command_it_names_is_there() -> None:
    targets = set(re.findall(r"`make (\w+)", TEXT))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets
    assert all(f"\n{target}: " in makefile for target in targets)
