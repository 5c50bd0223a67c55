"""Rhombs and triangles as sprites, assembled from a few small drawings of their tubes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from engine.tomtube.lattice import DIRECTIONS
from engine.tomtube.tables import SEATS
from render.sprites import Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube.layout import EDGE_LENGTH, LONG, SHORT, SINGLE, towards

TUBE_WIDTH = 14
"""Width of a tube in pixels."""

KNOT_SPHERE_RADIUS, ENERGY_SPHERE_RADIUS = 19, 17
"""Radius of a sphere at a knot, and of one in the middle of a rhomb."""

TUBE_END_DISTANCE = 16
"""Pixels from a knot to the end of a tube."""

GAP_WIDTH = 5
"""Width of the gap along Dave's tubes, which tells them apart without colours."""

STRIPE_LENGTH = 9
"""Length of the stripes of neutral tubes."""

PLATE_SCALE = 1
"""Scale of the plates: the edges between tiles are so faint that they need no shades."""

CORNER_DIRECTIONS = {"A": 0, "B": 9, "C": 6, "D": 3}
"""Directions from the centre to the corners, from that to A, in twelfths: clockwise."""


class _Corner(NamedTuple):
    """The position of a corner from the centre, and half its angle in twelfths of a turn."""

    way: int
    far: float
    half: int


def _rhomb_corners(way: int) -> list[_Corner]:
    acute, obtuse = (LONG, 1), (SHORT, 2)
    return [_Corner(way + 3 * i, *(obtuse if i % 2 else acute)) for i in range(4)]


def _triangle_corners(way: int) -> list[_Corner]:
    return [_Corner(way + 4 * i, SINGLE, 1) for i in range(3)]


def _plate(theme: Theme, corners: Sequence[_Corner]) -> Sprite:
    """Return the sprite of a tile without tubes, with a slice of a sphere at each corner."""
    points = [towards(corner.way, corner.far) for corner in corners]
    size = 2 * round(max(corner.far for corner in corners)) + 2
    sketch = Sketch(size, size, theme.space[1], PLATE_SCALE)
    inner = EDGE_LENGTH * sqrt(3) / 4 if len(points) > len("ABC") else SINGLE / 2
    for less, shade in ((0, theme.tile_edge), (1.5, theme.tile)):
        share = 1 - less / inner
        sketch.polygon([(x * share, y * share) for x, y in points], shade)
    for corner, (x, y) in zip(corners, points, strict=True):
        sketch.polygon(_slice((x, y), corner), theme.tile_line)
    return sketch.sprite(theme)


def _slice(tip: Point, corner: _Corner) -> list[Point]:
    """Return the part of a sphere that is on a tile."""
    back = corner.way + DIRECTIONS // 2
    steps = 6
    arc = [
        towards(back + corner.half * (2 * i / steps - 1), KNOT_SPHERE_RADIUS)
        for i in range(steps + 1)
    ]
    return [tip, *((tip[0] + x, tip[1] + y) for x, y in arc)]


class Arm(NamedTuple):
    """A tube from a centre: its direction, the corner's distance, the letters of its users."""

    way: int
    far: float
    users: str

    @property
    def length(self) -> float:
        """Length of the visible part: it ends at the sphere."""
        return self.far - TUBE_END_DISTANCE

    @property
    def middle(self) -> float:
        """Distance of its middle from the centre."""
        return self.length / 2


@lru_cache(maxsize=512)
def tube(theme: Theme, arm: Arm) -> Sprite:
    """Return the sprite of a tube from a centre to a corner's sphere, around its own middle."""
    end = towards(arm.way, arm.length)
    x, y = end[0] / 2, end[1] / 2
    wide, high = (round(abs(part)) + TUBE_WIDTH + 10 for part in end)
    sketch = Sketch(wide, high, theme.tile)
    if arm.users == SEATS:
        _stripes(sketch, theme, arm)
    else:
        seat = SEATS.index(arm.users)
        sketch.bar((-x, -y), (x, y), TUBE_WIDTH, theme.lines[seat])
        if seat:
            sketch.bar((-x, -y), (x, y), GAP_WIDTH, theme.tile)
    return sketch.sprite(theme)


def _stripes(sketch: Sketch, theme: Theme, arm: Arm) -> None:
    """Draw stripes of both colours."""
    length = arm.length
    start, number = 0.0, 0
    while start < length:
        ends = [
            towards(arm.way, at - length / 2) for at in (start, min(start + STRIPE_LENGTH, length))
        ]
        sketch.bar(ends[0], ends[1], TUBE_WIDTH, theme.lines[number % 2])
        start, number = start + STRIPE_LENGTH, number + 1


@lru_cache(maxsize=32)
def sphere(theme: Theme, *, energy: bool = False) -> Sprite:
    """Return the sprite of a complete sphere; that of a rhomb has a cross."""
    radius = ENERGY_SPHERE_RADIUS if energy else KNOT_SPHERE_RADIUS
    sketch = Sketch(2 * KNOT_SPHERE_RADIUS + 8, 2 * KNOT_SPHERE_RADIUS + 8, theme.tile)
    sketch.disc((0, 0), radius, theme.text)
    sketch.disc((0, 0), radius - 4, theme.tile_line)
    if energy:
        sketch.bar((-8, 0), (8, 0), 5, theme.text)
        sketch.bar((0, -8), (0, 8), 5, theme.text)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def joint(theme: Theme, seat: str = "") -> Sprite:
    """Return the sprite of a junction without a sphere, in the owner's colour on a triangle."""
    sketch = Sketch(28, 28, theme.tile)
    if seat:
        sketch.disc((0, 0), TUBE_WIDTH / 2, theme.lines[SEATS.index(seat)])
        if SEATS.index(seat):
            sketch.disc((0, 0), GAP_WIDTH / 2 + 1, theme.tile)
    else:
        sketch.disc((0, 0), 9, theme.edge)
    return sketch.sprite(theme)


def _laid(theme: Theme, plate: Sprite, arms: Iterable[Arm], centre: Sprite) -> Sprite:
    """Return the sprite of a plate with its tubes and its middle."""
    page = plate.page.copy()
    x, y = page.width / 2, page.height / 2
    for arm in arms:
        dx, dy = towards(arm.way, arm.middle)
        tube(theme, arm).put(page, (x + dx, y + dy))
    centre.put(page, (x, y))
    return Sprite(theme, page, plate.mask)


@lru_cache(maxsize=8)
def _rhomb_plate(theme: Theme, way: int) -> Sprite:
    return _plate(theme, _rhomb_corners(way))


@lru_cache(maxsize=8)
def _triangle_plate(theme: Theme, way: int) -> Sprite:
    return _plate(theme, _triangle_corners(way))


@lru_cache(maxsize=1024)
def rhomb(theme: Theme, tile: str, way: int) -> Sprite:
    """Return the sprite of a rhomb, e.g. `AB/CD+`, with corner A in a direction."""
    toms, daves = tile.removesuffix("+").split("/")
    arms = [
        Arm((way + turn) % DIRECTIONS, LONG if letter in "AC" else SHORT, users)
        for letter, turn in CORNER_DIRECTIONS.items()
        if (users := "T" * (letter in toms) + "D" * (letter in daves))
    ]
    centre = sphere(theme, energy=True) if tile.endswith("+") else joint(theme)
    return _laid(theme, _rhomb_plate(theme, way % (DIRECTIONS // 2)), arms, centre)


@lru_cache(maxsize=32)
def triangle(theme: Theme, what: str, way: int) -> Sprite:
    """Return the sprite of a triangle with a corner in a direction, see `Triangle`."""
    if what == ".":
        return _empty(theme)
    plate = _triangle_plate(theme, way % (DIRECTIONS // 3))
    if what not in SEATS:
        return plate
    arms = [Arm((way + turn) % DIRECTIONS, SINGLE, what) for turn in (0, 4, 8)]
    return _laid(theme, plate, arms, joint(theme, what))


@lru_cache(maxsize=4)
def _empty(theme: Theme) -> Sprite:
    """Return the sprite of a cross: nothing will ever lie here."""
    sketch = Sketch(40, 40, theme.space[2])
    for slope in (1, -1):
        sketch.bar((-12, -12 * slope), (12, 12 * slope), 5, theme.faint)
    return sketch.sprite(theme)
