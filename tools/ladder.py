"""Let the computer players play each other: what they score, and what a decision costs.

    make ladder
    python -m tools.ladder [GAME …] [--pair STRONGER:WEAKER …] [--matches N] [--seed S]
    python -m tools.ladder [GAME …] --sprt [--at-most ELO] [--at-least ELO] [--json]

Each line is a pair of neighbours on the ladder, or a player against greedy. Every two matches
have the same dice and swapped seats, and players with seeds of their own; a seed gives the same
matches on every machine.

With `--sprt`, neighbours play until a sequential test decides (tools/sprt.py). The null hypothesis
is that the first player is at most 0 Elo stronger than the second one, the alternative that it is
at least 100 Elo stronger; at these limits each error has a probability of 5 %. So “accepted” says
that the first player is stronger, “rejected” that it is not 100 Elo stronger, and in between either
may come out. With `--at-most 100 --at-least 200`, “accepted” says that it is more than 100 Elo
stronger.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import process_time
from typing import Any, NamedTuple

from engine.computer.arena import ArenaResult, Contest, EnginePlayer, Standings
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.game import Action
from engine.games import get, names
from engine.record import Record
from tools.pairs import rounds
from tools.sprt import Hypotheses, Sprt

NEIGHBOURS = (
    ("greedy", "random"),
    ("cadet", "random"),
    ("navigator", "cadet"),
    ("captain", "navigator"),
    ("admiral", "captain"),
)
"""The players that are tested against the one below, the stronger one first."""

PAIRS = (*NEIGHBOURS, ("greedy", "cadet"), ("navigator", "greedy"), ("admiral", "greedy"))
"""The players that meet, the stronger one first."""

UNDECIDED = "undecided"

HEADING = "game       player     against    score         Elo (95 %)            ms   turn p99"

SPRT_HEADING = "game       player     against    verdict    pairs  0 ¼ ½ ¾ 1         ratio  score"


@dataclass
class Turns:
    """The processor time of each turn, by player: its decisions until the other one decides."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)
    last: str = ""

    def add(self, name: str, seconds: float) -> None:
        """Count a decision."""
        self.decisions[name] += 1
        turns = self.seconds.setdefault(name, [])
        if self.last == name:
            turns[-1] += seconds
        else:
            turns.append(seconds)
        self.last = name

    def mean(self, name: str) -> float:
        """Return the mean time of a decision."""
        return sum(self.seconds[name]) / self.decisions[name]

    def p99(self, name: str) -> float:
        """Return the time that 99 % of the turns keep to."""
        turns = sorted(self.seconds[name])
        return turns[min(len(turns) * 99 // 100, len(turns) - 1)]


class Timed(EnginePlayer):
    """A player that notes how long its turns take."""

    def __init__(self, name: str, seed: bytes, turns: Turns) -> None:
        super().__init__(ComputerPlayer(name, seed), process_time)
        self._turns = turns

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        """Return an action; see `Contestant`."""
        before = self.cpu_seconds or 0.0
        line = super().line(record, seat, legal)
        self._turns.add(self.player.level, (self.cpu_seconds or 0.0) - before)
        return line


class Rung(NamedTuple):
    """How a pair of players fared.

    Attributes:
        report: figures of the arena for the first player.
        milliseconds: mean CPU time of a decision.
        turn_p99: 99th percentile of the CPU time of a turn in milliseconds.
    """

    report: dict[str, Any]
    milliseconds: float
    turn_p99: float


def outcomes(game: str, pair: tuple[str, str], seed: int, turns: Turns) -> Iterator[ArenaResult]:
    """Play under the default rules of a game without end, and note the turns."""
    rules = get(game)
    for number in rounds(seed):
        players = [Timed(name, seed_in_match(number, n), turns) for n, name in enumerate(pair)]
        yield from Contest(rules, rules.rules[0], {}, number).run(players, len(pair)).outcomes


def climb(game: str, pair: tuple[str, str], matches: int, seed: int) -> Rung:
    """Let two players play each other."""
    turns = Turns()
    results = list(islice(outcomes(game, pair, seed, turns), matches))
    report = Standings(len(pair), results).report()
    return Rung(report, 1000 * turns.mean(pair[0]), 1000 * turns.p99(pair[0]))


def decide(
    game: str, pair: tuple[str, str], hypotheses: Hypotheses, max_pairs: int, seed: int
) -> dict[str, Any]:
    """Let two players play each other until a sequential test decides; return its figures."""
    test, standings = Sprt(hypotheses), Standings(len(pair))
    results = outcomes(game, pair, seed, Turns())
    while test.verdict is None and test.pairs < max_pairs:
        both = list(islice(results, len(pair)))
        standings.outcomes += both
        test.add(sum(outcome.scores[0] for outcome in both) / len(both))
    return {
        "game": game,
        "player": pair[0],
        "against": pair[1],
        "verdict": test.verdict or UNDECIDED,
        "hypotheses": list(hypotheses),
        "pairs": test.pairs,
        "counts": test.counts,
        "ratio": round(test.ratio, 2),
        **standings.report(),
    }


def sprt_row(figures: dict[str, Any]) -> str:
    """Print a test as a line."""
    counts = " ".join(map(str, figures["counts"]))
    return (
        "{game:10} {player:10} {against:10} {verdict:10} {pairs:5}  "
        f"{counts:16}"
        "{ratio:+6.2f}  {score:.3f} ± {margin:.3f}"
    ).format(**figures)


def row(game: str, pair: tuple[str, str], rung: Rung) -> str:
    """Print a pair as a line."""
    report = rung.report
    elo, low, high = ("?" if figure is None else f"{figure:+d}" for figure in report["elo"])
    score = f"{report['score']:.3f} ± {report['margin']:.3f}"
    return (
        f"{game:10} {pair[0]:10} {pair[1]:10} {score}  {f'{elo} ({low} to {high})':20}"
        f"{rung.milliseconds:7.1f} {rung.turn_p99:10.0f}"
    )


def _pair(text: str) -> tuple[str, str]:
    stronger, _, weaker = text.partition(":")
    return stronger, weaker


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(names()))
    parser.add_argument(
        "--pair", action="append", type=_pair, metavar="STRONGER:WEAKER", help="only these players"
    )
    parser.add_argument("--matches", type=int, default=40, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sprt", action="store_true", help="play until a sequential test decides")
    parser.add_argument("--at-most", type=float, default=0, metavar="ELO", help="null hypothesis")
    parser.add_argument("--at-least", type=float, default=100, metavar="ELO", help="alternative")
    parser.add_argument("--max-pairs", type=int, default=200, help="undecided after so many")
    parser.add_argument("--json", action="store_true", help="print tests as JSON, one a line")
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """Play and print."""
    arguments = _parser().parse_args(argv)
    for line in _tests(arguments) if arguments.sprt else _rungs(arguments):
        print(line, flush=True)


def _rungs(arguments: argparse.Namespace) -> Iterator[str]:
    yield HEADING
    for game in arguments.games or names():
        for pair in arguments.pair or PAIRS:
            yield row(game, pair, climb(game, pair, arguments.matches, arguments.seed))


def _tests(arguments: argparse.Namespace) -> Iterator[str]:
    hypotheses = Hypotheses(arguments.at_most, arguments.at_least)
    if not arguments.json:
        yield SPRT_HEADING
    for game in arguments.games or names():
        for pair in arguments.pair or NEIGHBOURS:
            figures = decide(game, pair, hypotheses, arguments.max_pairs, arguments.seed)
            yield json.dumps(figures) if arguments.json else sprt_row(figures)


if __name__ == "__main__":
    main()
