"""The ladder of computer players."""

from __future__ import annotations

import pytest

from tools import ladder


def test_ladder_prints_a_line_for_each_pair(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "PAIRS", (("greedy", "random"), ("random", "greedy")))
    ladder.main(["warp6", "--matches", "2"])
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading == ladder.HEADING
    assert first.split()[:4] == ["warp6", "greedy", "random", "1.000"]
    assert second.split()[:4] == ["warp6", "random", "greedy", "0.000"]


def test_a_turn_ends_when_the_other_player_decides() -> None:
    turns = ladder.Turns()
    for name, seconds in (("a", 1.0), ("a", 2.0), ("b", 4.0), ("a", 8.0)):
        turns.add(name, seconds)
    assert turns.seconds == {"a": [3.0, 8.0], "b": [4.0]}
    assert turns.p99("a") == 8.0
