"""How well ratings predict results."""

from __future__ import annotations

from math import exp, log, sqrt

import pytest

from bot.services.ratings import BETA, MU, SIGMA, Rating
from tools.rating_forecast import Forecast, loss
from tools.rating_model import POPULATIONS, Population, best_elo, our_losses, play

NARROW = 100.0
"""Spread up to which results are so close to chance that no rating predicts much."""

TOLERANCE = 0.0006
"""Loss by which Elo may be ahead there: its K is chosen afterwards, our spread is learned."""


def test_ratings_predict_better_than_the_best_elo() -> None:
    played = list(play(Population(), matches=2000))
    assert our_losses(played).learned < best_elo(played)[0]


@pytest.mark.slow
@pytest.mark.parametrize("population", POPULATIONS, ids=str)
def test_ratings_predict_no_worse_in_10000_matches(population: Population) -> None:
    played = list(play(population))
    elo, ours = best_elo(played)[0], our_losses(played)
    assert ours.learned < elo + (TOLERANCE if population.spread <= NARROW else 0.0)
    if population.spread <= NARROW:
        assert ours.learned < ours.prior


def test_prediction_under_the_own_prior_is_that_of_the_ratings() -> None:
    one, two = Rating(1700.0, 90.0), Rating(1500.0, 120.0)
    scale = sqrt(one.sigma**2 + two.sigma**2 + 2 * BETA**2)
    assert Forecast([SIGMA]).expect(one, two) == pytest.approx(1 / (1 + exp(-200 / scale)))


def test_new_players_are_equal_under_all_spreads() -> None:
    assert Forecast().expect(Rating(), Rating()) == pytest.approx(0.5)


def test_surprises_make_predictions_more_cautious() -> None:
    forecast, one, two = Forecast(), Rating(MU + 150, 90.0), Rating(MU - 150, 90.0)
    before = forecast.expect(one, two)
    for number in range(20):
        forecast.expect(one, two)
        forecast.learn(number % 2)
    assert 0.5 < forecast.expect(one, two) < before


def test_loss_of_a_draw_is_least_at_a_half() -> None:
    assert loss(0.5, 0.5) == pytest.approx(log(2))
    assert loss(0.6, 0.5) > loss(0.5, 0.5) < loss(0.4, 0.5)
