"""Matches between computer players: the same dice with swapped seats, and their statistics."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, NamedTuple, Protocol

from engine.computer.players import ComputerPlayer
from engine.computer.situation import PlayerError
from engine.dice import Dice, commitment
from engine.game import CHANCE, Action, AnyGame, IllegalActionError
from engine.record import Record

MAX_ACTIONS = 20_000
"""A match that is longer counts as a draw."""

Z_95 = 1.96
"""Standard errors on each side of a 95 % interval."""


class Contestant(Protocol):
    """Chooses in a match of the arena.

    Attributes:
        cpu_seconds: processor time used so far; for other programs, if it can be measured.
        decisions: number of choices made.
        nodes: number of positions evaluated for them, if the player reports it.
    """

    cpu_seconds: float | None
    decisions: int
    nodes: int

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        """Return an action without its actor, in the notation of records.

        Args:
            record: as the seat knows it.
            seat: the seat that decides.
            legal: the seat's legal actions; some may be forms.

        Raises:
            PlayerError: there is none.
        """


@dataclass(slots=True)
class EnginePlayer:
    """A player of the engine in the arena.

    Attributes:
        player: the computer player.
        clock: the processor time in seconds.
    """

    player: ComputerPlayer
    clock: Callable[[], float]
    cpu_seconds: float | None = 0.0
    decisions: int = 0
    nodes: int = 0

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        """Return an action without its actor, in the notation of records."""
        began = self.clock()
        choice = self.player.choose(record, seat)
        self.cpu_seconds = (self.cpu_seconds or 0.0) + self.clock() - began
        self.decisions += 1
        self.nodes += choice.nodes
        return choice.action.notation


class ArenaResult(NamedTuple):
    """The outcome of a match.

    Attributes:
        scores: scores of the players: 1 for a win, equal parts for a draw.
        points: points of the players, in games with points.
        foul: the player whose answer was illegal, if one was.
        record: all actions, with nothing hidden.
    """

    scores: tuple[float, ...]
    points: tuple[int, ...] | None
    foul: int | None
    record: Record


@dataclass(slots=True)
class Standings:
    """The results of a series of matches, for its first player.

    Attributes:
        outcomes: outcomes of the matches, in rounds of equal dice.
        players: number of players.
    """

    players: int
    outcomes: list[ArenaResult] = field(default_factory=list)

    def score(self) -> tuple[float, float]:
        """Return the mean score of the first player, and half the width of its 95 % interval.

        Matches with the same dice are not independent: each round is one observation.
        """
        rounds = [
            sum(outcome.scores[0] for outcome in chunk) / len(chunk)
            for chunk in _chunks(self.outcomes, self.players)
        ]
        mean = sum(rounds) / len(rounds)
        if len(rounds) == 1:
            return mean, 1.0
        variance = sum((score - mean) ** 2 for score in rounds) / (len(rounds) - 1)
        return mean, Z_95 * math.sqrt(variance / len(rounds))

    def report(self) -> dict[str, Any]:
        """Return all figures, as text and JSON show them."""
        mean, margin = self.score()
        fouls = [outcome.foul for outcome in self.outcomes]
        first = [outcome.scores[0] for outcome in self.outcomes]
        return {
            "matches": len(first),
            "wins": first.count(1),
            "draws": sum(0 < score < 1 for score in first),
            "losses": first.count(0),
            "points": [
                sum(outcome.points[player] for outcome in self.outcomes if outcome.points)
                for player in range(self.players)
            ],
            "fouls": [fouls.count(player) for player in range(self.players)],
            "score": round(mean, 4),
            "margin": round(margin, 4),
            "elo": [elo_of(mean), elo_of(mean - margin), elo_of(mean + margin)],
            "actions": sum(len(outcome.record.actions) for outcome in self.outcomes),
        }


def _chunks(outcomes: Sequence[ArenaResult], size: int) -> Iterator[Sequence[ArenaResult]]:
    for first in range(0, len(outcomes), size):
        yield outcomes[first : first + size]


def elo_of(score: float) -> int | None:
    """Return the Elo difference that corresponds to a score; None for a score of 0 or 1."""
    return round(400 * math.log10(score / (1 - score))) if 0 < score < 1 else None


@dataclass(frozen=True, slots=True)
class Contest:
    """Matches under equal terms.

    Attributes:
        game: name of the game.
        rules, options: its rule set and options.
        seed: seed of all dice.
    """

    game: AnyGame
    rules: str
    options: Mapping[str, str]
    seed: int = 0

    def run(self, players: Sequence[Contestant], matches: int) -> Standings:
        """Play matches; see `outcomes`.

        Raises:
            IllegalActionError: there are no such rules or options.
            PlayerError: the number of players differs from the number of seats.
        """
        return Standings(len(players), list(islice(self.outcomes(players), matches)))

    def outcomes(self, players: Sequence[Contestant]) -> Iterator[ArenaResult]:
        """Play without end; each round has the same dice, and every player sits on each seat once.

        Raises:
            IllegalActionError: there are no such rules or options.
            PlayerError: the number of players differs from the number of seats.
        """
        self.game.start(self.rules, self.options)
        seats = self.game.seats(self.options)
        if len(seats) != len(players):
            raise PlayerError(f"This match has {len(seats)} seats, not {len(players)}.")
        for number in count():
            turn, shift = divmod(number, len(players))
            order = [(place + shift) % len(players) for place in range(len(players))]
            dice = hashlib.sha256(f"arena {self.seed} {turn}".encode()).digest()
            yield _Match(self, dice, order, players).play()

    def headers(self) -> dict[str, str]:
        """Return the headers of records."""
        headers = {"Game": self.game.name, "Rules": self.rules}
        if self.options:
            words = (f"{name}={value}" for name, value in sorted(self.options.items()))
            headers["Options"] = " ".join(words)
        return {**headers, "Version": str(self.game.version)}


class _Match:
    """One match; seat number n belongs to player `order[n]`."""

    def __init__(
        self, contest: Contest, seed: bytes, order: Sequence[int], players: Sequence[Contestant]
    ) -> None:
        self._game, self._order, self._players = contest.game, order, players
        self._headers = {**contest.headers(), "Dice": commitment(seed)}
        self._dice, self._rolls = Dice(seed, ""), 0
        self._seats = contest.game.seats(contest.options)
        self._state = contest.game.start(contest.rules, contest.options)
        self._actions: list[Action] = []

    def play(self) -> ArenaResult:
        """Play until the end, an illegal answer, or too many actions."""
        game = self._game
        while (pending := game.pending(self._state)) and len(self._actions) < MAX_ACTIONS:
            if pending == CHANCE:
                action = game.chance(self._state, self._dice.draw(self._rolls))
                self._rolls += 1
                self._state, _ = game.apply(self._state, action)
            else:
                player = self._order[self._seats.index(pending[0])]
                try:
                    action = self._answer(pending[0], self._players[player])
                    self._state, _ = game.apply(self._state, action)
                except (IllegalActionError, PlayerError):
                    return _forfeit(player, len(self._players), self._record())
            self._actions.append(action)
        return _result(game, self._state, self._seats, self._order, self._record())

    def _record(self) -> Record:
        return Record(self._headers, tuple(self._actions))

    def _answer(self, seat: str, player: Contestant) -> Action:
        """Let a player choose one of the verbs in its legal list, by a record that forgets nothing.

        Raises:
            PlayerError: the answer is not such an action.
        """
        record = Record(
            self._headers, self._game.redact_for_infostate(self._state, seat, self._actions)
        )
        legal = self._game.view(self._state, seat).legal
        action = Action.parse(f"{seat} {player.line(record, seat, legal)}")
        if action.verb not in {option.verb for option in legal}:
            raise PlayerError(f"{action}: not one of the legal actions.")
        return action


def _forfeit(player: int, players: int, record: Record) -> ArenaResult:
    scores = tuple(0.0 if index == player else 1 / (players - 1) for index in range(players))
    return ArenaResult(scores, None, player, record)


def _result(
    game: AnyGame, state: Any, seats: str, order: Sequence[int], record: Record
) -> ArenaResult:
    result = game.result(state)
    winner = order[seats.index(result[0])] if result and result[0] in seats else None
    scores = tuple(
        1 / len(order) if winner is None else float(player == winner)
        for player in range(len(order))
    )
    scored = game.points(state) if result else None
    points = None
    if scored is not None:
        places = sorted(range(len(order)), key=lambda place: order[place])
        points = tuple(scored[seats[place]] for place in places)
    return ArenaResult(scores, points, None, record)


def report_text(report: Mapping[str, Any]) -> str:
    """Print a report as a table."""
    elo, low, high = ("?" if figure is None else f"{figure:+d}" for figure in report["elo"])
    lines = [
        "{matches} matches: the first player won {wins}, drew {draws}, lost {losses}",
        "score {score:.3f} ± {margin:.3f}",
        f"Elo {elo} ({low} to {high})",
        "points {points}, illegal answers {fouls}",
    ]
    lines += [_usage(name, used) for name, used in report.get("players", {}).items()]
    return "\n".join(lines).format(**report)


def _usage(name: str, used: Mapping[str, Any]) -> str:
    """Print the cost of a player's decisions."""
    count = used["decisions"]
    figures = [f"{used['nodes'] / count:.1f} nodes"] if count else []
    if count and used["cpu_seconds"] is not None:
        figures.append(f"{1000 * used['cpu_seconds'] / count:.2f} ms")
    return f"{name}: {count} decisions" + (f" of {', '.join(figures)}" if figures else "")
