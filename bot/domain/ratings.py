"""Ratings: a pure function of the results of rated matches, in order.

The model is Plackett–Luce of openskill, for two players and for three. A player's strength is
estimated as `mu`, with a standard deviation `sigma`; the number that is shown is one that the true
strength exceeds almost certainly. Between well-known players in a match of two, 400 points are odds
of ten to one, as with Elo. Changing a constant here changes all ratings: see `starpost ratings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from math import exp, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MU, SIGMA = 1600.0, 200.0
"""The estimate of a player without results."""

BETA = 400 / (log(10) * sqrt(2))
"""Standard deviation of how well a player plays, in points."""

TAU = 3.0
"""Standard deviation of the change of a strength between two results, in points."""

CONFIDENCE = 3
"""Standard deviations subtracted from the estimate for the displayed number."""

PROVISIONAL_SIGMA = 100.0
"""Standard deviation above which a rating is provisional: up to about 15 results."""


class Rating(NamedTuple):
    """A player's rating in a pool.

    Example:
        >>> Rating().number, Rating().is_provisional
        (1000, True)
    """

    mu: float = MU
    sigma: float = SIGMA

    @property
    def number(self) -> int:
        """Return the number that players see."""
        return round(self.mu - CONFIDENCE * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Return whether too few results are known."""
        return self.sigma > PROVISIONAL_SIGMA


class Entrant(NamedTuple):
    """A player in a result.

    Attributes:
        player: distinguishes players in a pool; the value does not matter.
        rank: 0 for the winners, higher for others. Winners have drawn; the order of others with
            equal ranks is unknown.
        anchor: the rating of a computer level, which never changes; None for a person.
    """

    player: int
    rank: int
    anchor: Rating | None = None


class Result(NamedTuple):
    """A rated match, or a series of matches, that has ended."""

    pool: str
    entrants: tuple[Entrant, ...]


def replay(results: Iterable[Result]) -> Iterator[tuple[Rating, ...]]:
    """Yield for each result the ratings of its entrants after it, in their order."""
    ratings: dict[tuple[str, int], Rating] = {}
    for pool, entrants in results:
        before = [ratings.get((pool, entrant.player), Rating()) for entrant in entrants]
        after = rate(entrants, before)
        ratings |= {(pool, e.player): new for e, new in zip(entrants, after, strict=True)}
        yield after


def rate(entrants: Sequence[Entrant], before: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings of players after a result.

    The order of the entrants changes nothing, not even the last digit: they are rated in the order
    of rank and rating, and equal ones get the same rating.

    Args:
        entrants: at least two.
        before: their ratings; an anchor's rating does not matter.
    """
    entries = list[_Place]()
    for entrant, rating in zip(entrants, before, strict=True):
        entries.append(_Place(entrant.rank, entrant.anchor or rating))
    places, new = sorted(entries, reverse=True), dict[_Place, Rating]()
    rated = [(weight, _rate(ranks, places)) for weight, ranks in _orders(places)]
    for number, place in enumerate(places):
        mu = sum(weight * after[number].mu for weight, after in rated)
        new[place] = Rating(mu, sum(weight * after[number].sigma for weight, after in rated))
    return tuple(e.anchor or new[place] for e, place in zip(entrants, entries, strict=True))


class _Place(NamedTuple):
    """The rank and the rating of an entrant."""

    rank: int
    rating: Rating


def _orders(places: Sequence[_Place]) -> Iterator[tuple[float, list[int]]]:
    """Yield the ranks that the players may have, each with its probability.

    Players who share the first rank have drawn. Those who share another one are not known to be
    equal: nothing is known about their order. If it counted as a draw between them, a beginner
    would gain by losing to two strong players.
    """
    best = min(entry.rank for entry in places)
    for place, other in combinations(range(len(places)), 2):
        if places[place].rank == places[other].rank > best:
            scale = _scale(places)
            mus = [places[number].rating.mu for number in (place, other)]
            for first, weight in zip((place, other), _chances(mus, scale), strict=True):
                yield weight, [2 * entry.rank - (n == first) for n, entry in enumerate(places)]
            return
    yield 1.0, [entry.rank for entry in places]


def _scale(places: Sequence[_Place]) -> float:
    """Return the lead in points that makes a player e times as likely to win, see Plackett–Luce."""
    return sqrt(sum(rating.sigma**2 + TAU**2 + BETA**2 for _, rating in places))


def _chances(mus: Sequence[float], scale: float) -> Sequence[float]:
    """Return the probability of each of two players to be ahead of the other."""
    first = 1 / (1 + exp((mus[1] - mus[0]) / scale))
    return first, 1 - first


def _rate(ranks: Sequence[int], places: Sequence[_Place]) -> list[Rating]:
    """Return the ratings after a result whose equal ranks are draws."""
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for _, rating in places]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])  # only whole ones differ
    return [Rating(team[0].mu, team[0].sigma) for team in rated]


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce  # noqa: PLC0415 - 1 MB until a rated match ends

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, gamma=_certainty)


def _certainty(*_: object) -> float:
    """Return the model's gamma, 1: results reduce uncertainty in full.

    With openskill's smaller default, ratings stay provisional for longer and predict worse
    (`tools/rating_model.py`).
    """
    return 1.0
