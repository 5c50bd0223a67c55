"""Score pairs of matches without the luck of the dice, so that a few give small intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from engine.computer.analyst import dice_luck
from engine.computer.arena import Contest, Contestant
from engine.computer.situation import SCALE
from engine.games import get

PAIR = 2
"""Matches of a pair."""


MAX_ROUNDS = 100_000
"""Rounds of one seed at most."""


def rounds(seed: int) -> Iterator[int]:
    """Return numbers that decide the dice and the choices of rounds; other ones for each seed.

    Players with one seed for all rounds would know few setups only, and all rounds would depend on
    them: an interval would be too narrow.
    """
    return count(MAX_ROUNDS * seed)


class Scored(NamedTuple):
    """A pair of matches with the same dice and swapped seats, for its first player.

    Attributes:
        steady: the same without the luck of the dice. As the mean of luck is 0, both have the same
            mean, but this one varies less.
    """

    score: float
    steady: float


def scored(players: Sequence[Contestant], seed: int) -> Scored:
    """Let two players play a pair of matches of Wormholes."""
    game = get("wormholes")
    both = Contest(game, game.rules[0], {}, seed).run(players, PAIR).outcomes
    scores = [result.scores[0] for result in both]
    luck = [dice_luck(result.record)[place] / SCALE for place, result in enumerate(both)]
    return Scored(sum(scores) / len(both), (sum(scores) - sum(luck)) / len(both))
