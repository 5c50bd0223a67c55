"""Series of matches: points add up."""

from __future__ import annotations

import pytest

from engine import games
from engine.series import standing
from tests.support.warp6.games import random_match


def test_x5_2_the_lowest_total_over_a_series_wins() -> None:
    played = [random_match("3", "rolled", seed)[0] for seed in range(3)]
    game = games.get("warp6")
    points = [game.points(state) or {} for state in played]
    table = standing(points)
    assert list(table.totals) == ["B", "Y", "W"]
    for seat, total in table.totals.items():
        assert total == sum(match[seat] for match in points)
        assert (seat in table.best) == (total == min(table.totals.values()))


def test_x5_2_equal_totals_share_the_series() -> None:
    assert standing([{"B": 0, "Y": 4}, {"B": 4, "Y": 0}]).best == "BY"
    assert standing([{"B": 0, "Y": 4}]) == ({"B": 0, "Y": 4}, "B")


@pytest.mark.parametrize("matches", [[], [{"B": 0, "Y": 4}, {"B": 0, "Y": 1, "W": 2}]])
def test_a_series_is_of_matches_between_the_same_seats(matches: list[dict[str, int]]) -> None:
    with pytest.raises(ValueError, match="same seats"):
        standing(matches)


def test_a_game_says_whether_it_is_played_in_series() -> None:
    assert games.get("warp6").in_series
    assert not games.get("wormholes").in_series
