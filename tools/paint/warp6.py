"""Paint Warp 6: the disc with the wormhole in its middle, and dice."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from math import cos, sin, tau

import numpy as np
from numpy.typing import NDArray

from engine.warp6.board import OUTERMOST
from engine.warp6.pieces import SEATS
from render.themes import Colour, Theme, mix
from render.warp6.layout import CORE_RADIUS, FULL_TURN, polar
from render.warp6.pieces import SHAPES, look
from tools.paint.canvas import (
    Canvas,
    Field,
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
from tools.paint.ground import stepped, with_stars
from tools.paint.sheet import Painter

COLOURS = 110
"""Colours of a sheet."""

FACETS = {
    4: ((0.13, (0, 2)), (-0.15, (0, 1)), (-0.03, (1, 2))),
    8: ((0.16, (2, 3)), (0.02, (3, 0)), (-0.06, (1, 2)), (-0.17, (0, 1))),
}
"""Faces → brightness of each side that is visible from above, and its corners."""


def painters() -> dict[str, Painter]:
    """Return the painter of each sprite."""
    by_name: dict[str, Painter] = {"wormhole": wormhole}
    for seat in SEATS:
        for faces in SHAPES:
            by_name[f"die-{seat}{faces}"] = partial(die, seat, faces)
    return by_name


def die(seat: str, faces: int, theme: Theme) -> tuple[Canvas, Colour]:
    """Paint a die from above, without its number."""
    canvas = Canvas(104, 104)
    fill, rim, ink, lined = look(theme, seat)
    corners = SHAPES[faces].corners
    outline = canvas.polygon(corners) - 5
    thick = outline
    if faces == 6:
        low = [(x + 2, y + 3) for x, y in corners]
        thick = union([outline, canvas.polygon(low) - 5])
    canvas.shadow(thick - 1.5, theme.shadow, 0.75)
    canvas.fill(thick - 1.5, theme.edge)
    canvas.fill(thick, mix(rim, theme.ink, 0.45))
    canvas.lit(outline, rim, 4)
    face = outline + 3.5
    if lined:
        canvas.fill(outline + 2.5, fill)
        canvas.fill(without(face, face + 2.5), ink)
        face = face + 2.5
    slope = light(dome(face, 4))
    canvas.fill(face, shaded(fill, slope, 0.6))
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    for amount, (one, other) in FACETS.get(faces, ()):
        part = canvas.polygon([middle, corners[one], corners[other]])
        inner = np.maximum(part, face + 2)
        canvas.fill(inner, shaded(fill, amount + 0 * inner))
    if faces == 6:
        canvas.fill(face + 4, shaded(fill, 0.05 + 0 * face))
    return canvas, theme.tile


def wormhole(theme: Theme) -> tuple[Canvas, Colour]:
    """Paint matter that falls into the dark disc in the middle."""
    radius = CORE_RADIUS - 8.0
    canvas = Canvas(2 * CORE_RADIUS + 8, 2 * CORE_RADIUS + 8)
    share = (canvas.disc(0) / radius - 0.5) / 0.5
    hot, cold = mix(theme.glow, (255, 250, 210), 0.85), mix(theme.glow, (120, 10, 60), 0.6)
    matter = blend(
        blend(hot, theme.glow, smooth(0.15, 0.6, share)), cold, smooth(0.55, 1.05, share)
    )
    canvas.fill(canvas.disc(radius), shaded(matter, -0.2 * (canvas.x + canvas.y) / radius))
    for arm in range(4):
        start = tau * arm / 4
        spots = [(radius * (0.52 + 0.48 * i / 16), start - i / 7) for i in range(17)]
        points = [(reach * cos(turn), reach * sin(turn)) for reach, turn in spots]
        for one, other in pairwise(points):
            canvas.fill(canvas.segment(one, other, radius * 0.07), theme.hole, 0.7)
    canvas.fill(canvas.disc(radius * 0.54), theme.hole)
    return canvas, theme.space[3]


GROUND_SIDE = 1041
"""Pixels of a side of the ground, with the wormhole in its middle."""

MARGIN = 38
"""Pixels from the solid line to the edge of the disc."""


def ground(levels: int, stars: int) -> NDArray[np.uint8]:
    """Return levels of light: one on the whole disc, and more near the wormhole.

    Each further edge makes boards larger: lit steps between the turns of the line cost a tenth.
    """
    along = np.arange(GROUND_SIDE) + 0.5 - GROUND_SIDE / 2
    x, y = np.meshgrid(along, along)
    reach = np.sqrt(x * x + y * y)
    glow = 1 / (1 + (reach / 95) * (reach / 95))
    level = np.where(reach < _outermost(x, y) + MARGIN, 0.30 + 0.54 * glow * glow, 0)
    return with_stars(stepped(level, levels), levels, stars, 90, 60)


def _outermost(x: Field, y: Field) -> Field:
    """Return the radius of the outermost turn of the line in the direction of a point."""
    spaces = [polar(space) for space in range(1, OUTERMOST + 1)]
    turns, radii = [-angle for _, angle in spaces], [radius for radius, _ in spaces]
    angle = np.degrees(np.arctan2(y, x)) % FULL_TURN
    lines = [np.interp(angle + FULL_TURN * turn, turns, radii, right=0) for turn in range(9)]
    return field(np.max(lines, axis=0))


PAINTING = Painting(painters, COLOURS, ground, "disc")
