"""Places for a drawn rhomb by the way it lies there: rhombs that lie alike never overlap.

So each of them is drawn with a number of its own, and any place is two clicks away. Where the
numbers are too many for a message, those at the left and at the right are sections of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple

from engine.game import Action
from engine.tomtube.lattice import KNOTS, PLACE_INDEX, PLACES
from engine.tomtube.tables import SAME_TURNED
from engine.tomtube.view import TomTubeView
from render.renderer import Group
from render.tomtube.cut_off import count_isolated
from render.tomtube.layout import Layout
from render.tomtube.words import distance

MAX_SECTION_TURNS = 22
"""Maximum number of turns in a section: a player's board has room for their buttons."""

LETTERS = "ABCDEF"

CLOCKWISE = (3, 1, 11, 9, 7, 5)
"""Directions of corner A on the canvas, from the top, in the order of their letters."""

HALF = (7, 9, 11)
"""Those on the lattice of rhombs that a half turn leaves as they are."""

SIDES = "←→"
"""Signs of the two sections of rhombs that lie alike."""

BETWEEN = "·"
"""Sign of a section between them."""


class Way(NamedTuple):
    """A way in which a drawn rhomb can lie: its letter, and the direction of corner A."""

    letter: str
    direction: int


def ways(tile: str, where: Layout) -> tuple[Way, ...]:
    """Return the ways in which a rhomb can lie: six, or three if a half turn changes nothing."""
    is_same = tile.removesuffix("+") in SAME_TURNED
    legal = {where.way(direction) for direction in (HALF if is_same else CLOCKWISE)}
    return tuple(map(Way, LETTERS, (way for way in CLOCKWISE if way in legal)))


def count_turns(view: TomTubeView, action: Action) -> int:
    """Return in how many ways what a placing isolates can be filled by its player."""
    (count,) = _counted_turns(view, [action]).values()
    return count


def _counted_turns(view: TomTubeView, actions: Sequence[Action]) -> dict[Action, int]:
    """Return placing → `count_turns`."""
    pieces = {player.seat: (player.tubes, player.blanks) for player in view.astronauts}
    isolated = zip(actions, count_isolated(view, actions), strict=True)
    return {action: _count_fillings(count, *pieces[action.actor]) for action, count in isolated}


@cache
def _count_fillings(count: int, tubes: int, blanks: int) -> int:
    """Return in how many ways `count` triangles can be filled, as far as these pieces suffice."""
    filled = min(count, tubes + blanks)
    numbers_of_tubes = range(max(0, filled - blanks), min(filled, tubes) + 1)
    return comb(count, filled) * sum(comb(filled, number) for number in numbers_of_tubes)


def sections(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Group, ...]:
    """Group placings by the way the rhomb lies, and where these are many, by the side.

    As far as there is room, sections of two sides have the places between them in common.
    """
    groups: list[Group] = []
    lying = defaultdict[int, list[Action]](list)
    for action in actions:
        lying[where.direction_of(action.args[0])].append(action)
    starts = {player.seat: player.place for player in view.astronauts}
    for letter, direction in ways(view.drawn, where):
        parts = _parts(view, sorted(lying[direction], key=_from_left))
        for number, part in enumerate(parts):
            sign = _sign(number, len(parts), turned=where.turned)
            near = min(distance(starts[seat], place, seat) for seat, _, (place,) in part)
            name = f"{where.way(direction)}.{number}"
            groups.append(Group(name, letter + sign, tuple(part), near))
    return tuple(groups)


def _from_left(action: Action) -> tuple[int, int]:
    """Return a key that sorts placings from left to right, then from the top, if not turned."""
    a, _, c, _ = PLACES[PLACE_INDEX[action.args[0]]]
    q, r = (sum(axis) for axis in zip(KNOTS[a.knot], KNOTS[c.knot], strict=True))
    return 2 * q + r, -r


def _sign(number: int, count: int, *, turned: bool) -> str:
    """Return the sign of a section, counted from the left of the board that is not turned."""
    if count == 1:
        return ""
    if 0 < number < count - 1:
        return BETWEEN
    return SIDES[(number > 0) != turned]


def _parts(view: TomTubeView, actions: Sequence[Action]) -> list[list[Action]]:
    """Return placings in parts that have room in a message: all, or the first and the last."""
    return _divided(actions, _counted_turns(view, actions))


def _divided(actions: Sequence[Action], turns: dict[Action, int]) -> list[list[Action]]:
    """Return placings in parts; `turns` has the number of turns that each of them begins."""
    if not actions:
        return []
    if sum(turns[action] for action in actions) <= MAX_SECTION_TURNS:
        return [[*actions]]
    first = _fitting(actions, turns)
    last = _fitting(actions[::-1], turns)[::-1]
    between = [action for action in actions if action not in first and action not in last]
    return [first, *_divided(between, turns), last]


def _fitting(actions: Sequence[Action], turns: dict[Action, int]) -> list[Action]:
    """Return the first placings that have room in a message."""
    fitting: list[Action] = []
    room = MAX_SECTION_TURNS
    for action in actions:
        room -= turns[action]
        if room < 0:
            break
        fitting.append(action)
    return fitting
