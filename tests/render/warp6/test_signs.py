"""Signs on the Warp 6 board: the way of a possible warp, the die that acted, dice that left."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from math import hypot
from typing import Any

import pytest
from PIL import Image

from engine.warp6.board import WARP
from engine.warp6.view import Warp6View
from render import markers
from render.chips import CHIP_OVERLAP, Box, box, lead_of, place_chips
from render.renderer import DEFAULT_STYLE, ORIENTATIONS, Style
from render.sprites import Board, Point, Sprite
from render.warp6 import arrows, background, marks, picture, pieces, words
from render.warp6.arrows import RING_RADIUS
from render.warp6.colours import THEMES
from render.warp6.layout import layout
from tests.support.tiers import sampled
from tests.support.warp6.games import random_match
from tests.support.warp6.positions import GAME, after, position

NAMES = {"B": "Ada", "Y": "Bo"}
DARK, WHERE = THEMES["dark"], layout(landscape=True)


class Noted(Board):
    """A board that notes which sprites are put where."""

    def __init__(self) -> None:
        super().__init__(Image.new("L", WHERE.size))
        self.put_at: list[tuple[Sprite, Point]] = []

    def put(self, sprite: Sprite, middle: Point) -> None:
        """Note it."""
        self.put_at.append((sprite, middle))


def test_dots_of_each_warp_that_a_die_would_take_are_marked() -> None:
    view = GAME.view(position("b8a2@93 y8a1@91 y6a1@61"), "B")
    move = next(action for action in view.legal if str(action) == "B move b8a")
    board = Noted()
    marks.draw(board, view, [move], DARK, WHERE, used=[])
    dot = pieces.warp_dot(DARK)
    places = [at for sprite, at in board.put_at if sprite is dot]
    starts = (91, WARP[91])
    assert sorted(places) == sorted(at for start in starts for at in background.dots(WHERE, start))


def test_die_that_acted_is_on_top_of_its_neighbours() -> None:
    """Dice on neighbouring rings can touch: the number of the last one is never hidden."""
    moved = GAME.view(after(position("b6a2@78 y6a1@49"), "B move b6a"))
    assert arrows.acted(moved) == {"b6a"}
    (x1, y1), (x2, y2) = WHERE.at(76), WHERE.at(49)
    between = (round((x1 + x2) / 2), round((y1 + y2) / 2))
    pixel_between = picture.page(moved, NAMES, DEFAULT_STYLE).getpixel(between)
    assert pixel_between == pixel(pieces.die(DARK, "B", 6, "2"), WHERE.at(76), between)
    assert pixel_between != pixel(pieces.die(DARK, "Y", 6, "1"), WHERE.at(49), between)


def pixel(sprite: Sprite, middle: Point, at: tuple[int, int]) -> object:
    """The pixel of a sprite at a point of the board."""
    left, top = (
        round(value - length / 2) for value, length in zip(middle, sprite.page.size, strict=True)
    )
    place = (at[0] - left, at[1] - top)
    assert sprite.mask.getpixel(place)
    return sprite.page.getpixel(place)


def test_entry_of_a_die_that_has_just_left_is_underlined() -> None:
    left = GAME.view(after(position("b8a8@3"), "B move b8a"))
    earlier = replace(left, story=())
    assert next(die.where for die in left.dice if die.name == "b8a") == "off"
    x, y = WHERE.box(2, 0).dice[0]
    line = (round(x) + 40, round(y) + 20, round(x) + 100, round(y) + 30)
    one, other = (picture.page(view, NAMES, DEFAULT_STYLE).crop(line) for view in (left, earlier))
    assert one.tobytes() != other.tobytes()


def test_signs_of_moves_are_those_on_their_buttons() -> None:
    view = GAME.view(position("b8a5@50 b8b5@90 b6a5@49 b6b3@80 b4a3@3 y8a5@45"), "B")
    board = Noted()
    marks.draw(board, view, view.legal, DARK, WHERE, used=[])
    moves = [action for action in view.legal if action.verb == "move"]
    signs = [re.split("[⇊→]", words.short_label(view, move)) for move in moves]
    assert ["▲3", "off"] in signs
    assert ["◆A5", "25"] in signs
    for name, end in signs:
        sign = f"{name} off" if end == "off" else name
        assert chip(sign) in [sprite for sprite, _ in board.put_at], sign


def test_signs_are_beside_the_space_of_their_move() -> None:
    view = GAME.view(position("b8a5@50"), "B")
    move = next(action for action in view.legal if str(action) == "B move b8a")
    board = Noted()
    marks.draw(board, view, [move], DARK, WHERE, used=[])
    (at,) = [at for sprite, at in board.put_at if sprite is chip("◆5")]
    assert RING_RADIUS < hypot(at[0] - WHERE.at(45)[0], at[1] - WHERE.at(45)[1]) < 80


@pytest.mark.parametrize(("gap", "is_led"), [(0, False), (6, False), (7, True), (60, True)])
def test_a_line_leads_from_a_ring_to_a_sign_apart(gap: int, is_led: bool) -> None:
    x, y = space = 400.0, 300.0
    sign = chip("◆5")
    wide, high = sign.page.width / 2, sign.page.height / 2
    for middle in (
        (x + 5, y + RING_RADIUS + gap + high),
        (x - RING_RADIUS - gap - wide, y + 5),
    ):
        spot = box(middle, wide, high - CHIP_OVERLAP / 2)
        assert bool(lead_of(space, RING_RADIUS, [sign], spot)) == is_led


def test_no_line_leads_to_the_sign_of_a_die_that_leaves() -> None:
    view = GAME.view(position("b4a3@3"), "B")
    move = next(action for action in view.legal if str(action) == "B move b4a")
    board = Noted()
    everywhere = [(0.0, 0.0, 1400.0, 900.0)]
    marks.draw(board, view, [move], DARK, WHERE, used=everywhere)
    assert [sprite for sprite, _ in board.put_at] == [chip("▲3 off")]


def chip(text: str) -> Sprite:
    """The sprite of a sign."""
    return markers.chip(DARK, text, DARK.mark, DARK.mark_text)


@sampled(20, 40, 120)
@pytest.mark.parametrize("way", ORIENTATIONS)
def test_signs_hide_hardly_another_sign_or_die(way: str, samples: int) -> None:
    """In the first turns, while dice crowd the rim."""
    where, count, crossed, hidden = layout(landscape=way == "landscape"), 0, 0, 0
    for seed in range(samples):
        state = random_match("2", "rolled", seed, limit=20 + 3 * seed % 40)[0]
        seat = GAME.pending(state)
        if state.phase != "play":
            continue
        view = GAME.view(state, seat)
        spots = spots_of(view, Style(orientation=way))
        rings = [box(where.at(space), 20, 20) for space in marks.ends_of(view, view.legal) if space]
        dice = [box(where.at(die.space), 20, 20) for die in view.dice if die.where == "board"]
        crossed += sum(overlap(one, other) for one, other in combinations(spots, 2))
        hidden += sum(any(overlap(spot, part) for part in (*dice, *rings)) for spot in spots)
        count += len(spots)
    assert count > 4 * samples
    assert crossed <= count / 100
    assert hidden <= count / 25


def spots_of(view: Warp6View, style: Style) -> list[Box]:
    """The boxes of all signs of a view's moves."""
    spots: list[Box] = []

    def noted(*args: Any) -> Box:
        spots.append(place_chips(*args))
        return spots[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "place_chips", noted)
        picture.page(view, NAMES, style, view.legal)
    return spots


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share an area."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
