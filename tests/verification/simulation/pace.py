"""Sizes and speeds of a simulated world."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """The size of a world.

    Attributes:
        tables: matches between people at the same time.
        solo: tables that play against the computer.
        cups: how many are played at the same time.
        processes: of the bot, each with a shard of its own.
    """

    tables: int = 6
    solo: int = 2
    cups: int = 2
    processes: int = 1


class Pace(NamedTuple):
    """The speed of people and faults, in seconds: each is a share of a day.

    Attributes:
        day: for clocks, reminders and vacations.
    """

    day: float

    @property
    def thinking(self) -> float:
        """Return the mean seconds that a person waits before the next interaction."""
        return self.day / 10

    @property
    def late(self) -> tuple[float, float]:
        """After how long a person comes back who is late, at least and at most."""
        return 0.5 * self.day, 4 * self.day

    @property
    def life(self) -> float:
        """Return the mean seconds that the bot runs between two crashes."""
        return self.day / 3

    @property
    def connected(self) -> float:
        """Return the mean seconds that a connection to the gateway lasts."""
        return 2 * self.day / 3

    @property
    def right(self) -> float:
        """Return the mean seconds between two changes of a clock."""
        return 2.5 * self.day

    @property
    def watch(self) -> float:
        """Return the seconds between two checks of the invariants."""
        return self.day / 20
