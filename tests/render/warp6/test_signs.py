"""Signs on the Warp 6 board: the way of a possible warp, the die that acted, dice that left."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image

from engine.warp6.board import WARP
from render.renderer import DEFAULT_STYLE
from render.sprites import Board, Point, Sprite
from render.warp6 import arrows, background, marks, picture, pieces
from render.warp6.colours import THEMES
from render.warp6.layout import layout
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
