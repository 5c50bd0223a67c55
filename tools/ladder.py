"""Let the computer players play each other: what they score, and what a decision costs.

    make ladder
    python -m tools.ladder [GAME …] [--matches N] [--seed S]

Each line is a pair of neighbours on the ladder, or a player against greedy. Every two matches
have the same dice and swapped seats; a seed gives the same matches on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Any, NamedTuple

from engine.computer.arena import Contest, EnginePlayer
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.games import get, names
from engine.record import Record

PAIRS = (
    ("greedy", "random"),
    ("cadet", "random"),
    ("greedy", "cadet"),
    ("navigator", "cadet"),
    ("captain", "navigator"),
    ("admiral", "captain"),
    ("navigator", "greedy"),
    ("admiral", "greedy"),
)
"""The players that meet, the stronger one first."""

HEADING = "game       player     against    score         Elo (95 %)            ms   turn p99"


@dataclass
class Turns:
    """The processor time of each turn, by player: its decisions until the other one decides."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    last: str = ""

    def add(self, name: str, seconds: float) -> None:
        """Count a decision."""
        turns = self.seconds.setdefault(name, [])
        if self.last == name:
            turns[-1] += seconds
        else:
            turns.append(seconds)
        self.last = name

    def p99(self, name: str) -> float:
        """Return the time that 99 % of the turns keep to."""
        turns = sorted(self.seconds[name])
        return turns[min(len(turns) * 99 // 100, len(turns) - 1)]


class Timed(EnginePlayer):
    """A player that notes how long its turns take."""

    def __init__(self, name: str, seed: bytes, turns: Turns) -> None:
        super().__init__(ComputerPlayer(name, seed), process_time)
        self._turns = turns

    def line(self, record: Record, seat: str) -> str:
        """Return an action; see `Contestant`."""
        before = self.cpu_seconds or 0.0
        line = super().line(record, seat)
        self._turns.add(self.player.level, (self.cpu_seconds or 0.0) - before)
        return line


class Rung(NamedTuple):
    """How a pair of players fared.

    Attributes:
        report: figures of the arena for the first player.
        milliseconds: its mean processor time of a decision.
        turn_p99: its processor time of a turn in milliseconds.
    """

    report: dict[str, Any]
    milliseconds: float
    turn_p99: float


def climb(game: str, pair: tuple[str, str], matches: int, seed: int) -> Rung:
    """Let two players play each other."""
    turns = Turns()
    players = [Timed(name, seed_in_match(seed, n), turns) for n, name in enumerate(pair)]
    rules = get(game)
    report = Contest(rules, rules.rules[0], {}, seed).run(players, matches).report()
    first = players[0]
    mean = 1000 * (first.cpu_seconds or 0.0) / max(first.decisions, 1)
    return Rung(report, mean, 1000 * turns.p99(pair[0]))


def row(game: str, pair: tuple[str, str], rung: Rung) -> str:
    """Print a pair as a line."""
    report = rung.report
    elo, low, high = ("?" if each is None else f"{each:+d}" for each in report["elo"])
    score = f"{report['score']:.3f} ± {report['margin']:.3f}"
    return (
        f"{game:10} {pair[0]:10} {pair[1]:10} {score}  {f'{elo} ({low} to {high})':20}"
        f"{rung.milliseconds:7.1f} {rung.turn_p99:10.0f}"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(names()))
    parser.add_argument("--matches", type=int, default=40, help="of each pair")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    print(HEADING)
    for game in arguments.games or names():
        for pair in PAIRS:
            rung = climb(game, pair, arguments.matches, arguments.seed)
            print(row(game, pair, rung), flush=True)


if __name__ == "__main__":
    main()
