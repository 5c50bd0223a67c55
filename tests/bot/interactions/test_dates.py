"""Dates of cups, as users type them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.interactions.dates import last_moment, when
from bot.interactions.replies import UserError


def utc(year: int, month: int, day: int, hour: int = 0) -> float:
    return datetime(year, month, day, hour, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2027-08-31", utc(2027, 8, 31), utc(2027, 9, 1)),
        (" 2027-08-31 ", utc(2027, 8, 31), utc(2027, 9, 1)),
        ("20270831", utc(2027, 8, 31), utc(2027, 9, 1)),
        ("2027-08-31 18:00", utc(2027, 8, 31, 18), utc(2027, 8, 31, 18)),
        ("2027-08-31T18", utc(2027, 8, 31, 18), utc(2027, 8, 31, 18)),
        ("2027-08-31 00:00", utc(2027, 8, 31), utc(2027, 8, 31)),
        ("2027-08-31 18:00+02:00", utc(2027, 8, 31, 16), utc(2027, 8, 31, 16)),
    ],
)
def test_a_last_day_is_a_whole_day(text: str, start: float, end: float) -> None:
    assert (when(text), last_moment(text)) == (start, end)


@pytest.mark.parametrize("text", [None, ""])
def test_no_date_is_none(text: str | None) -> None:
    assert (when(text), last_moment(text)) == (None, None)


@pytest.mark.parametrize("text", ["tomorrow", "31.8.2027", "2027-02-29", "0000-01-01"])
def test_what_is_no_date_is_refused(text: str) -> None:
    for parse in (when, last_moment):
        with pytest.raises(UserError, match="Write a date as"):
            parse(text)
