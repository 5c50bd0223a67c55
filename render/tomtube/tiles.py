"""Rhombs and triangles as sprites, assembled from painted plates, tubes and spheres."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from engine.tomtube.lattice import DIRECTIONS
from engine.tomtube.tables import SEATS
from render.painted import painted
from render.sprites import Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube.layout import LONG, SHORT, SINGLE, towards

GAME = "tomtube"

TUBE_WIDTH = 19
"""Width of a tube in pixels."""

KNOT_SPHERE_RADIUS, ENERGY_SPHERE_RADIUS = 22, 19
"""Radius of a sphere at a knot, and of one in the middle of a rhomb."""

UNFINISHED_RADIUS = 17.0
"""Radius of the sign of a knot that is not complete: ten pixels wide on 400 pixels' width."""

TUBE_END_DISTANCE = 17
"""Pixels from a knot to the end of a tube."""

CORNER_DIRECTIONS = {"A": 0, "B": 9, "C": 6, "D": 3}
"""Directions from the centre to the corners, from that to A, in twelfths: clockwise."""

LENGTHS = {"long": LONG, "short": SHORT, "single": SINGLE}
"""Pixels from the centre of a tile to a corner."""

HALF_TURN = DIRECTIONS // 2

ARM_DIRECTIONS = {"long": (0, 1, 3, 5), "short": (0, 2, 4), "single": (1, 3, 5)}
"""Directions of painted tubes; both of their ends are alike. The first long one is a legend's."""


def corner_directions(corners: int) -> tuple[int, ...]:
    """Return the directions of the first corner of painted plates."""
    return (1, 3, 5) if corners == len("ABCD") else (1, 3)


class Arm(NamedTuple):
    """A tube from a centre: its direction, the kind of its length, the letters of its users."""

    way: int
    length: str
    users: str

    @property
    def middle(self) -> float:
        """Distance of its middle from the centre: it ends at the sphere."""
        return (LENGTHS[self.length] - TUBE_END_DISTANCE) / 2


def tube(theme: Theme, arm: Arm) -> Sprite:
    """Return the sprite of a tube from a centre to a corner's sphere, around its own middle."""
    return painted(GAME, theme, f"tube-{arm.users}-{arm.length}-{arm.way % HALF_TURN}")


def shade(theme: Theme, arm: Arm) -> Sprite:
    """Return the sprite of a tube's shadow, around the tube's middle."""
    return painted(GAME, theme, f"shade-{arm.length}-{arm.way % HALF_TURN}")


def sphere(theme: Theme, *, energy: bool = False) -> Sprite:
    """Return the sprite of a complete sphere; a rhomb's has a cross."""
    return painted(GAME, theme, "sphere-energy" if energy else "sphere-knot")


def joint(theme: Theme, seat: str = "") -> Sprite:
    """Return the sprite of a junction without a sphere, in the owner's colour on a triangle."""
    return painted(GAME, theme, f"joint-{seat}")


def socket(theme: Theme) -> Sprite:
    """Return the sprite of half a ring: tiles have such parts at the corners of a knot."""
    return painted(GAME, theme, "socket")


@lru_cache(maxsize=4)
def unfinished(theme: Theme) -> Sprite:
    """Return the sprite of a knot that is not complete: a ring with a bar, not a ball."""
    sketch = Sketch(44, 44, theme.tile, scale=1)
    for radius, shade in ((19.0, theme.tile), (UNFINISHED_RADIUS, theme.text), (10.5, theme.tile)):
        sketch.disc((0, 0), radius, shade)
    sketch.bar((-9, 9), (9, -9), 6, theme.text)
    return sketch.sprite(theme)


def put_arms(page: Image.Image, theme: Theme, arms: Sequence[Arm], middle: Point) -> None:
    """Copy tubes from a point onto a page: all shadows first, so that none is on a tube."""
    x, y = middle
    for part in (shade, tube):
        for arm in arms:
            dx, dy = towards(arm.way, arm.middle)
            part(theme, arm).put(page, (x + dx, y + dy))


def _laid(theme: Theme, plate: Sprite, arms: Sequence[Arm], centre: Sprite) -> Sprite:
    """Return the sprite of a plate with its tubes and its middle."""
    laid = plate.copy()
    middle = laid.page.width / 2, laid.page.height / 2
    put_arms(laid.page, theme, arms, middle)
    centre.put(laid.page, middle)
    return laid


@lru_cache(maxsize=1024)
def rhomb(theme: Theme, tile: str, way: int) -> Sprite:
    """Return the sprite of a rhomb, e.g. `AB/CD+`, with corner A in a direction."""
    toms, daves = tile.removesuffix("+").split("/")
    arms = [
        Arm((way + turn) % DIRECTIONS, "long" if letter in "AC" else "short", users)
        for letter, turn in CORNER_DIRECTIONS.items()
        if (users := "T" * (letter in toms) + "D" * (letter in daves))
    ]
    centre = sphere(theme, energy=True) if tile.endswith("+") else joint(theme)
    return _laid(theme, painted(GAME, theme, f"plate-4-{way % HALF_TURN}"), arms, centre)


@lru_cache(maxsize=32)
def triangle(theme: Theme, filling: str, way: int) -> Sprite:
    """Return the sprite of a triangle with a corner in a direction, see `Triangle`."""
    if filling == ".":
        return _empty(theme)
    plate = painted(GAME, theme, f"plate-3-{way % (DIRECTIONS // 3)}")
    if filling not in SEATS:
        return plate
    arms = [Arm((way + turn) % DIRECTIONS, "single", filling) for turn in (0, 4, 8)]
    return _laid(theme, plate, arms, joint(theme, filling))


@lru_cache(maxsize=4)
def _empty(theme: Theme) -> Sprite:
    """Return the sprite of a cross: nothing will ever lie here."""
    sketch = Sketch(40, 40, theme.space[2])
    for slope in (1, -1):
        sketch.bar((-12, -12 * slope), (12, 12 * slope), 5, theme.faint)
    return sketch.sprite(theme)
