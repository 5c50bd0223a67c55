"""Typed dates: read as people write them, in UTC."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import NamedTuple

from bot.domain.time_controls import DAY
from bot.interactions.replies import UserError
from render.i18n import N_, _

DATE = N_("I can't read this date. Write it as 2027-05-31, or 2027-05-31 18:00, in UTC.")

MONTHS = N_(
    "January, February, March, April, May, June, July, August, September, October, November, "
    "December"
)

TODAY, TOMORROW = N_("today"), N_("tomorrow")

_FILLERS = N_("at, on, by, the, of, until, utc, gmt, o'clock")

MONTH_LETTERS = 3
"""Minimum number of letters of an abbreviated month."""

NOON = 12

_STAMP = re.compile(r"<t:(\d{1,10})(?::[a-z])?>", re.IGNORECASE)
_TIME = re.compile(r"\b(\d{1,2}):(\d{2})(?::\d{2})?\s*(am|pm)?\b|\b(\d{1,2})\s*(am|pm|uhr|h)\b")
_YEAR_FIRST = re.compile(r"\b(\d{4})[-/. ]+(\d{1,2})[-/. ]+(\d{1,2})\b")
_YEAR_LAST = re.compile(r"\b(\d{1,2})([-/.])\s*(\d{1,2})[-/.]\s*(\d{4})\b")
_MONTH_AND_DAY = (
    re.compile(
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<month>[^\W\d_]+)\.?"
        r"(?:\s+(?P<year>\d{4}))?\b"
    ),
    re.compile(
        r"\b(?P<month>[^\W\d_]+)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s+(?P<year>\d{4}))?\b"
    ),
)


class TypedDate(NamedTuple):
    """A moment, and whether a time of the day was named: without one it is midnight, in UTC."""

    at: float
    has_time: bool


def when(text: str | None, now: float) -> float | None:
    """Return a typed date in UTC seconds; None if there is none.

    Raises:
        UserError: it is no date.
    """
    date = _typed(text, now)
    return date.at if date else None


def last_moment(text: str | None, now: float) -> float | None:
    """Return the end of a typed last day, or the typed time, in UTC seconds; see `when`."""
    date = _typed(text, now)
    return (date.at if date.has_time else date.at + DAY) if date else None


def _typed(text: str | None, now: float) -> TypedDate | None:
    if not text:
        return None
    if date := read_date(text, now):
        return date
    raise UserError(_(DATE))


def read_date(text: str, now: float) -> TypedDate | None:
    """Return the moment that a text names; None if it names none, or could mean several.

    Args:
        text: such as `2027-05-31 18:00`, `31.5.2027`, `31 May`, `tomorrow 6 pm`, or a time of
            Discord (`<t:…>`); in the current language or in English.
        now: the time in UTC seconds; a day without a year is the next one.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().replace(",", " ").split())
    try:
        if stamp := _STAMP.fullmatch(plain):
            return TypedDate(float(stamp[1]), has_time=True)
        if (exact := _iso(plain)) is not None:
            return exact
        return _read(plain, datetime.fromtimestamp(now, UTC).date())
    except (ValueError, OverflowError):
        return None


def _iso(text: str) -> TypedDate | None:
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        date.fromisoformat(text)
    except ValueError:
        return TypedDate(moment.timestamp(), has_time=True)
    return TypedDate(moment.timestamp(), has_time=False)


def _read(text: str, today: date) -> TypedDate | None:
    """Read the parts of a text.

    Raises:
        ValueError: there is no such day or time.
    """
    time_match = _TIME.search(text)
    at = _time_of(time_match) if time_match else time()
    date_text = text[: time_match.start()] + " " + text[time_match.end() :] if time_match else text
    for day, remainder in _days(date_text, today):
        if not set(remainder.replace(".", " ").split()) - _words(_FILLERS):
            moment = datetime.combine(day, at, UTC)
            return TypedDate(moment.timestamp(), has_time=time_match is not None)
    return None


def _time_of(match: re.Match[str]) -> time:
    hours, minutes, half, hour_text, unit = match.groups()
    hour, half = int(hours or hour_text), half or unit
    if half in ("am", "pm"):
        if not 1 <= hour <= NOON:
            raise ValueError(match[0])
        hour = hour % NOON + (NOON if half == "pm" else 0)
    return time(hour, int(minutes or 0))


def _days(text: str, today: date) -> Iterator[tuple[date, str]]:
    """Yield the days that a text can name, each with the rest of the text.

    Raises:
        ValueError: there is no such day.
    """
    if match := _YEAR_FIRST.search(text):
        year, month, day = map(int, match.groups())
        yield date(year, month, day), _without(text, match)
    if match := _YEAR_LAST.search(text):
        yield _day_or_month_first(match), _without(text, match)
    for match in chain.from_iterable(pattern.finditer(text) for pattern in _MONTH_AND_DAY):
        if month := _month(match["month"]):
            yield _next(match["year"], month, int(match["day"]), today), _without(text, match)
    for words, days in ((TODAY, 0), (TOMORROW, 1)):
        for word in _words(words):
            if word in text.split():
                remainder = " ".join(other for other in text.split() if other != word)
                yield today + timedelta(days), remainder


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " + text[match.end() :]


def _day_or_month_first(match: re.Match[str]) -> date:
    """Return a day whose year is last: with dots the day is first, with slashes it may be second.

    Raises:
        ValueError: it could be either, or there is no such day.
    """
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if match[2] == ".":
        return date(year, second, first)
    if first > NOON or first == second:
        return date(year, second, first)
    if second > NOON:
        return date(year, first, second)
    raise ValueError(match[0])


def _next(year: str | None, month: int, day: int, today: date) -> date:
    """Return a day of a year, by default the next such day."""
    if year:
        return date(int(year), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _month(name: str) -> int:
    """Return the number of a month; 0 if no month begins like this."""
    for months in (MONTHS, _(MONTHS)):
        for number, month in enumerate(months.casefold().split(","), 1):
            if len(name) >= MONTH_LETTERS and month.strip().startswith(name):
                return number
    return 0


def _words(text: str) -> set[str]:
    """Return the words of a list, in the current language and in English."""
    return {word.strip() for words in (text, _(text)) for word in words.casefold().split(",")}
