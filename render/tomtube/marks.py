"""The viewer's choices on the board: the text of each mark also begins its button."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import cos, hypot, sin, tau

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render import markers
from render.chips import NEVER, Box, Costs, Spot, Taken, box, place_chip
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube import arrows, legend, tiles
from render.tomtube import ghosts as ghost_marks
from render.tomtube.areas import pairs_of, turn_of
from render.tomtube.background import axis_boxes
from render.tomtube.buttons import at_first_sight
from render.tomtube.layout import Layout
from render.tomtube.player_panels import boxes, stack_place
from render.tomtube.words import mark

RING_RADIUS = 34.0
"""Radius of the ring around a node to move to."""

RING_DOTS, DOT_RADIUS = 14, 4.5
"""Number of dots in the ring around a node to which only a counter takes one, and their radius."""

RING_SIZE, SPHERE_SIZE = 30.0, 19.0
"""Half the sides of a ring and a sphere, which names of other places should not hide."""

OTHER_WEIGHT = 20.0
"""How much worse it is to hide them, or words beside the board, than a part of an arrow."""

COSTS = Costs(inside=1500, line=6000)
"""How bad it is to put a name on its own ring, or to lead a line to it."""

STACK_RING_RADIUS = 31.0
"""Radius of the ring around the rhombs that can be drawn."""


def draw_below_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb if it has a single possible place, triangles to fill, and rings of moves."""
    for name in _isolated(view, actions):
        arrows.outline(board, name, theme.mark, theme, where)
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
    board: Board,
    view: TomTubeView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
    *,
    words: Iterable[Box] = (),
) -> None:
    """Draw all other marks; of these, names leave other words on the board in sight."""
    pairs = pairs_of(actions)
    if len(actions) > 1 and len(pairs) == 1:
        _turns(board, actions, theme, where)
        ghost_marks.mark_cut_off(board, view, actions, theme, where)
    _triangles(board, view, actions, theme, where)
    _draw_names(board, theme, _names(view, actions, theme, where, words))


def _turns(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Mark the possible positions of corner A."""
    arrows.outline(board, actions[0].args[0], theme.mark, theme, where)
    for action in actions:
        a, *_ = arrows.corners(action.args[0])
        _chip(board, str(turn_of(action)), theme, where.knot(a))


def _triangles(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the letters of triangles to fill."""
    for name, filling in _isolated(view, actions).items():
        _chip(board, mark(view, filling), theme, where.triangle(name))


def _isolated(view: TomTubeView, actions: Sequence[Action]) -> dict[str, Action]:
    """Return the triangles that can be filled, with a filling of each."""
    names = {action.args[0]: action for action in actions if action.args}
    return {name: names[name] for name in view.isolated if name in names}


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
    view: TomTubeView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
    words: Iterable[Box],
) -> dict[Point, Spot]:
    """Return the places of the names of the possible ends of moves.

    No piece, station, or text is hidden, and other rings, spheres, arrows and tubes seldom.
    Wide names and ends with the least room around them choose first; if one of them has no place,
    all are placed again, and it is the first.
    """
    ends = _ends(actions, where)
    if not ends:
        return {}
    taken = _taken(view, where, words)
    around = {*ends, *arrows.spheres(view, where)}
    signs = {at: [_sign(theme, text) for text in _texts(view, ends[at])] for at in ends}
    order = sorted(ends, key=lambda at: (-signs[at][-1].page.width, _crowd(at, [*ends])))
    spots = _in_order(where.size, order, signs, taken, around)
    if len(spots) < len(ends):
        order.sort(key=lambda at: at in spots)
        spots = _in_order(where.size, order, signs, taken, around)
    return spots


def _draw_names(board: Board, theme: Theme, spots: Mapping[Point, Spot]) -> None:
    for spot in spots.values():
        if spot.lead:
            markers.lead(board, theme, spot.lead, choice=True)
    for spot in spots.values():
        spot.draw(board)


def _in_order(
    size: tuple[int, int],
    order: Sequence[Point],
    signs: Mapping[Point, Sequence[Sprite]],
    taken: Taken,
    around: AbstractSet[Point],
) -> dict[Point, Spot]:
    """Return the places of names that choose in this order.

    A name is nearer to its own ring than to any other one or a sphere. If that hides too much, it
    has no price; if that does not help, a line leads to it.

    Args:
        size: width and height of the canvas.
        order: the middles of rings.
        signs: the names for each, the best first.
        taken: what names should not hide.
        around: the middles of rings and spheres.
    """
    taken = dict(taken)
    spots: dict[Point, Spot] = {}
    for at in order:
        free = taken | {
            box(other, *[RING_SIZE if other in signs else SPHERE_SIZE] * 2): OTHER_WEIGHT
            for other in around - {at}
        }
        for sign in signs[at]:
            spot = place_chip(size, at, RING_RADIUS, sign, free, costs=COSTS, others=around)
            if spot and (at not in spots or spot.cost < spots[at].cost):
                spots[at] = spot
                if not spot.lead:
                    break
        if at in spots:
            taken |= spots[at].taken
    return spots


def _texts(view: TomTubeView, moves: Sequence[Action]) -> list[str]:
    """Return the name of the end of moves, with its prices, and without them if it has any.

    A place that is reached for nothing needs no other price.
    """
    first, *others = moves
    costs = [mark(view, move).partition(" ")[0] for move in others if _is_paid(first)]
    text = "/".join((*costs, mark(view, first)))
    return [text, text.partition(" ")[2]] if _is_paid(first) else [text]


def _taken(view: TomTubeView, where: Layout, words: Iterable[Box]) -> dict[Box, float]:
    """Return boxes that names should not hide, with their weights."""
    never = [
        *words,
        *arrows.pieces_and_stations(view, where),
        *boxes(view, where),
        legend.box(where, is_long=legend.is_long(view)),
    ]
    taken: dict[Box, float] = dict(Counter(arrows.taken(view, where)))
    taken |= dict.fromkeys(axis_boxes(where), OTHER_WEIGHT)
    return taken | dict.fromkeys(never, NEVER)


def _crowd(at: Point, ends: Sequence[Point]) -> float:
    """Return a key that sorts ends: first those that have the least room around them."""
    return sum(hypot(at[0] - x, at[1] - y) for x, y in ends)


@lru_cache(maxsize=4)
def _dotted(theme: Theme) -> Sprite:
    """Return the sprite of a ring of dots."""
    size = round(2 * (RING_RADIUS + DOT_RADIUS)) + 6
    sketch = Sketch(size, size, theme.tile)
    for dot in range(RING_DOTS):
        angle = tau * dot / RING_DOTS
        sketch.disc((RING_RADIUS * cos(angle), RING_RADIUS * sin(angle)), DOT_RADIUS, theme.mark)
    return sketch.sprite(theme)


def _sign(theme: Theme, text: str) -> Sprite:
    """Return the sprite of a mark's text: dark, with a rim, so that it is quieter than pieces."""
    return markers.chip(theme, text, theme.mark_text, theme.mark)


def _chip(board: Board, text: str, theme: Theme, at: Point) -> None:
    board.put(_sign(theme, text), at)
