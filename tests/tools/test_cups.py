"""Whole cups from a seed: none is stuck, each pairing once, standings as computed independently."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.features.cups.standings import standings
from tests.support.tiers import sampled
from tools.cups import deeds
from tools.cups.journal import Journal
from tools.cups.kills import play_with_kills
from tools.cups.report import report
from tools.cups.simulation import play
from tools.cups.world import World

LIFE_SECONDS = 0.2
"""Mean length of a life: the longest is twice as long, and two cups take 2 s on a fast machine."""

LARGE = 2
"""First seed, of cups with many matches."""


@pytest.mark.slow
@sampled(test=1, check=4, soak=1000)
async def test_simulated_cups_end_as_computed(tmp_path: Path, samples: int) -> None:
    await play(tmp_path, 1, samples)
    counts = await report(tmp_path, 1, samples)
    assert counts["cups"] == samples
    assert counts["restart"] > 0


@pytest.mark.slow
@sampled(test=2, check=2, soak=1000)
async def test_cups_of_killed_processes_end_as_computed(tmp_path: Path, samples: int) -> None:
    play_with_kills(tmp_path, LARGE, samples, LIFE_SECONDS)
    counts = await report(tmp_path, LARGE, samples)
    assert counts["cups"] == samples
    assert counts["kill"] > 0


@pytest.mark.slow
async def test_an_answer_that_is_not_stored_is_found(tmp_path: Path) -> None:
    world = World(tmp_path)
    await world.start()
    world.journal.note("deed", 1, world.now, deeds.join.__name__, [1, 2])
    world.journal.note("answer", 1, world.now, deeds.DONE)
    await world.stop()
    with pytest.raises(AssertionError, match="was done, but is not stored"):
        await report(tmp_path, 1, 0)


def test_a_killed_process_leaves_what_it_was_doing(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.note("deed", 1, 5.0, deeds.join.__name__, [1, 2])
    journal.note("answer", 1, 6.0, deeds.DONE)
    assert journal.resume() == (1, 6.0, None)
    journal.note("deed", 2, 7.0, deeds.dates.__name__, [])
    assert journal.resume() == (2, 7.0, (2, 7.0, "dates", []))


@pytest.mark.slow
async def test_a_wrong_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check notices standings in another order."""
    monkeypatch.setattr("bot.features.cups.rows.standings", lambda *args: standings(*args)[::-1])
    await play(tmp_path, 1, 1)
    with pytest.raises(AssertionError, match="the standings differ"):
        await report(tmp_path, 1, 1)
