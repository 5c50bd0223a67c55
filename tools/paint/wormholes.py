"""Paint Wormholes: the galaxy, tiles, bases, coins, ships and dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import cos, exp, hypot, pi, sin

import numpy as np

from engine.wormholes.pieces import SEATS, SUITS
from render.themes import Colour, Theme, mix
from render.wormholes.emblems import BAND, CROSS, CROWN, PEARLS, RAY_COUNT, SHIELD, ray
from render.wormholes.layout import CELL_SIZE
from render.wormholes.pieces import (
    DIE_SIZE,
    FULL_SHIP,
    LARGE_COIN_RADIUS,
    POINTED_RATIO,
    SMALL_COIN_RADIUS,
    SMALL_SHIP,
    TWIN_SHIP,
    hull,
)
from tools.paint import wormholes_emojis
from tools.paint.canvas import (
    Canvas,
    Field,
    Paint,
    blend,
    dome,
    light,
    shaded,
    smooth,
    union,
    without,
)
from tools.paint.games import Painting
from tools.paint.ground import Levels, noise, stepped, with_stars
from tools.paint.sheet import Painter

COLOURS = 150
"""Colours of a sheet; the others of a palette are for the ground, text and signs."""

DIE_EMBLEM = 22.0
"""Half the height of the emblem on a die."""

DECK_SHARE = 0.78
"""Width of a ship's deck, compared with the ship's."""

AXES = {
    "S": ((1, 0), (0, 1)),
    "M": ((1, 0), (0, 1)),
    "C": ((1, 1), (1, -1)),
    "A": ((1, 1), (1, -1)),
}
"""Suit → the directions that its axis can have on a picture."""

Points = list[tuple[float, float]]


def painters() -> dict[str, Painter]:
    """Return the painter of each sprite."""
    by_name: dict[str, Painter] = {f"tile-{level}": partial(tile, level) for level in range(3)}
    for seat in SEATS:
        by_name[f"base-{seat}"] = partial(base, seat)
    for size, radius in (("large", LARGE_COIN_RADIUS), ("small", SMALL_COIN_RADIUS)):
        for suit, ways in AXES.items():
            for x, y in ways:
                for face in FACES:
                    by_name[f"coin-{face}-{suit}{x}{y}-{size}"] = partial(
                        coin, face, suit, (x, y), radius
                    )
            by_name[f"emblem-{suit}-{size}"] = partial(emblem, suit, radius * 0.62)
        for face in FACES[1:]:
            by_name[f"coin-{face}-?-{size}"] = partial(coin, face, "", (0, 0), radius)
    for suit in SUITS:
        for half in (FULL_SHIP, SMALL_SHIP, TWIN_SHIP):
            by_name[f"ship-{suit}-{half:g}"] = partial(ship, suit, half)
        for state in ("ready", "spent", "lost"):
            by_name[f"die-{suit}-{state}"] = partial(die, suit, state)
    by_name["rose"] = rose
    return by_name


def sign(canvas: Canvas, suit: str, size: float, x: float = 0, y: float = 0) -> Field:
    """Return the shape of a suit's emblem, which reaches `size` from its middle."""

    def at(points: tuple[tuple[float, float], ...]) -> Points:
        return [(x + size * a, y + size * b) for a, b in points]

    if suit == "S":
        rays = [canvas.polygon(at(ray(2 * pi * i / RAY_COUNT))) for i in range(RAY_COUNT)]
        return union([canvas.disc(size * 0.52, x, y), *rays])
    if suit == "M":
        shadow = canvas.disc(size * 0.78, x + size * 0.42, y - size * 0.12)
        return without(canvas.disc(size * 0.98, x, y), shadow)
    if suit == "C":
        pearls = [canvas.disc(size * 0.17, *tip) for tip in at(PEARLS)]
        return without(union([canvas.polygon(at(CROWN)), *pearls]), canvas.polygon(at(BAND)))
    shield = canvas.polygon(at(SHIELD))
    return without(shield, union(canvas.polygon(at(bar)) for bar in CROSS))


def inlay(canvas: Canvas, shape: Field, ink: Colour, glint: Paint, share: float = 0.7) -> None:
    """Paint a shape as cut into a surface: its lower right edge catches the light."""
    moved = np.full(shape.shape, 99.0)
    step = 4
    moved[step:, step:] = shape[:-step, :-step]
    canvas.fill(moved, glint, share)
    canvas.fill(shape, ink)


# The board


def tile(level: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a tile of 2 × 2 spaces; the level is how near it is to the core."""
    canvas = Canvas(2 * CELL_SIZE, 2 * CELL_SIZE)
    half = CELL_SIZE - 1.0
    body = theme.tiles[level * (len(theme.tiles) - 1) // 2]
    dark, bright = theme.tile_edge, theme.tile_line
    outline = canvas.box(half, half, 11)
    canvas.fill(outline, dark)
    slab = canvas.box(half - 1.5, half - 1.5, 10, -0.5, -0.5)
    canvas.fill(slab, shaded(body, light(dome(slab, 5.0)), 0.55))
    for across in (True, False):
        for shift, shade, share in ((0.0, dark, 0.9), (1.6, bright, 0.75)):
            ends = (-half + 9, shift), (half - 9, shift)
            start, end = ends if across else ((y, x) for x, y in ends)
            canvas.fill(canvas.segment(start, end, 1.7), shade, share)
    return canvas, theme.space[1]


def base(seat: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a space of a base: a landing pad that glows in its side's colour."""
    canvas = Canvas(CELL_SIZE, CELL_SIZE)
    glow = theme.seats[SEATS.index(seat)]
    half = CELL_SIZE / 2 - 3.5
    pad = canvas.box(half, half, 9)
    near = smooth(half * 1.25, 4, canvas.disc(0))
    canvas.fill(pad, blend(mix(theme.tile, glow, 0.2), mix(theme.tile, glow, 0.6), near))
    canvas.fill(without(pad, canvas.box(half - 4, half - 4, 6)), glow)
    outer = canvas.polygon(hull(seat, 22))
    canvas.fill(without(outer, outer + 4), glow)
    canvas.fill(canvas.polygon(hull(seat, 7.5)), glow)
    return canvas, theme.tile


def rose(theme: Theme) -> tuple[Canvas, Colour]:
    """Paint the disc of the compass."""
    canvas = Canvas(230, 230)
    ring = canvas.disc(78)
    canvas.fill(without(ring, canvas.disc(75.5)), theme.star, 0.9)
    for index in range(32):
        turn = 2 * pi * index / 32
        x, y = cos(turn), sin(turn)
        near = 70 if index % 4 else 64
        canvas.fill(canvas.segment((near * x, near * y), (76 * x, 76 * y), 2), theme.star, 0.9)
    return canvas, theme.space[1]


# Pieces


FACES = ("suit", "value", "hole")


def eye(axis: tuple[int, int], radius: float) -> Points:
    """Return the outline of a disc that is pointed at both ends of an axis."""
    length = hypot(*axis)
    x, y = axis[0] / length, axis[1] / length
    tip, near = radius * POINTED_RATIO, 1 / POINTED_RATIO
    points: Points = []
    for side in (1, -1):
        points.append((side * tip, 0.0))
        for step in range(13):
            share = step / 12
            a = near * (1 - 2 * share)
            b = (1 - a * a) ** 0.5
            points.append((side * a * radius, side * b * radius))
    return [(a * x - b * y, a * y + b * x) for a, b in points]


def coin(
    face: str, suit: str, axis: tuple[int, int], radius: float, theme: Theme
) -> tuple[Canvas, Colour]:
    """Paint a coin without its emblem or number."""
    canvas = Canvas(CELL_SIZE + 8, CELL_SIZE + 8)
    around = canvas.disc(radius)
    if suit:
        around = np.minimum(around, canvas.polygon(eye(axis, radius)))
    rim = theme.suits[SUITS.index(suit)] if suit else theme.paper
    canvas.shadow(around - 2, theme.shadow)
    canvas.fill(around - 2, theme.edge)
    canvas.lit(around, rim, radius * 0.2)
    {"suit": _ivory, "value": _steel, "hole": _whirl}[face](canvas, radius, theme)
    return canvas, theme.tile


def _ivory(canvas: Canvas, radius: float, theme: Theme) -> None:
    disc = canvas.disc(radius * 0.8)
    canvas.fill(disc - 1.4, mix(theme.ink, theme.paper, 0.35))
    slope = (canvas.x + canvas.y) / radius
    canvas.fill(disc, shaded(theme.paper, -0.09 * slope - 0.05))


def _steel(canvas: Canvas, radius: float, theme: Theme) -> None:
    disc = canvas.disc(radius * 0.8)
    canvas.fill(disc - 1.4, theme.hole)
    slope = (canvas.x + canvas.y) / radius
    near = smooth(radius * 0.8, 0, canvas.disc(0, -radius * 0.2, -radius * 0.25))
    canvas.fill(disc, shaded(theme.metal, 0.10 * near + 0.04 * slope))


def _whirl(canvas: Canvas, radius: float, theme: Theme) -> None:
    """Paint matter that falls into a dark disc: hot inside, brighter where it comes nearer."""
    canvas.fill(canvas.disc(radius * 0.92), theme.hole)
    share = (canvas.disc(0) / radius - 0.5) / 0.42
    hot, warm = mix(theme.glow, (255, 250, 210), 0.85), theme.glow
    cold = mix(theme.glow, (120, 10, 30), 0.55)
    matter = blend(blend(hot, warm, smooth(0.1, 0.55, share)), cold, smooth(0.4, 1.05, share))
    lit = shaded(matter, -0.2 * (canvas.x + canvas.y) / radius)
    ring = without(canvas.disc(radius * 0.9), canvas.disc(radius * 0.5))
    canvas.fill(ring, lit)
    for arm in range(3):
        start = 2 * pi * arm / 3
        spots = [(radius * (0.52 + 0.4 * i / 12), start + i / 6.5) for i in range(13)]
        points = [(reach * cos(turn), reach * sin(turn)) for reach, turn in spots]
        for one, other in pairwise(points):
            canvas.fill(canvas.segment(one, other, radius * 0.07), theme.hole, 0.8)
    canvas.fill(canvas.disc(radius * 0.5), theme.hole)


def emblem(suit: str, size: float, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint an emblem as inlaid in the ivory of a coin."""
    canvas = Canvas(round(2 * size) + 8, round(2 * size) + 8)
    canvas.fill(sign(canvas, suit, size), theme.ink)
    return canvas, theme.paper


def ship(suit: str, half: float, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a ship: a hull of its suit's colour, a dark deck, and the emblem in a bright colour.

    A coin with its suit up has a dark emblem on a bright face: without colours and 400 pixels
    wide, the outlines alone would not tell the two apart.
    """
    canvas = Canvas(CELL_SIZE + 16, CELL_SIZE + 16)
    seat = SEATS[SUITS.index(suit) // 2]
    body = canvas.polygon(hull(seat, half))
    canvas.fill(body - 2.5, theme.edge)
    canvas.fill(body, theme.suits[SUITS.index(suit)])
    canvas.fill(canvas.polygon(hull(seat, half * DECK_SHARE)), theme.ink)
    size = half * (0.6 if seat == SEATS[0] else 0.54)
    low = -0.02 * half if suit == "C" else 0.0
    canvas.fill(sign(canvas, suit, size, 0, low), theme.paper)
    return canvas, theme.tile


def die(suit: str, state: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a die from above, with its emblem in a corner and room for the number."""
    canvas = Canvas(*DIE_SIZE)
    colour = theme.suits[SUITS.index(suit)]
    half = DIE_SIZE[0] / 2 - 9.0
    place = (-half * 0.54, -half * 0.53)
    if state == "ready":
        body = canvas.box(half, half, 20, -1, -1)
        thick = union([body, canvas.box(half, half, 20, 2, 3.5)])
        canvas.shadow(thick, theme.shadow, 0.8)
        canvas.fill(thick, mix(colour, theme.ink, 0.6))
        canvas.lit(body, colour, 11)
        top = canvas.box(half - 9, half - 9, 14, -1, -1)
        canvas.fill(top, mix(colour, theme.paper, 0.1))
        shape = sign(canvas, suit, DIE_EMBLEM, *place)
        inlay(canvas, shape, theme.ink, mix(colour, (255, 255, 255), 0.5))
        return canvas, theme.space[1]
    ring = canvas.box(half - 1, half - 1, 20)
    canvas.fill(ring, theme.card)
    canvas.fill(without(ring, ring + 4), theme.faint)
    canvas.fill(sign(canvas, suit, DIE_EMBLEM, *place), theme.faint)
    if state == "lost":
        for side in (1, -1):
            start, end = (-16.0, 8 - 24.0 * side), (32.0, 8 + 24.0 * side)
            canvas.fill(canvas.segment(start, end, 11), theme.faint)
    return canvas, theme.space[1]


# The galaxy

GALAXY_SIZE = (1521, 945)
"""Pixels: landscape; portrait is the same, turned."""


def galaxy(levels: int, stars: int) -> Levels:
    """Return levels of light, the darkest first; stars follow in `stars` separate levels."""
    wide, high = GALAXY_SIZE
    xs = (np.arange(wide) + 0.5 - wide / 2) / CELL_SIZE
    ys = (np.arange(high) + 0.5 - high / 2) / CELL_SIZE
    x, y = np.meshgrid(xs, ys)
    glow = np.zeros(x.shape)
    for (across, down), bright, reach in _clouds():
        near = ((x - across) ** 2 + (y - down) ** 2) / (reach * reach)
        glow += bright / ((1 + near) * (1 + near))
    cloud = noise(x, y, 0.55, 5) * 0.6 + noise(x, y, 1.7, 6) * 0.4
    glow = glow * (0.7 + 0.6 * cloud) + 0.05 * noise(x, y, 0.3, 7)
    core = x * x / 2.2 + y * y / 1.2
    glow = glow + 0.62 / ((1 + core) * (1 + core))
    level = glow / (glow + 0.62)
    page = stepped(level / np.max(level), levels)
    return with_stars(page, levels, stars, 170, 120)


def _clouds() -> Iterator[tuple[tuple[float, float], float, float]]:
    """Yield middle (in cells right and down of the core), brightness and reach of each cloud."""
    for start, bright in ((0.0, 0.95), (pi / 2, 0.6)):
        for step in (i / 60 for i in range(61)):
            angle, reach = start - 0.75 + 3.9 * step, 1.0 * exp(2.55 * step)
            north, east = -reach * sin(angle) * 1.05, -reach * cos(angle) * 0.66
            glow = 0.075 * bright * (1 - step) ** 0.75 + 0.004
            wide = 0.55 + 1.1 * step
            for side in (1, -1):
                yield (side * north, side * east), glow, wide


PAINTING = Painting(painters, COLOURS, galaxy, "galaxy", wormholes_emojis.suits)
