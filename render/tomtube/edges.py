"""Lines along the edges of the lattice."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.tomtube.lattice import NEIGHBOURS, STEPS
from render.sprites import Sketch, Sprite
from render.themes import Colour, Theme
from render.tomtube.layout import EDGE_LENGTH, Layout, towards

Edges = tuple[Sprite, ...]


@cache
def edges(theme: Theme, shade: Colour, width: float) -> Edges:
    """Return an edge in each of the directions 0, 1, 2."""
    sprites = []
    for k in range(len(STEPS) // 2):
        x, y = towards(2 * k, EDGE_LENGTH / 2)
        sketch = Sketch(round(2 * abs(x)) + 8, round(2 * abs(y)) + 8, theme.space[2])
        sketch.bar((-x, -y), (x, y), width, shade)
        sprites.append(sketch.sprite(theme))
    return tuple(sprites)


def draw_edge(page: Image.Image, where: Layout, ends: tuple[int, int], edge: Edges) -> None:
    """Draw a line from a knot to a neighbour."""
    k = NEIGHBOURS[ends[0]].index(ends[1]) % len(edge)
    edge[k].put(page, where.mean(ends))
