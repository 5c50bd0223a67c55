"""The last turn: the new tiles and counters, and the path of an astronaut, numbered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot

from engine.game import Event
from engine.tomtube.lattice import PLACE_INDEX, PLACES, TRIANGLE_INDEX, TRIANGLES
from engine.tomtube.view import TomTubeView
from render import markers
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Colour, Theme
from render.tomtube import pieces
from render.tomtube.layout import Layout

HEAD_DISTANCE = 40
"""Pixels from the middle of an astronaut to an arrow's head."""

MOVES = ("drifted", "steered", "jumped")

RING_RADIUS = 32.0
"""Radius of the ring around a new counter."""


def draw_lines(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw everything below astronauts: edges of new tiles, paths, ghosts at their starts."""
    for event in view.story:
        if event.kind in ("laid", "filled", "empty"):
            outline(board, event.facts[-1], theme.story, theme, where)
        elif event.kind in MOVES:
            seat, start = event.facts[:2]
            points = _way(event, where)
            for edge in (True, False):
                for (x1, y1), (x2, y2) in pairwise(points):
                    part = markers.stretch(theme, (round(x2 - x1), round(y2 - y1)), edge=edge)
                    board.put(part, ((x1 + x2) / 2, (y1 + y2) / 2))
            board.put(pieces.ghost(theme, seat), where.node(start, seat))


def draw_heads(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw everything above astronauts: arrowheads, numbers, new and taken counters."""
    step = 0
    for event in view.story:
        if event.kind in ("laid", "filled", "empty"):
            step += 1
            board.put(markers.badge(theme, step), _beside(event.facts[-1], where))
        elif event.kind == "put":
            ring = markers.halo(theme, theme.story, RING_RADIUS, theme.tile)
            board.put(ring, where.node(event.facts[1], ""))
        elif event.kind in MOVES:
            step += 1
            _step(board, theme, step, _way(event, where))
        elif event.kind == "took":
            seat, counter, place = event.facts
            x, y = where.node(place, seat)
            words = markers.chip(theme, f"+{counter[0].upper()}", theme.story, theme.story_edge)
            board.put(words, (x + 34, y - 34))


def _way(event: Event, where: Layout) -> list[Point]:
    seat, _, _, way = event.facts
    return [where.node(name, seat) for name in way.split("|")]


def _step(board: Board, theme: Theme, number: int, points: Sequence[Point]) -> None:
    """Draw an arrowhead at the end of a path and its number at the start."""
    (x1, y1), (x2, y2) = points[-2:]
    length = hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    board.put(
        markers.head(theme, markers.angle_of(dx, dy), theme.story, theme.story_edge),
        (x2 - HEAD_DISTANCE * dx, y2 - HEAD_DISTANCE * dy),
    )
    board.put(markers.badge(theme, number), points[0])


def _beside(name: str, where: Layout) -> Point:
    """Return the point for a tile's number: on one of its edges, off its middle."""
    return where.mean(corners(name)[:2])


def corners(name: str) -> tuple[int, ...]:
    """Return the knots at the corners of a rhomb's place or of a triangle."""
    if ">" in name:
        return tuple(corner.knot for corner in PLACES[PLACE_INDEX[name]])
    return TRIANGLES[TRIANGLE_INDEX[frozenset(name.split("/"))]]


def outline(board: Board, name: str, shade: Colour, theme: Theme, where: Layout) -> None:
    """Outline a rhomb's place or a triangle."""
    x, y = where.node(name, "")
    points = [where.knot(knot) for knot in corners(name)]
    shape = tuple((round(a - x), round(b - y)) for a, b in points)
    board.put(_outline(theme, shape, shade), (x, y))


@lru_cache(maxsize=64)
def _outline(theme: Theme, shape: tuple[tuple[int, int], ...], shade: Colour) -> Sprite:
    wide, high = (2 * max(abs(point[axis]) for point in shape) + 16 for axis in (0, 1))
    sketch = Sketch(wide, high, theme.tile)
    sketch.line((*shape, shape[0]), 6, shade)
    return sketch.sprite(theme)
