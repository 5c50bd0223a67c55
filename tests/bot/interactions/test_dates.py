"""Typed dates: as people write them, or refused."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

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
        ("overmorrow 9 am", "2027-03-12 09:00"),
        ("24.12. 20:00", "2027-12-24 20:00"),
        ("24.12.", "2027-12-24"),
        ("9. 3.", "2028-03-09"),
        ("10.3", "2027-03-10"),
        ("24/12 8 pm", "2027-12-24 20:00"),
        ("12/24", "2027-12-24"),
        ("7/7", "2027-07-07"),
        ("Friday 18:00", "2027-03-12 18:00"),
        ("on Fri, 6 pm", "2027-03-12 18:00"),
        ("Th", "2027-03-11"),
        ("this Friday", "2027-03-12"),
        ("Tuesday", "2027-03-16"),
        ("Wednesday 09:01", "2027-03-10 09:01"),
        ("Wednesday 09:00", "2027-03-17 09:00"),
        ("Friday, 12 March", "2027-03-12"),
        ("Fri 12.3. 18:00", "2027-03-12 18:00"),
        ("in 3 days", "2027-03-13 09:00"),
        ("in 3 days at 18:00", "2027-03-13 18:00"),
        ("in a week", "2027-03-17 09:00"),
        ("in 2 weeks", "2027-03-24 09:00"),
        ("in 1 hour", "2027-03-10 10:00"),
        ("in 20 hours", "2027-03-11 05:00"),
        ("tomorrow morning", "2027-03-11 09:00"),
        ("tomorrow noon", "2027-03-11 12:00"),
        ("sat afternoon", "2027-03-13 15:00"),
        ("tomorrow in the evening", "2027-03-11 19:00"),
        ("tomorrow evening at 11 pm", "2027-03-11 23:00"),
        ("tomorrow morning 5:00", "2027-03-11 05:00"),
        ("tonight", "2027-03-10 19:00"),
        ("tonight 21:00", "2027-03-10 21:00"),
        ("<t:1811782800:F>", "2027-05-31 17:00"),
        ("<t:1811782800>", "2027-05-31 17:00"),
        ("２０２７-05-31", "2027-05-31"),  # noqa: RUF001 - digits of full width
    ],
)
def test_date_is_read_as_people_write_it(text: str, expected: str) -> None:
    read = read_date(text, NOW, UTC)
    assert read
    moment = datetime.fromtimestamp(read.at, UTC)
    assert moment.strftime("%Y-%m-%d %H:%M" if " " in expected else "%Y-%m-%d") == expected
    assert read.has_time == (" " in expected)
    if not read.has_time:
        assert (moment.hour, moment.minute) == (0, 0)


def read_in(language: str, text: str) -> str:
    """A date as it is read in a language, with the time of day if it names one."""
    with using(catalogue(language)):
        read = read_date(text, NOW, UTC)
    assert read
    moment = read.moment.strftime("%Y-%m-%d %H:%M")
    return moment.removesuffix("" if read.has_time else " 00:00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31. Mai 2027", "2027-05-31"),
        ("31. Mai um 18 Uhr", "2027-05-31 18:00"),
        ("am 3. März", "2028-03-03"),
        ("morgen", "2027-03-11"),
        ("heute", "2027-03-10"),
        ("1 October", "2027-10-01"),
        ("Freitag 18 Uhr", "2027-03-12 18:00"),
        ("Fr. 20.30 Uhr", "2027-03-12 20:30"),
        ("am Mi 10:00", "2027-03-10 10:00"),
        ("diesen Sonntag", "2027-03-14"),
        ("in 3 Tagen", "2027-03-13 09:00"),
        ("in einer Woche", "2027-03-17 09:00"),
        ("in 5 Stunden", "2027-03-10 14:00"),
        ("morgen Abend", "2027-03-11 19:00"),
        ("morgen früh um 8 Uhr", "2027-03-11 08:00"),
        ("übermorgen", "2027-03-12"),
        ("heute Abend", "2027-03-10 19:00"),
        ("24.12. 20:00", "2027-12-24 20:00"),
        ("tomorrow evening", "2027-03-11 19:00"),
    ],
)
def test_date_is_read_in_german(text: str, expected: str) -> None:
    assert read_in("de", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31 maja", "2027-05-31"),
        ("31 maj", "2027-05-31"),
        ("1. czerwca 2028 o 18:30", "2028-06-01 18:30"),
        ("piątek 18:00", "2027-03-12 18:00"),
        ("w sobotę po południu", "2027-03-13 15:00"),
        ("w niedziele wieczorem", "2027-03-14 19:00"),
        ("śr. 19:00", "2027-03-10 19:00"),
        ("za 3 dni", "2027-03-13 09:00"),
        ("za jeden tydzień", "2027-03-17 09:00"),
        ("jutro rano", "2027-03-11 09:00"),
        ("dziś wieczorem", "2027-03-10 19:00"),
        ("pojutrze w południe", "2027-03-12 12:00"),
    ],
)
def test_date_is_read_in_polish(text: str, expected: str) -> None:
    assert read_in("pl", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31 de maio", "2027-05-31"),
        ("1º de junho de 2028 às 18h30", "2028-06-01 18:30"),
        ("no dia 31 de maio, às 18 h", "2027-05-31 18:00"),
        ("sexta 18:00", "2027-03-12 18:00"),
        ("próxima quarta-feira às 20h", "2027-03-10 20:00"),
        ("sábado à tarde", "2027-03-13 15:00"),
        ("terca as 9h", "2027-03-16 09:00"),
        ("12 de marco", "2027-03-12"),
        ("em 3 dias", "2027-03-13 09:00"),
        ("daqui a uma semana", "2027-03-17 09:00"),
        ("amanhã 18:00", "2027-03-11 18:00"),
        ("hoje à noite", "2027-03-10 19:00"),
        ("24/12 às 20h", "2027-12-24 20:00"),
    ],
)
def test_date_is_read_in_portuguese(text: str, expected: str) -> None:
    assert read_in("pt_BR", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("31 de mayo de 2027", "2027-05-31"),
        ("el 31 de mayo a las 18:00", "2027-05-31 18:00"),
        ("mañana", "2027-03-11"),
        ("mañana por la mañana", "2027-03-11 09:00"),
        ("mañana por la noche", "2027-03-11 19:00"),
        ("pasado mañana a las 20:00", "2027-03-12 20:00"),
        ("el viernes por la mañana", "2027-03-12 09:00"),
        ("sabado noche", "2027-03-13 19:00"),
        ("miércoles 20:00", "2027-03-10 20:00"),
        ("esta noche", "2027-03-10 19:00"),
        ("esta tarde a las 17:00", "2027-03-10 17:00"),
        ("dentro de una semana", "2027-03-17 09:00"),
        ("en 8 semanas", "2027-05-05 09:00"),
    ],
)
def test_date_is_read_in_spanish(text: str, expected: str) -> None:
    assert read_in("es", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("vendredi 18:00", "2027-03-12 18:00"),
        ("ven. 12 mars à 18h30", "2027-03-12 18:30"),
        ("le 1er mai", "2027-05-01"),
        ("dans 3 jours", "2027-03-13 09:00"),
        ("dans une semaine à 20h", "2027-03-17 20:00"),
        ("aujourd'hui 20:15", "2027-03-10 20:15"),
        ("aujourd’hui à midi", "2027-03-10 12:00"),
        ("ce soir", "2027-03-10 19:00"),
        ("demain soir vers 22h", "2027-03-11 22:00"),
        ("vendredi soir", "2027-03-12 19:00"),
        ("après-demain", "2027-03-12"),
        ("24/12 20:00", "2027-12-24 20:00"),
    ],
)
def test_date_is_read_in_french(text: str, expected: str) -> None:
    assert read_in("fr", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027年5月31日", "2027-05-31"),
        ("12月24日20時", "2027-12-24 20:00"),
        ("5月31日 18時30分", "2027-05-31 18:30"),
        ("金曜日の18時", "2027-03-12 18:00"),
        ("金曜 午後8時半", "2027-03-12 20:30"),
        ("明日の夜8時", "2027-03-11 20:00"),
        ("明日18:00", "2027-03-11 18:00"),
        ("明日の夜", "2027-03-11 19:00"),
        ("あさっての正午", "2027-03-12 12:00"),
        ("今夜", "2027-03-10 19:00"),
        ("３日後", "2027-03-13 09:00"),
        ("2週間後の18時", "2027-03-24 18:00"),
        ("5時間後", "2027-03-10 14:00"),
        ("今度の日曜日", "2027-03-14"),
    ],
)
def test_date_is_read_in_japanese(text: str, expected: str) -> None:
    assert read_in("ja", text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "next week", "2027", "31", "2027-02-30", "31.2.2027", "5/6/2027", "2027-13-01",
        "2027-05-31 25:00", "13 pm 31 May", "0 am 31 May", "31 Ma", "31 Mayor", "every 31 May",
        "31 May 2027 or 1 June 2027", "18:00", "<t:99999999999999:F>", "not 2027-05-31",
        "99999-05-31", "\x00", "0000-00-00", "9999-12-31", "5/6", "18.30", "1.1.27", "Wednesday",
        "next Friday", "Thursday 12 March", "Friday or Saturday", "in 5 hours 18:00", "in 3 moons",
        "in three days", "tomorrow evening 8 am", "tomorrow morning 14:00", "in the evening",
        "yesterday", "F", "tomorrow Friday", "in 99999 days",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused(text: str) -> None:
    assert read_date(text, NOW, UTC) is None


@given(st.text(max_size=40) | st.from_regex(r"[0-9 .:/-]{1,20}(am|pm|May|<t:)?", fullmatch=True))
def test_any_text_is_a_date_or_refused(text: str) -> None:
    read = read_date(text, NOW, UTC)
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
    assert (when(text, NOW, UTC), last_moment(text, NOW, UTC)) == (start, end)


@pytest.mark.parametrize("text", [None, ""])
def test_no_date_is_none(text: str | None) -> None:
    assert (when(text, NOW, UTC), last_moment(text, NOW, UTC)) == (None, None)


@pytest.mark.parametrize("text", ["soon", "2027-02-29", "0000-01-01"])
def test_user_is_told_how_to_write_a_date(text: str) -> None:
    for parse in (when, last_moment):
        with pytest.raises(UserError, match=r"Write it as `Friday 18:00`.* UTC; `/settings zone:`"):
            parse(text, NOW, UTC)


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2027-05-31 18:00", "2027-05-31 16:00"),
        ("2027-05-31 18:00 UTC", "2027-05-31 18:00"),
        ("2027-05-31 18:00 GMT", "2027-05-31 18:00"),
        ("2027-05-31T18:00Z", "2027-05-31 18:00"),
        ("31 May", "2027-05-30 22:00"),
        ("24.12. 20:00", "2027-12-24 19:00"),
        ("in 3 days", "2027-03-13 23:30"),
        ("in 3 weeks", "2027-03-31 22:30"),
        ("in 450 hours", "2027-03-29 17:30"),
        ("today 23:00", "2027-03-11 22:00"),
        ("Thursday 0:31", "2027-03-10 23:31"),
        ("tomorrow", "2027-03-11 23:00"),
        ("<t:1811782800>", "2027-05-31 17:00"),
    ],
)
def test_date_is_read_in_the_writers_time_zone(text: str, expected: str) -> None:
    """Now it is half past midnight there, on Thursday; summer time begins on 28 March."""
    now = datetime(2027, 3, 10, 23, 30, 59, tzinfo=UTC).timestamp()
    read = read_date(text, now, BERLIN)
    assert read
    assert datetime.fromtimestamp(read.at, UTC).strftime("%Y-%m-%d %H:%M") == expected


@pytest.mark.parametrize(("day", "hours"), [("2027-03-28", 23), ("2027-03-29", 24)])
def test_last_day_ends_at_midnight_in_the_writers_zone(day: str, hours: int) -> None:
    start, end = (parse(day, NOW, BERLIN) for parse in (when, last_moment))
    assert start
    assert end
    assert (end - start, end % 86400) == (hours * 3600, 22 * 3600)
