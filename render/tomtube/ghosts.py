"""Choices and plans drawn as if they were done: rhombs on their places, ways of an astronaut."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.tomtube.lattice import PAIRS, TRIANGLE_NAMES, TRIANGLES
from engine.tomtube.tables import SEATS
from engine.tomtube.view import TomTubeView
from render.markers import CHIP_TEXT_SIZE, chip, choice_head, choice_line, choice_numbers, halo
from render.sprites import Board, Point
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube.areas import pair_of
from render.tomtube.cut_off import cut_off
from render.tomtube.layout import Layout, towards
from render.tomtube.own_tubes import own_gates
from render.tomtube.words import mark

TURNED = "↻"
"""Sign of the rhomb of a number, turned around: its outline is the same."""

MOVES = ("drift", "control", "jump")
FILLINGS = ("tube", "blank")
CUT_SCALE = 0.7
"""Scale of the outline of a triangle that a rhomb cuts off."""

INSET = 0.9
"""Scale of a placed rhomb's outline: beside another one, both have edges of their own."""

PLACE_NUMBER_SIZE = 32
"""Size of the numbers of places, whose picture has only the board: 9 pixels high on a phone."""

GATE_RADIUS = 40.0
"""Radius of the ring around a gate of the player who places a rhomb."""

RING_RADIUS = 34.0
"""Radius of the ring around the end of a move."""

NUMBER_DISTANCE = 43
"""Pixels from the middle of a rhomb, where its tubes join, to its number, towards a tip."""


def draw_lines(
    board: Board, view: TomTubeView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw below the pieces: rhombs, each below those before it, triangles, and lines of moves.

    While a player chooses a place for a rhomb, rings mark the player's gates.
    """
    if placings(ghosts):
        ring = halo(theme, theme.lines[SEATS.index(ghosts[0].actor)], GATE_RADIUS, theme.tile)
        for gate in own_gates(ghosts[0].actor):
            board.put(ring, where.node(gate, ""))
    for action in reversed(numbered(ghosts)):
        if action.verb == "rhomb" and view.drawn:
            place = action.args[0]
            sprite = tiles.rhomb(theme, view.drawn, where.direction_of(place))
            board.put(sprite, where.place(place))
            arrows.outline(board, place, theme.mark, theme, where, scale=INSET)
        elif action.verb in FILLINGS:
            arrows.outline(board, action.args[0], theme.mark, theme, where)
        elif action.verb in MOVES:
            start, end = _way(view, action, where)
            choice_line(board, theme, (start, end))
            board.put(halo(theme, theme.mark, RING_RADIUS, theme.tile), end)


def draw_ghosts(
    board: Board, view: TomTubeView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw above the pieces: outlines, heads of arrows, numbers; a single triangle's letter."""
    places = [(counter.place, counter.seat) for counter in view.counters]
    places += [(astronaut.place, astronaut.seat) for astronaut in view.astronauts]
    points: list[list[Point]] = []
    covered: set[int] = set()
    if [ghost.verb in FILLINGS for ghost in ghosts] == [True]:
        sign = chip(theme, mark(view, ghosts[0]), theme.mark_text, theme.mark)
        board.put(sign, where.triangle(ghosts[0].args[0]))
    for action in numbered(ghosts):
        spots: list[Point] = []
        if action.verb in ("rhomb", *FILLINGS):
            spots = _spots(view, action, covered, where)
            if action.verb == "rhomb" and not view.drawn:
                arrows.outline(board, action.args[0], theme.mark, theme, where)
        elif action.verb in MOVES:
            (x1, y1), (x2, y2) = _way(view, action, where)
            choice_head(board, theme, (x1, y1), (x2, y2))
            shares = (0.5, 0.35, 0.65)
            spots = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in shares]
        points.append(spots)
    size = PLACE_NUMBER_SIZE if placings(ghosts) else CHIP_TEXT_SIZE
    rhombs = [ghost for ghost in ghosts if ghost.verb == "rhomb"]
    is_choice = view.phase == "rhomb" and len(rhombs) == len(ghosts)
    marked = mark_cut_off(board, view, rhombs, theme, where) if is_choice else []
    taken = [*(where.node(*place) for place in places), *marked]
    choice_numbers(board, theme, points, taken, size, is_order=not is_choice)


def mark_cut_off(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> list[Point]:
    """Mark the triangles that places for the drawn rhomb cut off, and return where they are."""
    points: list[Point] = []
    for letter, triangle in cut_off(view, actions).items():
        arrows.outline(board, TRIANGLE_NAMES[triangle], theme.mark, theme, where, scale=CUT_SCALE)
        points.append(where.mean(TRIANGLES[triangle]))
        sign = chip(theme, letter, theme.mark_text, theme.mark, PLACE_NUMBER_SIZE)
        board.put(sign, points[-1])
    return points


def placings(ghosts: Sequence[Action]) -> list[Action]:
    """Return several places for the drawn rhomb to choose from; empty if they are not several."""
    places = [ghost for ghost in ghosts if ghost.verb == "rhomb"]
    return places if len(places) > 1 else []


def numbered(ghosts: Sequence[Action]) -> list[Action]:
    """Return all but rhombs that are one before them, turned around."""
    return [ghost for place, ghost in enumerate(ghosts) if _original(ghosts, place) == place]


def numbers(ghosts: Sequence[Action]) -> list[str]:
    """Return the number of each; a rhomb turned around has that of the one on its place."""
    order = numbered(ghosts)
    originals = [_original(ghosts, place) for place in range(len(ghosts))]
    return [
        f"{order.index(ghosts[original]) + 1}{'' if original == place else f' {TURNED}'}"
        for place, original in enumerate(originals)
    ]


def _original(ghosts: Sequence[Action], place: int) -> int:
    """Return the place of the first rhomb on the same two triangles; else the place itself."""
    if ghosts[place].verb != "rhomb":
        return place
    pair = pair_of(ghosts[place])
    rhombs = (number for number, ghost in enumerate(ghosts) if ghost.verb == "rhomb")
    return next(number for number in rhombs if pair_of(ghosts[number]) == pair)


def _spots(view: TomTubeView, action: Action, covered: set[int], where: Layout) -> list[Point]:
    """Return points for the number of a tile, and add its triangles to those covered.

    The number of a drawn rhomb leaves its middle in sight, and is on no tube if a tip has none. On
    a rhomb that lies partly below another one, it is on the triangle in sight.
    """
    place = action.args[0]
    if action.verb == "rhomb":
        triangles = PAIRS[pair_of(action)]
        in_sight = [triangle for triangle in triangles if triangle not in covered]
        covered.update(triangles)
        if len(in_sight) < len(triangles):
            return [where.mean(TRIANGLES[triangle]) for triangle in in_sight]
        if view.drawn:
            way = where.direction_of(place)
            x, y = where.place(place)
            tips = sorted("AC", key=lambda tip: tip in view.drawn)
            ways = [towards(way + tiles.CORNER_DIRECTIONS[tip], NUMBER_DISTANCE) for tip in tips]
            return [(x + dx, y + dy) for dx, dy in ways]
    return [where.node(place, ""), *arrows.edges(place, where)]


def _way(view: TomTubeView, action: Action, where: Layout) -> tuple[Point, Point]:
    """Return the points between which an astronaut moves."""
    astronaut = next(one for one in view.astronauts if one.seat == action.actor)
    start = where.node(astronaut.place, astronaut.seat)
    return start, where.node(action.args[0], action.actor)
