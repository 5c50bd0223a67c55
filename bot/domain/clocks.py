"""Time controls: days for each turn, or a budget with an increment after each turn.

Only differences of times count, so that an outage of the bot or a wrong system clock can be
deducted. Whether the time of a seat is over: `bot.services.clocks.ran_out`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.domain.days_off import DaysOffRule
from render.i18n import N_

HOUR = 3600.0
DAY = 24 * HOUR

MAX_WARNING_SECONDS = DAY
"""Maximum seconds between a warning and the end of a clock; see `warning`."""

OFFERED_CLOCKS = {
    N_("no clock"): "",
    N_("1 day per turn"): "1d",
    N_("3 days per turn"): "3d",
    N_("7 days per turn"): "7d",
    N_("3 days + 12 h per turn"): "3d+12h",
    N_("7 days + 1 day per turn"): "7d+1d",
}
"""Label → notation, offered when a match is created."""

DEFAULT_CLOCK = "3d"
"""The clock of matches between people where players and server have chosen none."""

NO_VACATIONS = "!"
"""Ends the notation of a clock that does not stop while its player is on vacation."""

_UNITS = {"h": HOUR, "d": DAY}
_NOTATION = re.compile(r"([1-9]\d{0,2}[hd])(?:\+([1-9]\d{0,2}[hd]))?[wo]?!?")


@dataclass(frozen=True, slots=True)
class Clock:
    """A time control.

    Attributes:
        budget: seconds at the start; with no increment, seconds for each turn.
        increment: seconds added after each turn; 0 where each turn has its own time.
    """

    budget: float
    increment: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Clock | None:
        """Parse a clock: `3d` for each turn, or `7d+12h` for a budget with an increment per turn.

        Both can be followed by a rule for days off (`bot.domain.days_off.DaysOffRule`), and then by
        `NO_VACATIONS`.

        Returns:
            None for an empty text, i.e. no clock.

        Raises:
            ValueError: the text is no valid clock.

        Example:
            >>> Clock.parse("7d+12h")
            Clock(budget=604800.0, increment=43200.0)
        """
        if not text:
            return None
        notation = _NOTATION.fullmatch(text.strip().lower())
        if notation is None:
            raise ValueError(
                N_("Write a clock as 3d (days per turn) or 7d+12h (budget + increment).")
            )
        return cls(*(_seconds(part) for part in notation.groups() if part))

    def after_turn(self, left: float, spent: float) -> float:
        """Return the seconds left after a turn that took `spent` seconds.

        Example:
            >>> Clock(3 * DAY).after_turn(3 * DAY, DAY) == 3 * DAY
            True
            >>> Clock(7 * DAY, DAY).after_turn(7 * DAY, 2 * DAY) == 6 * DAY
            True
        """
        return max(0.0, left - spent) + self.increment if self.increment else self.budget


def stops_for_vacations(clock: str) -> bool:
    """Return whether a clock stops while its player is on vacation.

    Args:
        clock: see `Clock.parse`.
    """
    return not clock.endswith(NO_VACATIONS)


def common_clock(clock: str) -> str:
    """Return a clock that stops for vacations and is otherwise the same.

    Example:
        >>> common_clock("3d!"), common_clock("3d")
        ('3d', '3d')
    """
    return clock.removesuffix(NO_VACATIONS)


def days_off_rule(clock: str) -> DaysOffRule:
    """Return the rule for days off of a clock; see `Clock.parse`.

    Example:
        >>> days_off_rule("3d+12hw!"), days_off_rule("3d")
        (<DaysOffRule.WEEKENDS: 'w'>, <DaysOffRule.NONE: ''>)
    """
    last = common_clock(clock)[-1:]
    return DaysOffRule(last) if last in tuple(DaysOffRule) else DaysOffRule.NONE


def with_days_off(clock: str, rule: DaysOffRule) -> str:
    """Return a clock with another rule for days off; without a clock, there are none.

    Example:
        >>> with_days_off("3d", DaysOffRule.WEEKENDS), with_days_off("3dw!", DaysOffRule.NONE)
        ('3dw', '3d!')
    """
    if not clock:
        return ""
    common = common_clock(clock)
    end = clock.removeprefix(common)
    return f"{common.removesuffix(days_off_rule(clock))}{rule}{end}"


def warning(left: float) -> float:
    """Return the seconds between the warning and the end of a player's remaining time."""
    return min(MAX_WARNING_SECONDS, left / 4)


def _seconds(text: str) -> float:
    return int(text[:-1]) * _UNITS[text[-1]]
