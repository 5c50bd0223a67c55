"""Events of the core that features handle in the same transaction; see `bot.storage.hooks`."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple


class RatingsChanged(NamedTuple):
    """A rated match has ended.

    Attributes:
        user_ids: user IDs of its players.
        now: the time in UTC seconds.
    """

    user_ids: Collection[int]
    now: float


class MatchChanged(NamedTuple):
    """What everyone may see of a match has changed: its position, players, names or place.

    Attributes:
        match_id: number of the match.
        now: the time in UTC seconds.
    """

    match_id: int
    now: float


class SeatOpened(NamedTuple):
    """There is a new challenge with a seat that anyone may take.

    Attributes:
        match_id: number of the match.
        now: the time in UTC seconds.
    """

    match_id: int
    now: float
