"""Dates as users type them, in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime

from bot.interactions.replies import UserError
from bot.services.time_controls import DAY
from render.i18n import N_, _

DATE = N_("Write a date as 2027-05-31, or 2027-05-31 18:00, in UTC.")


def when(text: str | None) -> float | None:
    """Return a typed date in UTC seconds; None if there is none.

    Raises:
        UserError: it is no date.
    """
    if not text:
        return None
    try:
        date = datetime.fromisoformat(text.strip())
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise UserError(_(DATE)) from None


def last_moment(text: str | None) -> float | None:
    """Return the end of a typed last day, or the typed time, in UTC seconds; see `when`."""
    end = when(text)
    try:
        date.fromisoformat((text or "").strip())
    except ValueError:
        return end
    return None if end is None else end + DAY
