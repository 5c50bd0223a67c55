"""Days off: the days of the week on which a player's clock stands still, in the player's time zone.

Days and zone are stored with a player's seat when the match begins, so that changing settings
during the match gains no time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache

from bot.domain.time_zones import time_zone

_ONE_DAY = timedelta(days=1)


class DaysOffRule(StrEnum):
    """The days off of a match's players, as written at the end of its clock."""

    NONE = ""
    WEEKENDS = "w"
    OWN = "o"


WEEKEND = "56"
"""Saturday and Sunday, as in `DaysOff.days`."""


@dataclass(frozen=True, slots=True)
class DaysOff:
    """A player's days off in a match.

    Attributes:
        days: the weekdays in order, as digits from 0 for Monday; empty for none.
        zone: IANA name of the time zone.
    """

    days: str = ""
    zone: str = ""

    @classmethod
    def parse(cls, text: str | None) -> DaysOff:
        """Parse the stored form; None is that of no days off.

        Example:
            >>> DaysOff.parse("56 Europe/Berlin")
            DaysOff(days='56', zone='Europe/Berlin')
            >>> str(DaysOff.parse("56 Europe/Berlin"))
            '56 Europe/Berlin'
        """
        days, _, zone = (text or "").partition(" ")
        return cls(days, zone)

    def __str__(self) -> str:
        return f"{self.days} {self.zone}"

    def spent(self, start: float, end: float) -> float:
        """Return the seconds between two UTC times in which a clock has run.

        Example:
            >>> DaysOff("3", "UTC").spent(-3600.0, 86400.0 + 1800.0)  # 1970-01-01 was a Thursday
            5400.0
        """
        off = 0.0
        for begin, over in self._following(start):
            if begin >= end:
                break
            off += min(over, end) - max(begin, start)
        return end - start - off

    def after(self, start: float, seconds: float) -> float:
        """Return the UTC time until which a clock runs for some seconds.

        Example:
            >>> DaysOff("3", "UTC").after(-3600.0, 5400.0) == 86400.0 + 1800.0
            True
        """
        at, left = start, seconds
        for begin, over in self._following(start):
            if left <= max(0.0, begin - at):
                break
            left -= max(0.0, begin - at)
            at = over
        return at + left

    def before(self, end: float, seconds: float) -> float:
        """Return the UTC start of a clock that runs for some seconds until a time.

        Example:
            >>> DaysOff("3", "UTC").before(86400.0 + 1800.0, 5400.0)
            -3600.0
        """
        at, left = end, seconds
        for begin, over in self._preceding(end):
            if left <= max(0.0, at - over):
                break
            left -= max(0.0, at - over)
            at = begin
        return at - left

    def _following(self, start: float) -> Iterator[tuple[float, float]]:
        """Yield the beginnings and ends of the days off that end after a UTC time, in order."""
        return (times for times in self._from(start, _ONE_DAY) if times[1] > start)

    def _preceding(self, end: float) -> Iterator[tuple[float, float]]:
        """Yield the beginnings and ends of the days off that begin before a UTC time, backwards."""
        return (times for times in self._from(end, -_ONE_DAY) if times[0] < end)

    def _from(self, at: float, step: timedelta) -> Iterator[tuple[float, float]]:
        """Yield the beginnings and ends of the days off from that of a UTC time on, in steps.

        A day has 23 or 25 hours where clocks are put forward or back.
        """
        if not self.days:
            return
        day = datetime.fromtimestamp(at, time_zone(self.zone)).date()
        while True:
            if str(day.weekday()) in self.days:
                yield _midnight(day, self.zone), _midnight(day + _ONE_DAY, self.zone)
            day += step


NO_DAYS_OFF = DaysOff()


@lru_cache(maxsize=1024)
def _midnight(day: date, zone: str) -> float:
    """Return the UTC time when a day begins."""
    return datetime.combine(day, time(), time_zone(zone)).timestamp()


def days_off_of(rule: DaysOffRule, days: str, zone: str) -> DaysOff:
    """Return a player's days off in a match that begins.

    Args:
        days: the player's own choice, as in `DaysOff.days`.
    """
    by_rule = {DaysOffRule.NONE: "", DaysOffRule.WEEKENDS: WEEKEND, DaysOffRule.OWN: days}
    days = by_rule[rule]
    return DaysOff(days, zone) if days else NO_DAYS_OFF
