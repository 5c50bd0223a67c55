"""A match's waiting time for a player, and the end of the others' duty to wait.

Each decision of a person in a match of several has one timer of `AGES`, which the next one follows.
So the bot's outages, which move timers, are not counted, and the player's settings do not matter.
Vacations are no silence: a player who takes one gets a further timer, which says until when the
others are patient.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.domain.clocks import DAY
from bot.domain.models import Match, Rated, TimerKind

GONE_SECONDS = 3 * DAY
"""Seconds of silence by a player who is gone before the others can give notice."""

SILENCE_SECONDS = 28 * DAY
"""The same for a player who is only silent."""

NOTICE_SECONDS = 3 * DAY
"""Length of a last notice in seconds; a choice of the silent player in that time cancels it."""

AGES: Mapping[TimerKind, float] = {
    TimerKind.GONE: GONE_SECONDS,
    TimerKind.SILENT: SILENCE_SECONDS,
    TimerKind.STUCK: 2 * SILENCE_SECONDS,
}
"""Kind of timer → seconds from the decision to the timer; the last one is set again."""


def endable_at(
    since: float, *, rated: bool, clock: str, is_gone: bool, patience: float | None = None
) -> float | None:
    """Return the UTC time from when others may give a silent player notice; None if never.

    In a rated match only the clock ends a player's part, if there is one: otherwise, a player who
    is about to lose could end the match without a result.

    Args:
        since: UTC time when the decision appeared.
        rated: whether the match is rated.
        clock: its clock; empty for none.
        is_gone: whether the player has left the server, or cannot be reached any more.
        patience: UTC time until when the player is not silent, because of vacations since then;
            None without one.
    """
    if rated and clock:
        return None
    return replaceable_at(since, is_gone=is_gone and not rated, patience=patience)


def replaceable_at(since: float, *, is_gone: bool, patience: float | None = None) -> float:
    """Return the UTC time from when the computer may play without consent; see `endable_at`."""
    return since + GONE_SECONDS if is_gone else silent_at(since, patience)


def silent_at(since: float, patience: float | None) -> float:
    """Return the UTC time from when a player is silent; for the arguments see `endable_at`."""
    return max(since + SILENCE_SECONDS, patience or 0.0)


class Absent(NamedTuple):
    """The seats of players who have to decide and may no longer be there.

    Attributes:
        gone: seats of players who have left the server, or cannot be reached any more.
        endable: seats of players whom the others may give notice.
        replaceable: seats of players whom the computer may replace although they have not agreed.
    """

    gone: str = ""
    endable: str = ""
    replaceable: str = ""

    @classmethod
    def of(cls, match: Match, now: float, gone: str) -> Absent:
        """Return the absent players; for the arguments see `endable_seats`."""
        return cls(gone, endable_seats(match, now, gone), replaceable_seats(match, now, gone))


NO_ONE_ABSENT = Absent()


def endable_seats(match: Match, now: float, gone: str = "") -> str:
    """Return the seats whose players the others may give notice; see `endable_at`."""
    seats = ""
    for seat, since in match.waits_since.items():
        rated = match.rated == Rated.RATED
        at = endable_at(
            since,
            rated=rated,
            clock=match.clock,
            is_gone=seat in gone,
            patience=match.patience.get(seat),
        )
        if at is not None and at <= now and seat not in match.notices:
            seats += seat
    return seats


def replaceable_seats(match: Match, now: float, gone: str = "") -> str:
    """Return the seats that the computer may play although their players have not agreed.

    There are none in a rated match, whose result would then change no ratings. For the arguments
    see `endable_seats`.
    """
    if match.rated == Rated.RATED:
        return ""
    return "".join(
        seat
        for seat, since in match.waits_since.items()
        if replaceable_at(since, is_gone=seat in gone, patience=match.patience.get(seat)) <= now
    )
