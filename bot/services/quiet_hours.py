"""Hours without reminders, in the player's own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.services.models import Switch

DEFAULT_ZONE = "UTC"
"""The time zone of those who have named none."""


@cache
def zones() -> tuple[str, ...]:
    """The names of all time zones, such as `Europe/Berlin`, in order."""
    return tuple(sorted(available_timezones() | {DEFAULT_ZONE}))


def quiet_until(hours: str, zone: str, now: float) -> float | None:
    """When the quiet hours end in which a moment falls; None if it falls in none.

    Args:
        hours: such as `22-8`, always over midnight, or `off`.
        zone: IANA name of the time zone.
        now: the moment in UTC seconds.

    Example:
        >>> quiet_until("22-8", "UTC", 23 * 3600.0) == (24 + 8) * 3600
        True
        >>> quiet_until("22-8", "Asia/Tokyo", 0.0) is None
        True
    """
    if hours == Switch.OFF:
        return None
    start, end = map(int, hours.split("-"))
    here = _place(zone)
    local = datetime.fromtimestamp(now, here)
    if end <= local.hour < start:
        return None
    day = local.date() + timedelta(days=local.hour >= start)
    return datetime.combine(day, time(end), here).timestamp()


def _place(zone: str) -> tzinfo:
    """A time zone; UTC where the host does not know it (any more), for no timer may fail by it."""
    try:
        return ZoneInfo(zone)
    except ZoneInfoNotFoundError:
        return UTC
