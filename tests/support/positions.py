"""Positions for pictures: of every game, under its first and its last options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from engine import games
from engine.game import CHANCE, Action, AnyGame, View
from engine.record import play
from render.renderer import ORIENTATIONS, Style
from render.themes import THEMES

STYLES = [
    Style(theme, way, own_side)
    for theme in THEMES
    for way in ORIENTATIONS
    for own_side in (False, True)
]

NAMES = ("Maximiliane Wagenschmidt", "Bartholomew O’Flanagan", "Cy")

TABLES = [
    pytest.param(
        name,
        {option: values[place] for option, values in games.get(name).options.items()},
        marks=marks,
    )
    for name in games.names()
    for place, marks in ((0, ()), (-1, pytest.mark.slow))
]
"""Each game with all its first options, and with all its last ones."""

DECISIONS_APART = 9
"""Number of decisions from one position to the next."""


def positions(game: AnyGame, options: dict[str, str], number: int) -> Iterator[View]:
    """Yield so many views of the player who must decide, at intervals in random matches."""
    return islice(_positions(game, options), number)


def _positions(game: AnyGame, options: dict[str, str]) -> Iterator[View]:
    """Yield views without end: when a match is over, the next one begins."""
    decisions = count()
    for seed in count():
        state = game.start(game.rules[seed % len(game.rules)], options)
        for action in actions_of(game, state, Random(seed)):
            seat = game.pending(state)[:1]
            if seat != CHANCE and next(decisions) % DECISIONS_APART == 0:
                yield game.view(state, seat)
            state, _ = game.apply(state, action)


def actions_of(game: AnyGame, start: Any, random: Random) -> tuple[Action, ...]:
    """Of a random match."""

    def choose(legal: tuple[Action, ...]) -> Action:
        return game.fill(random.choice(legal), random.randrange)

    return play(game, start, choose, lambda _: random.randrange, 230)[1]
