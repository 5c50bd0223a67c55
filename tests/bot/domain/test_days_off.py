"""Days off: which seconds of a week count, and when a clock ends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.clocks import DAY, HOUR
from bot.domain.days_off import NO_DAYS_OFF, WEEKEND, DaysOff, DaysOffRule, days_off_of

BERLIN = DaysOff(WEEKEND, "Europe/Berlin")
UTC_WEEKEND = DaysOff(WEEKEND, "UTC")


def at(text: str) -> float:
    """UTC seconds of a moment."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


FRIDAY_NOON = at("2026-11-27T12:00")


@pytest.mark.parametrize(
    ("days_off", "start", "end", "hours"),
    [
        (UTC_WEEKEND, "2026-11-27T12:00", "2026-11-28T00:00", 12),
        (UTC_WEEKEND, "2026-11-27T12:00", "2026-11-28T12:00", 12),
        (UTC_WEEKEND, "2026-11-28T00:00", "2026-11-30T00:00", 0),
        (UTC_WEEKEND, "2026-11-28T12:00", "2026-11-29T12:00", 0),
        (UTC_WEEKEND, "2026-11-29T23:00", "2026-11-30T01:00", 1),
        (UTC_WEEKEND, "2026-11-27T12:00", "2026-12-07T12:00", 6 * 24),
        (DaysOff("2", "UTC"), "2026-11-24T00:00", "2026-11-27T00:00", 48),
        (DaysOff("06", "UTC"), "2026-11-28T23:00", "2026-12-01T01:00", 2),
        (NO_DAYS_OFF, "2026-11-27T12:00", "2026-12-04T12:00", 7 * 24),
        # The weekend of Berlin begins an hour earlier than that of UTC, in summer two.
        (BERLIN, "2026-11-27T22:00", "2026-11-29T23:30", 1.5),
        (BERLIN, "2026-07-03T21:00", "2026-07-05T23:00", 2),
        # Clocks are put forward, and back, on a Sunday: the weekend has 47 hours, or 49.
        (BERLIN, "2026-03-27T12:00", "2026-03-30T12:00", 72 - 47),
        (BERLIN, "2026-10-23T12:00", "2026-10-26T12:00", 72 - 49),
        # In Havana, midnight is skipped in spring, and comes twice in autumn.
        (DaysOff("6", "America/Havana"), "2024-03-09T05:00", "2024-03-12T04:00", 71 - 23),
        (DaysOff("6", "America/Havana"), "2024-11-02T04:00", "2024-11-05T05:00", 73 - 25),
        (DaysOff("4", "Pacific/Apia"), "2011-12-29T10:00", "2011-12-31T10:00", 48),
        (DaysOff(WEEKEND, "Gone/Zone"), "2026-11-27T12:00", "2026-11-30T12:00", 24),
    ],
)
def test_days_off_do_not_count(days_off: DaysOff, start: str, end: str, hours: float) -> None:
    assert days_off.spent(at(start), at(end)) == hours * HOUR


def test_clock_ends_before_days_off_or_after_them() -> None:
    monday = at("2026-11-30T00:00")
    assert UTC_WEEKEND.after(FRIDAY_NOON, 12 * HOUR) == at("2026-11-28T00:00")
    assert UTC_WEEKEND.after(FRIDAY_NOON, 12 * HOUR + 1) == monday + 1
    assert UTC_WEEKEND.after(at("2026-11-28T05:00"), 1) == monday + 1
    assert UTC_WEEKEND.after(FRIDAY_NOON, 7 * DAY) == at("2026-12-08T12:00")


@pytest.mark.parametrize("start", [FRIDAY_NOON, at("2026-11-28T05:00")])
def test_time_that_is_over_ends_where_it_did(start: float) -> None:
    assert BERLIN.after(start, 0) == start
    assert BERLIN.after(start, -5) == start - 5
    assert BERLIN.spent(start, start) == 0


ZONES = ["UTC", "Europe/Berlin", "America/Havana", "Pacific/Apia", "Asia/Kathmandu"]
MOMENTS = st.integers(int(at("2011-12-01T00:00")), int(at("2027-01-01T00:00"))).map(float)
DAYS_OFF = st.builds(
    lambda days, zone: DaysOff("".join(sorted(days)), zone),
    st.sets(st.sampled_from("0123456"), max_size=2),
    st.sampled_from(ZONES),
)


@given(DAYS_OFF, MOMENTS, st.integers(1, 60 * int(DAY)).map(float))
def test_clock_ends_when_its_time_is_spent(days_off: DaysOff, start: float, seconds: float) -> None:
    end = days_off.after(start, seconds)
    assert days_off.spent(start, end) == seconds
    assert days_off.spent(start, end - 1) < seconds, "it is the first such moment"


@given(DAYS_OFF, MOMENTS, st.integers(1, 60 * int(DAY)).map(float))
def test_clock_starts_when_its_time_is_ahead(days_off: DaysOff, end: float, seconds: float) -> None:
    start = days_off.before(end, seconds)
    assert days_off.spent(start, end) == seconds
    assert days_off.spent(start + 1, end) < seconds, "it is the last such moment"


@pytest.mark.parametrize("end", [FRIDAY_NOON, at("2026-11-28T05:00")])
def test_no_time_before_a_moment_starts_at_it(end: float) -> None:
    assert BERLIN.before(end, 0) == end
    assert BERLIN.before(end, -5) == end + 5


@given(DAYS_OFF, MOMENTS, st.tuples(*[st.integers(0, 20 * int(DAY))] * 2))
def test_parts_of_a_time_add_up(days_off: DaysOff, start: float, parts: tuple[int, int]) -> None:
    middle = start + parts[0]
    end = middle + parts[1]
    spent = days_off.spent
    assert spent(start, middle) + spent(middle, end) == spent(start, end)
    assert 0 <= spent(start, end) <= end - start


@given(DAYS_OFF, MOMENTS)
def test_week_has_at_most_two_days_off(days_off: DaysOff, start: float) -> None:
    off = 7 * DAY - days_off.spent(start, start + 7 * DAY)
    assert off <= len(days_off.days) * DAY + 24 * HOUR  # Apia left a day out


def test_days_off_are_those_of_the_players_calendar() -> None:
    """Each minute of two months is compared with the calendar of its zone."""
    tz, days_off = ZoneInfo("Europe/Berlin"), DaysOff("16", "Europe/Berlin")
    start = at("2026-03-01T00:00")
    for step in range(0, 60 * 24 * 60, 30):
        moment = start + 60 * step
        is_off = datetime.fromtimestamp(moment, tz).weekday() in (1, 6)
        assert days_off.spent(moment, moment + 60) == (0 if is_off else 60)


@pytest.mark.parametrize(
    ("rule", "days", "stored"),
    [
        (DaysOffRule.NONE, WEEKEND, " "),
        (DaysOffRule.WEEKENDS, "", "56 Asia/Tokyo"),
        (DaysOffRule.WEEKENDS, "4", "56 Asia/Tokyo"),
        (DaysOffRule.OWN, "45", "45 Asia/Tokyo"),
        (DaysOffRule.OWN, "", " "),
    ],
)
def test_rule_of_a_match_decides_whose_days_count(
    rule: DaysOffRule, days: str, stored: str
) -> None:
    days_off = days_off_of(rule, days, "Asia/Tokyo")
    assert str(days_off) == stored
    assert DaysOff.parse(str(days_off)) == days_off


def test_seat_without_days_off_has_none() -> None:
    assert DaysOff.parse(None) == NO_DAYS_OFF
    assert date(2026, 11, 28).weekday() == int(WEEKEND[0])
    assert date(2026, 11, 28) + timedelta(1) == date(2026, 11, 29)
