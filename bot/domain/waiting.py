"""For how long a match has waited for a player, and when the others need not wait any more.

Each decision of a person in a match of several has one timer of `AGES`, which the next one follows.
So the time is known without the bot's outages, which move timers, and whatever the player's
settings are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.models import Match, Rated, TimerKind
from bot.domain.time_controls import DAY

GONE_SECONDS = 3 * DAY
"""Seconds for which a player who is gone has to be silent before the others can do without."""

SILENCE_SECONDS = 28 * DAY
"""The same for a player who is only silent."""

NOTICE_SECONDS = 3 * DAY
"""Seconds of a last notice, in which any choice of the silent player keeps the match as it is."""

AGES: Mapping[TimerKind, float] = {
    TimerKind.GONE: GONE_SECONDS,
    TimerKind.SILENT: SILENCE_SECONDS,
    TimerKind.STUCK: 2 * SILENCE_SECONDS,
}
"""Kind of timer → seconds after the decision at which it is due; the last one is set again."""


def endable_at(since: float, *, rated: bool, clock: str, is_gone: bool) -> float | None:
    """Return when the others may give notice to a player who does not decide; None if never.

    In a rated match only the clock ends a player's part, if there is one: otherwise, a player who
    is about to lose could end the match without a result.

    Args:
        since: when the decision appeared, in UTC seconds.
        rated: whether the match is rated.
        clock: its clock; empty for none.
        is_gone: whether the player has left the server, or cannot be reached any more.
    """
    if rated and clock:
        return None
    return since + (GONE_SECONDS if is_gone and not rated else SILENCE_SECONDS)


def replaceable_at(since: float, *, is_gone: bool) -> float:
    """Return when the computer may play for a player who has not agreed to it; see `endable_at`."""
    return since + (GONE_SECONDS if is_gone else SILENCE_SECONDS)


class Absent(NamedTuple):
    """The seats of players who have to decide and may no longer be there.

    Attributes:
        gone: of those who have left the server, or cannot be reached any more.
        endable: of those whom the others may give notice.
        replaceable: of those for whom the computer may play although they have not agreed.
    """

    gone: str = ""
    endable: str = ""
    replaceable: str = ""

    @classmethod
    def of(cls, match: Match, now: float, gone: str) -> Absent:
        """Return who is absent; for the arguments see `endable_seats`."""
        return cls(gone, endable_seats(match, now, gone), replaceable_seats(match, now, gone))


NO_ONE_ABSENT = Absent()


def endable_seats(match: Match, now: float, gone: str = "") -> str:
    """Return the seats whose players the others may give notice; see `endable_at`.

    Args:
        match: the match.
        now: the time in UTC seconds.
        gone: the seats of players who are gone.
    """
    seats = ""
    for seat, since in match.waits_since.items():
        rated = match.rated == Rated.RATED
        at = endable_at(since, rated=rated, clock=match.clock, is_gone=seat in gone)
        if at is not None and at <= now and seat not in match.notices:
            seats += seat
    return seats


def replaceable_seats(match: Match, now: float, gone: str = "") -> str:
    """Return the seats for whose players the computer may play although they have not agreed.

    None in a rated match, whose result would then change no ratings. For the arguments see
    `endable_seats`.
    """
    if match.rated == Rated.RATED:
        return ""
    return "".join(
        seat
        for seat, since in match.waits_since.items()
        if replaceable_at(since, is_gone=seat in gone) <= now
    )
