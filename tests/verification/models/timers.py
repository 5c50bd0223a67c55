"""A model of timers: time counts between heartbeats that are close, and while a process runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

Timer = tuple[int, str, str]
"""The match, seat and kind of a timer."""

LONGEST_GAP, LARGEST_SKEW = 120.0, 15.0
"""Seconds between two heartbeats that count, forwards and backwards."""

VACATION = "vacation"
"""The time that all processes share: no clock that is a little ahead moves it back."""


@dataclass
class TimerModel:
    """Seconds until each timer is due, and other stored times.

    Attributes:
        beat_at: the wall clock's time at the last heartbeat.
        left: timer → seconds from the last heartbeat until it is due.
        other: the same for times at which no timer fires.
    """

    beat_at: float
    left: dict[Timer, float] = field(default_factory=dict)
    other: dict[str, float] = field(default_factory=dict)

    def beat(self, wall: float, ran: float) -> None:
        """Count the time since the last heartbeat.

        Args:
            wall: what the wall clock says.
            ran: seconds since the last heartbeat if the same process recorded it, else 0. They
                count if the clock was set, unless they are so many that the process slept.
        """
        gap, self.beat_at = wall - self.beat_at, wall
        if -LARGEST_SKEW <= gap <= LONGEST_GAP:
            self._count(gap)
            return
        vacation = self.other.get(VACATION)
        self._count(ran if ran <= LONGEST_GAP else 0.0)
        if -LONGEST_GAP <= gap < 0 and vacation is not None:
            self.other[VACATION] = vacation - gap

    def skip(self, wall: float) -> None:
        """Count the time since the last heartbeat, as if others had followed at once."""
        gap, self.beat_at = wall - self.beat_at, wall
        self._count(gap)

    def _count(self, passed: float) -> None:
        self.left = {timer: seconds - passed for timer, seconds in self.left.items()}
        self.other = {name: seconds - passed for name, seconds in self.other.items()}

    def due(self) -> set[Timer]:
        """Return the timers that fire at this heartbeat."""
        return {timer for timer, seconds in self.left.items() if seconds <= 0}

    def fire(self, timers: Iterable[Timer]) -> None:
        """Timers fire once."""
        for timer in timers:
            del self.left[timer]
