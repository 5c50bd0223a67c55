"""The viewer's choices on the board: the text of each mark also begins its button."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.tomtube.lattice import SHORT
from engine.tomtube.view import TomTubeView
from render import markers
from render.chips import box, put_chips
from render.sprites import Board, Point
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube.areas import AREAS, PAIR_NAMES, pairs_of, turn_of
from render.tomtube.drawn_rhomb import direction_of
from render.tomtube.layout import Layout
from render.tomtube.words import mark

RING_RADIUS = 31.0
"""Radius of the ring around a node to move to."""

PIECE = 25
"""Half the side of a piece, which chips should not cover."""

DOT_RADIUS = 9
"""Radius of the mark of a place in one of several areas."""

AREA_TEXT_SIZE = 60
"""Size of an area's number."""

PLACE_TEXT_SIZE = 32
"""Size of a place's name: no letter on a piece beside it is larger."""


def draw_below_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb if it has a single possible place."""
    if len(actions) == 1 and actions[0].verb == "rhomb":
        place = actions[0].args[0]
        board.put(tiles.rhomb(theme, view.drawn, direction_of(place, where)), where.place(place))
        arrows.outline(board, place, theme.mark, theme, where)


def draw_above_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw all other marks."""
    pairs = pairs_of(actions)
    if len(actions) > 1 and len(pairs) == 1:
        _turns(board, actions, theme, where)
    elif len(actions) > 1 and pairs:
        _places(board, actions, theme, where)
    _triangles(board, view, actions, theme, where)
    _ends(board, view, actions, theme, where)


def _turns(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Mark the possible positions of corner A."""
    arrows.outline(board, actions[0].args[0], theme.mark, theme, where)
    for action in actions:
        a, *_ = arrows.corners(action.args[0])
        _chip(board, str(turn_of(action)), theme, where.knot(a))


def _places(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Mark places by their names, or by dots and the numbers of their areas."""
    pairs = pairs_of(actions)
    areas = {AREAS[pair] for pair in pairs}
    if len(areas) > 1:
        for pair in pairs:
            board.put(markers.dot(theme, DOT_RADIUS), where.mean(tuple(SHORT[pair])))
        for area in areas:
            _chip(board, str(area + 1), theme, where.area(area), AREA_TEXT_SIZE)
        return
    for pair in pairs:
        _chip(board, PAIR_NAMES[pair], theme, where.mean(tuple(SHORT[pair])), PLACE_TEXT_SIZE)


def _triangles(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Mark isolated triangles."""
    for name in view.isolated:
        same = [action for action in actions if name in action.args]
        if same:
            arrows.outline(board, name, theme.mark, theme, where)
            _chip(board, mark(view, same[0]), theme, where.triangle(name))


def _ends(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Mark the possible ends of moves."""
    ends: dict[Point, list[str]] = {}
    for action in actions:
        if action.verb in ("drift", "control", "jump"):
            at = where.node(action.args[0], action.actor)
            ends.setdefault(at, []).append(mark(view, action))
    for at in ends:
        board.put(markers.halo(theme, theme.mark, RING_RADIUS, theme.tile), at)
    taken = [box(where.node(each.place, each.seat), PIECE, PIECE) for each in view.astronauts]
    taken += [box(at, RING_RADIUS, RING_RADIUS) for at in ends]
    taken += [box(where.node(each.place, each.seat), PIECE, PIECE) for each in view.counters]
    for at, (first, *others) in ends.items():
        costs = [words.partition(" ")[0] for words in others]
        text = " ".join((first, *costs))
        chip = markers.chip(theme, text, theme.mark, theme.mark_text, PLACE_TEXT_SIZE)
        put_chips(board, at, RING_RADIUS, [chip], taken)


def _chip(
    board: Board, text: str, theme: Theme, at: Point, size: int = markers.CHIP_TEXT_SIZE
) -> None:
    board.put(markers.chip(theme, text, theme.mark, theme.mark_text, size), at)
