"""Choices and plans drawn as if they were done: rhombs on their places, ways of an astronaut."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render.markers import choice_head, choice_line, choice_numbers, halo
from render.sprites import Board, Point
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube.drawn_rhomb import direction_of
from render.tomtube.layout import Layout

MOVES = ("drift", "control", "jump")
FILLINGS = ("tube", "blank")
RING_RADIUS = 34.0
"""Radius of the ring around the end of a move."""


def draw_lines(
    board: Board, view: TomTubeView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw below the pieces: rhombs, and the lines of moves."""
    for action in ghosts:
        if action.verb == "rhomb" and view.drawn:
            place = action.args[0]
            sprite = tiles.rhomb(theme, view.drawn, direction_of(place, where))
            board.put(sprite, where.place(place))
        elif action.verb in MOVES:
            start, end = _way(view, action, where)
            choice_line(board, theme, (start, end))
            board.put(halo(theme, theme.mark, RING_RADIUS, theme.tile), end)


def draw_ghosts(
    board: Board, view: TomTubeView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw above the pieces: outlines, heads of arrows, numbers."""
    places = [(counter.place, counter.seat) for counter in view.counters]
    places += [(astronaut.place, astronaut.seat) for astronaut in view.astronauts]
    points: list[list[Point]] = []
    for action in ghosts:
        spots: list[Point] = []
        if action.verb in ("rhomb", *FILLINGS):
            place = action.args[0]
            arrows.outline(board, place, theme.mark, theme, where)
            spots = [where.node(place, ""), *arrows.edges(place, where)]
        elif action.verb in MOVES:
            (x1, y1), (x2, y2) = _way(view, action, where)
            choice_head(board, theme, (x1, y1), (x2, y2))
            shares = (0.5, 0.35, 0.65)
            spots = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]
        points.append(spots)
    choice_numbers(board, theme, points, [where.node(*place) for place in places])


def _way(view: TomTubeView, action: Action, where: Layout) -> tuple[Point, Point]:
    """Return the points between which an astronaut moves."""
    astronaut = next(one for one in view.astronauts if one.seat == action.actor)
    start = where.node(astronaut.place, astronaut.seat)
    return start, where.node(action.args[0], action.actor)
