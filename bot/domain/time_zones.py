"""Time zones of players."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

DEFAULT_ZONE = "UTC"
"""The time zone of players who have not set one."""


@cache
def zones() -> tuple[str, ...]:
    """Return the sorted names of all time zones, such as `Europe/Berlin`."""
    return tuple(sorted(available_timezones() | {DEFAULT_ZONE}))


def time_zone(name: str) -> tzinfo:
    """Return a time zone, or UTC if the host's database lacks it, so that no timer fails."""
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return UTC
