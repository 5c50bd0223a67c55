"""Typed dates: as people write them, or refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n import catalogue
from bot.interactions.dates import last_moment, read_date, when
from bot.interactions.replies import UserError
from render.i18n import using

NOW = datetime(2027, 3, 10, 9, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027-05-31", "2027-05-31"),
        (" 2027-05-31 ", "2027-05-31"),
        ("2027/5/31", "2027-05-31"),
        ("2027.05.31", "2027-05-31"),
        ("20270531", "2027-05-31"),
        ("2027-05-31 18:00", "2027-05-31 18:00"),
        ("2027-05-31T18:00Z", "2027-05-31 18:00"),
        ("2027-05-31 18:00+02:00", "2027-05-31 16:00"),
        ("2027-05-31 18:00 UTC", "2027-05-31 18:00"),
        ("2027-05-31, 6 pm", "2027-05-31 18:00"),
        ("2027-05-31 12am", "2027-05-31 00:00"),
        ("2027-05-31 12:30 pm", "2027-05-31 12:30"),
        ("31.5.2027", "2027-05-31"),
        ("31. 5. 2027 18 Uhr", "2027-05-31 18:00"),
        ("5.6.2027", "2027-06-05"),
        ("31/05/2027", "2027-05-31"),
        ("05/31/2027", "2027-05-31"),
        ("5/5/2027", "2027-05-05"),
        ("31-05-2027", "2027-05-31"),
        ("31 May 2027", "2027-05-31"),
        ("May 31st, 2027", "2027-05-31"),
        ("the 31st of May 2027 at 18:00", "2027-05-31 18:00"),
        ("31 Dec", "2027-12-31"),
        ("10 March", "2027-03-10"),
        ("9 March", "2028-03-09"),
        ("Sept 1", "2027-09-01"),
        ("today 20:15", "2027-03-10 20:15"),
        ("Tomorrow", "2027-03-11"),
        ("<t:1811782800:F>", "2027-05-31 17:00"),
        ("<t:1811782800>", "2027-05-31 17:00"),
        ("２０２７-05-31", "2027-05-31"),  # noqa: RUF001 - digits of full width
    ],
)
def test_date_is_read_as_people_write_it(text: str, expected: str) -> None:
    read = read_date(text, NOW)
    assert read
    moment = datetime.fromtimestamp(read.at, UTC)
    assert moment.strftime("%Y-%m-%d %H:%M" if " " in expected else "%Y-%m-%d") == expected
    assert read.has_time == (" " in expected)
    if not read.has_time:
        assert (moment.hour, moment.minute) == (0, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31. Mai 2027", "2027-05-31"),
        ("31. Mai um 18 Uhr", "2027-05-31"),
        ("am 3. März", "2028-03-03"),
        ("morgen", "2027-03-11"),
        ("heute", "2027-03-10"),
        ("1 October", "2027-10-01"),
    ],
)
def test_date_is_read_in_german(text: str, expected: str) -> None:
    with using(catalogue("de")):
        read = read_date(text, NOW)
    assert read
    assert datetime.fromtimestamp(read.at, UTC).strftime("%Y-%m-%d") == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "next week", "2027", "31", "2027-02-30", "31.2.2027", "5/6/2027", "2027-13-01",
        "2027-05-31 25:00", "13 pm 31 May", "0 am 31 May", "31 Ma", "31 Mayor", "every 31 May",
        "31 May 2027 or 1 June 2027", "18:00", "<t:99999999999999:F>", "not 2027-05-31",
        "99999-05-31", "\x00", "0000-00-00",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused(text: str) -> None:
    assert read_date(text, NOW) is None


@given(st.text(max_size=40) | st.from_regex(r"[0-9 .:/-]{1,20}(am|pm|May|<t:)?", fullmatch=True))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    read = read_date(text, NOW)
    assert read is None or read.at > -(10**11)


def utc(year: int, month: int, day: int, hour: int = 0) -> float:
    return datetime(year, month, day, hour, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2027-08-31", utc(2027, 8, 31), utc(2027, 9, 1)),
        (" 2027-08-31 ", utc(2027, 8, 31), utc(2027, 9, 1)),
        ("31 August", utc(2027, 8, 31), utc(2027, 9, 1)),
        ("20270831", utc(2027, 8, 31), utc(2027, 9, 1)),
        ("2027-08-31 18:00", utc(2027, 8, 31, 18), utc(2027, 8, 31, 18)),
        ("2027-08-31T18", utc(2027, 8, 31, 18), utc(2027, 8, 31, 18)),
        ("2027-08-31 00:00", utc(2027, 8, 31), utc(2027, 8, 31)),
        ("2027-08-31 18:00+02:00", utc(2027, 8, 31, 16), utc(2027, 8, 31, 16)),
    ],
)
def test_a_last_day_is_a_whole_day(text: str, start: float, end: float) -> None:
    assert (when(text, NOW), last_moment(text, NOW)) == (start, end)


@pytest.mark.parametrize("text", [None, ""])
def test_no_date_is_none(text: str | None) -> None:
    assert (when(text, NOW), last_moment(text, NOW)) == (None, None)


@pytest.mark.parametrize("text", ["soon", "2027-02-29", "0000-01-01"])
def test_user_is_told_how_to_write_a_date(text: str) -> None:
    for parse in (when, last_moment):
        with pytest.raises(UserError, match="Write it as 2027-05-31"):
            parse(text, NOW)
