r"""Match records: reading, printing, checking and redacting them (docs/notation.md).

Example:
    >>> record = Record.parse("Game: wormholes\n\n* rolloff S3 M0 C5 A2\nD first place\n")
    >>> replay = record.replay()
    >>> replay.game.pending(replay.state)
    'D'
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import hexdigits
from typing import Any, NamedTuple

from engine import games
from engine.dice import HASH_PREFIX, Dice, commitment
from engine.game import CHANCE, PUBLIC, Action, AnyGame, IllegalActionError, RandomSource

CHOSEN_MARK = "!"
"""Follows a seat in `Sides` that was chosen, not drawn."""

TAKEN_OVER_HEADER = "Taken over"
"""Number of the first actions that come from another record: their dice have another seed."""

ORIGIN_HEADER = "Taken over from"
"""The finished match that these actions come from, if it was played with the same bot."""

HASH_DIGITS = 64
"""Length of a SHA-256 in hexadecimal digits."""

_FIRST_ACTION = re.compile(r"(?:\*|[A-Z]) [^:]+")
"""An action, which no header can be: a record may lack the empty line before its actions."""

MAX_RECORD_CHARACTERS = 256 * 1024
"""Maximum size of a record; the longest matches need about a tenth of it."""

MAX_RECORD_LINES = 5000
"""Maximum number of lines of a record, comments included."""

MAX_NUMBER_DIGITS = 9
"""Maximum length of a number in a header."""

MAX_QUOTED_CHARACTERS = 100
"""Maximum length of a line quoted by an error."""


class RecordError(Exception):
    """A record that cannot be read or breaks a rule; the text names the line and the rule.

    Attributes:
        line: number of the line in the file; 0 if the error is about no single line.
    """

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class Replay(NamedTuple):
    """A position of a record.

    Attributes:
        game: the rules.
        state: the position, with all secrets.
    """

    game: AnyGame
    state: Any


@dataclass(frozen=True, slots=True)
class Record:
    """A match as text (docs/notation.md).

    Attributes:
        headers: name of a header → its value.
        actions: all actions in order, chance events included.
        lines: number of each action's line in the file; empty if it was not read from one.
    """

    headers: Mapping[str, str]
    actions: tuple[Action, ...]
    lines: tuple[int, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record; its actions are checked by `replay`.

        Raises:
            RecordError: a line is neither header nor action, or the text is too long.
        """
        _refuse_too_long(text)
        headers: dict[str, str] = {}
        actions: list[Action] = []
        numbers: list[int] = []
        in_headers = True
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("#"):
                continue
            if in_headers:
                if not line:
                    in_headers = not headers
                    continue
                in_headers = not (headers and _FIRST_ACTION.fullmatch(line))
                if in_headers:
                    _read_header(headers, number, line)
                    continue
            body = line.partition(" #")[0].rstrip()
            if body:
                actions.append(_read_action(number, body))
                numbers.append(number)
        return cls(headers, tuple(actions), tuple(numbers))

    def __str__(self) -> str:
        """Print the record as a file."""
        headers = [f"{key}: {value}" for key, value in self.headers.items()]
        return "\n".join([*headers, "", *map(str, self.actions), ""])

    def line_number(self, place: int) -> int:
        """Return the number of an action's line in the file, else of the action itself, from 1."""
        return self.lines[place] if self.lines else place + 1

    def game(self) -> AnyGame:
        """Return the game of the `Game` header.

        Raises:
            RecordError: the header is missing, or this game or version is not known here.
        """
        try:
            game = games.require(self.headers.get("Game", ""))
        except IllegalActionError as error:
            raise RecordError(f"Game: {error}") from error
        version = self.headers.get("Version", "1")
        if version != str(game.version):
            raise RecordError(f"Version: this is version {game.version}, not {version}.")
        return game

    def options(self) -> dict[str, str]:
        """Return the `Options` header as a dictionary."""
        words = self.headers.get("Options", "").split()
        return {name: value for name, _, value in (word.partition("=") for word in words)}

    def positions(self, states: Sequence[Any] = ()) -> Iterator[Replay]:
        """Yield the first position and the position after each action.

        Args:
            states: the first of these positions, if an earlier replay has reached them.

        Raises:
            RecordError: at the first line that is not legal.
        """
        game = self.game()
        rules = self.headers.get("Rules", game.rules[0])
        try:
            states = states or (game.start(rules, self.options()),)
        except IllegalActionError as error:
            raise RecordError(f"Rules, Options: {error} [{error.rule}]") from error
        yield from (Replay(game, state) for state in states)
        state, apply = states[-1], game.apply
        for place, action in enumerate(self.actions[len(states) - 1 :], len(states) - 1):
            try:
                state = apply(state, action)[0]
            except IllegalActionError as error:
                if game.pending(state) == CHANCE != action.actor:
                    error = IllegalActionError(
                        error.rule, "A line before this one is missing: that of a random event."
                    )
                raise self._error(place, error) from error
            yield Replay(game, state)

    def _error(self, place: int, error: IllegalActionError) -> RecordError:
        return _line_error(self.line_number(place), str(self.actions[place]), error, error.rule)

    def replay(self) -> Replay:
        """Check every line, the `Result` and the `Points`; return the last position.

        Raises:
            RecordError: a line is not legal, or a header contradicts the lines.
        """
        (last,) = deque(self.positions(), maxlen=1)
        claimed = self.headers.get("Result", "")
        reached = last.game.result(last.state)
        if claimed and claimed != reached:
            raise RecordError(f"Result: {claimed}: the lines lead to “{reached or 'unfinished'}”.")
        claimed = self.headers.get("Points", "")
        scored = points_text(last.game, last.state)
        if claimed and claimed != scored:
            raise RecordError(f"Points: {claimed}: the lines lead to “{scored or 'none'}”.")
        return last

    def redact(self, seat: str = PUBLIC) -> Record:
        """Return the record as a seat, or the public, may see it now.

        Raises:
            RecordError: see `replay`.
        """
        game, state = self.replay()
        return Record(self._public_headers(game, state), game.redact(state, seat, self.actions))

    def redact_for_infostate(self, seat: str) -> Record:
        """Return the record as a seat with a perfect memory knows it now.

        See `Game.redact_for_infostate`.

        Raises:
            RecordError: see `replay`.
        """
        game, state = self.replay()
        return Record(
            self._public_headers(game, state), game.redact_for_infostate(state, seat, self.actions)
        )

    def piecepack(self) -> str:
        """Return the match in Portable Piecepack Notation (docs/notation.md).

        Raises:
            RecordError: the game has no such pieces, or something is hidden; see `replay`.
        """
        game, start = next(self.positions())
        self.replay()
        text = game.piecepack(self.headers, start, self.actions)
        if not text:
            raise RecordError(f"Game: {game.title} is not played with a piecepack.")
        return text

    def _public_headers(self, game: AnyGame, state: Any) -> dict[str, str]:
        """Return the headers without the seed, which is revealed after the end."""
        over = bool(game.result(state))
        return {key: value for key, value in self.headers.items() if over or key != "Seed"}

    def verify(self, noted: str = "") -> int:
        """Draw the seats and all chance lines again from the revealed seed.

        Lines that were taken over from another record are only checked against the rules.

        Args:
            noted: the commitment that was published before the match, as a player wrote it down;
                empty to rely on the record's own `Dice` header.

        Returns:
            the number of chance lines.

        Raises:
            RecordError: the seed is missing or not the committed one, or a line differs.
        """
        seed = self.seed(noted)
        try:
            dice = Dice(seed, self.headers.get("Salt", ""))
        except UnicodeEncodeError as error:
            raise RecordError("Salt: not UTF-8.") from error
        self._verify_seats(dice)
        count, taken_over = 0, self.taken_over()
        positions = self.positions()
        for place, (action, before) in enumerate(zip(self.actions, positions, strict=False)):
            if action.actor == CHANCE and place >= taken_over:
                self._verify_line(place, before, dice.draw(count))
                count += 1
        self.replay()
        return count

    def taken_over(self) -> int:
        """Return the number of the first actions that were taken over from another record.

        Raises:
            RecordError: it is not a number of actions in this record.
        """
        header = self.headers.get(TAKEN_OVER_HEADER, "0")
        digits = header.isascii() and header.isdecimal() and len(header) <= MAX_NUMBER_DIGITS
        if not digits or int(header) > len(self.actions):
            reason = "not a number of actions in this record."
            raise RecordError(f"{TAKEN_OVER_HEADER}: {quoted(header)}: {reason}")
        return int(header)

    def _verify_line(self, place: int, before: Replay, draw: RandomSource) -> None:
        game, state = before
        action = self.actions[place]
        if game.pending(state) != CHANCE:
            try:
                game.apply(state, action)
            except IllegalActionError as error:
                raise self._error(place, error) from error
        outcome = game.chance(state, draw)
        if outcome != action:
            raise RecordError(
                f"line {self.line_number(place)}: {action}: the seed gives {outcome}."
            )

    def _verify_seats(self, dice: Dice) -> None:
        """Draw the seats again, if they were drawn from the seed."""
        words = self.headers.get("Sides", "").split()
        if not words:
            return
        seats = self.game().seats(self.options())
        if sorted(word.removesuffix(CHOSEN_MARK) for word in words) != sorted(seats):
            raise RecordError(f"Sides: {' '.join(words)}: the seats are {', '.join(seats)}.")
        free = [seat for seat in seats if seat + CHOSEN_MARK not in words]
        drawn_seats = iter(dice.draw_seats(free))
        expected = [word if word.endswith(CHOSEN_MARK) else next(drawn_seats) for word in words]
        if words != expected:
            raise RecordError(f"Sides: {' '.join(words)}: the seed gives {' '.join(expected)}.")

    def seed(self, noted: str = "") -> bytes:
        """Return the revealed seed.

        Args:
            noted: see `verify`.

        Raises:
            RecordError: it is missing or not the committed one.
        """
        published, seed = self.headers.get("Dice"), self.headers.get("Seed")
        if published is None or seed is None:
            raise RecordError("This record has no Dice or no Seed header: nothing to verify.")
        try:
            secret = bytes.fromhex(seed)
        except ValueError as error:
            raise RecordError("Seed: not hexadecimal digits.") from error
        if noted and _read_commitment(noted) != commitment(secret):
            raise RecordError("Seed: not the one behind the commitment that you noted.")
        if published != commitment(secret):
            raise RecordError("Seed: not the one that was committed to in Dice.")
        return secret


def _read_commitment(noted: str) -> str:
    """Return the commitment that a player typed, in the format of records.

    Raises:
        RecordError: it is not a SHA-256 hash.
    """
    digits = noted.strip().lower().removeprefix(HASH_PREFIX)
    if len(digits) != HASH_DIGITS or not set(digits) <= set(hexdigits):
        raise RecordError(
            f"The commitment has {HASH_DIGITS} hexadecimal digits after “{HASH_PREFIX}”."
        )
    return HASH_PREFIX + digits


def points_text(game: AnyGame, state: Any) -> str:
    """Return the `Points` header: empty during the match and in games without points."""
    points = game.points(state) if game.result(state) else None
    return " ".join(f"{seat}{score}" for seat, score in (points or {}).items())


def _refuse_too_long(text: str) -> None:
    """Check the size of a record before parsing it.

    Raises:
        RecordError: it is too long.
    """
    if len(text) > MAX_RECORD_CHARACTERS:
        raise RecordError(f"A record has at most {MAX_RECORD_CHARACTERS // 1024} kB.")
    if text.count("\n") > MAX_RECORD_LINES:
        raise RecordError(f"A record has at most {MAX_RECORD_LINES} lines.")


def quoted(text: str) -> str:
    r"""Return a text from outside for an error message: short, without control characters.

    Example:
        >>> quoted("O place S4" + chr(7))
        'O place S4\\x07'
    """
    short = text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in short
    )


def _line_error(number: int, line: str, reason: object, rule: str = "") -> RecordError:
    """Return the error of a line: its number, the line, why, and the rule it breaks."""
    suffix = f" [{rule}]" if rule else ""
    text = f"line {number}: {quoted(line)}: {quoted(str(reason))}{suffix}"
    return RecordError(text, number)


def _read_header(headers: dict[str, str], number: int, line: str) -> None:
    key, colon, value = line.partition(":")
    if not colon or not key.strip():
        raise _line_error(number, line, "a header has the form “Key: value”.")
    headers[key.strip()] = value.strip()


def _read_action(number: int, body: str) -> Action:
    try:
        return Action.parse(body)
    except IllegalActionError as error:
        raise _line_error(number, body, error, "notation") from error


Choose = Callable[[tuple[Action, ...]], Action]
"""Picks one of the legal actions."""


def play(
    game: AnyGame, state: Any, choose: Choose, dice: Callable[[int], RandomSource], limit: int
) -> tuple[Any, tuple[Action, ...]]:
    """Play until the end, or until there are `limit` actions.

    Args:
        game: the game's rules.
        state: position to begin with.
        choose: picks one of the legal actions, filled in where it is a form.
        dice: the draw source of each chance event by its number.
        limit: number of actions.
    """
    actions: list[Action] = []
    rolled = 0
    while (pending := game.pending(state)) and len(actions) < limit:
        if pending == CHANCE:
            action = game.chance(state, dice(rolled))
            rolled += 1
        else:
            action = choose(game.legal(state))
        state, _ = game.apply(state, action)
        actions.append(action)
    return state, tuple(actions)
