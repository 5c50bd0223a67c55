"""Signs on the Tom Tube board: prices of places, borders of areas, the rhomb that was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

import render
from engine.game import CHANCE
from engine.tomtube.view import TomTubeView
from render import chips
from render.renderer import DEFAULT_STYLE
from render.sprites import Board, Sprite
from render.themes import Theme
from render.tomtube import drawn_rhomb, marks, player_panels, tiles
from render.tomtube.background import background
from render.tomtube.colours import THEMES
from render.tomtube.layout import layout
from tests.support.tomtube.games import any_of, match
from tests.support.tomtube.positions import GAME

WHERE, DARK = layout(DEFAULT_STYLE, ""), THEMES["dark"]
TOM_TUBE = render.for_game("tomtube")


def deciding(verb: str) -> Iterator[TomTubeView]:
    """The views of players who can do something of this kind, in random matches."""
    for seed in range(3):
        state = GAME.start("standard", {})
        for action in match(any_of, seed)[1]:
            seat = GAME.pending(state)
            view = GAME.view(state, seat) if seat != CHANCE else None
            if view and any(action.verb == verb for action in view.legal):
                yield view
            state, _ = GAME.apply(state, action)


def test_places_that_cost_nothing_have_no_price(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    drawn = marks._sign

    def sign(theme: Theme, text: str) -> Sprite:
        texts.append(text)
        return drawn(theme, text)

    monkeypatch.setattr(marks, "_sign", sign)
    free = priced = 0
    for view in islice(deciding("jump"), 60):
        texts.clear()
        board = Board(*background(DARK, WHERE).copy())
        marks.draw_above_pieces(board, view, view.legal, DARK, WHERE)
        for words, text in zip(marks._ends(view, view.legal, WHERE).values(), texts, strict=False):
            if any(" " not in word for word in words):
                assert text in words
                free += 1
            else:
                prices, _, place = text.partition(" ")
                assert {f"{price} {place}" for price in prices.split("/")} == set(words)
                priced += 1
    assert free
    assert priced


def test_drawn_rhomb_is_larger_than_those_on_the_board() -> None:
    """It is as large on a phone as in portrait."""
    tile = "AB/CD+"
    large = drawn_rhomb._enlarged(DARK, tile, WHERE.drawn_scale)
    plain = tiles.rhomb(DARK, tile, drawn_rhomb.DEFAULT_DIRECTION)
    assert large.page.width >= 1.4 * plain.page.width
    assert large.page.height <= WHERE.stock[1] - WHERE.box(0).rows[1][1]


def test_names_of_places_leave_the_stock_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes: list[chips.Box] = []
    put = chips.put_chips

    def watched(*args: Any) -> chips.Box:
        boxes.append(put(*args))
        return boxes[-1]

    monkeypatch.setattr(marks, "put_chips", watched)
    ground = background(DARK, WHERE)
    for view in islice(deciding("drift"), 60):
        boxes.clear()
        marks.draw_above_pieces(Board(*ground.copy()), view, view.legal, DARK, WHERE)
        left, top, right, bottom = player_panels.stock_box(view, WHERE)
        assert boxes
        for x1, y1, x2, y2 in boxes:
            assert x2 <= left or x1 >= right or y2 <= top or y1 >= bottom
