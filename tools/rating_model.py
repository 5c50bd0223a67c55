"""How well ratings predict results, compared with Elo: `python -m tools.rating_model`.

Each population plays 10,000 matches of two, for each of several seeds. The log-loss is that of the
expected score before each match. Elo's factor K is the best one for the same matches, chosen
afterwards. For the two predictions from ratings see `tools.rating_forecast`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from bot.services.ratings import SIGMA, Entrant, Rating, rate
from tools.rating_forecast import Forecast, loss

MATCHES = 10_000
FACTORS = (1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 100, 120)
"""Values of K."""

SEEDS = range(1, 11)

T_QUANTILE = 2.262
"""Quantile of Student's distribution for the 95 % interval of a mean over these seeds."""

RANKS = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}


class Population(NamedTuple):
    """People who play each other.

    Attributes:
        players: their number.
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
    Population(players=1000, spread=100.0),
    Population(players=1000, spread=350.0),
    Population(players=50, spread=150.0),
    Population(players=500, spread=300.0, draws=0.3),
    Population(spread=100.0, drift=4.0),
)

Played = tuple[int, int, float]
"""Two players, and the score of the first one."""


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


def elo_loss(played: list[Played], factor: float) -> float:
    """Return the mean log-loss of Elo with this K."""
    known: dict[int, float] = {}
    total = 0.0
    for one, two, score in played:
        before = known.get(one, 0.0), known.get(two, 0.0)
        expected = 1 / (1 + 10 ** ((before[1] - before[0]) / 400))
        total += loss(expected, score)
        known[one] = before[0] + factor * (score - expected)
        known[two] = before[1] - factor * (score - expected)
    return total / len(played)


def best_elo(played: list[Played]) -> tuple[float, int]:
    """Return the lowest mean log-loss of Elo, and its K."""
    return min((elo_loss(played, factor), factor) for factor in FACTORS)


class Losses(NamedTuple):
    """Mean log-losses of predictions from ratings.

    Attributes:
        prior: if strengths are taken to spread as the prior of the ratings says.
        learned: if their spread is learned from the earlier results.
    """

    prior: float
    learned: float


def our_losses(played: list[Played]) -> Losses:
    """Return the mean log-losses of the ratings of the bot."""
    known: dict[int, Rating] = {}
    forecasts = Forecast([SIGMA]), Forecast()
    totals = [0.0] * len(forecasts)
    for one, two, score in played:
        before = known.get(one, Rating()), known.get(two, Rating())
        for number, forecast in enumerate(forecasts):
            totals[number] += loss(forecast.expect(*before), score)
            forecast.learn(score)
        ranks = zip((one, two), RANKS[score], strict=True)
        known[one], known[two] = rate([Entrant(*each) for each in ranks], before)
    return Losses(*(total / len(played) for total in totals))


def _interval(differences: list[float]) -> str:
    """Return the mean of some differences, and how far the true mean may be from it."""
    half = T_QUANTILE * stdev(differences) / len(differences) ** 0.5
    return f"{mean(differences):+.4f} ± {half:.4f}".replace("-", "−")


def main() -> None:
    """Print a table for docs/players/ratings.md."""
    print("| Players | Spread | Drift | Draws | Elo, best K | Ratings, fixed | Ratings, learned |")
    print("|--:|--:|--:|--:|---|--:|--:|")
    for each in POPULATIONS:
        played = [list(play(each, seed)) for seed in SEEDS]
        elos, ours = [best_elo(one) for one in played], [our_losses(one) for one in played]
        factors = sorted(factor for _, factor in elos)
        figures = f"{each.players} | {each.spread:.0f} | {each.drift:.0f} | {each.draws:.0%}"
        elo = f"{mean(best for best, _ in elos):.4f} (K {factors[0]} to {factors[-1]})"
        pairs = [(losses, best) for losses, (best, _) in zip(ours, elos, strict=True)]
        fixed = _interval([losses.prior - best for losses, best in pairs])
        learned = _interval([losses.learned - best for losses, best in pairs])
        print(f"| {figures} | {elo} | {fixed} | {learned} |", flush=True)


if __name__ == "__main__":
    main()
