"""The player of Warp 6: which changes of a number are worth choosing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.warp6.player import rate
from engine.computer.warp6.search import is_idle
from engine.game import Action
from tests.support.reasons import situation
from tests.support.tiers import examples
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, position


@pytest.mark.parametrize(
    ("dice", "action", "idle"),
    [
        ("b8a2@80", "up b8a", False),
        ("b8a2@80", "down b8a", True),
        ("b8a8@80", "down b8a", True),
        ("b8a5@80 y4a1@76", "down b8a", False),  # then it can warp
        ("b8a2@80", "move b8a", False),
    ],
)
def test_change_is_idle_that_saves_no_turn_and_makes_no_warp(
    dice: str, action: str, idle: bool
) -> None:
    assert is_idle(position(dice), Action.parse(f"B {action}")) is idle


@examples(20, 80, 2000)
@given(seed=st.integers(0, 10**6), seats=st.sampled_from("23"))
def test_all_actions_but_idle_changes_are_rated(seed: int, seats: str) -> None:
    state, _ = random_match(seats, "rolled", seed, 20 + seed % 90)
    if state.phase != "play":
        return
    decision = situation(GAME, state)
    rated = [action for _, action in rate(decision, Random(1).randrange, 100)]
    assert rated == [action for action in decision.legal if not is_idle(state, action)]
    assert {action for action in decision.legal if action.verb == "move"} <= set(rated)
