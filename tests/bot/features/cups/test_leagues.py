"""Seasons as pure functions: months, groups, promotion, the standings of a year."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import DELETED_USER_ID, UserId
from bot.features.cups.formats import MAX_ENTRANTS, MIN_ENTRANTS
from bot.features.cups.leagues import (
    SeasonResult,
    YearLine,
    divided,
    month_after,
    moving_count,
    next_order,
    year_standings,
)


@pytest.mark.parametrize(
    ("first", "months", "expected"),
    [
        ((2027, 1, 15, 18), 0, (2027, 1, 15, 18)),
        ((2027, 1, 15, 18), 1, (2027, 2, 15, 18)),
        ((2027, 11, 30, 0), 1, (2027, 12, 30, 0)),
        ((2027, 12, 1, 0), 1, (2028, 1, 1, 0)),
        ((2027, 12, 31, 23), 14, (2029, 2, 28, 23)),
        ((2027, 1, 31, 0), 13, (2028, 2, 29, 0)),
        ((2027, 1, 31, 0), 2, (2027, 3, 31, 0)),
    ],
)
def test_seasons_begin_on_the_same_day_of_each_month(
    first: tuple[int, ...], months: int, expected: tuple[int, ...]
) -> None:
    start, later = (datetime(*moment, tzinfo=UTC) for moment in (first, expected))  # type: ignore[misc, arg-type]
    assert month_after(start.timestamp(), months) == later.timestamp()


@pytest.mark.parametrize(
    ("sizes", "count"), [([3, 4], 1), ([7, 7], 1), ([7, 8], 1), ([8, 8], 2), ([5], 1), ([8], 2)]
)
def test_a_quarter_of_the_smaller_group_moves(sizes: list[int], count: int) -> None:
    assert moving_count(sizes) == count


@pytest.mark.parametrize(
    ("groups", "order"),
    [
        ([], ""),
        (["CAB"], "CAB"),
        (["ABC", "DEF"], "ABDCEF"),
        (["ABCD", "EFG", "HIJK"], "ABCEDFHGIJK"),
        (["ABCDEFGH", "IJKLMNOP"], "ABCDEFIJGHKLMNOP"),
        (["ABCDEFGH", "IJKLMNO"], "ABCDEFGIHJKLMNO"),
    ],
)
def test_last_and_best_players_of_neighbours_change_places(groups: list[str], order: str) -> None:
    assert "".join(next_order(groups)) == order


@given(st.integers(MIN_ENTRANTS, MAX_ENTRANTS), st.integers(1, 3))
def test_groups_are_equal_and_have_enough_players(count: int, divisions: int) -> None:
    groups = divided(range(count), divisions)
    assert [number for group in groups for number in group] == list(range(count))
    sizes = [len(group) for group in groups]
    assert min(sizes) >= MIN_ENTRANTS
    assert max(sizes) - min(sizes) <= 1
    assert len(groups) == min(divisions, count // MIN_ENTRANTS)
    assert sorted(next_order(groups)) == list(range(count))


def test_too_few_players_are_one_group() -> None:
    assert divided("AB", 3) == [["A", "B"]]


ADA, BO, CY, DEE = map(UserId, (1, 2, 3, 4))


def result(
    season: int, division: int, place: int | None, user: UserId, **more: bool
) -> SeasonResult:
    """A player's place; the name says in which season it was used."""
    return SeasonResult(season, division, place, user, f"P{user} in {season}", **more)


def test_a_season_counts_the_players_behind_in_all_groups() -> None:
    lines = year_standings(
        [
            result(1, 1, 1, ADA), result(1, 1, 2, BO), result(1, 2, 1, CY), result(1, 2, 2, DEE),
            result(2, 1, 1, CY), result(2, 1, 2, ADA),
        ]
    )  # fmt: skip
    assert lines == [
        YearLine(1, "P1 in 2", has_left=False, points=3, seasons=2),
        YearLine(2, "P2 in 1", has_left=False, points=2, seasons=1),
        YearLine(2, "P3 in 2", has_left=False, points=2, seasons=2),
        YearLine(4, "P4 in 1", has_left=False, points=0, seasons=1),
    ]


def test_group_in_progress_counts_for_those_above_it() -> None:
    lines = year_standings(
        [result(1, 1, 1, ADA), result(1, 1, 2, BO), result(1, 2, None, CY), result(1, 2, None, DEE)]
    )
    assert [(line.name, line.points) for line in lines] == [("P1 in 1", 3), ("P2 in 1", 2)]


def test_players_on_a_shared_place_beat_those_behind_both() -> None:
    places = [result(1, 1, place, UserId(user)) for user, place in enumerate((1, 2, 2, 4), 1)]
    assert [line.points for line in year_standings(places)] == [3, 1, 1, 0]


def test_withdrawn_and_deleted_players_count_only_for_others() -> None:
    lines = year_standings(
        [
            result(1, 1, 1, ADA, has_left=True),
            result(1, 1, 2, DELETED_USER_ID),
            result(1, 1, 3, BO, withdrawn=True),
            result(1, 2, 1, CY),
        ]
    )
    assert [(line.name, line.points, line.has_left) for line in lines] == [
        ("P1 in 1", 3, True),
        ("P3 in 1", 0, False),
    ]
