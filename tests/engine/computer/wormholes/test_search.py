"""The search of a turn in Wormholes."""

from __future__ import annotations

from random import Random

import pytest

from engine.computer.wormholes.player import rate
from tests.support.reasons import situation
from tests.support.wormholes.positions import GAME, after, position


@pytest.mark.parametrize("suns", ["b17", "b18"])
def test_match_that_can_be_won_is_won_at_once(suns: str) -> None:
    state = position({"S": suns, "M": "e12", "C": "j2", "A": "j1"}, dice="S1 M3")
    rated = rate(situation(GAME, state), Random(1).randrange, 400)
    best = max(value for value, _ in rated)
    best_actions = [action for value, action in rated if value == best]
    assert all(after(state, str(action)).result == "O base" for action in best_actions)
