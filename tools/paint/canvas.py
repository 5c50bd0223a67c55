"""A canvas of signed distances: shapes with bevels under one light, and smooth edges.

All arithmetic on arrays is exact in IEEE 754 (no powers, no sines), and results are rounded before
they become colours, so that every machine paints the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from render.themes import Colour

Field = NDArray[np.float64]
"""Signed distances in pixels of the finished picture, negative inside; or shares from 0 to 1."""

Paint = Colour | tuple[float, float, float] | Field
"""A colour, or one for each point."""

SCALE = 4
"""Points along a pixel: edges are the mean of sixteen."""

LIGHT = (-0.48, -0.64, 0.6)
"""Where the light of all pieces comes from: upper left, above the board. Its length is 1."""

SHADOW = (2.2, 3.0)
"""How far a shadow falls, in pixels: away from the light, and the same for all pieces."""


class Canvas:
    """Points around (0, 0) in pixels of the finished picture, with colour and coverage."""

    def __init__(self, width: int, height: int) -> None:
        self.size = width, height
        xs = (np.arange(width * SCALE) + 0.5) / SCALE - width / 2
        ys = (np.arange(height * SCALE) + 0.5) / SCALE - height / 2
        self.x, self.y = np.meshgrid(xs, ys)
        self.colour = np.zeros((*self.x.shape, 3))
        self.cover = np.zeros(self.x.shape)

    # Shapes

    def disc(self, radius: float, x: float = 0, y: float = 0) -> Field:
        """Return the distance from a circle."""
        dx, dy = self.x - x, self.y - y
        return field(np.sqrt(dx * dx + dy * dy) - radius)

    def box(self, wide: float, high: float, radius: float, x: float = 0, y: float = 0) -> Field:
        """Return the distance from a rectangle with round corners, of these half sides."""
        dx = abs(self.x - x) - (wide - radius)
        dy = abs(self.y - y) - (high - radius)
        out_x, out_y = np.maximum(dx, 0), np.maximum(dy, 0)
        outside = np.sqrt(out_x * out_x + out_y * out_y)
        return field(outside + np.minimum(np.maximum(dx, dy), 0) - radius)

    def polygon(self, points: Sequence[tuple[float, float]], shrink: float = 0) -> Field:
        """Return the distance from a polygon; with `shrink`, its corners are round."""
        nearest = np.full(self.x.shape, np.inf)
        inside = np.zeros(self.x.shape, dtype=bool)
        for (ax, ay), (bx, by) in zip(points, [*points[1:], points[0]], strict=True):
            ex, ey = bx - ax, by - ay
            px, py = self.x - ax, self.y - ay
            along = np.clip((px * ex + py * ey) / max(ex * ex + ey * ey, 1e-9), 0, 1)
            qx, qy = px - ex * along, py - ey * along
            nearest = np.minimum(nearest, qx * qx + qy * qy)
            if ay != by:
                crossed = ((self.y >= ay) != (self.y >= by)) & (
                    self.x < ax + ex * (self.y - ay) / ey
                )
                inside ^= crossed
        distance = np.sqrt(nearest)
        return field(np.where(inside, -distance, distance) + shrink)

    def segment(self, start: tuple[float, float], end: tuple[float, float], width: float) -> Field:
        """Return the distance from a line with round ends."""
        (ax, ay), (bx, by) = start, end
        ex, ey = bx - ax, by - ay
        px, py = self.x - ax, self.y - ay
        along = np.clip((px * ex + py * ey) / max(ex * ex + ey * ey, 1e-9), 0, 1)
        qx, qy = px - ex * along, py - ey * along
        return field(np.sqrt(qx * qx + qy * qy) - width / 2)

    # Painting

    def fill(self, shape: Field, paint: Paint, share: float | Field = 1.0) -> None:
        """Paint inside a shape, with this opacity."""
        alpha = inside(shape) * share
        colour = np.asarray(paint, dtype=np.float64)
        total = alpha + self.cover * (1 - alpha)
        safe = np.maximum(total, 1e-9)
        old = (self.cover * (1 - alpha) / safe)[..., None]
        self.colour = self.colour * old + colour * (alpha / safe)[..., None]
        self.cover = total

    def shadow(self, shape: Field, paint: Colour, strength: float = 0.6) -> None:
        """Paint the shadow of a shape: hard near the piece, gone after some pixels."""
        dx, dy = (round(step * SCALE) for step in SHADOW)
        cast = np.full(shape.shape, 99.0)
        cast[dy:, dx:] = shape[:-dy, :-dx]
        self.fill(cast - 2, paint, strength * smooth(2.5, -1.5, cast))

    def lit(self, shape: Field, paint: Paint, bevel: float, power: float = 1.0) -> None:
        """Paint a body with a round edge under the light."""
        self.fill(shape, shaded(paint, light(dome(shape, bevel)), power))

    def image(self, ground: Colour) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return colours on a ground, 0 to 255, and which pixels are covered at all."""
        cover = reduced(self.cover[..., None])
        colour = reduced(self.colour * self.cover[..., None])
        mixed = colour + np.asarray(ground, dtype=np.float64) * (1 - cover)
        rounded = np.floor(np.round(mixed, 6) + 0.5).astype(np.int64)
        return np.clip(rounded, 0, 255), np.round(cover[..., 0], 6) > MIN_COVER


MIN_COVER = 0.2
"""Pixels less covered than this are left as they were on the board."""


def field(values: Any) -> Field:
    """Return an array as the type that it is."""
    return cast("Field", values)


def inside(shape: Field) -> Field:
    """Return the share of each point that is inside."""
    return field(np.clip(0.5 - shape * SCALE, 0, 1))


def smooth(first: float, last: float, value: Field) -> Field:
    """Return 0 before `first`, 1 after `last`, and a smooth step in between."""
    share = np.clip((value - first) / (last - first), 0, 1)
    return field(share * share * (3 - 2 * share))


def reduced(array: Field) -> Field:
    """Return the means of squares of `SCALE` points."""
    total: Field = np.zeros(
        (ceil(array.shape[0] / SCALE), ceil(array.shape[1] / SCALE), array.shape[2])
    )
    for dy in range(SCALE):
        for dx in range(SCALE):
            total = total + array[dy::SCALE, dx::SCALE]
    return total / (SCALE * SCALE)


def dome(shape: Field, bevel: float) -> Field:
    """Return the height of a body with a flat top and an edge that is a quarter of a circle."""
    share = np.clip(1 + shape / bevel, 0, 1)
    return field(bevel * np.sqrt(np.maximum(1 - share * share, 0)))


def light(height: Field, flat: float = 0.6) -> Field:
    """Return the brightness of a surface, relative to flat parts (> 0 for brighter)."""
    dy, dx = (part * SCALE for part in np.gradient(height))
    length = np.sqrt(dx * dx + dy * dy + 1)
    return field((-dx * LIGHT[0] - dy * LIGHT[1] + LIGHT[2]) / length - flat)


def shaded(paint: Paint, amount: Field, power: float = 1.0) -> Field:
    """Return a colour that is brighter towards white, or darker towards black."""
    base = np.broadcast_to(np.asarray(paint, dtype=np.float64), (*amount.shape, 3))
    up = np.clip(amount * power * 1.5, 0, 0.75)[..., None]
    down = np.clip(-amount * power * 0.85, 0, 0.8)[..., None]
    return base + (255 - base) * up - base * down


def blend(one: Paint, other: Paint, share: Field) -> Field:
    """Return a mixture for each point; `share` is the second colour's share."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    part = share[..., None]
    return field(first * (1 - part) + second * part)


def union(shapes: Iterable[Field]) -> Field:
    """Return the distance from the nearest of some shapes."""
    return field(np.min(np.stack(list(shapes)), axis=0))


def without(shape: Field, hole: Field) -> Field:
    """Return a shape with a hole."""
    return np.maximum(shape, -hole)
