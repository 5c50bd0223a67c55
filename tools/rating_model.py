"""How well ratings predict results, compared with Elo: `python -m tools.rating_model`.

Each population plays 10,000 matches of two, drawn by a seed. The log-loss is that of the expected
score before each match. Elo's factor K is the best one for the same matches, chosen afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log, sqrt
from random import Random
from typing import NamedTuple

from bot.services.ratings import BETA, Entrant, Rating, rate

MATCHES = 10_000
FACTORS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80)
"""Values of K."""

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
        total += _loss(expected, score)
        known[one] = before[0] + factor * (score - expected)
        known[two] = before[1] - factor * (score - expected)
    return total / len(played)


def best_elo(played: list[Played]) -> tuple[float, int]:
    """Return the lowest mean log-loss of Elo, and its K."""
    return min((elo_loss(played, factor), factor) for factor in FACTORS)


def our_loss(played: list[Played]) -> float:
    """Return the mean log-loss of the ratings of the bot."""
    known: dict[int, Rating] = {}
    total = 0.0
    for one, two, score in played:
        before = known.get(one, Rating()), known.get(two, Rating())
        scale = sqrt(before[0].sigma ** 2 + before[1].sigma ** 2 + 2 * BETA**2)
        expected = 1 / (1 + exp((before[1].mu - before[0].mu) / scale))
        total += _loss(expected, score)
        ranks = zip((one, two), RANKS[score], strict=True)
        known[one], known[two] = rate([Entrant(*each) for each in ranks], before)
    return total / len(played)


def _loss(expected: float, score: float) -> float:
    return -(score * log(expected) + (1 - score) * log(1 - expected))


def main() -> None:
    """Print a table for docs/players/ratings.md."""
    print("| Players | Spread | Drift | Draws | Elo, best K | Ratings | Difference |")
    print("|--:|--:|--:|--:|---|--:|--:|")
    for each in POPULATIONS:
        played = list(play(each))
        (elo, factor), ours = best_elo(played), our_loss(played)
        figures = f"{each.players} | {each.spread:.0f} | {each.drift:.0f} | {each.draws:.0%}"
        difference = f"{ours - elo:+.4f}".replace("-", "−")
        print(f"| {figures} | {elo:.4f} (K {factor}) | {ours:.4f} | {difference} |")


if __name__ == "__main__":
    main()
