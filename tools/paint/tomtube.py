"""Paint Tom Tube: space, tiles, tubes, spheres, stations, counters and astronauts."""

from __future__ import annotations

from functools import partial
from math import cos, pi, sin

import numpy as np

from engine.tomtube.tables import SEATS
from render.themes import Colour, Theme, mix
from render.tomtube.colours import LINES
from render.tomtube.layout import EDGE_LENGTH, LONG, SHORT, SINGLE, towards
from render.tomtube.pieces import ASTRONAUT_RADIUS, COUNTER_RADIUS, OUTLINES, TOKEN_RADIUS, colour
from render.tomtube.tiles import (
    ARM_DIRECTIONS,
    ENERGY_SPHERE_RADIUS,
    KNOT_SPHERE_RADIUS,
    LENGTHS,
    TUBE_END_DISTANCE,
    TUBE_WIDTH,
    corner_directions,
)
from tools.paint.canvas import (
    Canvas,
    Field,
    Paint,
    blend,
    dome,
    field,
    light,
    shaded,
    smooth,
    union,
    without,
)
from tools.paint.games import Painting
from tools.paint.ground import Levels, noise, stepped, with_stars
from tools.paint.sheet import Painter

COLOURS = 56
"""Colours of a sheet; the others of a palette are for the ground, text and signs."""

PIPE_WIDTH = 7.0
"""Width of each of the two pipes of Dave's tubes, at least 2 pixels on 400 pixels' width."""

NEUTRAL_WIDTH = 15.0
"""Width of a tube for both: thinner, so that each side's own way is seen first."""

TUBE_SHADES, BALL_SHADES = 8, 11
"""Shades of tubes and spheres in a unit of light: so few that pictures stay small."""

STRIPE_COUNTS = {"long": 7, "short": 3, "single": 5}
"""Stripes of a neutral tube of each length: odd numbers, so that both ends are alike."""

WHITE = (255, 255, 255)

Points = list[tuple[float, float]]


def painters() -> dict[str, Painter]:
    """Return the painter of each sprite."""
    by_name = _for_all()
    for corners in (4, 3):
        for way in corner_directions(corners):
            by_name[f"plate-{corners}-{way}"] = partial(plate, corners, way)
    for length, ways in ARM_DIRECTIONS.items():
        for way in ways:
            by_name[f"shade-{length}-{way}"] = partial(shade, length, way)
            for users in (*SEATS, SEATS):
                by_name[f"tube-{users}-{length}-{way}"] = partial(tube, users, length, way)
    for seat in SEATS:
        by_name[f"joint-{seat}"] = partial(joint, seat)
        by_name[f"astronaut-{seat}"] = partial(astronaut, seat, ASTRONAUT_RADIUS)
        by_name[f"token-{seat}"] = partial(astronaut, seat, TOKEN_RADIUS)
        by_name[f"base-{seat}"] = partial(base, seat)
        by_name[f"counter-solar-{seat}"] = partial(counter, "solar", seat)
        for way in range(6):
            by_name[f"dock-{seat}-{way}"] = partial(dock, seat, way)
        for way in range(3):
            by_name[f"module-{seat}-{way}"] = partial(module, seat, way)
    return by_name


def _for_all() -> dict[str, Painter]:
    """Return the painters of pieces that belong to neither side."""
    by_name: dict[str, Painter] = {"socket": socket, "joint-": partial(joint, "")}
    for name in ("knot", "energy"):
        by_name[f"sphere-{name}"] = partial(sphere, name)
    for kind in ("energy", "control", "alien"):
        by_name[f"counter-{kind}"] = partial(counter, kind, "")
    return by_name


def side_colour(theme: Theme, seat: str) -> Colour:
    """Return the colour of a side."""
    return LINES[theme.name][SEATS.index(seat)]


# Tiles


def plate(count: int, way: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a tile without tubes: a slab with a part of a socket at each corner."""
    if count == len("ABCD"):
        places = [(way + 3 * i, SHORT if i % 2 else LONG) for i in range(4)]
        inner = EDGE_LENGTH * 3**0.5 / 4
    else:
        places = [(way + 4 * i, SINGLE) for i in range(3)]
        inner = SINGLE / 2
    points = [towards(*place) for place in places]
    size = 2 * round(max(far for _, far in places)) + 4
    canvas = Canvas(size, size)
    canvas.fill(canvas.polygon(points), theme.tile_edge)
    share = 1 - 1.3 / inner
    slab = canvas.polygon([(x * share, y * share) for x, y in points])
    canvas.fill(slab, shaded(theme.tile, light(dome(slab, 2.5)), 0.5))
    for x, y in points:
        _socket(canvas, theme, x, y, slab)
    return canvas, theme.space[1]


def _socket(canvas: Canvas, theme: Theme, x: float, y: float, within: Field) -> None:
    """Paint a ring for a sphere, empty as long as tiles around it are missing."""
    hole = np.maximum(canvas.disc(KNOT_SPHERE_RADIUS, x, y), within)
    canvas.fill(hole, mix(theme.tile_edge, theme.tile, 0.15))
    inner = np.maximum(canvas.disc(KNOT_SPHERE_RADIUS - 5.5, x, y), within)
    canvas.fill(inner, mix(theme.tile, theme.shadow, 0.55))


def socket(theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a half of a socket, for the legend."""
    canvas = Canvas(60, 60)
    half = field(np.maximum(canvas.disc(KNOT_SPHERE_RADIUS), -canvas.y - 4))
    _socket(canvas, theme, 0, 0, half)
    return canvas, theme.space[1]


def along(canvas: Canvas, way: float) -> tuple[Field, Field]:
    """Return the distance of each point from the middle along a direction, and across it."""
    x, y = (round(part, 9) for part in towards(way, 1))
    return field(canvas.x * x + canvas.y * y), field(canvas.y * x - canvas.x * y)


def stretch(canvas: Canvas, length: str, way: int, width: float, aside: float = 0) -> Field:
    """Return the distance from a strip along an arm, around the arm's middle."""
    far, near = along(canvas, way)
    half = (LENGTHS[length] - TUBE_END_DISTANCE) / 2
    return field(np.maximum(abs(near - aside) - width / 2, abs(far) - half))


def _arm(length: str, way: int) -> Canvas:
    x, y = towards(way, LENGTHS[length] - TUBE_END_DISTANCE)
    room = TUBE_WIDTH + 16
    return Canvas(2 * round(abs(x) / 2) + room, 2 * round(abs(y) / 2) + room)


def shade(length: str, way: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint the shadow of a tube; all shadows of a tile lie below all its tubes."""
    canvas = _arm(length, way)
    canvas.shadow(stretch(canvas, length, way, TUBE_WIDTH - 1), theme.shadow, 0.7)
    return canvas, theme.tile


def pipe(canvas: Canvas, across: Field, width: float, within: Field, paint: Paint) -> None:
    """Paint a cylinder: bright where it faces the light, and dark on the other side."""
    body = np.maximum(abs(across) - width / 2, within)
    high = field(np.sqrt(np.maximum((width / 2) ** 2 - across * across, 0)))
    lit = light(high, 0.64)
    steps = np.round(np.clip(lit * 1.25, -0.6, 0.42) * TUBE_SHADES, 0) / TUBE_SHADES
    canvas.fill(body, shaded(paint, field(steps), 0.9))


def tube(users: str, length: str, way: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a tube: Tom's is one pipe, Dave's are two, one for both is striped."""
    canvas = _arm(length, way)
    far, near = along(canvas, way)
    half = (LENGTHS[length] - TUBE_END_DISTANCE) / 2
    ends = field(abs(far) - half)
    rim = mix(theme.edge, theme.ink, 0.5)
    if users == SEATS[1]:
        aside = (TUBE_WIDTH - PIPE_WIDTH) / 2
        for side in (-aside, aside):
            canvas.fill(np.maximum(abs(near - side) - PIPE_WIDTH / 2 - 1.2, ends), rim)
        for side in (-aside, aside):
            pipe(canvas, field(near - side), PIPE_WIDTH, ends, side_colour(theme, users))
        return canvas, theme.tile
    width = NEUTRAL_WIDTH if users == SEATS else TUBE_WIDTH
    canvas.fill(np.maximum(abs(near) - width / 2 - 1.2, ends), rim)
    paint: Paint = side_colour(theme, users[0])
    if users == SEATS:
        count = STRIPE_COUNTS[length]
        number = np.clip(np.floor((far + half) / (2 * half) * count), 0, count - 1)
        share = field(np.where(number % 2 == 1, 1.0, 0.0))
        paint = blend(side_colour(theme, SEATS[0]), side_colour(theme, SEATS[1]), share)
    pipe(canvas, near, width, ends, paint)
    return canvas, theme.tile


def ball(canvas: Canvas, radius: float, paint: Paint, power: float = 1.0) -> None:
    """Paint a ball of glass: a spot of light, and a dark side with light that shines through."""
    body = canvas.disc(radius)
    away = canvas.disc(0, -radius * 0.42, -radius * 0.5) / radius
    glow = canvas.disc(0, radius * 0.42, radius * 0.5) / radius
    amount = 0.3 * smooth(0.9, 0.0, away) - 0.34 * smooth(0.7, 1.5, away)
    amount = amount + 0.14 * smooth(0.55, 0.1, glow)
    steps = np.round(amount * BALL_SHADES, 0) / BALL_SHADES
    canvas.fill(body, shaded(paint, field(steps), power))
    canvas.fill(canvas.disc(radius * 0.2, -radius * 0.4, -radius * 0.46), WHITE, 0.85)


def sphere(kind: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a complete sphere in its ring; a rhomb's has a cross."""
    radius = KNOT_SPHERE_RADIUS if kind == "knot" else ENERGY_SPHERE_RADIUS
    canvas = Canvas(64, 64)
    ring = canvas.disc(radius)
    canvas.shadow(ring, theme.shadow, 0.7)
    canvas.fill(ring - 1.5, theme.edge)
    rim = theme.text
    canvas.fill(ring, shaded(rim, field(np.clip(light(dome(ring, 4.5)), -0.35, 0.2)), 0.8))
    canvas.fill(canvas.disc(radius - 3.5), theme.edge)
    glass = mix(theme.tile_line, theme.tile, 0.1)
    ball(canvas, radius - 4.2, glass)
    if kind == "energy":
        bars = union([canvas.box(9.5, 2.8, 0.8), canvas.box(2.8, 9.5, 0.8)])
        canvas.fill(bars - 1, mix(theme.tile_line, theme.tile, 0.6))
        canvas.fill(bars, theme.text)
    return canvas, theme.tile


def joint(seat: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint where tubes meet without a sphere: a coupling of dark metal, or of the owner's."""
    canvas = Canvas(40, 40)
    if seat:
        body = canvas.disc(TUBE_WIDTH / 2 + 0.5)
        canvas.fill(body - 1.2, mix(theme.edge, theme.ink, 0.5))
        canvas.lit(body, side_colour(theme, seat), 6, 0.5)
        if seat == SEATS[1]:
            canvas.fill(canvas.disc(3.2), mix(theme.edge, theme.ink, 0.5))
        return canvas, theme.tile
    body = canvas.disc(11.5)
    canvas.fill(body - 1.2, theme.ink)
    canvas.lit(body, mix(theme.metal, (150, 158, 190), 0.62), 4, 0.9)
    canvas.fill(canvas.disc(7), theme.ink)
    return canvas, theme.tile


# Stations


def dock(seat: str, way: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint the deck of a station; its long side lies in a direction from the middle.

    The rim has one line for Tom and two for Dave, like their tubes.
    """
    wide, high = EDGE_LENGTH, EDGE_LENGTH * 3**0.5 / 2
    turn = -pi / 3 * (way - 3) / 1
    c, s = round(cos(turn), 9), round(sin(turn), 9)
    shape = ((-wide, 0.0), (wide, 0.0), (wide / 2, high), (-wide / 2, high))
    canvas = Canvas(2 * round(wide) + 16, 2 * round(wide) + 16)
    points = [(x * c - y * s, x * s + y * c) for x, y in shape]
    deck = canvas.polygon(points)
    line = side_colour(theme, seat)
    canvas.fill(deck - 1.5, theme.edge)
    body = mix(theme.tile, line, 0.1)
    canvas.fill(deck, shaded(body, light(dome(deck, 6.0)), 0.4))
    for x, y in ((-wide / 2, high), (wide / 2, high)):
        end = (x * c - y * s, x * s + y * c)
        seam = field(np.maximum(canvas.segment((0, 0), end, 2), deck + 8))
        canvas.fill(seam, mix(theme.tile, theme.shadow, 0.6), 0.7)
    if seat == SEATS[0]:
        canvas.lit(without(deck, deck + 8), line, 4, 0.5)
    else:
        canvas.fill(without(deck, deck + 3.6), line)
        canvas.fill(without(deck + 6.4, deck + 10), line)
    return canvas, theme.space[1]


def _plate_of_name(canvas: Canvas, shape: Field, theme: Theme) -> None:
    """Paint the dark window on which the station's name stands."""
    canvas.fill(shape - 1.5, mix(theme.ink, theme.paper, 0.35))
    canvas.fill(shape, theme.ink)


def base(seat: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a base: a house in space, with a dome for Tom and a gable for Dave."""
    canvas = Canvas(96, 104)
    if seat == SEATS[0]:
        body = union([canvas.disc(31, 0, -3), canvas.box(31, 17, 5, 0, 13)])
    else:
        gable = [(-33.0, -6.0), (0.0, -38.0), (33.0, -6.0), (33.0, 30.0), (-33.0, 30.0)]
        body = canvas.polygon(gable, -0.5)
    mast = union([canvas.segment((18, -20), (18, -41), 4), canvas.disc(4.5, 18, -42)])
    outline = union([body, mast])
    canvas.shadow(outline - 2, theme.shadow, 0.8)
    canvas.fill(outline - 2.5, theme.edge)
    canvas.lit(mast, mix(theme.paper, theme.ink, 0.25), 2, 0.7)
    canvas.lit(body, side_colour(theme, seat), 8, 0.8)
    window = (
        union([canvas.disc(21, 0, -3), canvas.box(21, 13, 4, 0, 9)])
        if seat == SEATS[0]
        else canvas.polygon([(-23, -3), (0, -25), (23, -3), (23, 21), (-23, 21)])
    )
    _plate_of_name(canvas, window, theme)
    return canvas, theme.space[1]


def module(seat: str, way: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a module: a hull between two panels for sunlight, along the rim of the board."""
    canvas = Canvas(132, 132)
    far, near = along(canvas, 2 * way)
    cell = (34, 78, 158)
    for side in (1, -1):
        panel = field(np.maximum(abs(far - side * 42) - 15, abs(near) - 17))
        canvas.shadow(panel - 1, theme.shadow, 0.7)
        canvas.fill(panel - 2.5, theme.edge)
        canvas.fill(panel, mix(theme.paper, theme.ink, 0.2))
        grid = np.maximum(abs((far - side * 42) % 15 - 7.5) - 6.6, abs(near % 11.4 - 5.7) - 5.2)
        slope = (canvas.x + canvas.y) / 50
        cells = shaded(cell, field(-0.12 * slope + 0.08))
        canvas.fill(np.maximum(panel + 1.5, field(grid)), cells)
    body = canvas.disc(30) if seat == SEATS[0] else canvas.box(28, 28, 9)
    canvas.shadow(body - 2, theme.shadow, 0.8)
    canvas.fill(body - 2.5, theme.edge)
    canvas.lit(body, side_colour(theme, seat), 7, 0.8)
    window = canvas.disc(22) if seat == SEATS[0] else canvas.box(21, 21, 6)
    _plate_of_name(canvas, window, theme)
    return canvas, theme.space[1]


# Pieces


def counter(kind: str, seat: str, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a counter without its letter: enamel in its kind's shape."""
    canvas = Canvas(72, 72)
    radius = COUNTER_RADIUS
    shape = canvas.polygon([(x * radius, y * radius) for x, y in OUTLINES[kind]], -0.8)
    paint = side_colour(theme, seat) if seat else colour(theme, kind, seat)
    canvas.shadow(shape - 2, theme.shadow, 0.8)
    canvas.fill(shape - 2, theme.ink)
    canvas.lit(shape, paint, 5, 0.9)
    if kind == "solar":
        canvas.fill(canvas.disc(radius * 0.76), mix(theme.ink, paint, 0.3))
        canvas.fill(canvas.disc(radius * 0.7), theme.ink)
    else:
        canvas.fill(shape + 5.5, mix(paint, theme.paper, 0.12))
    return canvas, theme.tile


def astronaut(seat: str, radius: float, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint an astronaut: a white helmet with a bright face, round for Tom, angular for Dave."""
    canvas = Canvas(84, 84)
    line = side_colour(theme, seat)

    def hull(size: float) -> Field:
        return canvas.disc(size) if seat == SEATS[0] else canvas.box(size, size, size * 0.36)

    ears = [canvas.box(4, 8, 2.5, side * (radius + 1), 2) for side in (1, -1)]
    outline = union([hull(radius), *ears])
    canvas.shadow(outline - 2, theme.shadow, 0.85)
    canvas.fill(outline - 2.5, theme.ink)
    for ear in ears:
        canvas.lit(ear, line, 3, 0.8)
    canvas.lit(hull(radius), theme.paper, 5, 0.5)
    face = hull(radius * 0.74)
    canvas.fill(face - 1.2, theme.ink)
    canvas.lit(face, line, 4, 0.5)
    glint = without(canvas.disc(radius * 0.66), canvas.disc(radius * 0.72, 3, 4))
    canvas.fill(field(np.maximum(glint, face + 2)), WHITE, 0.5)
    return canvas, theme.tile


# Space

SPACE_SIZE = (1407, 969)
"""Pixels: landscape; portrait is the same, turned."""


def space(levels: int, stars: int) -> Levels:
    """Return levels of light, the darkest first; stars follow in `stars` separate levels."""
    wide, high = SPACE_SIZE
    xs = (np.arange(wide) + 0.5 - wide / 2) / 100
    ys = (np.arange(high) + 0.5 - high / 2) / 100
    x, y = np.meshgrid(xs, ys)
    cloud = noise(x, y, 0.35, 21) * 0.65 + noise(x, y, 0.9, 22) * 0.35
    band = (x * 0.5 + y * 0.86 - 0.5) / 2.6
    veil = cloud / (1 + band * band)
    core = (x * x + y * y) / 9
    level = 0.05 + 0.17 * veil * veil + 0.12 / (1 + core)
    return with_stars(stepped(field(level), levels), levels, stars, 150, 8)


PAINTING = Painting(painters, COLOURS, space, "space")
