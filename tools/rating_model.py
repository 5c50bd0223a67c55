"""How well ratings predict results, compared with Elo: `python -m tools.rating_model`.

Each population plays 10,000 matches of two, for each of several seeds. The log-loss belongs to the
expected score before each match. Both Elo and the ratings depend on a number that says how much
people differ: K for Elo, the spread for the ratings. It is the best one for the same matches,
chosen afterwards, or it is learned from the earlier matches; see `tools.rating_forecast`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from bot.domain.ratings import SIGMA
from tools.rating_forecast import SPREADS, Forecast, Mixture, Played, forecasts, loss

MATCHES = 10_000
FACTORS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 100, 120)
"""Values of K."""

SAMPLES = 10
"""Number of samples of each population."""

T_QUANTILE = 2.262
"""Quantile of Student's distribution for the 95 % interval of a mean over these samples."""


class Population(NamedTuple):
    """People who play each other.

    Attributes:
        players: number of players.
        spread: standard deviation of their strengths, in Elo.
        drift: standard deviation of a strength's change before each match.
        draws: share of matches that are drawn.
    """

    players: int = 200
    spread: float = 200.0
    drift: float = 0.0
    draws: float = 0.1


POPULATIONS = (
    Population(),
    Population(drift=8.0),
    Population(players=100),
    Population(players=1000),
    Population(spread=350.0),
    Population(spread=150.0),
    Population(spread=100.0),
    Population(draws=0.0),
    Population(spread=50.0),
    Population(spread=20.0),
    Population(players=1000, spread=50.0),
    Population(players=1000, spread=100.0),
    Population(players=1000, spread=350.0),
    Population(players=50, spread=150.0),
    Population(players=500, spread=300.0, draws=0.3),
    Population(spread=100.0, drift=4.0),
)


def play(population: Population, seed: int = 1, matches: int = MATCHES) -> Iterator[Played]:
    """Yield simulated matches."""
    random = Random(seed)
    strengths = [random.gauss(0, population.spread) for _ in range(population.players)]
    for _ in range(matches):
        one, two = random.sample(range(population.players), 2)
        for player in (one, two):
            strengths[player] += random.gauss(0, population.drift)
        wins = random.random() < 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
        drawn = random.random() < population.draws
        yield one, two, 0.5 if drawn else float(wins)


class Losses(NamedTuple):
    """Mean log-losses of predictions of the same matches.

    Attributes:
        by_number: losses for each K or spread, if it is used from the beginning.
        learned: if it is learned from the earlier matches.
    """

    by_number: Mapping[float, float]
    learned: float

    @property
    def chosen(self) -> float:
        """Return the best K or spread, chosen afterwards."""
        return min(self.by_number, key=lambda number: self.by_number[number])

    @property
    def best(self) -> float:
        """Return the lowest of the losses."""
        return self.by_number[self.chosen]


def elo_losses(played: Sequence[Played]) -> Losses:
    """Return the mean log-losses of Elo."""
    points: list[dict[int, float]] = [{} for _ in FACTORS]
    mixture = Mixture([1.0] * len(FACTORS))
    before = []
    for one, two, score in played:
        expected = []
        for factor, ratings in zip(FACTORS, points, strict=True):
            first, second = ratings.get(one, 0.0), ratings.get(two, 0.0)
            expected.append(1 / (1 + 10 ** ((second - first) / 400)))
            ratings[one] = first + factor * (score - expected[-1])
            ratings[two] = second - factor * (score - expected[-1])
        before.append(Forecast(mixture.learn(expected, score), expected))
    return _losses(FACTORS, before, played)


def rating_losses(played: Sequence[Played]) -> Losses:
    """Return the mean log-losses of the ratings."""
    return _losses(SPREADS, forecasts(played), played)


def _losses(
    numbers: Sequence[float], before: Iterable[Forecast], played: Sequence[Played]
) -> Losses:
    """Return the mean log-losses of predictions with each of some numbers, and with all."""
    learned, totals = 0.0, [0.0] * len(numbers)
    for (_, _, score), forecast in zip(played, before, strict=True):
        learned += loss(forecast.expected, score)
        for place, expected in enumerate(forecast.by_number):
            totals[place] += loss(expected, score)
    means = {number: total / len(played) for number, total in zip(numbers, totals, strict=True)}
    return Losses(means, learned / len(played))


def _interval(differences: list[float]) -> str:
    """Return the mean of some differences, and how far the true mean may be from it."""
    half = T_QUANTILE * stdev(differences) / len(differences) ** 0.5
    return f"{mean(differences):+.5f} ± {half:.5f}".replace("-", "−")


def main() -> None:
    """Print a table for docs/players/ratings.md."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the first sample")
    first = parser.parse_args().seed
    print("| Players | Spread | Drift | Draws | Elo, best K | Best spread, best K ", end="")
    print("| Learned spread, learned K | Learned spread, best K | Spread 200, best K |")
    print("|--:|--:|--:|--:|---|--:|--:|--:|--:|")
    for population in POPULATIONS:
        played = [list(play(population, seed)) for seed in range(first, first + SAMPLES)]
        pairs = [(rating_losses(matches), elo_losses(matches)) for matches in played]
        factors = sorted(elo.chosen for _, elo in pairs)
        compared = (
            [ours.best - elo.best for ours, elo in pairs],
            [ours.learned - elo.learned for ours, elo in pairs],
            [ours.learned - elo.best for ours, elo in pairs],
            [ours.by_number[SIGMA] - elo.best for ours, elo in pairs],
        )
        figures = (
            f"{population.players} | {population.spread:.0f} | "
            f"{population.drift:.0f} | {population.draws:.0%}"
        )
        elo = f"{mean(elo.best for _, elo in pairs):.4f} (K {factors[0]} to {factors[-1]})"
        print(f"| {figures} | {elo} | {' | '.join(map(_interval, compared))} |", flush=True)


if __name__ == "__main__":
    main()
