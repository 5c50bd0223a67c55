"""Quiet hours in the player's time zone."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from bot.domain.models import Switch
from bot.domain.time_zones import time_zone


def quiet_until(hours: str, zone: str, now: float) -> float | None:
    """Return the end of the quiet hours at a time; None outside of them.

    Args:
        hours: such as `22-8`, always over midnight, or `off`.
        zone: IANA name of the time zone.
        now: the time in UTC seconds.

    Example:
        >>> quiet_until("22-8", "UTC", 23 * 3600.0) == (24 + 8) * 3600
        True
        >>> quiet_until("22-8", "Asia/Tokyo", 0.0) is None
        True
    """
    if hours == Switch.OFF:
        return None
    start, end = map(int, hours.split("-"))
    tz = time_zone(zone)
    local = datetime.fromtimestamp(now, tz)
    if end <= local.hour < start:
        return None
    day = local.date() + timedelta(days=local.hour >= start)
    return datetime.combine(day, time(end), tz).timestamp()
