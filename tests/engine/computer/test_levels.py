"""The levels: stronger than a player that looks one action ahead."""

from __future__ import annotations

import pytest

from engine.computer.arena import Contest, EnginePlayer
from engine.computer.players import ComputerPlayer
from engine.games import get


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", ["wormholes", "warp6", pytest.param("tomtube", marks=pytest.mark.soak)]
)
def test_admiral_beats_greedy(game: str) -> None:
    players = [
        EnginePlayer(ComputerPlayer(name, name.encode()), lambda: 0.0)
        for name in ("admiral", "greedy")
    ]
    report = Contest(get(game), get(game).rules[0], {}, 3).run(players, 6).report()
    assert report["fouls"] == [0, 0]
    assert report["score"] >= 0.6
