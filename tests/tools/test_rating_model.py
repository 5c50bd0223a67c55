"""The ratings' predictions of results."""

from __future__ import annotations

from itertools import islice
from math import log
from random import Random

import pytest

from bot.domain.ratings import MU, SIGMA, Entrant, Rating, rate
from tools.rating_forecast import SPREADS, Estimates, Mixture, Played, forecasts, loss
from tools.rating_model import POPULATIONS, Population, elo_losses, play, rating_losses

TOLERANCES = {20.0: 0.0002, 50.0: 0.0008, 100.0: 0.0008}
"""Spread → Elo's greatest advantage in one sample, as a loss: three standard deviations.
Where people differ so little, results are close to chance."""

RANKS = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}


def sample(population: Population = POPULATIONS[0], matches: int = 2000) -> list[Played]:
    return list(play(population, matches=matches))


@pytest.mark.slow
def test_ratings_predict_better_than_the_best_elo() -> None:
    played = sample()
    ours, elo = rating_losses(played), elo_losses(played)
    assert ours.learned < elo.best < elo.learned


@pytest.mark.slow
@pytest.mark.parametrize(
    "population",
    [
        pytest.param(population, marks=[pytest.mark.soak] if number % 4 else [])
        for number, population in enumerate(POPULATIONS)
    ],
    ids=str,
)
def test_ratings_predict_no_worse_in_10000_matches(population: Population) -> None:
    played = list(play(population))
    ours, elo = rating_losses(played), elo_losses(played)
    tolerance = TOLERANCES.get(population.spread, 0.0)
    assert ours.learned < elo.best + tolerance
    assert ours.learned < elo.learned + tolerance
    assert ours.best < elo.best + tolerance
    if tolerance:
        assert ours.learned < ours.by_number[SIGMA]


def test_estimates_under_the_own_prior_are_the_ratings() -> None:
    random, estimates = Random(1), Estimates(SIGMA)
    ratings: dict[int, Rating] = {}
    for _ in range(300):
        one, two = random.sample(range(5), 2)
        score = random.choice([0.0, 0.5, 1.0])
        estimates.learn(one, two, score)
        entrants = [Entrant(*entrant) for entrant in zip((one, two), RANKS[score], strict=True)]
        ratings[one], ratings[two] = rate(entrants, [ratings.get(n, Rating()) for n in (one, two)])
    for player, rating in ratings.items():
        expected = rating.mu - MU, rating.sigma**2
        assert estimates.of(player) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_forecasts_follow_from_earlier_results_alone() -> None:
    played = sample(matches=200)
    before = list(forecasts(played))
    turned = [(one, two, 1 - score) for one, two, score in played[100:]]
    assert list(islice(forecasts(played[:100] + turned), 100)) == before[:100]
    assert list(forecasts(played[:100] + turned)) != before


def test_new_players_are_equal_under_all_spreads() -> None:
    (forecast,) = forecasts([(1, 2, 1.0)])
    assert forecast.expected == pytest.approx(0.5)
    assert forecast.by_number == pytest.approx([0.5] * len(SPREADS))


@pytest.mark.parametrize("population", POPULATIONS[::4], ids=str)
def test_learning_costs_no_more_than_the_first_weight(population: Population) -> None:
    played = sample(population)
    total = rating_losses(played)
    for spread in SPREADS:
        weight = (1 / spread) / sum(1 / spread for spread in SPREADS)
        allowed = log(1 / weight) / len(played)
        assert total.learned <= total.by_number[spread] + allowed + 1e-12


def test_predictions_that_were_right_weigh_more() -> None:
    mixture = Mixture([1.0, 1.0])
    assert mixture.learn([0.2, 0.6], 1.0) == pytest.approx(0.4)
    assert mixture.learn([0.2, 0.6], 1.0) == pytest.approx(0.2 / 4 + 0.6 * 3 / 4)


@pytest.mark.slow
def test_learned_spread_is_that_of_the_players() -> None:
    for spread in (50.0, 200.0):
        (nearest, other) = sorted((50.0, 200.0), key=lambda candidate: abs(candidate - spread))
        losses = rating_losses(sample(Population(spread=spread), 5000))
        assert losses.by_number[nearest] < losses.by_number[other]
        assert spread / 2 <= losses.chosen <= spread * 2


def test_loss_of_a_draw_is_least_at_a_half() -> None:
    assert loss(0.5, 0.5) == pytest.approx(log(2))
    assert loss(0.6, 0.5) > loss(0.5, 0.5) < loss(0.4, 0.5)
