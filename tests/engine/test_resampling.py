"""Resampled worlds are made from the view alone: equal views and draws give equal worlds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.testing.matches import played
from tests.support.any_game import NAMES, assert_equal_worlds
from tests.support.tiers import examples

pytestmark = pytest.mark.usefixtures("bids")

SEEDS = st.integers(0, 10**6)

LENGTHS = (4, 40, 250)
"""Maximum numbers of actions before a position: more is hidden early."""


@pytest.mark.parametrize("name", NAMES)
@examples(60, 80, 10_000)
@given(seed=SEEDS)
def test_equal_views_and_draws_give_equal_worlds(name: str, seed: int) -> None:
    random = Random(seed)
    match = played(name, random, random.choice(LENGTHS))
    if not match.is_over:  # then all is public
        seat = random.choice(("", *match.seats))
        assert_equal_worlds(match.game, match.state, seat, seed)
