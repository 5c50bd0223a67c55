"""Areas of the galaxy, from which a space is chosen: some of the numbers at the board's edge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import Action
from engine.wormholes.board import BASES, INDEX, XY
from engine.wormholes.view import WormholesView
from render.renderer import Group

AREAS = ((1, 4), (5, 7), (8, 9), (10, 11), (12, 14), (15, 18))
"""First and last number of each area; none has more than 18 spaces."""

SPACE_VERBS = ("place", "send")
"""Verbs whose last argument is one of many spaces."""

MAX_SPACES = 18
"""Maximum number of spaces that are offered without areas."""

HOMES = dict(zip("OD", BASES, strict=True))
"""Seat → the spaces of its base."""


def groups(view: WormholesView, actions: Sequence[Action]) -> tuple[Group, ...]:
    """Group the spaces of actions by areas; empty if they are few, or of a single area."""
    if len(spaces_of(actions)) <= MAX_SPACES:
        return ()
    to_space = [action for action in actions if action.args[-1] in INDEX]
    inside = {area: tuple(a for a in to_space if area_of(a.args[-1]) == area) for area in AREAS}
    return tuple(
        Group(
            f"{first}-{last}",
            f"{first}–{last}",
            same,
            min(distance(view, action) for action in same),
        )
        for (first, last), same in inside.items()
        if same
    )


def spaces_of(actions: Iterable[Action]) -> set[str]:
    """Return the spaces to choose from."""
    return {action.args[-1] for action in actions if action.verb in SPACE_VERBS and action.args[1:]}


def area_of(space: str) -> tuple[int, int]:
    """Return the area of a space."""
    number = XY[INDEX[space]][1]
    return next(area for area in AREAS if area[0] <= number <= area[1])


def distance(view: WormholesView, action: Action) -> int:
    """Return how far the space of an action is from the base of the piece that goes there."""
    owners = {ship.suit: ship.seat for ship in view.ships}
    home = HOMES[owners[action.args[0][0]]]
    x, y = XY[INDEX[action.args[-1]]]
    return min(max(abs(x - XY[at][0]), abs(y - XY[at][1])) for at in home)
