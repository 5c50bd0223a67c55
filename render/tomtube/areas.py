"""Names for places of rhombs: six areas, and letters for the places in each.

Some hundred places are too many to choose from at once, so a player chooses the area first. The
names never change during a match.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

from engine.game import Action
from engine.tomtube.lattice import KNOTS, PAIRS, PLACE_INDEX, SHORT, TRIANGLE_INDEX, TRIANGLES
from engine.tomtube.tables import SEATS, STATIONS
from render.i18n import _
from render.renderer import Names

LETTERS = [letter for letter in ascii_lowercase if letter not in "ilo"]
"""Letters, without those that look like digits."""


def _area(pair: int) -> int:
    """Return the station towards which the middle of a pair lies, seen from 0,0."""
    ends = [KNOTS[knot] for knot in SHORT[pair]]
    q, r = sum(end[0] for end in ends), sum(end[1] for end in ends)
    s = -q - r
    if q > 0 and r >= 0:
        return 0
    if s < 0 < r:
        return 1
    if q < 0 and s >= 0 and r > 0:
        return 2
    if q < 0 and r <= 0:
        return 3
    return 4 if s > 0 else 5


SIDE_NAMES = {"T": "Tom", "D": "Dave"}

AREAS = tuple(_area(pair) for pair in range(len(PAIRS)))
"""The area of each pair: the number of the station in its middle."""


def _names() -> list[str]:
    order = sorted(
        range(len(PAIRS)),
        key=lambda pair: (
            -sum(KNOTS[knot][1] for knot in SHORT[pair]),
            sum(KNOTS[knot][0] for knot in SHORT[pair]),
        ),
    )
    names = [""] * len(PAIRS)
    used = [0] * len(STATIONS)
    for pair in order:
        area = AREAS[pair]
        names[pair] = f"{area + 1}{LETTERS[used[area]]}"
        used[area] += 1
    return names


PAIR_NAMES = tuple(_names())
"""The name of each pair: the digit of its area and a letter, from the top of the board."""


def pair_of(action: Action) -> int:
    """Return the two triangles that a rhomb would cover."""
    return PLACE_INDEX[action.args[0]] // 2


def pairs_of(actions: Iterable[Action]) -> dict[int, list[Action]]:
    """Group placings by the two triangles that they cover."""
    pairs: dict[int, list[Action]] = {}
    for action in actions:
        if action.verb == "rhomb":
            pairs.setdefault(pair_of(action), []).append(action)
    return pairs


def triangle_of(name: str) -> int:
    """Return the index of a triangle with this name in the notation: its three corners."""
    return TRIANGLE_INDEX[frozenset(name.split("/"))]


def from_left(triangle: int) -> tuple[int, int]:
    """Return a key that sorts triangles in the order of their letters.

    It begins at the left of the board that is not turned; of two above each other the upper one is
    first.
    """
    q, r = (sum(axis) for axis in zip(*(KNOTS[knot] for knot in TRIANGLES[triangle]), strict=True))
    return 2 * q + r, -r


def turn_of(action: Action) -> int:
    """Return which of the two turns of a rhomb a placing is: 1 or 2."""
    return PLACE_INDEX[action.args[0]] % 2 + 1


def station(area: int, seat: str, names: Names | None = None) -> str:
    """Return the station in the middle of an area as a player sees it, e.g. `your base`.

    The opponent is called as on the board, or, if there are `names`, as in the match.
    """
    home = STATIONS[area]
    owner = SEATS[home.owner]
    if owner == seat:
        return _("your base") if home.is_base else _("your module")
    words = _("{name}'s base") if home.is_base else _("{name}'s module")
    return words.format(name=(names or SIDE_NAMES)[owner])
