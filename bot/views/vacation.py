"""Messages about a player's vacation."""

from __future__ import annotations

from bot.domain.computer_players import COMPUTER_NAMES
from bot.services.vacation import ALLOWANCE_DAYS, PERIOD_DAYS, VacationBalance
from bot.views.message import Message, note
from render.i18n import _, ngettext


def vacation(leave: VacationBalance) -> Message:
    """Return the end of a player's vacation, and the days left after it."""
    if leave.ends_at is None:
        state = _("You're not on vacation; `/vacation days:5` pauses your clocks for 5 days.")
    else:
        state = _(
            "You're on vacation until {date}; your clocks are paused. You can still play. "
            "`/vacation days:0` ends it."
        ).format(date=f"<t:{int(leave.ends_at)}:D>")
    if leave.unaffected:
        state += "\n" + ngettext(
            "Your clock goes on in {count} match without vacations.",
            "Your clocks go on in {count} matches without vacations.",
            leave.unaffected,
        ).format(count=leave.unaffected)
    if leave.stand_in:
        text = _("If the other players agree, {computer} plays for you until you're back.")
        state += "\n" + text.format(computer=_(COMPUTER_NAMES[leave.stand_in]))
    balance = _("-# You have {days} of {allowance} vacation days left (per {period} days).")
    fields = {"days": leave.days, "allowance": ALLOWANCE_DAYS, "period": PERIOD_DAYS}
    return note(f"{state}\n{balance.format(**fields)}")


def too_long(days: int) -> str:
    """Return the sentence refusing a vacation beyond the allowance.

    Args:
        days: the maximum number of days now.
    """
    sentence = _(
        "You have {allowance} vacation days in {period} days, and can take at most {days} now; "
        "nothing has changed."
    )
    return sentence.format(days=days, allowance=ALLOWANCE_DAYS, period=PERIOD_DAYS)
