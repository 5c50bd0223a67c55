"""The viewer's choices on the board: a ring around the end of each, below the pieces."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from engine.game import Action
from engine.wormholes.board import BASES, INDEX
from engine.wormholes.view import WormholesView
from render import markers
from render.sprites import Board
from render.text import text_sprite
from render.themes import Theme
from render.wormholes import areas, pieces
from render.wormholes.arrows import STEP_EVENTS
from render.wormholes.layout import CELL_SIZE, Layout, Point
from render.wormholes.words import end_of

RINGED_VERBS = ("move", "jump", "null")
"""Verbs whose target space has a ring, and the emblem of the ship if another could go elsewhere, or
if a piece there, or where a ship was, hides the ring."""

NAME_SIZE, LONG_NAME_SIZE = 34, 30
"""Size of the name of a space to choose, with two and with three characters: inside its ring."""

NAMED_RING_WIDTH = 3
"""Width of the ring around a name."""

SMALL_NAME_SIZE = 26
"""Size of the name of a space with a piece, which is small then and above the name."""

PLATE_HEIGHT = 20
"""Height of the ground of a name on a base."""

HOMES = frozenset(chain.from_iterable(BASES))
"""The spaces of the bases."""

NAME_ROOM = 13
"""Pixels that a piece is moved up from the middle of its space, for the name below it."""

EMBLEM_SIZE, CORNER_EMBLEM_SIZE = 16.0, 12.0
"""Half the height of an emblem on a free space, and in the corner of one with a piece."""

TAG_SHIFT = 20
"""Pixels that an emblem is moved to the left where a coin lies beside a ship."""

DOT_RADIUS = 10
"""Radius of a free space's mark in one of several areas."""


def draw_below(
    board: Board, view: WormholesView, actions: Sequence[Action], theme: Theme, where: Layout
) -> set[str]:
    """Draw the marks that pieces may cover; return the spaces that will be named.

    The pieces on those spaces are to be small, so that the names hide nothing.
    """
    full = _full(view)
    ring = pieces.ring(theme)
    for space in ends_of(view, actions):
        board.put(ring, where.space(space))
    spaces = areas.spaces_of(actions)
    if areas.groups(view, actions):
        for space in spaces:
            mark = ring if space in full else markers.dot(theme, DOT_RADIUS)
            board.put(mark, where.space(space))
        for first, last in areas.AREAS:
            _bar(board, first, last, theme, where)
        return set()
    for space in spaces:
        board.put(pieces.ring(theme, NAMED_RING_WIDTH), where.space(space))
    return spaces


def draw_above(
    board: Board,
    view: WormholesView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
    *,
    numbers: Collection[Point],
) -> None:
    """Draw what no arrow should cover: names of spaces, and emblems where two ships can go.

    A name on a base is below its emblem, on a ground of its own.
    An emblem hides neither a piece nor one of the `numbers` of the last turn.
    """
    full = _full(view)
    shared = {ship.space for ship in view.ships} & {coin.space for coin in view.coins}
    if not areas.groups(view, actions):
        for space in areas.spaces_of(actions):
            x, y = where.space(space)
            low, size = 0, NAME_SIZE if len(space) < len("a10") else LONG_NAME_SIZE
            if space in full:
                low, size = NAME_ROOM + 9, SMALL_NAME_SIZE
            if INDEX[space] in HOMES:
                low, size = NAME_ROOM + 6, SMALL_NAME_SIZE
                board.put(pieces.plate(theme, PLATE_HEIGHT), (x, y + low))
            board.put(text_sprite(theme, space, size, theme.mark, theme.tile), (x, y + low))
    ends = ends_of(view, actions)
    several = len(set("".join(ends.values()))) > 1
    full |= {event.facts[-2] for event in view.story if event.kind in STEP_EVENTS}
    for space, suits in ends.items():
        if not several and space not in full:
            continue
        x, y = where.space(space)
        if space in full or (x, y) in numbers:
            at = (x - TAG_SHIFT * (space in shared), y + CELL_SIZE / 2 - 3)
            board.put(pieces.tag(theme, suits, CORNER_EMBLEM_SIZE), at)
        else:
            board.put(pieces.origin(theme, suits, EMBLEM_SIZE), (x, y))


def ends_of(view: WormholesView, actions: Sequence[Action]) -> dict[str, str]:
    """Return the spaces where ships can go or stay, with the suits of these ships."""
    ends: dict[str, str] = {}
    for action in actions:
        if action.verb in RINGED_VERBS:
            space = end_of(view, action)
            ends[space] = ends.get(space, "") + action.args[0]
    return ends


def _full(view: WormholesView) -> set[str]:
    """Return the spaces with pieces."""
    return {ship.space for ship in view.ships} | {coin.space for coin in view.coins}


def _bar(board: Board, first: int, last: int, theme: Theme, where: Layout) -> None:
    """Draw a bar along the numbers of an area."""
    board.put(
        pieces.bar(theme, last - first + 1, landscape=where.landscape), where.edge(first, last)
    )
