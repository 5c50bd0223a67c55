"""The custom_ids of positions of the day."""

from __future__ import annotations

from bot.views.custom_id_codec import CustomId


class DailyId(CustomId, prefix="daily"):
    """Show the choices of a position of the day, or this user's answer to a solved one."""

    number: int


class DailyMonthId(CustomId, prefix="dailymonth"):
    """Show the table of the month of a position of the day."""

    number: int


class DailyAnswerId(CustomId, prefix="answer"):
    """Answer a position of the day; in a list, the choice is its value."""

    number: int
    notation: str


class DailyPartId(CustomId, prefix="within"):
    """Show the choices of a position of the day below a path; in a list, the path is its value."""

    number: int
    path: str
