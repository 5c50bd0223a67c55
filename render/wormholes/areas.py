"""Areas of the galaxy with spaces to choose from: some of the numbers at the board's edge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.game import Action
from engine.wormholes.board import BASES, INDEX, XY
from engine.wormholes.view import WormholesView
from render.i18n import N_
from render.renderer import Group

AREAS = ((1, 4), (5, 7), (8, 9), (10, 11), (12, 14), (15, 18))
"""First and last number of each area; none has more than 18 spaces."""

NOTE = N_("(numbers at the edge)")
"""What the labels of areas mean, in each direction of the board."""

SPACE_VERBS = ("place", "send")
"""Verbs whose last argument is one of many spaces."""

MAX_SPACES = 18
"""Maximum number of spaces that are offered without areas."""

HOMES = dict(zip("OD", BASES, strict=True))
"""Seat → the spaces of its base."""


AREA_OF = {
    space: next(area for area in AREAS if area[0] <= XY[index][1] <= area[1])
    for space, index in INDEX.items()
}
"""Space → its area."""

STEPS_HOME = {
    seat: {
        space: min(max(abs(x - XY[at][0]), abs(y - XY[at][1])) for at in base)
        for space, (x, y) in ((space, XY[index]) for space, index in INDEX.items())
    }
    for seat, base in HOMES.items()
}
"""Seat → space → its distance from the base of the seat."""


def groups(view: WormholesView, actions: Sequence[Action]) -> tuple[Group, ...]:
    """Group the spaces of actions by areas; empty if they are few, or of a single area."""
    if len(spaces_of(actions)) <= MAX_SPACES:
        return ()
    inside: dict[tuple[int, int], list[Action]] = {area: [] for area in AREAS}
    for action in actions:
        if action.args[-1] in AREA_OF:
            inside[AREA_OF[action.args[-1]]].append(action)
    steps = steps_home(view)
    return tuple(
        Group(f"{first}-{last}", f"{first}–{last}", tuple(in_area), min(map(steps, in_area)))
        for (first, last), in_area in inside.items()
        if in_area
    )


def spaces_of(actions: Iterable[Action]) -> set[str]:
    """Return the spaces to choose from."""
    return {action.args[-1] for action in actions if action.verb in SPACE_VERBS and action.args[1:]}


def around(spaces: set[str]) -> set[str]:
    """Return all spaces of the area that spaces are in; none if they are in several."""
    of_spaces = {AREA_OF.get(space) for space in spaces}
    return {space for space, area in AREA_OF.items() if {area} == of_spaces}


def steps_home(view: WormholesView) -> Callable[[Action], int]:
    """Return a function: how far an action's space is from the base of the piece that goes there.

    It serves as a key for sorting.
    """
    of_suit = {ship.suit: STEPS_HOME[ship.seat] for ship in view.ships}
    return lambda action: of_suit[action.args[0][0]][action.args[-1]]
