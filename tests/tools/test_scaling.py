"""docs/developers/scaling.md says what its command says."""

from __future__ import annotations

import re

from tests.support.command import ROOT
from tools.scaling import DISCORD_REQUESTS, Need, table, walls

TEXT = (ROOT / "docs" / "developers" / "scaling.md").read_text("utf-8")


def test_the_table_is_what_the_command_prints() -> None:
    assert table() in TEXT
    assert walls() in " ".join(TEXT.split())


def test_ten_times_the_matches_need_ten_times_as_much() -> None:
    less, more = Need(10_000), Need(100_000)
    assert more.requests == 10 * less.requests
    assert more.gigabytes == 10 * less.gigabytes
    assert less.processes == 1
    assert less.requests < DISCORD_REQUESTS < more.requests


def test_every_command_it_names_is_there() -> None:
    targets = set(re.findall(r"`make (\w+)", TEXT))
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert targets
    assert all(f"\n{target}: " in makefile for target in targets)
