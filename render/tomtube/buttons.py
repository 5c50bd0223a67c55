"""Choosing a place for a rhomb step by step: the area, the place in it, how it is turned."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from render.language import plural
from render.renderer import Group
from render.tomtube.areas import AREAS, NAMES, pairs_of, station

MOST = 20
"""So many places can be chosen from at once: in landscape and on four rows of buttons."""


def groups(actions: Sequence[Action]) -> tuple[Group, ...]:
    """Areas, then places; empty where only the turn is open, or a place has only one."""
    pairs = pairs_of(actions)
    if len(pairs) > MOST:
        return _areas(pairs)
    if len(pairs) in (1, len(actions)):
        return ()
    named = sorted((NAMES[pair], tuple(same)) for pair, same in pairs.items())
    return tuple(Group(name, name, same) for name, same in named)


def _areas(pairs: dict[int, list[Action]]) -> tuple[Group, ...]:
    found = []
    for area in sorted({AREAS[pair] for pair in pairs}):
        inside = [same for pair, same in pairs.items() if AREAS[pair] == area]
        words = plural(
            "{area}: by {station}, {count} place",
            "{area}: by {station}, {count} places",
            len(inside),
        )
        label = words.format(area=area + 1, station=station(area), count=len(inside))
        found.append(Group(str(area + 1), label, tuple(a for same in inside for a in same)))
    return tuple(found)
