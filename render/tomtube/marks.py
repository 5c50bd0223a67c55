"""The viewer's choices on the board: the text of each mark also begins its button."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render import markers
from render.chips import Box, box, put_chips
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube.areas import pairs_of, turn_of
from render.tomtube.layout import Layout
from render.tomtube.player_panels import stack_place, stock_box
from render.tomtube.words import mark

RING_RADIUS = 34.0
"""Radius of the ring around a node to move to."""

STACK_RING_RADIUS = 31.0
"""Radius of the ring around the rhombs that can be drawn."""

MIN_LEAD = 8
"""Minimum pixels between a ring and its words for a line between them."""


def draw_below_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb if it has a single possible place, and rings where moves can end."""
    for at in _ends(view, actions, where):
        board.put(markers.halo(theme, theme.mark, RING_RADIUS, theme.tile), at)
    if any(action.verb == "build" for action in actions):
        board.put(
            markers.halo(theme, theme.mark, STACK_RING_RADIUS, theme.space[1]),
            stack_place(view, where),
        )
    if len(actions) == 1 and actions[0].verb == "rhomb":
        place = actions[0].args[0]
        board.put(tiles.rhomb(theme, view.drawn, where.direction_of(place)), where.place(place))
        arrows.outline(board, place, theme.mark, theme, where)


def draw_above_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw all other marks."""
    pairs = pairs_of(actions)
    if len(actions) > 1 and len(pairs) == 1:
        _turns(board, actions, theme, where)
    _triangles(board, view, actions, theme, where)
    _names(board, view, actions, theme, where)


def _turns(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Mark the possible positions of corner A."""
    arrows.outline(board, actions[0].args[0], theme.mark, theme, where)
    for action in actions:
        a, *_ = arrows.corners(action.args[0])
        _chip(board, str(turn_of(action)), theme, where.knot(a))


def _triangles(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Mark isolated triangles."""
    for name in view.isolated:
        fillings = [action for action in actions if name in action.args]
        if fillings:
            arrows.outline(board, name, theme.mark, theme, where)
            _chip(board, mark(view, fillings[0]), theme, where.triangle(name))


def _ends(view: TomTubeView, actions: Sequence[Action], where: Layout) -> dict[Point, list[str]]:
    """Return the possible ends of moves, and the marks of the moves there."""
    ends: dict[Point, list[str]] = {}
    for action in actions:
        if action.verb in ("drift", "control", "jump"):
            at = where.node(action.args[0], action.actor)
            ends.setdefault(at, []).append(mark(view, action))
    return ends


def _names(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Name the possible ends of moves, where no piece and no arrow is hidden."""
    ends = _ends(view, actions, where)
    if not ends:
        return
    taken = [*arrows.taken(view, where), *(box(at, RING_RADIUS, RING_RADIUS) for at in ends)]
    taken += arrows.PIECE_WEIGHT * [stock_box(view, where)]
    for at, (first, *others) in ends.items():
        # A place that is reached for nothing needs no other price.
        costs = [words.partition(" ")[0] for words in others if " " in first]
        text = "/".join((*costs, first))
        position = put_chips(board, at, RING_RADIUS, [_sign(theme, text)], taken)
        _lead(board, theme, at, position)


def _lead(board: Board, theme: Theme, at: Point, words: Box) -> None:
    """Draw a line from a ring to words that are not beside it."""
    x, y = at
    to_x, to_y = min(max(x, words[0]), words[2]), min(max(y, words[1]), words[3])
    far = hypot(to_x - x, to_y - y)
    if far < RING_RADIUS + MIN_LEAD:
        return
    share = (RING_RADIUS - 2) / far
    from_x, from_y = x + (to_x - x) * share, y + (to_y - y) * share
    line = _line(theme, (round(to_x - from_x), round(to_y - from_y)))
    board.put(line, ((from_x + to_x) / 2, (from_y + to_y) / 2))


@lru_cache(maxsize=256)
def _line(theme: Theme, way: tuple[int, int]) -> Sprite:
    """Return the sprite of a thin line, given by its vector."""
    x, y = way
    sketch = Sketch(abs(x) + 12, abs(y) + 12, theme.tile)
    for width, shade in ((9, theme.mark_text), (5, theme.mark)):
        sketch.bar((-x / 2, -y / 2), (x / 2, y / 2), width, shade)
    return sketch.sprite(theme)


def _sign(theme: Theme, text: str) -> Sprite:
    """Return the sprite of a mark's text: dark, with a rim, so that it is quieter than pieces."""
    return markers.chip(theme, text, theme.mark_text, theme.mark)


def _chip(board: Board, text: str, theme: Theme, at: Point) -> None:
    board.put(_sign(theme, text), at)
