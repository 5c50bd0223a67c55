"""Maximum sizes of pictures: all games, in every style, even with choices marked."""

from __future__ import annotations

import pytest

import render
from engine import games
from tests.support.positions import NAMES, STYLES, TABLES, positions
from tests.support.tiers import sampled

MAX_BYTES = 120_000
"""Bytes of any picture of a board; the largest ones are enlarged areas."""


@pytest.mark.first(test=1)
@sampled(15, 16, 150)
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_no_picture_is_larger(name: str, options: dict[str, str], samples: int) -> None:
    game, board = games.get(name), render.for_game(name)
    names = dict(zip(game.seats(options), NAMES, strict=False))
    sizes = {}
    for number, view in enumerate(positions(game, options, samples)):
        style = STYLES[number * 5 % len(STYLES)]
        sizes[number, style, False] = len(board.picture(view, names, style))
        sizes[number, style, True] = len(board.picture(view, names, style, view.legal))
    assert len(sizes) == 2 * samples
    assert max(sizes.values()) <= MAX_BYTES, max(sizes, key=lambda sample: sizes[sample])
