"""The last turn: the move along the solid line, then warp after warp, numbered."""

from __future__ import annotations

from math import hypot

from engine.warp6.view import Warp6View
from render import markers
from render.sprites import Board, Point
from render.text import drawable_translation
from render.themes import Theme
from render.warp6 import pieces
from render.warp6.layout import Layout

HEAD_DISTANCE = 40
"""Pixels from the middle of a space to the head of a move that ends there."""

NUMBER_OFFSET = 28
"""Pixels from a warp's head to its number."""


def draw_lines(board: Board, view: Warp6View, theme: Theme, where: Layout) -> None:
    """Draw everything below the dice: the ghost at the start, the path, rings."""
    for event in view.story:
        if event.kind == "moved":
            name, start, end = event.facts[0], int(event.facts[1]), int(event.facts[2])
            for edge in (True, False):
                for space in range(start, end, -1):
                    part = pieces.stretch(theme, where, space, edge=edge)
                    board.put(part, where.along(space, 0.5))
            board.put(pieces.ghost(theme, int(name[1])), where.at(start))
    for die in view.dice:
        if die.where == "board" and die.name in _touched(view):
            board.put(pieces.halo(theme, theme.story, DIE_RING_RADIUS), where.at(die.space))


DIE_RING_RADIUS = 43.0
"""Radius of the ring around the die that acted."""


def _touched(view: Warp6View) -> set[str]:
    return {e.facts[0] for e in view.story if e.kind in ("placed", "moved", "changed")}


def draw_heads(board: Board, view: Warp6View, theme: Theme, where: Layout) -> None:
    """Draw everything above the dice: arrowheads, numbers, changes."""
    step = 0
    for event in view.story:
        if event.kind in ("moved", "warped"):
            step += 1
            start, end = (int(space) for space in event.facts[1:])
            _step(board, theme, where, step, (start, end), solid=event.kind == "moved")
        elif event.kind == "changed":
            name, before, after = event.facts
            space = next(die.space for die in view.dice if die.name == name)
            x, y = where.at(space)
            words = drawable_translation("{before} to {after}").format(before=before, after=after)
            sprite = markers.chip(theme, words, theme.story, theme.story_edge)
            board.put(
                sprite,
                (x, y - DIE_RING_RADIUS if y > DIE_RING_RADIUS + 20 else y + DIE_RING_RADIUS),
            )


def _step(
    board: Board, theme: Theme, where: Layout, number: int, way: tuple[int, int], *, solid: bool
) -> None:
    """Draw an arrowhead and number at the end of a move, or half-way along a warp."""
    start, end = where.at(way[0]), where.at(way[1])
    dx, dy = _direction(where.along(way[1] + 1, 0.55) if solid else start, end)
    gap = HEAD_DISTANCE if solid else hypot(end[0] - start[0], end[1] - start[1]) / 2
    head = (end[0] - gap * dx, end[1] - gap * dy)
    board.put(markers.head(theme, markers.angle_of(dx, dy), theme.story, theme.story_edge), head)
    at = start if solid else (head[0] - NUMBER_OFFSET * dy, head[1] + NUMBER_OFFSET * dx)
    board.put(markers.badge(theme, number), at)


def _direction(start: Point, end: Point) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
