r"""The games as a library: positions, moves as players type them, players, and many records.

Example:
    >>> position = Position("wormholes", seed=1)
    >>> position.pending, position.actions[0].verb
    ('D', 'rolloff')
    >>> position.play("first move").actions[-1]
    Action(actor='D', verb='first', args=('move',))
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from engine import games, packages
from engine.computer.analyst import analyse
from engine.computer.external import Program
from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_of
from engine.dice import Dice, commitment
from engine.game import CHANCE, PUBLIC, Action, AnyGame, IllegalActionError, View
from engine.notation import choice_of
from engine.record import Record, RecordError

__all__ = [
    "Action",
    "IllegalActionError",
    "Player",
    "Position",
    "Record",
    "RecordError",
    "analyse",
    "read_records",
]

CLIENT_SEED = "library"
"""The addition to the seed of the dice; see `engine.dice`."""

PROGRAM = "cmd:"
"""Begins the command line of a player that is another program."""


class Position:
    """A position of a match; it never changes, as playing returns the next one.

    It prints as a text board, and shows itself as a picture in a notebook, as the public sees it.
    Positions with the same state are equal, however they were reached; they can be keys, copied and
    pickled.

    Attributes:
        game: the rules, see `engine.game.Game`.
        state: the position as the game has it, with all secrets.
        actions: all actions since the start.
    """

    def __init__(
        self,
        game: str,
        *,
        rules: str = "",
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
    ) -> None:
        """Begin a match.

        Args:
            game: name of an installed game, see `engine.games.names`.
            rules: rule set; by default the game's first one.
            options: options of the game.
            seed: seed of the dice, which are drawn when they are due; without it chance waits
                until its outcome is played, such as `* roll S3 M1`.

        Raises:
            IllegalActionError: there is no such game, rule set or option.
        """
        self.game: AnyGame = games.require(game)
        self._rules, self._options = rules or self.game.rules[0], dict(options or {})
        self._record: Record | None = None
        self._secret = b"" if seed is None else hashlib.sha256(f"dice {seed}".encode()).digest()
        start = self.game.start(self._rules, self._options)
        self.state: Any
        self.actions: tuple[Action, ...]
        self.state, self.actions = _drawn(self.game, start, (), self._secret)

    @classmethod
    def of(cls, record: Record) -> Position:
        """Return the last position of a record, whose dice are drawn by hand from there on.

        Raises:
            RecordError: the record breaks a rule, or its game is not installed.
        """
        game, state = record.replay()
        start = cls(game.name, rules=record.headers.get("Rules", ""), options=record.options())
        return start._next(state, record.actions, record)

    @classmethod
    def all_of(cls, record: Record) -> Iterator[Self]:
        """Yield the first position of a record, and the one after each action.

        Raises:
            RecordError: at the first line that breaks a rule, or the game is not installed.
        """
        rules, options = record.headers.get("Rules", ""), record.options()
        for place, (game, state) in enumerate(record.positions()):
            if not place:
                start = cls(game.name, rules=rules, options=options)
            yield start._next(state, record.actions[:place])

    @property
    def seats(self) -> str:
        """The letters of the seats, in order."""
        return self.game.seats(self._options)

    @property
    def legal(self) -> tuple[Action, ...]:
        """All legal actions in a fixed order; `?` stands for values that are to be filled in."""
        return self.game.legal(self.state)

    @property
    def pending(self) -> str:
        """The seats that must decide now, `*` for chance, empty after the end."""
        return self.game.pending(self.state)

    @property
    def result(self) -> str:
        """The winner's seat (or `-`) and the reason; empty during the match."""
        return self.game.result(self.state)

    @property
    def winner(self) -> str:
        """The winner's seat; empty during the match and after a draw."""
        return self.result[:1] if self.result[:1] in self.seats else ""

    @property
    def is_over(self) -> bool:
        """Whether the match has a result."""
        return bool(self.result)

    @property
    def record(self) -> Record:
        """The match as a record, with all secrets; `Record.redact` leaves them out."""
        if self._record:
            return self._record
        headers = {"Game": self.game.name, "Rules": self._rules}
        if self._options:
            headers["Options"] = " ".join(f"{k}={v}" for k, v in sorted(self._options.items()))
        headers["Version"] = str(self.game.version)
        if self._secret:
            headers |= {"Dice": commitment(self._secret), "Salt": CLIENT_SEED}
            headers |= {"Seed": self._secret.hex()} if self.is_over else {}
        if self.is_over:
            headers["Result"] = self.result
        return Record(headers, self.actions)

    def play(self, move: Action | str, seat: str = "") -> Position:
        """Return the position after a move, and after the dice that follow it.

        Args:
            move: an action, or one as a player types it: `move S NE`, in short `S NE`.
            seat: who plays it; by default the seat that decides, or the first of them.

        Raises:
            IllegalActionError: it is not legal, or can mean several actions.
        """
        action = move if isinstance(move, Action) else self.parse(move, seat)
        state, _ = self.game.apply(self.state, action)
        return self._next(*_drawn(self.game, state, (*self.actions, action), self._secret))

    def parse(self, text: str, seat: str = "") -> Action:
        """Return the action that a text means.

        Args:
            text: an action as a player types it; see `play`.
            seat: who types it; by default the seat that decides, or the first of them.

        Raises:
            IllegalActionError: it is not legal, or can mean several actions.
        """
        if text.startswith(f"{CHANCE} "):
            return Action.parse(text)
        seat = seat or self.pending[:1]
        action = choice_of(self.game, self.state, seat, text)
        if action is None:
            raise IllegalActionError(
                "notation", "“{text}” can mean several moves of {seat}.", text=text, seat=seat
            )
        return action

    def view(self, seat: str = PUBLIC) -> View:
        """Return all that a seat, or the public, may know."""
        view: View = self.game.view(self.state, seat)
        return view

    def text(self, seat: str = PUBLIC) -> str:
        """Return the text board of a seat, or of the public."""
        board: str = self._renderer.text_board(self.view(seat), self.game.sides)
        return board

    def png(self, seat: str = PUBLIC) -> bytes:
        """Return the picture of a seat, or of the public, as a PNG with the seat's choices."""
        view = self.view(seat)
        picture: bytes = self._renderer.picture(view, self.game.sides, actions=view.legal)
        return picture

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        now = self.result or f"{self.pending} to decide"
        return f"<Position of {self.game.name}: {len(self.actions)} actions, {now}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (
            (self.game.name, self.state) == (other.game.name, other.state)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"game": self.game.name, "state": self.game.dump(self.state)}

    def __setstate__(self, values: dict[str, Any]) -> None:
        game = games.require(values["game"])
        vars(self).update(values, game=game, state=game.load(values["state"]))

    def _next(self, state: Any, actions: tuple[Action, ...], record: Record | None = None) -> Self:
        """Return another position of the match.

        Args:
            state: the position.
            actions: those that led to it.
            record: the record that it was read from, if it has more than these.
        """
        position = object.__new__(type(self))
        vars(position).update(vars(self), state=state, actions=actions, _record=record)
        return position

    def _repr_png_(self) -> bytes:
        """Return the picture, for notebooks."""
        return self.png()

    @property
    def _renderer(self) -> Any:
        """The game's renderer, which the engine knows only by its reference."""
        return packages.load(packages.installed()[self.game.name].renderer, object)


def _drawn(
    game: AnyGame, state: Any, actions: tuple[Action, ...], secret: bytes
) -> tuple[Any, tuple[Action, ...]]:
    """Return state and actions after pending chance events; without a secret, as they are."""
    while secret and game.pending(state) == CHANCE:
        event = sum(action.actor == CHANCE for action in actions)
        outcome = game.chance(state, Dice(secret, CLIENT_SEED).draw(event))
        state, _ = game.apply(state, outcome)
        actions = (*actions, outcome)
    return state, actions


class Player:
    """A computer player: one of the levels, or another program; it sees what its seat may know.

    Use it in a `with` statement, which ends the program.
    """

    def __init__(self, name: str, seed: int = 0, nodes: int = 0) -> None:
        """Name a player.

        Args:
            name: a level, see `engine.computer.players.names`, or `cmd:PROGRAM ARGUMENTS`
                (docs/developers/protocol.md).
            seed: seed of its choices; a program does not get it.
            nodes: maximum positions to evaluate for one action; 0 for the default.

        Raises:
            PlayerError: there is no such level.
            OSError: the program cannot be started.
        """
        self._program: Program | None = None
        if name.startswith(PROGRAM):
            self._program = Program(name.removeprefix(PROGRAM), nodes)
        else:
            limits = {"nodes": nodes} if nodes else {}
            self._computer = ComputerPlayer(name, seed_of(seed), **limits)

    def __enter__(self) -> Self:
        """Greet the program.

        Raises:
            PlayerError: it does not answer.
        """
        if self._program:
            self._program.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._program:
            self._program.__exit__(None, None, None)

    def choose(self, position: Position, seat: str = "") -> Action:
        """Return the player's choice, which follows from what its seat may know.

        Args:
            position: the position; its secrets are hidden from the player.
            seat: the seat that decides; by default the first of those.

        Raises:
            PlayerError: the game has no computer players, or the program gives no answer.
            RecordError: the seat has nothing to decide.
            IllegalActionError: the program's answer is not legal.
        """
        seat = seat or position.pending[:1]
        record = position.record.redact_for_infostate(seat)
        if self._program is None:
            return self._computer.choose(record, seat).action
        legal = [action for action in position.legal if action.actor == seat]
        return Action.parse(f"{seat} {self._program.line(record, seat, legal)}")


def read_records(lines: Iterable[str]) -> Iterator[Record]:
    r"""Yield the records of a file with many, one after the other.

    Args:
        lines: an open file, or its lines.

    Raises:
        RecordError: a record cannot be read.

    Example:
        >>> text = "Game: warp6\n\n* lot O\n\nGame: tomtube\n\n"
        >>> [record.headers["Game"] for record in read_records(text.splitlines())]
        ['warp6', 'tomtube']
    """
    part: list[str] = []
    for line in lines:
        if line.startswith("Game:") and any(map(_says_something, part)):
            yield Record.parse("\n".join(part))
            part = []
        part.append(line.rstrip("\r\n"))
    if any(map(_says_something, part)):
        yield Record.parse("\n".join(part))


def _says_something(line: str) -> bool:
    """Return whether a line is neither empty nor a comment."""
    return bool(line.strip()) and not line.startswith("#")
