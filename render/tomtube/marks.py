"""The viewer's choices on the board: the text of each mark also begins its button."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import hypot

from engine.game import Action
from engine.tomtube.lattice import KNOT_NAMES, MIDDLES, PAIRS, SHORT, STEPS, TRIANGLES
from engine.tomtube.tables import SIDE
from engine.tomtube.view import TomTubeView
from render import markers
from render.chips import Box, box, put_chips
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Theme
from render.tomtube import arrows, tiles
from render.tomtube.areas import AREAS, PAIR_NAMES, pairs_of, turn_of
from render.tomtube.drawn_rhomb import direction_of
from render.tomtube.layout import Layout
from render.tomtube.player_panels import stack_place, stock_box
from render.tomtube.terms import place_name
from render.tomtube.words import mark

RING_RADIUS = 34.0
"""Radius of the ring around a node to move to."""

STACK_RING_RADIUS = 31.0
"""Radius of the ring around the rhombs that can be drawn."""

MIN_LEAD = 8
"""Minimum pixels between a ring and its words for a line between them."""

DOT_RADIUS = 9
"""Radius of a place's mark in one of several areas."""

NAME_DISTANCE = 66
"""Pixels from a piece to the middle of the name of a place beside it."""

BORDER_WIDTH, BORDER_SPACING = 4, 26
"""Width of the dotted line between two areas, and pixels from one dot to the next."""

AREA_TEXT_SIZE = 48
"""Size of an area's number."""

KNOT_TEXT_SIZE = 24
"""Size of a knot's name before the area is enlarged."""

PLACE_TEXT_SIZE = 32
"""Size of a place's name: no letter on a piece beside it is larger."""


def draw_below_tiles(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Draw the lines between areas of places."""
    if len({AREAS[pair] for pair in pairs_of(actions)}) > 1:
        for corner in STEPS:
            at = where.at(*(SIDE * step / 2 for step in corner))
            board.put(_border(theme, where, corner), at)


def draw_below_pieces(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb if it has a single possible place, places, and rings where moves can end."""
    if len(pairs_of(actions)) > 1:
        _places(board, view, actions, theme, where)
    for at in _ends(view, actions, where):
        board.put(markers.halo(theme, theme.mark, RING_RADIUS, theme.tile), at)
    if any(action.verb == "build" for action in actions):
        board.put(
            markers.halo(theme, theme.mark, STACK_RING_RADIUS, theme.space[1]),
            stack_place(view, where),
        )
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
    _triangles(board, view, actions, theme, where)
    _names(board, view, actions, theme, where)


def _turns(board: Board, actions: Sequence[Action], theme: Theme, where: Layout) -> None:
    """Mark the possible positions of corner A."""
    arrows.outline(board, actions[0].args[0], theme.mark, theme, where)
    for action in actions:
        a, *_ = arrows.corners(action.args[0])
        _chip(board, str(turn_of(action)), theme, where.knot(a))


def _places(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Mark places by their names; in several areas by dots and a number for each area.

    The number of an area stands where a dot would be, so that it hides no piece.
    """
    pairs = pairs_of(actions)
    areas = {AREAS[pair] for pair in pairs}
    if len(areas) == 1:
        _knots(board, pairs, theme, where)
        for pair in pairs:
            _chip(board, PAIR_NAMES[pair], theme, _middle(pair, where), PLACE_TEXT_SIZE)
        return
    signs: dict[int, Sprite] = {}
    for area in areas:
        x, y = where.area(area)
        middles = {pair: _middle(pair, where) for pair in pairs if AREAS[pair] == area}
        best = min(middles, key=lambda pair: hypot(middles[pair][0] - x, middles[pair][1] - y))
        signs[best] = _sign(theme, str(area + 1), AREA_TEXT_SIZE)
    dot = markers.dot(theme, DOT_RADIUS)
    pieces = [where.node(astronaut.place, astronaut.seat) for astronaut in view.astronauts]
    names: list[Point] = []
    stations = [where.knot(knot) for knot in MIDDLES]
    for pair in sorted(pairs, key=signs.__contains__):
        at = _middle(pair, where)
        if pair in signs:
            at = _aside(at, pieces, [*names, *stations])
            names.append(at)
        board.put(signs.get(pair, dot), at)


def _knots(board: Board, pairs: Iterable[int], theme: Theme, where: Layout) -> None:
    """Name the knots of places in an enlarged area, where the names of lines are not seen."""
    knots = {knot for pair in pairs for triangle in PAIRS[pair] for knot in TRIANGLES[triangle]}
    for knot in knots:
        text = place_name(KNOT_NAMES[knot])
        sign = markers.chip(theme, text, theme.space[1], theme.faint, KNOT_TEXT_SIZE)
        board.put(sign, where.knot(knot))


@lru_cache(maxsize=64)
def _border(theme: Theme, where: Layout, corner: tuple[int, int]) -> Sprite:
    """Return the sprite of the line between two areas: from the middle to a corner."""
    (x1, y1), (x2, y2) = where.at(0, 0), where.at(*(SIDE * step for step in corner))
    x, y = (x2 - x1) / 2, (y2 - y1) / 2
    sketch = Sketch(round(abs(2 * x)) + 12, round(abs(2 * y)) + 12, theme.tile)
    parts = round(hypot(2 * x, 2 * y) / BORDER_SPACING)
    for part in range(parts):
        start, end = (2 * (part + share) / parts - 1 for share in (0.4, 0.65))
        sketch.bar((x * start, y * start), (x * end, y * end), BORDER_WIDTH, theme.mark)
    return sketch.sprite(theme)


def _aside(at: Point, pieces: Sequence[Point], placed: Sequence[Point]) -> Point:
    """Return a point for a name: beside a piece that it would hide, away from placed names."""
    x, y = at
    for piece_x, piece_y in pieces:
        if abs(y - piece_y) < NAME_DISTANCE and abs(x - piece_x) < NAME_DISTANCE:
            side = NAME_DISTANCE if x > piece_x else -NAME_DISTANCE
            places = [(piece_x + side, y), (piece_x - side, y)]
            places += [(x, piece_y + side), (x, piece_y - side)]
            return markers.freest(places, [(other, NAME_DISTANCE) for other in placed])
    return at


def _middle(pair: int, where: Layout) -> Point:
    """Return the middle of a pair of triangles."""
    return where.mean(tuple(SHORT[pair]))


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


def _sign(theme: Theme, text: str, size: int = markers.CHIP_TEXT_SIZE) -> Sprite:
    """Return the sprite of a mark's text: dark, with a rim, so that it is quieter than pieces."""
    return markers.chip(theme, text, theme.mark_text, theme.mark, size)


def _chip(
    board: Board, text: str, theme: Theme, at: Point, size: int = markers.CHIP_TEXT_SIZE
) -> None:
    board.put(_sign(theme, text, size), at)
