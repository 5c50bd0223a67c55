"""Typed dates: read as people write them, in their time zone.

A small table instead of dateparser, which takes 18 MB of memory and four more packages, and guesses
instead of asking: it reads “Freitag 18 Uhr” as the 18th, and 5/6/2027 as one of two days.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import chain
from typing import NamedTuple

from bot.interactions.replies import UserError
from render.i18n import N_, _

DATE = N_(
    "I can't read this date, or it could mean several. Write it as `Friday 18:00`, `in 3 days`, "
    "`24.12. 20:00` or `2027-05-31`. Your time zone is {zone}; `/settings zone:` changes it."
)

MONTHS = N_(
    "January, February, March, April, May, June, July, August, September, October, November, "
    "December"
)

WEEKDAYS = N_("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday")

DAYS_FROM_TODAY = (N_("today, tonight"), N_("tomorrow"), N_("overmorrow"))
"""Words for today and the days after it."""

TIMES_OF_DAY = (
    (N_("morning, mornings"), 9),
    (N_("noon, midday"), 12),
    (N_("afternoon, afternoons"), 15),
    (N_("evening, evenings, tonight"), 19),
)
"""Words for a time of the day, and the hour that they mean without another one."""

MAX_HOURS_FROM_WORD = 4
"""Maximum hours between a named time and a word for the time of the day beside it."""

UNITS = ((N_("hour, hours"), 0, 1), (N_("day, days"), 1, 0), (N_("week, weeks"), 7, 0))
"""Words for a span of time, its days and its hours."""

_ONE = N_("a, an, one")

_UTC = {"utc", "gmt"}

_FILLERS = N_("at, on, by, in, the, of, this, until, o'clock")

MONTH_LETTERS, WEEKDAY_LETTERS = 3, 2
"""Minimum number of letters of an abbreviated month and weekday."""

NOON = 12

_STAMP = re.compile(r"<t:(\d{1,10})(?::[a-z])?>", re.IGNORECASE)
_TIME = re.compile(r"\b(\d{1,2}):(\d{2})(?::\d{2})?\s*(am|pm)?\b|\b(\d{1,2})\s*(am|pm|uhr|h)\b")
_OTHER_COLON = re.compile(r"\b(\d{1,2})(?:\.(?=\d{2}\s*uhr\b)|h(?=\d{2}\b))")
_LATER = re.compile(
    r"\b(?:in|em|daqui a|dentro de|en|dans|za)\s+(\d{1,3}|[^\W\d_]+)\s+([^\W\d_]+)\b"
)
_YEAR_FIRST = re.compile(r"\b(\d{4})[-/. ]+(\d{1,2})[-/. ]+(\d{1,2})\b")
_YEAR_LAST = re.compile(r"\b(\d{1,2})([-/.])\s*(\d{1,2})[-/.]\s*(\d{4})\b")
_NO_YEAR = re.compile(r"(?<![\d./-])(\d{1,2})([./])\s*(\d{1,2})\b(?![./-]?\d)\.?")
_MONTH_AND_DAY = (
    re.compile(
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|o|er|\.)?\s+(?:(?:of|de)\s+)?(?P<month>[^\W\d_]+)\.?"
        r"(?:\s+(?:de\s+)?(?P<year>\d{4}))?\b"
    ),
    re.compile(
        r"\b(?P<month>[^\W\d_]+)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:\s+(?P<year>\d{4}))?\b"
    ),
)


_JAPANESE = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(\d{4})年(\d{1,2})月(\d{1,2})日", r" \1-\2-\3 "),
        (r"(\d{1,2})月(\d{1,2})日", r" \2.\1. "),
        (r"(\d{1,2})時半", r" \1:30 "),
        (r"(\d{1,2})時(\d{2})分", r" \1:\2 "),
        (r"(\d{1,2})時(?!間)", r" \1:00 "),
        (r"午前\s*(\d{1,2}:\d{2})", r" \1 am "),
        (r"(?:午後|夕方|夜|晩)の?\s*((?:0?[1-9]|1[01]):\d{2})", r" \1 pm "),
        (r"(\d{1,3})(日|時間|週間)後", r" in \1 \2 "),
        (r"(?<=[\u3041-\u9fff])(?:の|(?:に|から|まで)(?=\s|$))", " "),
        (r"(?<=[\u3041-\u9fff])(?=\d)", " "),
    )
)
"""Parts of dates without spaces, and the words they stand for, in this order."""


class TypedDate(NamedTuple):
    """A moment, and whether a time of the day was named: without one it is midnight."""

    moment: datetime
    has_time: bool

    @property
    def at(self) -> float:
        """Return the moment in UTC seconds."""
        return self.moment.timestamp()

    @property
    def end(self) -> float:
        """Return the end of the day, or the named time, in UTC seconds."""
        if self.has_time:
            return self.at
        next_day = self.moment.date() + timedelta(1)
        return datetime.combine(next_day, time(), self.moment.tzinfo).timestamp()


def when(text: str | None, now: float, zone: tzinfo) -> float | None:
    """Return a typed date in UTC seconds; None if there is none.

    Args:
        zone: the writer's time zone.

    Raises:
        UserError: it is no date.
    """
    date = _typed(text, now, zone)
    return date.at if date else None


def last_moment(text: str | None, now: float, zone: tzinfo) -> float | None:
    """Return the end of a typed last day, or the typed time, in UTC seconds; see `when`."""
    date = _typed(text, now, zone)
    return date.end if date else None


def _typed(text: str | None, now: float, zone: tzinfo) -> TypedDate | None:
    if not text:
        return None
    if date := read_date(text, now, zone):
        return date
    raise UserError(_(DATE).format(zone=zone))


def read_date(text: str, now: float, zone: tzinfo) -> TypedDate | None:
    """Return the moment that a text names; None if it names none, or could mean several.

    Args:
        text: such as `2027-05-31 18:00`, `31.5.`, `31 May`, `Friday 6 pm`, `in 3 days`, `tomorrow
            evening`, or a time of Discord (`<t:…>`); in the current language or in English.
        now: the time in UTC seconds; a day without a year is the next one.
        zone: the writer's time zone, unless the text names UTC.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().replace(",", " ")
    for pattern, replacement in _JAPANESE:
        plain = pattern.sub(replacement, plain)
    plain = " ".join(plain.split())
    try:
        if stamp := _STAMP.fullmatch(plain):
            return TypedDate(datetime.fromtimestamp(int(stamp[1]), UTC), has_time=True)
        date = _iso(plain, zone) or _read(plain, datetime.fromtimestamp(now, zone))
        return date if date and date.at <= date.end else None
    except (ValueError, OverflowError):  # no such date, or none after it
        return None


def _iso(text: str, zone: tzinfo) -> TypedDate | None:
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    try:
        date.fromisoformat(text)
    except ValueError:
        return TypedDate(moment, has_time=True)
    return TypedDate(moment, has_time=False)


def _read(text: str, now: datetime) -> TypedDate | None:
    """Read the parts of a text, at a time in the writer's zone.

    Raises:
        ValueError: there is no such day or time.
    """
    words = _OTHER_COLON.sub(r"\1:", text).split()
    if _UTC.intersection(words):
        now = now.astimezone(UTC)
    at, date_text = _time(" ".join(word for word in words if word not in _UTC))
    for moment, has_time, remainder in chain(_later(date_text, now, at), _days(date_text, now, at)):
        left_over = set(remainder.replace(".", " ").split()) - _words(_FILLERS)
        if all(_weekday(word) == moment.weekday() for word in left_over):
            return TypedDate(moment, has_time)
    return None


def _time(text: str) -> tuple[time | None, str]:
    """Return the time of the day that a text names, if any, and the rest of the text.

    Raises:
        ValueError: there is no such time, or a word says another one.
    """
    match = _TIME.search(text)
    at = _time_of(match) if match else None
    text = _without(text, match) if match else text
    for names, hour in TIMES_OF_DAY:
        if parts := _named(names, text):
            at = at or time(hour)
            if abs(at.hour - hour) > MAX_HOURS_FROM_WORD:
                raise ValueError(text)
            for words in parts - _words(DAYS_FROM_TODAY[0]):
                text = _without_words(text, words)
    return at, " ".join(text.split())


def _later(text: str, now: datetime, at: time | None) -> Iterator[tuple[datetime, bool, str]]:
    """Yield the moment that is some hours, days or weeks from now, and the rest of the text."""
    match = _LATER.search(text)
    if match is None or not (match[1].isdecimal() or match[1] in _words(_ONE)):
        return
    count = int(match[1]) if match[1].isdecimal() else 1
    for names, days, hours in UNITS:
        if match[2] in _words(names) and not (hours and at):
            later = now.astimezone(UTC) + timedelta(hours=hours * count)
            local = later.astimezone(now.tzinfo).replace(second=0, microsecond=0)
            day = local.date() + timedelta(days * count)
            moment = datetime.combine(day, at or local.time(), now.tzinfo)
            yield moment, True, _without(text, match)


def _time_of(match: re.Match[str]) -> time:
    hours, minutes, half, hour_text, unit = match.groups()
    hour, half = int(hours or hour_text), half or unit
    if half in ("am", "pm"):
        if not 1 <= hour <= NOON:
            raise ValueError(match[0])
        hour = hour % NOON + (NOON if half == "pm" else 0)
    return time(hour, int(minutes or 0))


def _days(text: str, now: datetime, at: time | None) -> Iterator[tuple[datetime, bool, str]]:
    """Yield the days that a text can name, each with the rest of the text.

    Raises:
        ValueError: there is no such day.
    """
    for day, remainder in chain(_dates(text, now.date()), _weekdays(text, now, at)):
        yield datetime.combine(day, at or time(), now.tzinfo), at is not None, remainder


def _dates(text: str, today: date) -> Iterator[tuple[date, str]]:
    if match := _YEAR_FIRST.search(text):
        year, month, day = map(int, match.groups())
        yield date(year, month, day), _without(text, match)
    if match := _YEAR_LAST.search(text):
        month, day = _month_and_day(match)
        yield date(int(match[4]), month, day), _without(text, match)
    if match := _NO_YEAR.search(text):
        yield _next("", *_month_and_day(match), today), _without(text, match)
    for match in chain.from_iterable(pattern.finditer(text) for pattern in _MONTH_AND_DAY):
        if month := _month(match["month"]):
            yield _next(match["year"], month, int(match["day"]), today), _without(text, match)
    for days, names in enumerate(DAYS_FROM_TODAY):
        for words in _named(names, text):
            yield today + timedelta(days), _without_words(text, words)


def _weekdays(text: str, now: datetime, at: time | None) -> Iterator[tuple[date, str]]:
    """Yield the next days with a weekday that a text names.

    Raises:
        ValueError: it could be today, or a week later.
    """
    for word in text.split():
        if (number := _weekday(word)) is None:
            continue
        days = (number - now.weekday()) % 7
        if not days and at is None:
            raise ValueError(text)
        if not days and at and datetime.combine(now.date(), at, now.tzinfo) <= now:
            days = 7
        yield now.date() + timedelta(days), _without_words(text, word)


def _without(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " + text[match.end() :]


def _named(names: str, text: str) -> set[str]:
    """Return the names of a list that a text has, each of one or more words."""
    return {words for words in _words(names) if re.search(_whole(words), text)}


def _without_words(text: str, words: str) -> str:
    return " ".join(re.sub(_whole(words), " ", text).split())


def _whole(words: str) -> str:
    return rf"(?<!\S){re.escape(words)}(?!\S)"


def _month_and_day(match: re.Match[str]) -> tuple[int, int]:
    """Return month and day of a date in numbers: with slashes, either can be first.

    Raises:
        ValueError: it could mean two days.
    """
    first, second = int(match[1]), int(match[3])
    if match[2] == "." or first > NOON or first == second:
        return second, first
    if second > NOON:
        return first, second
    raise ValueError(match[0])


def _next(year: str | None, month: int, day: int, today: date) -> date:
    """Return a day of a year, by default the next such day."""
    if year:
        return date(int(year), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _month(name: str) -> int:
    """Return the number of a month; 0 if no month begins like this."""
    number = _number(name, MONTHS, MONTH_LETTERS)
    return 0 if number is None else number + 1


def _weekday(word: str) -> int | None:
    """Return the number of a weekday, 0 for Monday; None if no weekday begins like this."""
    return _number(word.rstrip("."), WEEKDAYS, WEEKDAY_LETTERS)


def _number(word: str, names: str, letters: int) -> int | None:
    """Return the place in a list, in the current language or English, of a name that begins so.

    A name can have several forms, with spaces between them: środa środę.
    """
    for listed in (names, _(names)):
        for number, forms in enumerate(listed.casefold().split(",")):
            if len(word) >= letters and any(form.startswith(word) for form in forms.split()):
                return number
    return None


def _words(text: str) -> set[str]:
    """Return the words of a list, in the current language and in English."""
    return {word.strip() for words in (text, _(text)) for word in words.casefold().split(",")}
