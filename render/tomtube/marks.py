"""The viewer's choices on the board: the text of each mark also begins its button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import cos, hypot, sin, tau

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render import markers
from render.chips import NEVER, Box, Lead, Spot, box, place_chip
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube import ghosts as ghost_marks
from render.tomtube.areas import pairs_of, turn_of
from render.tomtube.buttons import at_first_sight
from render.tomtube.layout import Layout
from render.tomtube.player_panels import boxes, stack_place
from render.tomtube.words import mark

RING_RADIUS = 34.0
"""Radius of the ring around a node to move to."""

RING_DOTS, DOT_RADIUS = 14, 4.5
"""Number of dots in the ring around a node to which only a counter takes one, and their radius."""

STACK_RING_RADIUS = 31.0
"""Radius of the ring around the rhombs that can be drawn."""


def draw_below_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb if it has a single possible place, and rings where moves can end."""
    for at, moves in _ends(actions, where).items():
        is_paid = all(_is_paid(move) for move in moves)
        ring = markers.halo(theme, theme.mark, RING_RADIUS, theme.tile)
        board.put(_dotted(theme) if is_paid else ring, at)
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
        ghost_marks.mark_cut_off(board, view, actions, theme, where)
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


def _ends(actions: Sequence[Action], where: Layout) -> dict[Point, list[Action]]:
    """Return the possible ends of moves, and the moves there."""
    ends: dict[Point, list[Action]] = {}
    for action in at_first_sight(actions):
        ends.setdefault(where.node(action.args[0], action.actor), []).append(action)
    return ends


def _is_paid(move: Action) -> bool:
    """Return whether a move costs a counter (T4.2, T4.3)."""
    return move.verb != "drift"


def _names(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Name the possible ends of moves, where no piece, no arrow and no other text is hidden."""
    ends = _ends(actions, where)
    if not ends:
        return
    rings = [box(at, RING_RADIUS, RING_RADIUS) for at in ends]
    taken: dict[Box, float] = dict(Counter([*arrows.taken(view, where), *rings]))
    taken |= dict.fromkeys(boxes(view, where), NEVER)
    placed: list[Spot] = []
    for at, (first, *others) in sorted(ends.items(), key=lambda end: _crowd(end[0], [*ends])):
        # A place that is reached for nothing needs no other price.
        costs = [mark(view, move).partition(" ")[0] for move in others if _is_paid(first)]
        sign = _sign(theme, "/".join((*costs, mark(view, first))))
        if spot := place_chip(board.size, at, RING_RADIUS, sign, taken):
            placed.append(spot)
            taken |= spot.taken
            _lead(board, theme, spot.lead)
    for spot in placed:
        spot.draw(board)


def _crowd(at: Point, ends: Sequence[Point]) -> float:
    """Return a key that sorts ends: first those that have the least room around them."""
    return sum(hypot(at[0] - x, at[1] - y) for x, y in ends)


def _lead(board: Board, theme: Theme, lead: Lead | None) -> None:
    if lead:
        (x, y), (to_x, to_y) = lead
        board.put(
            _line(theme, (round(to_x - x), round(to_y - y))), ((x + to_x) / 2, (y + to_y) / 2)
        )


@lru_cache(maxsize=4)
def _dotted(theme: Theme) -> Sprite:
    """Return the sprite of a ring of dots."""
    size = round(2 * (RING_RADIUS + DOT_RADIUS)) + 6
    sketch = Sketch(size, size, theme.tile)
    for dot in range(RING_DOTS):
        angle = tau * dot / RING_DOTS
        sketch.disc((RING_RADIUS * cos(angle), RING_RADIUS * sin(angle)), DOT_RADIUS, theme.mark)
    return sketch.sprite(theme)


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
