"""How large pictures may be: all games keep the bound, in every style, with choices marked too."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import render
from engine import games
from engine.game import CHANCE, Action, AnyGame, View
from engine.record import play
from render.renderer import ORIENTATIONS, Style
from render.themes import THEMES
from tests.support.tiers import sampled

MAX_BYTES = 120_000
"""Bytes of any picture of a board; the largest ones are enlarged areas."""

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


def positions(game: AnyGame, options: dict[str, str], matches: int) -> Iterator[View]:
    """Yield the view of the player who must decide, at intervals in random matches."""
    for seed in range(matches):
        state = game.start(game.rules[seed % len(game.rules)], options)
        for number, action in enumerate(actions_of(game, state, Random(seed))):
            seat = game.pending(state)[:1]
            if number % 11 == 0 and seat != CHANCE:
                yield game.view(state, seat)
            state, _ = game.apply(state, action)


def actions_of(game: AnyGame, start: Any, random: Random) -> tuple[Action, ...]:
    """Of a random match."""

    def choose(legal: tuple[Action, ...]) -> Action:
        return game.fill(random.choice(legal), random.randrange)

    return play(game, start, choose, lambda _: random.randrange, 230)[1]


@sampled(1, 2, 10)
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_no_picture_is_larger(name: str, options: dict[str, str], samples: int) -> None:
    game, board = games.get(name), render.for_game(name)
    names = dict(zip(game.seats(options), NAMES, strict=False))
    styles = [
        Style(theme, way, own) for theme in THEMES for way in ORIENTATIONS for own in (False, True)
    ]
    sizes = {}
    for number, view in enumerate(positions(game, options, samples)):
        style = styles[number * 5 % len(styles)]
        sizes[number, style, False] = len(board.picture(view, names, style))
        sizes[number, style, True] = len(board.picture(view, names, style, view.legal))
    assert len(sizes) > 10 * samples
    assert max(sizes.values()) <= MAX_BYTES, max(sizes, key=lambda each: sizes[each])
