"""Signs on boards: heads and numbers of arrows, rings as highlights, words on chips."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, hypot, inf, sin, tau

from render.sprites import Board, Point, Sketch, Sprite
from render.text import CAPITAL_HEIGHT, measure, text_sprite
from render.themes import Colour, Theme

LINE_WIDTH, RING_WIDTH = 8, 7
"""Width of an arrow and of a ring in pixels: two in a picture 400 pixels wide."""

ANGLE_COUNT = 64
"""Possible directions of an arrow's head."""


@lru_cache(maxsize=256)
def head(theme: Theme, angle: int, fill: Colour, rim: Colour, scale: float = 1) -> Sprite:
    """Return the sprite of an arrowhead, turned clockwise from the right by 64ths of a turn.

    It has a notch: where no line leads to it, a triangle would point in three directions.
    """
    sketch = Sketch(54, 54, theme.tile)
    for grow, shade in ((4.0, rim), (0.0, fill)):
        long, wide, notch, back = 19 * scale, 12 * scale, -7 * scale, -13 * scale - grow * 0.6
        shape = ((long + grow, 0), (back, wide + grow), (notch - grow, 0), (back, -wide - grow))
        sketch.polygon([turned(angle, *at) for at in shape], shade)
    return sketch.sprite(theme)


def turned(angle: int, x: float, y: float) -> Point:
    """Return a point turned by an angle of `head`."""
    turn = tau * angle / ANGLE_COUNT
    return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)


def angle_of(dx: float, dy: float) -> int:
    """Return the angle of a vector, as in `head`."""
    return round(atan2(dy, dx) / tau * ANGLE_COUNT) % ANGLE_COUNT


def stroke(theme: Theme, *, edge: bool, choice: bool = False) -> tuple[int, Colour]:
    """Return width and colour of an arrow's line, or of its edge: of the last turn or a choice."""
    line, rim = (theme.mark, theme.mark_text) if choice else (theme.story, theme.story_edge)
    return (LINE_WIDTH + 5, rim) if edge else (LINE_WIDTH, line)


@lru_cache(maxsize=256)
def stretch(theme: Theme, way: tuple[int, int], *, edge: bool, choice: bool = False) -> Sprite:
    """Return the sprite of a straight part of an arrow, or of its edge, given by its vector."""
    x, y = way
    sketch = Sketch(abs(x) + 24, abs(y) + 24, theme.mark_text if choice else theme.story_edge)
    sketch.line(((-x / 2, -y / 2), (x / 2, y / 2)), *stroke(theme, edge=edge, choice=choice))
    return sketch.sprite(theme)


CHOICE_HEAD_DISTANCE = 34
"""Pixels from the end of the arrow of a choice to the middle of its head."""


def choice_line(board: Board, theme: Theme, points: Sequence[Point]) -> None:
    """Draw the line of a choice from point to point, in the colour of choices."""
    for edge in (True, False):
        for (x1, y1), (x2, y2) in pairwise(points):
            part = stretch(theme, (round(x2 - x1), round(y2 - y1)), edge=edge, choice=True)
            board.put(part, ((x1 + x2) / 2, (y1 + y2) / 2))


def lead(board: Board, theme: Theme, points: tuple[Point, Point], *, choice: bool) -> None:
    """Draw the line to a sign, thinner than an arrow: it passes between pieces.

    Args:
        points: its ends.
        choice: whether the sign is that of a choice, not the number of an arrow.
    """
    (x1, y1), (x2, y2) = points
    part = _lead(theme, (round(x2 - x1), round(y2 - y1)), choice=choice)
    board.put(part, ((x1 + x2) / 2, (y1 + y2) / 2))


@lru_cache(maxsize=512)
def _lead(theme: Theme, way: tuple[int, int], *, choice: bool) -> Sprite:
    """Return the sprite of the line to a sign, given by its vector."""
    (x, y), edge = way, theme.mark_text if choice else theme.story_edge
    sketch = Sketch(abs(x) + 16, abs(y) + 16, edge)
    for width, shade in ((9, edge), (5, theme.mark) if choice else (4, theme.story)):
        sketch.line(((-x / 2, -y / 2), (x / 2, y / 2)), width, shade)
    return sketch.sprite(theme)


def choice_head(board: Board, theme: Theme, start: Point, end: Point) -> None:
    """Draw the head of a choice's arrow, whose last part leads from a point to its end."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    share = max(0.0, 1 - CHOICE_HEAD_DISTANCE / length) if length else 0.0
    tip = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
    board.put(head(theme, angle_of(x2 - x1, y2 - y1), theme.mark, theme.mark_text), tip)


CHIP_TEXT_SIZE = 44
"""Size of the text on a chip: 9 pixels high in a picture 400 pixels wide."""

CHIP_ROOM = 46
"""Pixels from the number of a choice to that of another one, or to a piece."""

CHIP_MARGIN = 9
"""Pixels of a chip above and below its text."""


def choice_numbers(
    board: Board,
    theme: Theme,
    points: Sequence[Sequence[Point]],
    taken: Iterable[Point],
    size: int = CHIP_TEXT_SIZE,
    *,
    is_order: bool = False,
) -> None:
    """Number choices, unless there is only one.

    Args:
        board: the board to draw on.
        theme: the colours.
        points: of each choice in its order, where its number may be, the best first;
            none if it is not shown.
        taken: points of pieces, which numbers should not hide.
        size: size of the numbers.
        is_order: whether they are made one after the other, as the list of a plan says, rather
            than chosen from.
    """
    room = [(at, CHIP_ROOM) for at in taken]
    for number, places in enumerate(points if len(points) > 1 else (), 1):
        if not places:
            continue
        at = freest(places, room)
        if is_order:
            sign = order(theme, number, theme.mark, theme.mark_text)
        else:
            sign = chip(theme, f"{number}", theme.mark, theme.mark_text, size)
        board.put(sign, at)
        room.append((at, CHIP_ROOM))


BADGE_HALF, BADGE_HEIGHT, BADGE_POINT = 26, 21, 13
"""Half the width and height of an order's sign, and the length of its point beside them."""

BADGE_TEXT_SIZES = 43, 31
"""Sizes of an order's number: with one digit, and with two."""


def badge(theme: Theme, value: int) -> Sprite:
    """Return the sprite for the number of a step in the last turn."""
    return order(theme, value, theme.story, theme.story_edge)


@lru_cache(maxsize=128)
def order(theme: Theme, value: int, ground: Colour, ink: Colour) -> Sprite:
    """Return the sprite for a place in an order, such as `1.`: a sign that points to the right.

    Neither a coin, a die nor a space of a game has this shape, and no value has a full stop.
    """
    wide, high = BADGE_HALF, BADGE_HEIGHT
    sketch = Sketch(2 * (wide + BADGE_POINT) + 6, 2 * high + 6, theme.tile)
    for less, shade in ((0, ink), (2.5, ground)):
        x, y, tip = wide - less, high - less, wide + BADGE_POINT - 1.4 * less
        sketch.polygon(((-x, -y), (wide, -y), (tip, 0), (wide, y), (-x, y)), shade)
    text = f"{value}."
    sketch.text((3, 0), text, BADGE_TEXT_SIZES[value > 9], ink, 1)
    return sketch.sprite(theme)


FLAG_SQUARE = 13
"""Side of a square of a flag: its cloth has three by two of them."""


@lru_cache(maxsize=64)
def flag(theme: Theme, shade: Colour, ground: Colour) -> Sprite:
    """Return the flag at the goal of a player, in that player's colour."""
    half = FLAG_SQUARE
    sketch = Sketch(4 * half + 12, 5 * half, ground)
    left, top = -1.5 * half, -2 * half
    for grow, ink in ((3, theme.edge), (0, theme.paper)):
        sketch.box(((left - 4 - grow, top - grow), (left + grow, 2.2 * half + grow)), 2, ink)
        cloth = (left - grow, top - grow), (left + 3 * half + grow, top + 2 * half + grow)
        sketch.box(cloth, 1, ink)
    for place in range(0, 6, 2):
        x, y = left + place % 3 * half, top + place // 3 * half
        sketch.box(((x, y), (x + half, y + half)), 0, shade)
    return sketch.sprite(theme)


def freest(points: Sequence[Point], taken: Iterable[tuple[Point, float]]) -> Point:
    """Return the first point that is far enough from all others, or the one that lacks least.

    Args:
        points: the best first.
        taken: other points, and how far from each it should be in pixels.
    """
    x, y = points[0]
    reach = max(abs(a - x) + abs(b - y) for a, b in points)
    near = [(a, b, far) for (a, b), far in taken if abs(a - x) + abs(b - y) < reach + 2 * far]
    least, best = inf, points[0]
    for point in points:
        lacking = sum(max(0, far - hypot(point[0] - a, point[1] - b)) for a, b, far in near)
        if lacking < least:
            least, best = lacking, point
        if not lacking:
            break
    return best


@lru_cache(maxsize=32)
def halo(theme: Theme, shade: Colour, radius: float, ground: Colour) -> Sprite:
    """Return the sprite of a ring with a clear inside."""
    sketch = Sketch(round(2 * radius) + 6, round(2 * radius) + 6, ground)
    sketch.disc((0, 0), radius, shade)
    inner = radius - RING_WIDTH
    sketch.hollow(((-inner, -inner), (inner, inner)), inner)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def dot(theme: Theme, radius: float) -> Sprite:
    """Return the sprite of a dot that marks a place."""
    sketch = Sketch(round(2 * radius) + 6, round(2 * radius) + 6, theme.tile)
    sketch.disc((0, 0), radius + 2, theme.mark_text)
    sketch.disc((0, 0), radius, theme.mark)
    return sketch.sprite(theme)


@lru_cache(maxsize=1024)
def chip(
    theme: Theme, text: str, ground: Colour, ink: Colour, size: int = CHIP_TEXT_SIZE
) -> Sprite:
    """Return the sprite of a chip with a few letters, or with several lines below each other."""
    lines = text.split("\n")
    half = round((max(measure(line, size) for line in lines) + 12) / 2)
    row = 2 * (round(size * CAPITAL_HEIGHT / 2) + CHIP_MARGIN)
    high = row * len(lines) / 2
    sketch = Sketch(2 * half + 8, row * len(lines) + 4, theme.tile)
    sketch.box(((-half - 2, -high), (half + 2, high)), 11, ink)
    sketch.box(((-half, 2 - high), (half, high - 2)), 9, ground)
    for place in range(1, len(lines)):
        middle = place * row - high
        sketch.box(((-half, middle - 1), (half, middle + 1)), 0, ink)
    sprite = sketch.sprite(theme)
    for place, line in enumerate(lines):
        at = (0, (place + 0.5) * row - high)
        sprite.write(at, text_sprite(theme, line, size, ink, ground))
    return sprite
