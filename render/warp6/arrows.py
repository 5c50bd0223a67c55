"""The last turn: the move along the solid line, then warp after warp, numbered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import hypot

from engine.warp6.board import CENTRE
from engine.warp6.view import Die, Warp6View
from render import markers
from render.chips import (
    NEVER,
    Box,
    Costs,
    Spot,
    Taken,
    along,
    box,
    place_chip,
    shifted,
)
from render.sprites import Board, Point, Sprite
from render.text import drawable_translation
from render.themes import Theme
from render.warp6 import background, pieces
from render.warp6.layout import Layout

HEAD_DISTANCE = 40
"""Pixels from the middle of a space to the head of a move that ends there."""

DIE_WEIGHT = 20
"""How much worse it is to hide a part of a die than of an arrow; those to move are never hidden."""

DIE_RADIUS, RING_RADIUS = 32.0, 30.0
"""Half the side of a die, and the radius of the ring around a space to go to."""

NUMBER_HALF = 15.0, 18.0
"""Half the width and height of a die's number, which no sign and no line hides."""

GOAL_MARGIN = 2
"""Pixels around a space to go to that the words of other spaces leave free."""

CORNER_SHARE = 0.3
"""Side of the corners of a ring's box, compared with its radius, outside of the ring."""

TURN_SIZE = 190, 24
"""Width of the turn's number, and half its height."""

HOLE_RADIUS = 42.0
"""Radius of the wormhole, which words of spaces should not cover."""

HEAD_ROOM = 16
"""Half the side of an arrowhead, which numbers should not hide."""

LEAD_SIZE = 5
"""Half the width of a line to a sign, which passes between dice."""

BESIDE = Costs(lead_size=LEAD_SIZE)

ON_START = BESIDE._replace(inside=0)
"""The number of a move can stand on its start, where only the outline of a die is."""

WARP_HEAD_SCALE = 0.62
"""Size of a warp's head: it has to fit between two dice."""


def draw_lines(board: Board, view: Warp6View, theme: Theme, where: Layout) -> None:
    """Draw everything below the dice: the ghost at the start, the path, rings."""
    for event in view.story:
        if event.kind == "moved":
            name, start, end = event.facts[0], int(event.facts[1]), int(event.facts[2])
            for edge in (True, False):
                for space in range(start, end, -1):
                    part = pieces.stretch(theme, where, space, edge=edge)
                    board.put(part, where.along(space, 0.5))
            for space in background.NUMBERED_SPACES.intersection(range(end + 1, start)):
                background.put_space(board, theme, where, space)
            board.put(pieces.ghost(theme, name[0].upper(), int(name[1])), where.at(start))
    _warp_lines(board, view, theme, where)
    touched = acted(view)
    for die in view.dice:
        if die.where == "board" and die.name in touched:
            board.put(pieces.acted(theme, DIE_RING_RADIUS), where.at(die.space))


def _warp_lines(board: Board, view: Warp6View, theme: Theme, where: Layout) -> None:
    """Draw the ways of warps."""
    for edge in (True, False):
        for event in view.story:
            if event.kind == "warped":
                start, end = (int(space) for space in event.facts[1:])
                (x1, y1), (x2, y2) = where.at(start), where.at(end)
                if end == CENTRE:  # only to the edge of the wormhole
                    x2, y2 = x2 + (x1 - x2) * 0.62, y2 + (y1 - y2) * 0.62
                way = (round(x2 - x1), round(y2 - y1))
                board.put(markers.stretch(theme, way, edge=edge), ((x1 + x2) / 2, (y1 + y2) / 2))


DIE_RING_RADIUS = 43.0
"""Radius of the ring around the die that acted."""


def acted(view: Warp6View) -> set[str]:
    """Return the names of the dice that were placed, moved or changed in the last turn."""
    return {e.facts[0] for e in view.story if e.kind in ("placed", "moved", "changed")}


def draw_heads(
    board: Board,
    view: Warp6View,
    theme: Theme,
    where: Layout,
    goals: Collection[int],
    *,
    tabs: Mapping[str, Point],
) -> dict[Box, float]:
    """Draw everything above the dice: arrowheads and their numbers.

    Return what signs should not hide: `tabs` and rings around `goals` are among it.

    Args:
        board: the board to draw on.
        view: the position.
        theme: the colours.
        where: the layout.
        goals: spaces to go to.
        tabs: names of dice, and the middles of their tabs.
    """
    steps = [
        (event.kind == "moved", int(event.facts[1]), int(event.facts[2]))
        for event in view.story
        if event.kind in ("moved", "warped")
    ]
    heads = [_head(board, theme, where, step) for step in steps]
    dice = [die for die in view.dice if die.where == "board"]
    taken = _boxes(view, where, dice, tabs)
    for space in goals:
        if space != CENTRE:
            taken |= dict.fromkeys(goal_boxes(where, space), NEVER)
    if len(steps) > 1:
        starts = [
            where.at(start) if solid and start not in goals else None for solid, start, _ in steps
        ]
        _draw_numbers(board, theme, heads, starts, taken, dice=cores(view, where))
    return taken


def _draw_numbers(
    board: Board,
    theme: Theme,
    heads: Sequence[Point],
    starts: Sequence[Point | None],
    taken: dict[Box, float],
    *,
    dice: Iterable[Box],
) -> None:
    """Draw the numbers of arrows where they hide least, and add them to what signs hide least.

    Args:
        board: the board to draw on.
        theme: the colours.
        heads: the middles of the heads of arrows.
        starts: where the number can stand, too: the start of a move, which is an outline.
        taken: boxes that numbers hide least.
        dice: boxes that they may hide a part of rather than be left out.
    """
    taken |= {box(head, HEAD_ROOM, HEAD_ROOM): DIE_WEIGHT for head in heads}
    spots = list[Spot]()
    for number, (head, start) in enumerate(zip(heads, starts, strict=True), 1):
        sign = markers.badge(theme, number)
        costs = ON_START if start else BESIDE
        if spot := _place(board, (start or head, HEAD_ROOM), sign, taken, dice, costs=costs):
            spots.append(spot)
            taken |= dict.fromkeys((spot.box, *along(spot.lead)), DIE_WEIGHT)
    _draw_spots(board, spots, theme)


def _draw_spots(board: Board, spots: Sequence[Spot], theme: Theme) -> None:
    """Draw signs above the lines to them."""
    for spot in spots:
        if spot.lead:
            markers.lead(board, theme, spot.lead, choice=False)
    for spot in spots:
        spot.draw(board)


def _place(
    board: Board,
    ring: tuple[Point, float],
    sign: Sprite,
    taken: Taken,
    dice: Iterable[Box],
    *,
    costs: Costs = BESIDE,
) -> Spot | None:
    """Return a place near a ring, or far away, where a sign hides no number of a die.

    Args:
        board: the board to draw on.
        ring: its middle and radius.
        sign: the sign.
        taken: boxes that it hides least.
        dice: boxes that it may hide a part of rather than be left out.
        costs: see `place_chip`.
    """
    spot = place_chip(board.size, *ring, sign, taken, costs=costs)
    if spot:
        return spot
    softer = dict(taken) | dict.fromkeys(dice, DIE_WEIGHT)
    return place_chip(board.size, *ring, sign, softer, costs=costs.far)


def draw_changes(
    board: Board, view: Warp6View, theme: Theme, where: Layout, taken: Taken
) -> list[Spot]:
    """Draw the numbers of a die before and after a change; return their places.

    They hide least of `taken`.
    """
    spots = list[Spot]()
    for event in view.story:
        if event.kind == "changed":
            name, before, after = event.facts
            at = where.at(next(die.space for die in view.dice if die.name == name))
            words = drawable_translation("{before} to {after}").format(before=before, after=after)
            chip = markers.chip(theme, words, theme.story, theme.story_edge)
            ring = at, DIE_RING_RADIUS
            if spot := _place(board, ring, chip, taken, cores(view, where)):
                spots.append(spot)
    _draw_spots(board, spots, theme)
    return spots


def _boxes(
    view: Warp6View, where: Layout, dice: Iterable[Die], tabs: Mapping[str, Point]
) -> dict[Box, float]:
    """Return boxes of lists, the turn, dice with their tabs and the wormhole, with weights."""
    seats = range(len(view.seats))
    (x, y), (width, high) = where.turn, TURN_SIZE
    boxes = {part: NEVER for seat in seats for part in where.box(len(seats), seat).covered}
    boxes[x, y - high, x + width, y + high] = NEVER
    boxes[box(where.middle, HOLE_RADIUS, HOLE_RADIUS)] = 1
    for die in dice:
        weight = NEVER if die.seat in view.pending else DIE_WEIGHT
        shape = pieces.SHAPES[int(die.name[1])]
        boxes[shifted(shape.core, *where.at(die.space))] = weight
        boxes[shifted(box(shape.number, *NUMBER_HALF), *where.at(die.space))] = NEVER
        if die.name in tabs:
            half = pieces.TAB_WIDTH / 2, pieces.TAB_HEIGHT / 2
            boxes[box(tabs[die.name], *half)] = weight
    return boxes


def cores(view: Warp6View, where: Layout) -> list[Box]:
    """Return the boxes of dice on the board, without their corners."""
    return [
        shifted(pieces.SHAPES[int(die.name[1])].core, *where.at(die.space))
        for die in view.dice
        if die.where == "board"
    ]


def goal_boxes(where: Layout, space: int) -> tuple[Box, Box]:
    """Return the boxes that signs of other spaces leave free around a space to go to.

    They are two, as a ring has no corners: lines can pass there.
    """
    wide, high = (half + GOAL_MARGIN for half in pieces.goal_half(space, RING_RADIUS))
    at, corner = where.at(space), CORNER_SHARE * RING_RADIUS
    return box(at, wide, high - corner), box(at, wide - corner, high)


def _head(board: Board, theme: Theme, where: Layout, step: tuple[bool, int, int]) -> Point:
    """Draw an arrowhead at the end of a move, or half-way along a warp; return its middle."""
    solid, *spaces = step
    start, end = map(where.at, spaces)
    dx, dy = _direction(where.along(spaces[1] + 1, 0.55) if solid else start, end)
    gap = HEAD_DISTANCE if solid else hypot(end[0] - start[0], end[1] - start[1]) / 2
    middle = (end[0] - gap * dx, end[1] - gap * dy)
    angle, scale = markers.angle_of(dx, dy), 1 if solid else WARP_HEAD_SCALE
    board.put(markers.head(theme, angle, theme.story, theme.story_edge, scale), middle)
    return middle


def _direction(start: Point, end: Point) -> Point:
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
