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
