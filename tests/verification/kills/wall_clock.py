"""The clock of the bot's machine, which can be set, and the true time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Setting(NamedTuple):
    """From a true time on, the clock is so many seconds ahead of it."""

    begin: float
    ahead: float


class WallClock:
    """A clock that can be set.

    Args:
        true_now: returns the true time in UTC seconds.
    """

    def __init__(self, true_now: Callable[[], float]) -> None:
        self.true_now = true_now
        self._settings = [Setting(0.0, 0.0)]

    def now(self) -> float:
        """Return the clock's time, in UTC seconds."""
        return self.true_now() + self._settings[-1].ahead

    def set(self, ahead: float) -> None:
        """Set the clock so many seconds ahead of the true time."""
        self._settings.append(Setting(self.true_now(), ahead))

    def true(self, clock_time: float) -> float:
        """Return the true time at which the clock showed a time; the last one of several."""
        end = self.true_now()
        for begin, ahead in reversed(self._settings):
            if begin <= clock_time - ahead <= end:
                return clock_time - ahead
            end = begin
        return clock_time
