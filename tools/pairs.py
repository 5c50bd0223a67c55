"""Score pairs of matches without the luck of the dice, so that a few give small intervals.

    python -m tools.pairs LEVEL 'PROGRAM ARGUMENTS' [--matches N] [--seed S]

A level plays Wormholes against another program (docs/developers/protocol.md). Each pair has new
dice and a new player, so that it has new setups. Prints the score of the level, and the score
without the luck of the dice.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import count, islice
from time import process_time
from typing import NamedTuple

from engine.computer.analyst import dice_luck
from engine.computer.arena import Contest, Contestant, EnginePlayer
from engine.computer.external import Program
from engine.computer.levels import LEVELS
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.computer.situation import SCALE
from engine.games import get
from tools.errors import mean_of

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


def played(level: str, program: Contestant, pairs: int, seed: int) -> list[Scored]:
    """Let a level play against a program."""
    return [
        scored(
            [EnginePlayer(ComputerPlayer(level, seed_in_match(number, 0)), process_time), program],
            number,
        )
        for number in islice(rounds(seed), pairs)
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("level", choices=LEVELS)
    parser.add_argument("program")
    parser.add_argument("--matches", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args(argv)
    with Program(arguments.program) as program:
        pairs = played(arguments.level, program, arguments.matches // PAIR, arguments.seed)
    score, margin = mean_of([pair.score for pair in pairs])
    steady, steady_margin = mean_of([pair.steady for pair in pairs])
    print(
        f"{len(pairs) * PAIR} matches: {score:.3f} ± {margin:.3f},"
        f" without the luck of the dice {steady:.3f} ± {steady_margin:.3f}"
    )


if __name__ == "__main__":
    main()
