"""Resampled worlds are made from the view alone: equal views and draws give equal worlds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import get
from tests.support.tiers import examples
from tests.support.tomtube import games as tomtube
from tests.support.warp6 import games as warp6
from tests.support.wormholes import games as wormholes

SEEDS = st.integers(0, 10**6)


def wormholes_state(random: Random) -> Any:
    rules, seed = random.choice(get("wormholes").rules), random.randrange(10**9)
    if random.random() < 0.3:
        return wormholes.wild_match(rules, seed, random.randrange(1, 80))[0]
    notes, placing = random.choice(("off", "on")), random.choice(wormholes.PLACINGS)
    limit = random.randrange(1, 250 if random.random() < 0.5 else 40)
    return wormholes.random_match(rules, seed, notes, limit, placing)[0]


def warp6_state(random: Random) -> Any:
    seats, setup = random.choice(warp6.SETUPS)
    return warp6.random_match(seats, setup, random.randrange(10**9), random.randrange(25))[0]


def tomtube_state(random: Random) -> Any:
    seed, limit = random.randrange(10**9), random.randrange(1, 60)
    return tomtube.random_match(seed, random.choice(get("tomtube").rules), limit=limit)[0]


STATES: dict[str, Callable[[Random], Any]] = {
    "wormholes": wormholes_state,
    "warp6": warp6_state,
    "tomtube": tomtube_state,
}


def assert_worlds_are_equal(name: str, seed: int) -> None:
    """Resample two states that look the same to a seat, with the same draws."""
    game = get(name)
    random = Random(seed)
    state = STATES[name](random)
    if game.result(state):
        return  # all is public
    seat = random.choice(("", *game.view(state).seats))
    twin = game.resample(state, seat, random.randrange)
    assert game.view(twin, seat) == game.view(state, seat)
    worlds = [game.resample(each, seat, Random(seed).randrange) for each in (state, twin)]
    assert game.dump(worlds[0]) == game.dump(worlds[1])
    assert worlds[0] == worlds[1]
    assert game.view(worlds[0], seat) == game.view(state, seat)


@pytest.mark.parametrize("name", STATES)
@examples(60, 80, 10_000)
@given(seed=SEEDS)
def test_equal_views_and_draws_give_equal_worlds(name: str, seed: int) -> None:
    assert_worlds_are_equal(name, seed)
