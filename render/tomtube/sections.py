"""Places for a drawn rhomb by the way it lies there: rhombs that lie alike never overlap.

So each of them is drawn with a number of its own, and any place is two clicks away. Where the
numbers are too many for a message, those at the left and at the right are sections of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from engine.game import Action
from engine.tomtube.lattice import KNOTS, PLACE_INDEX, PLACES
from engine.tomtube.tables import SAME_TURNED
from engine.tomtube.view import TomTubeView
from render.renderer import Group
from render.tomtube.cut_off import isolated
from render.tomtube.layout import Layout
from render.tomtube.words import distance_from_astronaut

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
    count = len(isolated(view, action))
    astronaut = next(player for player in view.astronauts if player.seat == action.actor)
    filled = min(count, astronaut.tubes + astronaut.blanks)
    numbers_of_tubes = range(max(0, filled - astronaut.blanks), min(filled, astronaut.tubes) + 1)
    return comb(count, filled) * sum(comb(filled, tubes) for tubes in numbers_of_tubes)


def sections(view: TomTubeView, actions: Sequence[Action], where: Layout) -> tuple[Group, ...]:
    """Group placings by the way the rhomb lies, and where these are many, by the side.

    As far as there is room, sections of two sides have the places between them in common.
    """
    groups: list[Group] = []
    for letter, direction in ways(view.drawn, where):
        lying = [action for action in actions if where.direction_of(action.args[0]) == direction]
        parts = _parts(view, sorted(lying, key=_from_left))
        for number, part in enumerate(parts):
            sign = _sign(number, len(parts), turned=where.turned)
            near = min(distance_from_astronaut(view, action) for action in part)
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
    turns = {action: count_turns(view, action) for action in actions}
    if not actions:
        return []
    if sum(turns.values()) <= MAX_SECTION_TURNS:
        return [[*actions]]
    first = _fitting(actions, turns)
    last = _fitting(actions[::-1], turns)[::-1]
    between = [action for action in actions if action not in first and action not in last]
    return [first, *_parts(view, between), last]


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
