"""The last turn: the new tiles and counters, and the path of an astronaut, numbered."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import hypot

from engine.game import Event
from engine.tomtube.lattice import (
    FORKS,
    GATES,
    MIDDLES,
    PLACE_INDEX,
    PLACES,
    TRIANGLE_INDEX,
    TRIANGLES,
)
from engine.tomtube.tables import STATIONS
from engine.tomtube.view import Counter, Rhomb, TomTubeView
from render import markers
from render.chips import Box, box, put_chip
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Colour, Theme
from render.tomtube import pieces
from render.tomtube.layout import Layout
from render.tomtube.own_tubes import unfinished_ends
from render.tomtube.stations import goal_seats

HEAD_DISTANCE = 40
"""Pixels from the middle of an astronaut to an arrow's head."""

TILES = ("laid", "filled", "empty")
MOVES = ("drifted", "steered", "jumped")

PIECE_SIZE, LINE_SIZE = 25, 14
"""Half the side of a piece and of a part of an arrow, which words should not cover."""

ROUND = ((26, 13), (20, 20), (13, 26))
"""Half the widths and heights of boxes that cover a round piece or the sign of a station."""

PIECE_WEIGHT = 6
"""How much worse it is to cover a part of a piece than of a sphere or an arrow."""

COUNTER_LIFT = 15
"""Pixels that a counter is above its knot, which would be hidden else."""

HOUSE_SIZE = 33, 40
"""Half the width and height of a house."""

SIGN_SIZE, SIGN_WEIGHT = 18, 4
"""Half the side of a sign of an unfinished knot, and its weight beside a part of an arrow."""

ARM_SIZE = 13
"""Half the side of the middle of a tube, which words should not cover."""

NUMBER_SIZE = markers.BADGE_HALF + markers.BADGE_POINT, markers.BADGE_HEIGHT
"""Half the width and height of a step's number."""

NUMBER_ROOM = 60.0
"""Pixels from a step's number to what it should not hide."""

LINE_PARTS = 4
"""Parts of a straight line of an arrow."""

RING_RADIUS = 32.0
"""Radius of the ring around a new counter."""


def draw_lines(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw everything below astronauts: edges of new tiles, paths, ghosts at their starts."""
    for event in view.story:
        if event.kind in TILES:
            outline(board, event.facts[-1], theme.story, theme, where)
        elif event.kind in MOVES:
            seat, start = event.facts[:2]
            points = _way(event, where)
            for edge in (True, False):
                for (x1, y1), (x2, y2) in pairwise(points):
                    part = markers.stretch(theme, (round(x2 - x1), round(y2 - y1)), edge=edge)
                    board.put(part, ((x1 + x2) / 2, (y1 + y2) / 2))
            board.put(pieces.ghost(theme, seat), where.node(start, seat))


def draw_heads(
    board: Board, view: TomTubeView, theme: Theme, where: Layout, *, alone: bool = False
) -> list[Box]:
    """Draw everything above astronauts: arrowheads, numbers, new and taken counters.

    Return the boxes of numbers and words.

    On a board `alone`, where choices have numbers, those of steps are left out, and taken counters.
    """
    step = 0
    steps = sum(event.kind in (*TILES, *MOVES) for event in view.story)
    is_numbered = steps > 1 and not alone
    numbers = [(where.node(place, seat), NUMBER_ROOM) for place, seat in _lettered_and_pieces(view)]
    words: list[Box] = []
    for event in view.story:
        if event.kind in TILES and is_numbered:
            step += 1
            at = markers.freest(edges(event.facts[-1], where), numbers)
            board.put(markers.badge(theme, step), at)
            numbers.append((at, NUMBER_ROOM))
            words.append(box(at, *NUMBER_SIZE))
        elif event.kind == "put":
            ring = markers.halo(theme, theme.story, RING_RADIUS, theme.tile)
            board.put(ring, where.node(event.facts[1], ""))
        elif event.kind in MOVES:
            step += 1
            way = _way(event, where)
            _step(board, theme, step if is_numbered else 0, way)
            words += [box(way[0], *NUMBER_SIZE)] if is_numbered else []
        elif event.kind == "took" and not alone:
            seat, counter, place = event.facts
            gain = markers.chip(theme, f"+{counter[0].upper()}", theme.story, theme.story_edge)
            full = collections.Counter(
                taken(view, where) + PIECE_WEIGHT * pieces_and_stations(view, where)
            )
            if spot := put_chip(board, where.node(place, seat), PIECE_SIZE, gain, full):
                words.append(spot.box)
    return words


def _lettered_and_pieces(view: TomTubeView) -> list[tuple[str, str]]:
    """Return the places of letters and pieces, with the seats of these, see `Layout.node`."""
    return [
        *((name, "") for name in view.isolated),
        *((counter.place, counter.seat) for counter in view.counters),
        *((astronaut.place, astronaut.seat) for astronaut in view.astronauts),
    ]


def taken(view: TomTubeView, where: Layout) -> list[Box]:
    """Return boxes that words should not cover: spheres, tubes and arrows.

    Those that matter more are in it several times.
    """
    boxes = [box(at, PIECE_SIZE, PIECE_SIZE) for at in spheres(view, where)]
    boxes += SIGN_WEIGHT * [
        box(where.knot(knot), SIGN_SIZE, SIGN_SIZE) for knot in unfinished_ends(view)
    ]
    for rhomb in view.rhombs:
        boxes += [box(at, ARM_SIZE, ARM_SIZE) for at in _arms(rhomb, where)]
    for event in view.story:
        if event.kind in MOVES:
            way = _way(event, where)
            boxes.append(box(way[0], PIECE_SIZE, PIECE_SIZE))
            for (x1, y1), (x2, y2) in pairwise(way):
                shares = [share / LINE_PARTS for share in range(LINE_PARTS + 1)]
                line = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]
                boxes += [box(at, LINE_SIZE, LINE_SIZE) for at in line]
    return boxes


def spheres(view: TomTubeView, where: Layout) -> list[Point]:
    """Return the middles of all spheres."""
    points = [where.knot(knot) for knot in GATES]
    points += [where.node(knot, "") for knot in view.complete]
    return points + [where.place(rhomb.place) for rhomb in view.rhombs if rhomb.tile.endswith("+")]


def pieces_and_stations(view: TomTubeView, where: Layout) -> list[Box]:
    """Return the boxes of pieces, stations, houses and flags."""
    points = [where.node(astronaut.place, astronaut.seat) for astronaut in view.astronauts]
    points += [counter_place(counter, where) for counter in view.counters]
    points += [where.flag(seat) for seat in goal_seats(view)]
    houses: list[Point] = []
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        signs = houses if station.is_base else points
        signs.append(where.sign(station, middle, fork))
    boxes = [box(at, *HOUSE_SIZE) for at in houses]
    return boxes + [box(at, *size) for at in points for size in ROUND]


def counter_place(counter: Counter, where: Layout) -> Point:
    """Return the middle of a counter: above its knot, or on its module."""
    x, y = where.node(counter.place, counter.seat)
    return x, y - (0 if counter.kind == "solar" else COUNTER_LIFT)


def _arms(rhomb: Rhomb, where: Layout) -> list[Point]:
    """Return the middles of a rhomb's tubes."""
    x, y = where.place(rhomb.place)
    ends = zip("ABCD", corners(rhomb.place), strict=True)
    knots = [where.knot(knot) for letter, knot in ends if letter in rhomb.tile]
    return [((x + a) / 2, (y + b) / 2) for a, b in knots]


def _way(event: Event, where: Layout) -> list[Point]:
    seat, _, _, way = event.facts
    return [where.node(name, seat) for name in way.split("|")]


def _step(board: Board, theme: Theme, number: int, points: Sequence[Point]) -> None:
    """Draw an arrowhead at the end of a path and its number, unless it is 0, at the start."""
    (x1, y1), (x2, y2) = points[-2:]
    length = hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    board.put(
        markers.head(theme, markers.angle_of(dx, dy), theme.story, theme.story_edge),
        (x2 - HEAD_DISTANCE * dx, y2 - HEAD_DISTANCE * dy),
    )
    if number:
        board.put(markers.badge(theme, number), points[0])


def edges(name: str, where: Layout) -> list[Point]:
    """Return the points for a tile's number: on its edges, off its middle."""
    knots = corners(name)
    return [where.mean(edge) for edge in pairwise((*knots, knots[0]))]


def corners(name: str) -> tuple[int, ...]:
    """Return the knots at the corners of a rhomb's place or of a triangle."""
    if ">" in name:
        return tuple(corner.knot for corner in PLACES[PLACE_INDEX[name]])
    return TRIANGLES[TRIANGLE_INDEX[frozenset(name.split("/"))]]


def outline(
    board: Board, name: str, shade: Colour, theme: Theme, where: Layout, *, scale: float = 1
) -> None:
    """Outline a rhomb's place or a triangle, or a smaller shape inside it."""
    x, y = where.node(name, "")
    points = [where.knot(knot) for knot in corners(name)]
    shape = tuple((round((a - x) * scale), round((b - y) * scale)) for a, b in points)
    board.put(_outline(theme, shape, shade), (x, y))


@lru_cache(maxsize=64)
def _outline(theme: Theme, shape: tuple[tuple[int, int], ...], shade: Colour) -> Sprite:
    wide, high = (2 * max(abs(point[axis]) for point in shape) + 16 for axis in (0, 1))
    sketch = Sketch(wide, high, theme.tile)
    sketch.line((*shape, shape[0]), 6, shade)
    return sketch.sprite(theme)
