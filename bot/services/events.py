"""Events of the core that features handle in the same transaction; see `bot.storage.hooks`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bot.domain.ids import GuildId, MatchId, UserId
from bot.shards import Shards


class RatingsChanged(NamedTuple):
    """A rated match has ended."""

    user_ids: Collection[UserId]
    now: float


class MatchesChanged(NamedTuple):
    """Public facts of matches have changed: their positions, players, names or places.

    Attributes:
        match_ids: numbers of the matches, each once.
    """

    match_ids: Sequence[MatchId]
    now: float


class SeatOpened(NamedTuple):
    """There is a new challenge with a seat that anyone may take."""

    match_id: MatchId
    now: float


class MatchEnding(NamedTuple):
    """A rated match is over, and its result is stored next.

    Handlers lock the rows that they change at its end: the order of results is the last lock.
    """

    match_id: MatchId


class MatchEnded(NamedTuple):
    """A match is over. A handler returns whether it is responsible for continuing a series."""

    match_id: MatchId


class PlayerSilent(NamedTuple):
    """A player does not decide. A handler may forbid that anything but the clock ends the match.

    Attributes:
        refusals: where it then adds a sentence for players.
    """

    match_id: MatchId
    refusals: list[str]


class UserLeaving(NamedTuple):
    """A user leaves all matches next, in this transaction or in later ones."""

    user_id: UserId


class UserLeft(NamedTuple):
    """A user has left all matches."""

    user_id: UserId


class NameSeen(NamedTuple):
    """A user has a name on a server. A handler returns whether it has stored another one.

    This is published in a transaction that only reads.
    """

    user_id: UserId
    guild_id: GuildId
    name: str


class NameChanged(NamedTuple):
    """A user has another name on a server than the one that is stored somewhere.

    Attributes:
        name: the name that the user has now.
    """

    user_id: UserId
    guild_id: GuildId
    name: str


class ClockShifted(NamedTuple):
    """An outage has ended, or the clock was set: stored times are shifted.

    Attributes:
        shards: the shards whose servers are affected.
        last: the time of the last heartbeat, in UTC seconds.
        gap: seconds to add to the times after it.
    """

    shards: Shards
    last: float
    gap: float


class SharedClockShifted(NamedTuple):
    """The same for times that no process has for itself.

    Attributes:
        gap: seconds to add to them.
    """

    gap: float
