"""A model of clocks: time passes in the present, and in what it would be without the last choices.

So a takeback has only to drop the present: the clocks before the choice have run on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.domain.clocks import DAY, Clock
from bot.domain.ids import OPEN_USER_ID, UserId

ALLOWANCE_SECONDS = 30 * DAY
OVERRUN_SECONDS = 3600.0


QUARTER_SECONDS = 900.0
"""In no time zone does a day begin within a quarter of an hour."""


class Week(NamedTuple):
    """The weekdays on which a player's clock does not run, and the player's time zone."""

    days: str = ""
    zone: str = "UTC"

    def ran(self, start: float, seconds: float) -> float:
        """Return for how many of some seconds a clock has run."""
        if not self.days:
            return seconds
        total, end = 0.0, start + seconds
        for begin, over in self._working(start):
            if begin >= end:
                break
            total += min(over, end) - begin
        return total

    def end(self, start: float, left: float) -> float:
        """Return the time when a clock has run for some seconds."""
        if not self.days or not left:
            return start + left
        for begin, over in self._working(start):
            if left <= over - begin:
                return begin + left
            left -= over - begin
        raise AssertionError

    def _working(self, start: float) -> Iterator[tuple[float, float]]:
        """Yield the parts of quarters of an hour in which a clock runs."""
        tz = ZoneInfo(self.zone)
        while True:
            over = start - start % QUARTER_SECONDS + QUARTER_SECONDS
            if str(datetime.fromtimestamp(start, tz).weekday()) not in self.days:
                yield start, over
            start = over


@dataclass
class World:
    """The decisions that are pending, and user → seconds left, and those at which a warning is due.

    Attributes:
        chooser: the player whose choice led to it; 0 at the start.
        is_answer: whether that choice was made by a plan, right after the one before.
    """

    chooser: UserId
    pending: set[UserId]
    left: dict[UserId, float]
    is_answer: bool = False
    warn_at: dict[UserId, float] = field(default_factory=dict)
    first_warning: dict[UserId, float] = field(default_factory=dict)

    def start(self, users: Collection[UserId]) -> None:
        """Let clocks run: each warns a day before its end, or in its last quarter."""
        self.warn_at |= {user: min(DAY, self.left[user] / 4) for user in users if self.left[user]}
        self.first_warning |= {user: self.warn_at[user] for user in users if self.left[user]}

    def warn_again(self, user: UserId) -> None:
        """A takeback restores a warning; if it was due before, there is another one instead."""
        if (first := self.first_warning.get(user)) is not None:
            left = self.left[user]
            self.warn_at[user] = first if left > first else min(DAY, left / 4)


class ClockModel:
    """The clocks of a match: they run for those who have to decide and are not on vacation.

    Attributes:
        weeks: user → the days off.
    """

    def __init__(
        self,
        clock: Clock,
        users: Iterable[UserId],
        pending: set[UserId],
        weeks: Mapping[UserId, Week],
        at: float,
    ) -> None:
        self.clock, self.weeks, self.at = clock, weeks, at
        self.worlds = [World(OPEN_USER_ID, pending, dict.fromkeys(users, clock.budget))]
        self.worlds[0].start(pending)
        self.back_in: dict[UserId, float] = {}
        self.allowed = dict.fromkeys(users, ALLOWANCE_SECONDS)

    @property
    def now(self) -> World:
        """The present."""
        return self.worlds[-1]

    def running(self, world: World) -> set[UserId]:
        """Return whose clocks run."""
        return world.pending - self.back_in.keys()

    def choose(self, user: UserId, pending: set[UserId], *, is_answer: bool = False) -> None:
        """A turn ends: its increment is added, or the next turn has its full time.

        Each choice is a turn, so a player who has to choose again begins another one.
        """
        world, increment = deepcopy(self.now), self.clock.increment
        ended = {user} | world.pending - pending
        for player in ended:
            world.left[player] = world.left[player] + increment if increment else self.clock.budget
        world.chooser, world.is_answer = user, is_answer
        world.pending, started = pending, pending - (world.pending - ended)
        world.start(started - self.back_in.keys())
        self.worlds.append(world)

    def take_back(self, user: UserId, *, answer: bool = False) -> bool:
        """Return whether a player may take back: time must be left without the choice.

        Args:
            user: the player of the last choice, or of the one before it.
            answer: whether that one was answered, so that both go back.
        """
        count = 1 + answer
        if self.worlds[-1 - count].left[user] == 0:
            return False
        del self.worlds[-count:]
        self.now.warn_again(user)
        return True

    def pass_time(self, seconds: float) -> None:
        """Clocks run, and then vacations that are over end."""
        for world in self.worlds:
            for user in self.running(world):
                ran = self.weeks[user].ran(self.at, seconds)
                world.left[user] = max(0.0, world.left[user] - ran)
        self.at += seconds
        for user in list(self.back_in):
            self.back_in[user] -= seconds
            self.allowed[user] -= min(seconds, self.back_in[user] + seconds)
            if self.back_in[user] <= 0:
                self.come_back(user)

    def skip(self, seconds: float) -> None:
        """Let time pass that does not count, or set the clock back; the calendar follows."""
        self.at += seconds

    def end(self, user: UserId, left: float) -> float:
        """Return the time when a clock has run for some seconds from now on."""
        return self.weeks[user].end(self.at, left)

    def go_away(self, user: UserId, seconds: float) -> bool:
        """Return whether a player may be away so long, counted from the present."""
        if seconds > self.allowed[user] + OVERRUN_SECONDS:
            return False
        self.back_in[user] = min(seconds, self.allowed[user])
        return True

    def come_back(self, user: UserId) -> None:
        """The clocks of a player run on, with new warnings."""
        if self.back_in.pop(user, None) is not None:
            for world in self.worlds:
                world.start(world.pending & {user})
