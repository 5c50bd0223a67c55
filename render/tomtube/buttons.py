"""Buttons of Tom Tube: moves below their kind; for a rhomb the area, the place, the turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from engine.game import Action
from engine.tomtube.lattice import MIDDLES
from engine.tomtube.view import TomTubeView
from render.i18n import _
from render.renderer import TEXT_VARIATION, Button, Group, Row, minor_rows_of, rows_of
from render.tomtube.areas import AREAS, PAIR_NAMES, pairs_of
from render.tomtube.layout import Layout
from render.tomtube.terms import place_name
from render.tomtube.words import distance_from_astronaut, label, short_label

MAX_PLACES = 18
"""Maximum number of places that are offered without areas."""


def groups(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Group, ...]:
    """Group many places by area, few by place; empty if only the orientation is open."""
    pairs = pairs_of(actions)
    if len(pairs) < len("AB"):
        return ()
    if len(pairs) <= MAX_PLACES:
        return tuple(sorted(_places(view, pairs), key=lambda group: group.distance))
    return tuple(
        _area(view, area, pairs, where) for area in sorted({AREAS[pair] for pair in pairs})
    )


def _places(view: TomTubeView, pairs: dict[int, list[Action]]) -> list[Group]:
    return [_place(view, pair, pairs[pair]) for pair in sorted(pairs, key=PAIR_NAMES.__getitem__)]


def _place(view: TomTubeView, pair: int, ways: Sequence[Action]) -> Group:
    name = PAIR_NAMES[pair]
    label = f"{name} ({place_name(ways[0].args[0])})"
    return Group(name, label, tuple(ways), distance_from_astronaut(view, ways[0]))


def _area(view: TomTubeView, area: int, pairs: dict[int, list[Action]], where: Layout) -> Group:
    inside = _places(view, {pair: ways for pair, ways in pairs.items() if AREAS[pair] == area})
    return Group(
        str(area + 1),
        _arrow(area, where),
        tuple(chain.from_iterable(group.actions for group in inside)),
        min(group.distance for group in inside),
    )


ARROWS = {
    (1, -1): "↗", (0, -1): "↑", (-1, -1): "↖", (-1, 1): "↙", (0, 1): "↓", (1, 1): "↘"
}  # fmt: skip
"""Directions to the stations from the middle of the picture: right and down are positive."""


def _arrow(area: int, where: Layout) -> str:
    """Return the direction of a station on a picture."""
    x, y = (at - middle for at, middle in zip(where.knot(MIDDLES[area]), where.middle, strict=True))
    aside = 0 if abs(x) < 1 else 1 if x > 0 else -1
    return ARROWS[aside, 1 if y > 0 else -1] + TEXT_VARIATION


MAX_MOVES = 12
"""Maximum number of moves that are shown at once; more are a step further."""

MOVES = ("drift", "jump", "control")


def rows(view: TomTubeView, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice; many moves of the kind that costs most are one button.

    So are jumps to where a drift is free, unless these are the only choices.
    """
    free = {action.args for action in actions if action.verb == "drift"}
    moves = [a for a in actions if a.verb in MOVES and (a.verb != "jump" or a.args not in free)]
    wasteful = sum(action.verb in MOVES for action in actions) > len(moves)
    first = [action for action in actions if action.verb not in MOVES]
    many = len(moves) > MAX_MOVES
    folded = "control" if many and len({action.verb for action in actions}) > 1 else ""
    lines: list[Row] = []
    for verb in MOVES:
        kind = [action for action in moves if action.verb == verb]
        if kind and verb == folded:
            first.append(Action(view.seat, verb))
        elif kind:
            kind.sort(key=partial(distance_from_astronaut, view))
            buttons = [Button(move, short_label(view, move)) for move in kind]
            lines += rows_of(buttons, label(view, Action(view.seat, verb)))
    lines += rows_of([Button(action, label(view, action)) for action in first])
    more = Button(Action(view.seat, "jump"), _("Jump where a drift is free …"))
    return (*lines, *minor_rows_of([more] if wasteful else []))
