"""Quiet hours in the player's time zone, and the active hours between them."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

from bot.domain.models import Switch
from bot.domain.time_zones import time_zone


class ActiveHours(NamedTuple):
    """The present or next time between quiet hours, in UTC seconds."""

    start: float
    end: float


def active_hours(hours: str, zone: str, now: float) -> ActiveHours | None:
    """Return the active hours at a time, or the next ones in quiet hours; None without these.

    For the parameters see `quiet_until`.

    Example:
        >>> active_hours("22-8", "UTC", 23 * 3600.0) == ((24 + 8) * 3600, (24 + 22) * 3600)
        True
    """
    if hours == Switch.OFF:
        return None
    quiet_start, quiet_end = map(int, hours.split("-"))
    tz = time_zone(zone)
    local = datetime.fromtimestamp(now, tz)
    day = local.date() + timedelta(days=local.hour >= quiet_start)
    start, end = (datetime.combine(day, time(hour), tz) for hour in (quiet_end, quiet_start))
    return ActiveHours(start.timestamp(), end.timestamp())


def quiet_until(hours: str, zone: str, now: float) -> float | None:
    """Return the end of the quiet hours at a time; None outside of them.

    Args:
        hours: such as `22-8`, always over midnight, or `off`.
        zone: IANA name of the time zone.

    Example:
        >>> quiet_until("22-8", "UTC", 23 * 3600.0) == (24 + 8) * 3600
        True
        >>> quiet_until("22-8", "Asia/Tokyo", 0.0) is None
        True
    """
    active = active_hours(hours, zone, now)
    return active.start if active and now < active.start else None
