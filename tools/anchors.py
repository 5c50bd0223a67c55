"""Measure the strengths of the computer's levels on the scale of ratings.

    python -m tools.anchors play POOL [--rounds N] [--seed S] > FILE
    python -m tools.anchors fit FILE …

`play` lets the levels and greedy play each other; `POOL` is such as `warp6/3`. A round has the same
dice for all its matches, in which each player sits on each seat once, and new players, so that it
has new setups. In a match of three, one player meets two others that are equal, as people do. Each
round is a line, so a run can be stopped.

`fit` prints the strength of each level with its 95 % interval, and the pairs. A strength is the
number at which the ratings of a player that plays like this level come to rest: the mean change
over all matches is 0, computed by the same function that rates people. Greedy plays like a beginner
after `/howto`; it has the number with which people begin. The intervals are from a bootstrap over
rounds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from bot.domain.ratings import BETA, MU, Entrant, Rating, rate
from engine.computer.arena import Contest, EnginePlayer
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.games import get
from tools import pairs

REFERENCE = "greedy"

PAIRS = (
    ("greedy", "cadet"),
    ("navigator", "cadet"),
    ("navigator", "greedy"),
    ("captain", "navigator"),
    ("captain", "greedy"),
    ("admiral", "captain"),
    ("admiral", "navigator"),
)
"""The players that meet, the stronger one first."""

STEP_POINTS = 600.0
"""Change of a strength in points for a mean surprise of a whole win: more would not settle."""

STEPS, SAMPLE_STEPS = 400, 60
"""Steps until all strengths have settled, and from there to a sample's strengths."""

SAMPLES = 200
"""Samples of the bootstrap."""


class Round(NamedTuple):
    """Matches with the same dice.

    Attributes:
        pool: such as `warp6/3`.
        players: the players of each match.
        winners: the number of the winner in each match; None for a draw.
    """

    pool: str
    seed: int
    players: tuple[str, ...]
    winners: tuple[int | None, ...]


class Fitted(NamedTuple):
    """A strength with its 95 % interval."""

    mu: float
    low: float
    high: float


def play(pool: str, rounds: int, seed: int) -> Iterator[Round]:
    """Play rounds, of each pair in turn."""
    name, count = pool.split("/")
    game, seats = get(name), int(count)
    options = {} if len(game.seats({})) == seats else {"seats": count}
    tables = [(a, *[b] * (seats - 1)) for a, b in PAIRS]
    tables += [(b, *[a] * (seats - 1)) for a, b in PAIRS] if seats > 2 else []
    for number in islice(pairs.rounds(seed), rounds):
        for levels in tables:
            contest = Contest(game, game.rules[0], options, number)
            players = [_player(level, number, place) for place, level in enumerate(levels)]
            scores = [outcome.scores for outcome in contest.run(players, seats).outcomes]
            yield Round(pool, seed, levels, tuple(map(_winner, scores)))


def _player(level: str, number: int, place: int) -> EnginePlayer:
    return EnginePlayer(ComputerPlayer(level, seed_in_match(number, place)), process_time)


def _winner(scores: Sequence[float]) -> int | None:
    return scores.index(1.0) if 1.0 in scores else None


def fit(rounds: Sequence[Round], random: Random) -> dict[str, Fitted]:
    """Return the strength of each player with its interval; all rounds are of one pool."""
    best = strengths(rounds)
    samples = [
        strengths(random.choices(rounds, k=len(rounds)), best, SAMPLE_STEPS) for _ in range(SAMPLES)
    ]
    fitted = dict[str, Fitted]()
    for player, mu in best.items():
        values = sorted(sample[player] for sample in samples)
        fitted[player] = Fitted(mu, values[len(values) // 40], values[-1 - len(values) // 40])
    return fitted


def strengths(
    rounds: Iterable[Round], first: Mapping[str, float] | None = None, steps: int = STEPS
) -> dict[str, float]:
    """Return the strengths for which no player's rating changes on the average.

    Args:
        rounds: the matches, all of one pool.
        steps: number of improvements.
    """
    outcomes = Counter((entry.players, winner) for entry in rounds for winner in entry.winners)
    matches = Counter[str]()
    for (players, _), count in outcomes.items():
        matches.update(dict.fromkeys(set(players), count))
    current = dict(first or dict.fromkeys(matches, MU))
    for _ in range(steps):
        for player, change in _changes(outcomes, current).items():
            current[player] += STEP_POINTS * change / max(matches[player], 1)
    moved = MU - current[REFERENCE]
    return {player: mu + moved for player, mu in current.items()}


def _changes(
    outcomes: Mapping[tuple[tuple[str, ...], int | None], int], current: Mapping[str, float]
) -> dict[str, float]:
    """Return by how much each player did better than expected, in wins, added up."""
    changes = dict.fromkeys(current, 0.0)
    for (players, winner), count in outcomes.items():
        ratings = [Rating(current[player], 1.0) for player in players]
        ranks = [0 if winner in (None, place) else 1 for place in range(len(players))]
        entrants = [Entrant(place, rank) for place, rank in enumerate(ranks)]
        scale = math.sqrt(len(players)) * BETA / 10.0  # τ² + σ² is 10
        for player, before, after in zip(players, ratings, rate(entrants, ratings), strict=True):
            changes[player] += count * scale * (after.mu - before.mu)
    return changes


def table(rounds: Sequence[Round]) -> Iterator[str]:
    """Print the pairs, and the strengths, as tables of Markdown."""
    for players in dict.fromkeys(entry.players for entry in rounds):
        results = [entry.winners for entry in rounds if entry.players == players]
        winners = [winner for result in results for winner in result]
        score = (winners.count(0) + winners.count(None) / len(players)) / len(winners)
        yield f"| {players[0]} | {' '.join(players[1:])} | {len(winners)} | {score:.3f} |"
    for player, fitted in sorted(fit(rounds, Random(1)).items(), key=lambda item: item[1].mu):
        yield f"| {player} | {fitted.mu:.0f} | {fitted.low:.0f} to {fitted.high:.0f} |"


def read(lines: Iterable[str]) -> list[Round]:
    """Return stored rounds."""
    rows = [json.loads(line) for line in lines]
    return [
        Round(pool, seed, tuple(players), tuple(winners)) for pool, seed, players, winners in rows
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play and print rounds")
    playing.add_argument("pool")
    playing.add_argument("--rounds", type=int, default=50, help="of each pair")
    playing.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit", help="print the strengths that follow from rounds")
    fitting.add_argument("files", nargs="+", type=Path)
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """Play, or fit."""
    arguments = _parser().parse_args(argv)
    if arguments.command == "play":
        for entry in play(arguments.pool, arguments.rounds, arguments.seed):
            print(json.dumps(entry), flush=True)
        return
    lines = [line for file in arguments.files for line in file.read_text("utf-8").splitlines()]
    rounds = read(lines)
    for pool in sorted({entry.pool for entry in rounds}):
        sys.stdout.write(f"{pool}\n")
        for line in table([entry for entry in rounds if entry.pool == pool]):
            print(line)


if __name__ == "__main__":
    main()
