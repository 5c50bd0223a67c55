"""How well ratings predict results."""

from __future__ import annotations

import pytest

from tools.rating_model import POPULATIONS, Population, best_elo, our_loss, play


def test_ratings_predict_better_than_the_best_elo() -> None:
    played = list(play(Population(), matches=2000))
    assert our_loss(played) < best_elo(played)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "population", [each for each in POPULATIONS if each.spread >= 150], ids=str
)
def test_ratings_predict_better_in_10000_matches(population: Population) -> None:
    played = list(play(population))
    assert our_loss(played) < best_elo(played)[0]
