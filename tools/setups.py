"""Measure how much a computer player's secret setup gives away.

    make setups
    python -m tools.setups name [--level LEVEL] [--set-ups N] [--seed S]
    python -m tools.setups match [--level LEVEL] [--set-ups N] [--matches N] [--seed S]

`name`: a level makes N setups of each side. A reader who knows all setups of a side but one names
the values of that one: in Wormholes from the suits and the spaces of its coins, and from their
order as well; in Warp 6 (`setup=secret`) from the dice. It takes the likeliest assignment, given
the frequency of each value of a suit on each space. This prints the share that it names, and the
share by chance.

`match`: the level plays against an Admiral that places its coins as in version 2, each where it is
best (the book); and against an Admiral that has read N setups of each side and, in placing and in
play, treats coins that it is sure of as known. Its score minus the score of an Admiral that has not
read them, with the same dice, is the gain from reading; the same for reading the book.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import NamedTuple

from engine.computer.arena import Contestant, elo_of
from engine.computer.levels import LEVELS
from engine.computer.players import DEFAULT_NODES, ComputerPlayer
from engine.computer.protocol import seed_in_match
from engine.computer.situation import Situation, situation_of
from engine.computer.wormholes.placement import known_ways
from engine.dice import Dice
from engine.game import CHANCE, OPEN_VALUE, Action
from engine.games import get
from engine.record import Record
from engine.wormholes.board import INDEX
from engine.wormholes.pieces import COIN_AT, COINS, SEATS, SUIT_UP, VALUES
from tools.errors import mean_of
from tools.pairs import Scored, rounds, scored

OPTIONS = {"wormholes": {}, "warp6": {"setup": "secret"}}
"""Options of the games with secret setups."""

NEARBY = 1.5
"""Places in the order that count as nearly the same."""

SURE = 0.5
"""Minimum probability for a reader to treat a coin as known."""

PRIOR = 0.3
"""How often each value is taken to have been on each space, before any setup is known."""

ORDER_PRIOR = 2.0


class Piece(NamedTuple):
    """A piece of a setup with a secret value.

    Attributes:
        kind: its public part: the suit of a coin, the name of a die.
        place: its space; empty in a setup without places.
        order: its number among the pieces of its side.
        values: number of values that it may have.
    """

    kind: str
    place: str
    order: int
    value: str
    values: int


SetUp = tuple[Piece, ...]


class Player(Contestant):
    """A player that needs no clock; see `Contestant`."""

    cpu_seconds = None
    decisions = nodes = 0

    def __init__(self, seed: bytes, level: str = "admiral") -> None:
        self.player = ComputerPlayer(level, seed)

    def line(self, record: Record, seat: str, legal: Sequence[Action]) -> str:
        """Return an action; see `Contestant`."""
        del legal
        return self.choose(record, seat).notation

    def choose(self, record: Record, seat: str) -> Action:
        """Return an action."""
        return self.player.choose(record, seat).action


class ByTheBook(Player):
    """Chooses as version 2 did: places second if it may, and each coin where it is best."""

    def choose(self, record: Record, seat: str) -> Action:
        """Return an action."""
        situation = situation_of(record, seat)
        if situation.sampled_state.phase == "first":
            return Action(seat, "first", ("move",))
        if situation.sampled_state.phase != "place":
            return super().choose(record, seat)
        gains = known_ways(situation).gains(situation.legal)
        return max(gains, key=gains.__getitem__)


@dataclass
class Book:
    """How often each value of a kind was at each place, and when."""

    places: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    orders: Counter[tuple[str, int, str]] = field(default_factory=Counter)

    @classmethod
    def of(cls, set_ups: Iterable[SetUp]) -> Book:
        """Return the book of some setups."""
        book = cls()
        for set_up in set_ups:
            book.count(set_up, 1)
        return book

    def count(self, set_up: SetUp, times: int) -> None:
        """Add a setup, or with -1 forget it."""
        for piece in set_up:
            self.places[piece.kind, piece.place, piece.value] += times
            self.orders[piece.kind, piece.order, piece.value] += times

    def weight(self, piece: Piece, value: str, *, ordered: bool) -> float:
        """Return the relative likelihood of a value among the possible ones."""
        weight = self.places[piece.kind, piece.place, value] + PRIOR
        if ordered:
            near = range(piece.order - 2, piece.order + 3)
            weight *= ORDER_PRIOR + sum(
                self.orders[piece.kind, order, value]
                * math.exp(-(((order - piece.order) / NEARBY) ** 2))
                for order in near
            )
        return weight


def set_ups(game: str, players: Sequence[Player], seed: int) -> dict[str, SetUp]:
    """Return the setup of each side in a match."""
    rules = get(game)
    options = OPTIONS[game]
    state, actions = rules.start(rules.rules[0], options), list[Action]()
    words = " ".join(f"{key}={value}" for key, value in options.items())
    headers = {"Game": game, "Version": str(rules.version), "Rules": rules.rules[0]}
    headers |= {"Options": words} if words else {}
    dice, rolls = Dice(seed_in_match(seed, 2), ""), 0
    while not (view := rules.view(state)).turn and not rules.result(state):
        if view.pending == CHANCE:
            action, rolls = rules.chance(state, dice.draw(rolls)), rolls + 1
        else:
            seat = view.pending[0]
            record = Record(headers, rules.redact_for_infostate(state, seat, actions))
            action = players[view.seats.index(seat)].choose(record, seat)
        state, _ = rules.apply(state, action)
        actions.append(action)
    return {seat: set_up_of(actions, seat) for seat in rules.seats(options)}


def set_up_of(actions: Iterable[Action], seat: str) -> SetUp:
    """Return the pieces that a seat has set up; a hidden value is `?`."""
    pieces: list[Piece] = []
    for action in actions:
        if action.actor != seat:
            continue
        if action.verb == "place" and len(action.args) == len(("coin", "space")):
            coin, space = action.args
            pieces.append(Piece(coin[0], space, len(pieces), coin[1], 6))
        elif action.verb == "set":
            pieces += [
                Piece(die[:-1], "", n, die[-1], int(die[1])) for n, die in enumerate(action.args)
            ]
    return tuple(pieces)


def named(examples: Sequence[SetUp], *, ordered: bool) -> float:
    """Return the share of values named by a reader who knows all setups but one."""
    book, right, count = Book.of(examples), 0, 0
    for set_up in examples:
        book.count(set_up, -1)
        for kind in dict.fromkeys(piece.kind for piece in set_up):
            pieces = [piece for piece in set_up if piece.kind == kind]
            right += sum(
                piece.value == value
                for piece, value in zip(
                    pieces, _likeliest(book, pieces, ordered=ordered), strict=True
                )
            )
            count += len(pieces)
        book.count(set_up, 1)
    return right / count


def _likeliest(book: Book, pieces: Sequence[Piece], *, ordered: bool) -> tuple[str, ...]:
    """Return the likeliest values of pieces of a kind; each coin of a suit has another value."""
    if pieces[0].place:
        return _likeliest_coins(book, pieces, ordered=ordered)
    values = [str(number + 1) for number in range(pieces[0].values)]
    return tuple(max(values, key=partial(book.weight, piece, ordered=ordered)) for piece in pieces)


def _likeliest_coins(book: Book, pieces: Sequence[Piece], *, ordered: bool) -> tuple[str, ...]:
    best: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {frozenset(): (0.0, ())}
    for piece in pieces:
        weights = {value: math.log(book.weight(piece, value, ordered=ordered)) for value in VALUES}
        after: dict[frozenset[str], tuple[float, tuple[str, ...]]] = {}
        for used, (weight, values) in best.items():
            for value in weights.keys() - used:
                total = weight + weights[value], (*values, value)
                after[used | {value}] = max(after.get(used | {value}, total), total)
        best = after
    return max(best.values())[1]


class Reader(Player):
    """Takes coins of Wormholes for known, of whose values a book makes it sure."""

    def __init__(self, seed: bytes, books: dict[str, Book]) -> None:
        super().__init__(seed)
        self._books = books

    def choose(self, record: Record, seat: str) -> Action:
        """Return an action."""
        draw = Dice(self.player.seed, seat).draw(len(record.actions))
        return LEVELS["admiral"].choose(self.situation(record, seat), draw, DEFAULT_NODES).action

    def situation(self, record: Record, seat: str) -> Situation:
        """Return the situation, as far as a seat believes to know it."""
        other = SEATS[1 - SEATS.index(seat)]
        placed = set_up_of(record.actions, other)
        return _read(situation_of(record, seat), self._books[other], placed)


def _read(situation: Situation, book: Book, placed: SetUp) -> Situation:
    """Return a situation where a seat has seen the coins that the book makes it sure of."""
    draft = situation.sampled_state.draft()
    board = list(draft.board)
    for space, coin in _sure(book, placed).items():
        letter, other = SUIT_UP[coin], board[space]
        if letter in board:
            board[board.index(letter)] = other
        else:  # it was taken for one in the hand
            draft.hand ^= 1 << coin | 1 << COIN_AT[other]
        board[space] = letter
        draft.seen |= 1 << coin
    draft.board = "".join(board)
    return replace(situation, sampled_state=draft.freeze())


def _sure(book: Book, placed: SetUp) -> dict[int, int]:
    """Return space → coin, where the book makes a reader sure of a hidden value."""
    sure: dict[int, int] = {}
    for kind in {piece.kind for piece in placed}:
        alike = [piece for piece in placed if piece.kind == kind]
        free = set(VALUES) - {piece.value for piece in alike}
        for piece in (piece for piece in alike if piece.value == OPEN_VALUE):
            weights = {value: book.weight(piece, value, ordered=True) for value in free}
            value = max(weights, key=weights.__getitem__)
            if weights[value] > SURE * sum(weights.values()):
                sure[INDEX[piece.place]] = COINS.index(kind + value)
                free.remove(value)
    return sure


class Figures(NamedTuple):
    """The share of values that a setup gives away.

    Attributes:
        by_place: the part that is named by the kinds and places of the pieces.
        by_order: the part that is named by their order as well.
    """

    chance: float
    by_place: float
    by_order: float


def figures(game: str, level: str, count: int, seed: int) -> Figures:
    """Return the shares of values that the setups of a level give away."""
    sides: dict[str, list[SetUp]] = {}
    for number in range(count):
        for seat, set_up in set_ups(game, _players(level, number + seed * count), number).items():
            sides.setdefault(seat, []).append(set_up)
    pieces = [piece for examples in sides.values() for set_up in examples for piece in set_up]
    chance = sum(1 / piece.values for piece in pieces) / len(pieces)
    by_place, by_order = (
        sum(named(examples, ordered=ordered) for examples in sides.values()) / len(sides)
        for ordered in (False, True)
    )
    return Figures(chance, by_place, by_order)


def _players(level: str, number: int) -> list[Player]:
    if level == "book":
        return [ByTheBook(seed_in_match(number, seat)) for seat in (0, 1)]
    return [Player(seed_in_match(number, seat), level) for seat in (0, 1)]


def books(level: str, count: int, seed: int) -> dict[str, Book]:
    """Return the book of a level's Wormholes setups for each side."""
    by_match = [set_ups("wormholes", _players(level, n + seed), n) for n in range(count)]
    return {seat: Book.of(by_seat[seat] for by_seat in by_match) for seat in SEATS}


def reading(level: str, count: int, pairs: int, seed: int) -> tuple[float, float]:
    """Return an Admiral's gain in score against a level from having read its setups.

    Returns:
        the mean, and half the width of its 95 % interval.
    """
    known_books, gains = books(level, count, seed), []
    for number in islice(rounds(seed), pairs):
        own_seed, opponent = seed_in_match(number, 0), _players(level, number)[1]
        reader, player = (
            scored([contestant, opponent], number)
            for contestant in (Reader(own_seed, known_books), Player(own_seed))
        )
        gains.append(reader.steady - player.steady)
    return mean_of(gains)


def strength(level: str, pairs: int, seed: int) -> list[Scored]:
    """Let a level play against an Admiral that places its coins by the book."""
    return [
        scored([_players(level, number)[0], _players("book", number)[1]], number)
        for number in islice(rounds(seed), pairs)
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("name", "match"), nargs="?", default="name")
    parser.add_argument("--level", action="append", choices=(*LEVELS, "book"))
    parser.add_argument("--set-ups", type=int, default=200, metavar="N", help="of each side")
    parser.add_argument("--matches", type=int, default=400, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args(argv)
    for level in arguments.level or ("book", "admiral"):
        if arguments.command == "name":
            lines = naming_lines(level, arguments.set_ups, arguments.seed)
        else:
            lines = match_lines(level, arguments)
        for line in lines:
            print(line, flush=True)


def naming_lines(level: str, count: int, seed: int) -> Iterator[str]:
    """Yield lines about the values that a reader names in a level's setups."""
    for game in OPTIONS if level != "book" else ("wormholes",):
        result = figures(game, level, count, seed)
        yield (
            f"{game:10} {level:10} named {result.by_place:.3f} by places, {result.by_order:.3f}"
            f" with their order, {result.chance:.3f} by chance"
        )


def match_lines(level: str, arguments: argparse.Namespace) -> Iterator[str]:
    """Yield lines about a level's score, and about the gain from having read it."""
    pairs = max(arguments.matches // 2, 1)
    if level != "book":
        results = strength(level, pairs, arguments.seed)
        mean, margin = mean_of([pair.steady for pair in results])
        raw, raw_margin = mean_of([pair.score for pair in results])
        elo, low, high = (_elo(score) for score in (mean, mean - margin, mean + margin))
        yield (
            f"{level:10} against the book: {mean:.3f} ± {margin:.3f}, Elo {elo} ({low} to {high});"
            f" with the luck of the dice {raw:.3f} ± {raw_margin:.3f}"
        )
    mean, margin = reading(level, arguments.set_ups, pairs, arguments.seed)
    yield f"{level:10} reading wins {mean:+.3f} ± {margin:.3f} of a match"


def _elo(score: float) -> str:
    elo = elo_of(score)
    return "?" if elo is None else f"{elo:+d}"


if __name__ == "__main__":
    main()
