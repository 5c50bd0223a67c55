"""Vacations, as players see them."""

from __future__ import annotations

from bot.services.vacation import ALLOWANCE_DAYS, PERIOD_DAYS, Leave
from bot.views.message import Message, note
from render.i18n import _


def vacation(leave: Leave) -> Message:
    """Return until when a player is away, and how long they can be away after that."""
    if leave.until is None:
        first = _("You are not away; `/vacation days:5` makes your clocks stand still for 5 days.")
    else:
        first = _(
            "You are away until {date}, and your clocks stand still; play all the same whenever "
            "you like. `/vacation days:0` ends it."
        ).format(date=f"<t:{int(leave.until)}:D>")
    left = _("-# You have {days} of {allowance} days left, counted over {period} days.")
    fields = {"days": leave.days, "allowance": ALLOWANCE_DAYS, "period": PERIOD_DAYS}
    return note(f"{first}\n{left.format(**fields)}")


def too_long(days: int) -> str:
    """Return why a player cannot be away that long."""
    sentence = _(
        "You can be away for {allowance} days in {period}, and now for at most {days}; nothing has "
        "changed."
    )
    return sentence.format(days=days, allowance=ALLOWANCE_DAYS, period=PERIOD_DAYS)
