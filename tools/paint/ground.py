"""Backgrounds: a few levels of light with sharp edges, which compress well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.paint.canvas import Field, field

Levels = NDArray[np.uint8]


def stepped(light: Field, levels: int) -> Levels:
    """Return light from 0 to 1 in levels.

    They are not mixed where they meet: a pattern there would be a tenth of a picture's bytes.
    """
    return np.floor(np.round(light * (levels - 1), 6) + 0.5).astype(np.uint8)


def noise(x: Field, y: Field, pitch: float, seed: int) -> Field:
    """Return smooth noise from 0 to 1; `pitch` is the number of its spots in a unit."""
    lattice = np.random.Generator(np.random.PCG64(seed)).integers(0, 1024, (64, 64)) / 1023
    u, v = x * pitch + 32, y * pitch + 32
    i, j = np.floor(u).astype(int), np.floor(v).astype(int)
    s, t = u - i, v - j
    s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)

    def at(a: int, b: int) -> Field:
        return field(lattice[(j + b) % 64, (i + a) % 64])

    top = at(0, 0) * (1 - s) + at(1, 0) * s
    low = at(0, 1) * (1 - s) + at(1, 1) * s
    return field(top * (1 - t) + low * t)


def with_stars(page: Levels, levels: int, stars: int, count: int, margin: int) -> Levels:
    """Add stars, which have separate levels, away from the edges."""
    draw = np.random.Generator(np.random.PCG64(8))
    high, wide = page.shape
    for _ in range(count):
        left = int(draw.integers(margin + 10, wide - margin - 10))
        top = int(draw.integers(margin, high - margin - 4))
        size = int(draw.integers(0, 10))
        bright = levels + min(stars - 1, size * stars // 10)
        for dx, dy, less in ((0, 0, 0), (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)):
            if (dx or dy) and size < 6:
                continue
            page[top + dy, left + dx] = max(levels, bright - 2 * less)
        if size < 6:
            page[top, left + 1] = page[top + 1, left] = page[top + 1, left + 1] = bright
    return page
