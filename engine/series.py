"""Series of matches between the same seats: points add up, the lowest total wins.

Example:
    >>> standing([{"B": 0, "Y": 4, "W": 3}, {"B": 5, "Y": 0, "W": 2}])
    Standing(totals={'B': 5, 'Y': 4, 'W': 5}, best='Y')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Standing(NamedTuple):
    """The score of a series, running or finished.

    Attributes:
        totals: points of each seat, in seat order.
        best: the seats with the lowest total; more than one share the series.
    """

    totals: dict[str, int]
    best: str


def standing(matches: Sequence[Mapping[str, int]]) -> Standing:
    """Add up the points of each match, see `Game.points`.

    Args:
        matches: at least one, all with the same seats.

    Raises:
        ValueError: there is no match, or the seats differ.
    """
    if len({tuple(match) for match in matches}) != 1:
        raise ValueError("A series has one match or more, all with the same seats.")
    totals = {seat: sum(match[seat] for match in matches) for seat in matches[0]}
    lowest = min(totals.values())
    return Standing(totals, "".join(seat for seat in totals if totals[seat] == lowest))
