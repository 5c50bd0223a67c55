"""Positions of matches that were replayed: how many are kept in memory."""

from __future__ import annotations

import pytest

from bot.services import positions
from bot.services.positions import Positions
from engine.record import Record
from tests.support.whole import whole_match

LINES = 20
KEPT = 2 * (LINES + 1)
"""Positions of two of these matches."""


async def test_matches_that_were_not_read_for_longest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(positions, "MAX_POSITIONS_KEPT", KEPT)
    read, whole = Positions(), whole_match("warp6", 1)
    record = Record(whole.headers, whole.actions[:LINES])
    for match_id in (1, 2, 1, 3):
        count = await read.read(match_id, record, lambda replayed: len(replayed.states))
        assert count == LINES + 1
    assert await read.run_in_thread(lambda: [*read._positions]) == [1, 3]
