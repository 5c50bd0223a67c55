"""Dice of Warp 6 and the marks of its arrows, each drawn once for a theme."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, radians, sin
from typing import NamedTuple

from render import markers
from render.painted import painted
from render.sprites import Point, Sketch, Sprite
from render.text import text_sprite
from render.themes import Colour, Theme, mix
from render.warp6.layout import Layout

GAME = "warp6"

GOAL_TEXT_SIZE, GOAL_RIM = 44, 4
"""Size of the number of a space to go to, 9 pixels high in a picture 400 wide, and of its ring."""

GOAL_WIDTHS = {1: 30, 2: 46, 3: 58}
"""Pixels of such a number by its digits: a die on the next space stays in sight."""

THREE_DIGITS = 100
"""The first number with three digits."""

SKETCH_SIZE = 88
"""Side of a die's sketch."""

BLACK_RIM = (157, 140, 255)
"""The rim of black dice: dark things in dark space are seen by it."""

NUMBER, LETTER = 50, 44
"""Text sizes of a die's number and letter: 10 and 9 pixels high in a picture 400 wide."""

TAB_WIDTH, TAB_HEIGHT, TAB_RIM = 36, 40, 3
"""Size of the tab with a die's letter, and width of its rim."""


class Look(NamedTuple):
    """The look of a seat's dice.

    Attributes:
        fill, rim: of the die.
        ink: colour of its number and letter.
        lined: whether there is a second line inside the rim, to distinguish dice in greyscale.
    """

    fill: Colour
    rim: Colour
    ink: Colour
    lined: bool


def look(theme: Theme, seat: str) -> Look:
    """Return the look of black, yellow or white dice."""
    if seat == "B":
        return Look(theme.ink, BLACK_RIM, theme.paper, lined=False)
    if seat == "Y":
        return Look(theme.suits[0], theme.ink, theme.ink, lined=True)
    return Look(theme.paper, theme.ink, theme.ink, lined=False)


class Shape(NamedTuple):
    """The silhouette of a kind of dice, without its round rim, and the middles of number and tab.

    The tab with the letter is outside of the silhouette, so that nothing is read as one word: at
    the first of these places where no other die is near. The core is the box that signs leave
    free: a silhouette without its corners.
    """

    corners: tuple[Point, ...]
    number: Point
    tabs: tuple[Point, ...]
    core: tuple[float, float, float, float]


def _corners(radius: float, first: int, count: int, down: float = 0) -> tuple[Point, ...]:
    angles = (radians(first + 360 / count * i) for i in range(count))
    return tuple((radius * cos(angle), radius * sin(angle) + down) for angle in angles)


def _around(x: float, y: float, other_x: float, other_y: float) -> tuple[Point, ...]:
    """Return two points and their mirror images, left and right."""
    return (x, y), (-x, y), (other_x, other_y), (-other_x, other_y)


CORNER_RADIUS = 5.0
"""Radius of a silhouette's corners."""

SHAPES = {
    4: Shape(_corners(40, -90, 3, 9), (0, 11), _around(29, -19, 29, 34), (-25, -14, 25, 31)),
    6: Shape(_corners(35, 45, 4), (-1, -1), _around(32, 24, 32, -24), (-28, -28, 28, 28)),
    8: Shape(_corners(35, 0, 4), (-1, -1), _around(29, 24, 29, -24), (-23, -23, 23, 23)),
}


@lru_cache(maxsize=512)
def die(theme: Theme, seat: str, faces: int, number: str) -> Sprite:
    """Return the sprite of a die that shows a number, without its letter."""
    shape = SHAPES[faces]
    fill, _, ink, _ = look(theme, seat)
    sprite = painted(GAME, theme, f"die-{seat}{faces}").copy()
    sprite.write(shape.number, text_sprite(theme, number, NUMBER, ink, fill))
    return sprite


def letter_text(name: str) -> str:
    """Return a die's letter, or its name, as pictures show it: capitals are higher."""
    return name.upper()


@lru_cache(maxsize=32)
def tab(theme: Theme, seat: str, letter: str) -> Sprite:
    """Return the sprite of the tab with a die's letter, in its owner's colours."""
    fill, _, ink, _ = look(theme, seat)
    sprite = _blank_tab(theme, seat).copy()
    width = TAB_WIDTH - 2 * TAB_RIM
    sprite.write((0, 0), text_sprite(theme, letter_text(letter), LETTER, ink, fill, width=width))
    return sprite


@lru_cache(maxsize=16)
def _blank_tab(theme: Theme, seat: str) -> Sprite:
    """Return the sprite of a tab without a letter."""
    fill, rim, _, _ = look(theme, seat)
    sketch = Sketch(TAB_WIDTH + 4, TAB_HEIGHT + 4, theme.tile)
    for less, shade in ((0, theme.edge), (1, rim), (TAB_RIM, fill)):
        wide, high = TAB_WIDTH / 2 + 1 - less, TAB_HEIGHT / 2 + 1 - less
        sketch.box(((-wide, -high), (wide, high)), 9 - less, shade)
    return sketch.sprite(theme)


def _shape(sketch: Sketch, corners: Sequence[Point], grow: float, fill: Colour) -> None:
    """Draw a silhouette with round corners, smaller if `grow` is negative."""
    if grow > 0:
        sketch.line((*corners, corners[0]), 2 * grow, fill)
        sketch.polygon(corners, fill)
        return
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    inner = min(
        abs((ax - middle[0]) * (by - ay) - (ay - middle[1]) * (bx - ax))
        / ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
    )
    share = 1 + grow / inner
    sketch.polygon(
        [
            (middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share)
            for x, y in corners
        ],
        fill,
    )


GHOST_SHARE = 0.6
"""Share of the ground in the colour inside an outline."""

LISTED_SCALES = {"large": 0.9, "small": 0.72}
"""Size of a die in a list, compared with a die on the board, by the list's size."""

LISTED_SKETCH_SIZE = 84
"""Side of such a die's sketch, before it is scaled: a wider margin would take time to copy."""


@lru_cache(maxsize=256)
def listed(theme: Theme, seat: str, faces: int, number: str, size: str) -> Sprite:
    """Return the sprite of a die in a list, flat: shades would be a sixth of a picture's bytes.

    Args:
        theme: the colours.
        seat: the owner's seat.
        faces: 4, 6 or 8.
        number: shown by the die; it is hollow if this is empty.
        size: see `LISTED_SCALES`.
    """
    sprite = _listed_shape(theme, seat, faces, size, hollow=not number)
    if not number:
        return sprite
    fill, _, ink, _ = look(theme, seat)
    scale, (x, y) = LISTED_SCALES[size], SHAPES[faces].number
    text = text_sprite(theme, number, round(NUMBER * scale), ink, fill)
    sprite = sprite.copy()
    sprite.write((x * scale, y * scale), text)
    return sprite


@lru_cache(maxsize=128)
def _listed_shape(theme: Theme, seat: str, faces: int, size: str, *, hollow: bool) -> Sprite:
    """Return the sprite of a die in a list without its number."""
    fill, rim, _, lined = look(theme, seat)
    scale = LISTED_SCALES[size]
    side = round(LISTED_SKETCH_SIZE * scale)
    sketch = Sketch(side, side, theme.card)
    small = [(x * scale, y * scale) for x, y in SHAPES[faces].corners]
    line, inside = (fill if lined else rim), fill
    if hollow:
        line, inside = theme.faint, theme.card
    for grow, shade in ((0.0, line), (-4.0, inside)):
        _shape(sketch, small, CORNER_RADIUS * scale + grow, shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def ghost(theme: Theme, seat: str, faces: int) -> Sprite:
    """Return the sprite of a die's former position: its outline in its owner's colours."""
    fill, rim, _, _ = look(theme, seat)
    line = rim if seat == "B" else fill
    sketch = Sketch(SKETCH_SIZE, SKETCH_SIZE, theme.tile)
    corners = SHAPES[faces].corners
    for grow, shade in ((0, theme.ink), (-2, line), (-7, mix(fill, theme.tile, GHOST_SHARE))):
        _shape(sketch, corners, CORNER_RADIUS + grow, shade)
    return sketch.sprite(theme)


# The last turn

STRETCH_SIZE = 112
"""Side of the sketch for a part of the line: the longest is 77 pixels."""


@lru_cache(maxsize=512)
def stretch(theme: Theme, where: Layout, space: int, *, edge: bool, choice: bool = False) -> Sprite:
    """Return the sprite of the line of a move from a space to the next one, or the edge below it.

    Its middle is `where.along(space, 0.5)`.
    """
    x, y = where.along(space, 0.5)
    points = [where.along(space, i / 6) for i in range(7)]
    width, ink = markers.stroke(theme, edge=edge, choice=choice)
    _, rim = markers.stroke(theme, edge=True, choice=choice)
    sketch = Sketch(STRETCH_SIZE, STRETCH_SIZE, rim)
    sketch.line([(a - x, b - y) for a, b in points], width, ink)
    return sketch.sprite(theme)


@lru_cache(maxsize=16)
def halo(theme: Theme, shade: Colour, radius: float) -> Sprite:
    """Return the sprite of a ring around a die, or around a space."""
    sketch = Sketch(round(2 * radius) + 4, round(2 * radius) + 4, theme.tile)
    sketch.disc((0, 0), radius, shade)
    sketch.disc((0, 0), radius - 5, theme.tile)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def acted(theme: Theme, radius: float, *, choice: bool = False) -> Sprite:
    """Return the sprite of the ring around the die that acts, set off from dice of any colour."""
    line, rim = (theme.mark, theme.mark_text) if choice else (theme.story, theme.story_edge)
    sketch = Sketch(round(2 * radius) + 10, round(2 * radius) + 10, theme.tile)
    for margin, shade in ((3, rim), (0, line), (-6, rim)):
        sketch.disc((0, 0), radius + margin, shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def last_out(theme: Theme, width: int) -> Sprite:
    """Return the sprite of the line below the entry of a die that has just left the board."""
    sketch = Sketch(width, 12, theme.card)
    sketch.box(((-width / 2, -3), (width / 2, 3)), 3, theme.story)
    return sketch.sprite(theme)


@lru_cache(maxsize=512)
def goal(theme: Theme, space: int, radius: float) -> Sprite:
    """Return the sprite of a space to go to: its number in a ring."""
    number = str(space)
    half, _ = goal_half(space, radius)
    sketch = Sketch(round(2 * half) + 4, round(2 * radius) + 4, theme.tile)
    for less, shade in ((0, theme.mark), (GOAL_RIM, theme.tile)):
        corner = half - less, radius - less
        sketch.box(((-corner[0], -corner[1]), corner), radius - less, shade)
    sprite = sketch.sprite(theme)
    text = text_sprite(
        theme, number, GOAL_TEXT_SIZE, theme.text, theme.tile, width=GOAL_WIDTHS[len(number)]
    )
    sprite.write((0, 0), text)
    return sprite


@lru_cache(maxsize=256)
def goal_half(space: int, radius: float) -> tuple[float, float]:
    """Return half the width and half the height of `goal`."""
    return max(radius, GOAL_WIDTHS[len(str(space))] / 2 + GOAL_RIM + 4), radius
