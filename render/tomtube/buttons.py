"""Choosing a place for a rhomb step by step: the area, the place in it, the orientation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from engine.game import Action
from render.i18n import _, ngettext
from render.renderer import Group
from render.tomtube.areas import AREAS, PAIR_NAMES, acute_corners, pairs_of, station

MAX_PLACE_BUTTONS = 20
"""Maximum number of places offered as buttons: four rows of them."""


def groups(actions: Sequence[Action]) -> tuple[Group, ...]:
    """Group many places by area, few by place; empty if only the orientation is open."""
    pairs = pairs_of(actions)
    if len(pairs) > MAX_PLACE_BUTTONS:
        return _areas(pairs)
    if len(pairs) < len("AB"):
        return ()
    return _places(pairs)


def _places(pairs: dict[int, list[Action]]) -> tuple[Group, ...]:
    return tuple(_place(pair, pairs[pair]) for pair in sorted(pairs, key=PAIR_NAMES.__getitem__))


def _place(pair: int, ways: Sequence[Action]) -> Group:
    words = _("{place}: tips {one} and {other}")
    one, other = acute_corners(ways[0])
    name = PAIR_NAMES[pair]
    return Group(name, words.format(place=name, one=one, other=other), tuple(ways))


def _areas(pairs: dict[int, list[Action]]) -> tuple[Group, ...]:
    found = []
    for area in sorted({AREAS[pair] for pair in pairs}):
        inside = {pair: same for pair, same in pairs.items() if AREAS[pair] == area}
        if len(inside) == 1:
            found += [_place(*each) for each in inside.items()]
            continue
        words = ngettext(
            "{area}: by {station}, {number} place",
            "{area}: by {station}, {number} places",
            len(inside),
        )
        label = words.format(area=area + 1, station=station(area), number=len(inside))
        found.append(Group(str(area + 1), label, tuple(chain.from_iterable(inside.values()))))
    return tuple(found)
