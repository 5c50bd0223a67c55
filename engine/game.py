"""The contract between a game and everything around it. Read this file first.

A `Game` makes a start state from options, says whose decision is pending, lists the legal
actions, applies one and reports its events, and shows a state to a seat as a view. States are
immutable values, chance comes in as an action of the actor `*`, and nothing here reads a clock,
a file or a random source. The terms come from OpenSpiel and python-chess.

Example:
    >>> from engine import games
    >>> game = games.get("wormholes")
    >>> state = game.start("0.6", {})
    >>> game.pending(state)
    '*'
    >>> [str(action) for action in game.legal(state)]
    ['* rolloff S? M? C? A?']
    >>> state, events = game.apply(state, Action.parse("* rolloff S3 M0 C5 A2"))
    >>> game.pending(state)
    'D'
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from engine.i18n import english_of

CHANCE = "*"
"""Actor of chance events."""

PUBLIC = ""
"""Seat of spectators and channels; its view shows the least."""

OPEN_VALUE = "?"
"""Placeholder in a form for a value that chance or a player has yet to give."""

RandomSource = Callable[[int], int]
"""`draw(n)` returns a uniformly distributed integer in 0 … n - 1."""


class Action(NamedTuple):
    """A choice of a seat or an outcome of chance: a line of a record (docs/notation.md).

    Attributes:
        actor: letter of the seat, or `*` for chance.
        verb: kind of action, see `Game.verbs`.
        args: values in the order of the line.
    """

    actor: str
    verb: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Print the action in the notation of records."""
        return " ".join((self.actor, self.verb, *self.args))

    @property
    def notation(self) -> str:
        """The action as a player types it, without the actor."""
        return " ".join((self.verb, *self.args))

    @property
    def is_form(self) -> bool:
        """Whether the action has open values."""
        for arg in self.args:  # noqa: SIM110 - hundreds of actions are asked for a message
            if arg.endswith(OPEN_VALUE):
                return True
        return False

    @classmethod
    def parse(cls, line: str) -> Action:
        """Parse a line of a record; `Game.apply` checks whether it is legal.

        Raises:
            IllegalActionError: the line does not consist of an actor and a verb.
        """
        actor, _, notation = line.partition(" ")
        verb, *args = notation.split(" ")
        if not actor or not verb:
            raise IllegalActionError(
                "notation", "“{line}” is not of the form ACTOR VERB ARGUMENTS.", line=line
            )
        return cls(actor, verb, tuple(args))


class Event(NamedTuple):
    """Something that happened, for stories and arrows. `Game.events` names its facts.

    Events contain public facts only. Hidden information is never part of an event; it is read
    from a view, which is made for one seat.

    Attributes:
        kind: one of `Game.events`.
        facts: values of the facts that `Game.events` names, in that order.
    """

    kind: str
    facts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Print the event as one word."""
        return ":".join((self.kind, *self.facts))

    @classmethod
    def parse(cls, word: str) -> Event:
        """Parse an event printed by `str`."""
        kind, *facts = word.split(":")
        return cls(kind, tuple(facts))


class IllegalActionError(Exception):
    """An action that the rules do not allow, with the number of the rule and the reason.

    Attributes:
        rule: number of the broken rule, e.g. `W4.2`; `notation` for lines that cannot be read.
        reason: one friendly sentence with `{field}` placeholders, to be translated.
        fields: values of the placeholders; see `engine.i18n.LISTS`.
    """

    def __init__(self, rule: str, reason: str, **fields: object) -> None:
        super().__init__(rule, reason, fields)
        self.rule = rule
        self.reason = reason
        self.fields = fields

    def __str__(self) -> str:
        """Return the reason with its fields filled in."""
        return english_of(self.reason, self.fields)


class Parameter(NamedTuple):
    """An argument of a verb.

    Attributes:
        name, description: for players (description ≤ 100 characters).
        upper: whether the notation uses upper case; players may type any case.
    """

    name: str
    description: str
    upper: bool = False

    def spell(self, word: str) -> str:
        """Return a typed value in the spelling of the notation."""
        return word.upper() if self.upper else word.lower()


class Verb(NamedTuple):
    """A kind of action that players choose: one slash command and one word of the notation.

    Attributes:
        name: word of the notation.
        description: description for players (≤ 100 characters).
        parameters: arguments, in the order of the notation.
        secret: whether other players must not see the arguments; it is only offered in private.
        once: number of first parameters whose values can only be used once each in a match.
        acknowledges: whether it only says that the player has seen something, and so is never
            made for the player, even if it is the only legal action.
        event: kind of the event that reports it; empty if the story does not.
        kind_of: the verb that it is a special case of: words for both mean this one.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    secret: bool = False
    once: int = 0
    acknowledges: bool = False
    event: str = ""
    kind_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The part of a state that one seat, or the public, may know. Games add their own fields.

    Attributes:
        game, rules, options: names; options as sorted (name, value) pairs.
        seats: letters of all seats in order, e.g. `OD`.
        seat: seat whose view this is; empty for the public.
        pending: seats that must decide now, `*` for chance, empty after the end.
        turn: number of the current turn, from 1; 0 during setup. It changes with each turn, even if
            a seat has several in a row: each has its own time on that player's clock.
        legal: legal actions of `seat`, in the game's fixed order.
        story: events of the current turn, or of the last turn if nothing has changed on the board
            in this one.
        offer: seats that agree to a draw, the one that offered it first.
        result: e.g. `O base`; empty during the match.
        departed: seats that have left the match, while others play on.
        forced: places in `story` of choices that the bot has made for a player, who had no other;
            see `engine.stories`. The rules leave it empty.
        foreseen: places in `story` of choices that a plan has made for its player; empty until the
            match is over. The rules leave it empty.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...]
    seats: str
    seat: str
    pending: str
    turn: int
    legal: tuple[Action, ...]
    story: tuple[Event, ...]
    offer: str
    result: str
    departed: str = ""
    forced: tuple[int, ...] = ()
    foreseen: tuple[int, ...] = ()

    @property
    def playing(self) -> str:
        """Return the seats that have not left the match, in order."""
        return "".join(seat for seat in self.seats if seat not in self.departed)

    @property
    def answering(self) -> str:
        """Return the seats that may answer a draw offer, in order."""
        return "".join(seat for seat in self.playing if self.offer and seat not in self.offer)

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain values: actions as text, named tuples as objects."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, Action):
        return str(value)
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: _plain(item) for name, item in value._asdict().items()}
        return [_plain(item) for item in value]
    return sorted(value) if isinstance(value, frozenset) else value


S = TypeVar("S")
V = TypeVar("V", bound=View)


class Game(ABC, Generic[S, V]):
    """The rules of a game. Instances have no state; one instance serves all matches."""

    name: ClassVar[str]
    """Name in records and commands."""
    title: ClassVar[str]
    """Name for players."""
    version: ClassVar[int]
    """Version of the rules; a match keeps the version it began with."""
    rules: ClassVar[tuple[str, ...]]
    """Rule sets, the default first."""
    options: ClassVar[Mapping[str, tuple[str, ...]]]
    """Option → its values, the default first."""
    verbs: ClassVar[tuple[Verb, ...]]
    """Verbs that players can choose."""
    events: ClassVar[Mapping[str, tuple[str, ...]]]
    """Kind of event → names of its facts."""
    sides: ClassVar[Mapping[str, str]]
    """Seat letter → name for players."""
    words: ClassVar[re.Pattern[str]] = re.compile(".+")
    """Pattern of the arguments in its records and of the verbs of chance, in lower case."""
    in_series: ClassVar[bool] = False
    """Whether matches may be played in series, in which points add up (see `engine.series`)."""

    @abstractmethod
    def seats(self, options: Mapping[str, str]) -> str:
        """Return the letters of the seats under these options, in order."""

    def move_options(self, options: Mapping[str, str], moved: Mapping[str, str]) -> dict[str, str]:
        """Return the options for a rematch where the players change seats.

        An option whose name ends in `_SEAT` follows the player of that seat.

        Args:
            options: options of the match before.
            moved: seat in the match before → seat in the next one.
        """
        renamed: dict[str, str] = {}
        for name, value in options.items():
            stem, _, seat = name.rpartition("_")
            renamed[f"{stem}_{moved[seat]}" if stem and seat in moved else name] = value
        return {name: renamed[name] for name in self.options if name in renamed}

    def handicaps(self, options: Mapping[str, str], result: str) -> tuple[dict[str, str], ...]:
        """Return the changed options that the rules offer for a rematch.

        Args:
            options: options of the match that has ended.
            result: result of that match, see `result`.
        """
        return ()

    @abstractmethod
    def start(self, rules: str, options: Mapping[str, str]) -> S:
        """Return the state before the first action.

        Raises:
            IllegalActionError: no such rule set, option or value.
        """

    @abstractmethod
    def pending(self, state: S) -> str:
        """Return the seats that must decide now, `*` for a chance event, empty after the end."""

    @abstractmethod
    def result(self, state: S) -> str:
        """Return the winner's seat (or `-`) and the reason; empty during the match."""

    @abstractmethod
    def legal(self, state: S) -> tuple[Action, ...]:
        """Return all legal actions in a fixed order.

        A chance event is one form with `?` for each open value; so is a choice with too many
        possibilities to list.
        """

    @abstractmethod
    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Return the next state and the events that led to it.

        Raises:
            IllegalActionError: the action is not legal here.
        """

    @abstractmethod
    def chance(self, state: S, draw: RandomSource) -> Action:
        """Draw the outcome of the pending chance event, value by value in the order of the line."""

    def plannable(self, state: S, seat: str) -> tuple[Action, ...]:
        """Return the actions that a seat can plan: all that may become legal for it, as it knows.

        More than those is allowed: whether an action is legal is checked when it is carried out.
        The most common verbs come first.
        """
        return tuple(action for action in self.legal(state) if action.actor == seat)

    def fill(self, form: Action, draw: RandomSource) -> Action:
        """Return a legal action of a player with random values for open ones."""
        return form

    def values(self, form: Action, place: int) -> tuple[str, ...]:
        """Return the possible values of an open argument of a form, without its name.

        Raises:
            ValueError: this game has no forms.
        """
        raise ValueError(f"{self.name} has no forms")

    def points(self, state: S) -> Mapping[str, int] | None:
        """Return each seat's score in seat order; None without points, or without a result."""
        return None

    @abstractmethod
    def view(self, state: S, seat: str = PUBLIC) -> V:
        """Return the view of a seat."""

    def revealed_view(self, state: S) -> V:
        """Return the public view with all that players hide; only for matches that are over."""
        return self.view(state)

    @abstractmethod
    def resample_view(self, state: S, seat: str, draw: RandomSource) -> S:
        """Return a state drawn at random from the states with an equal view.

        They are equally likely, or as likely as chance deals what it has hidden. The state depends
        on the view and `draw`, never on hidden information: equal views and equal draws give equal
        states.
        """

    @abstractmethod
    def redact(self, state: S, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Return the actions that led to a state as the seat may see them; `?` replaces secrets."""

    def redact_for_infostate(
        self, state: S, seat: str, actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """Return the actions as a seat with a perfect memory knows them: its own are not redacted.

        A person may see less: `redact` hides what the rules leave to a player's memory.
        """
        redacted = self.redact(state, seat, actions)
        return tuple(
            action if action.actor == seat else redaction
            for action, redaction in zip(actions, redacted, strict=True)
        )

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """Return the actions of a redacted record with values that fit in place of `?`.

        The values are not drawn uniformly from those that fit: see `resample_infostate`.
        """
        return tuple(actions)

    def opening(self, choices: Sequence[Action]) -> str:
        """Return a seat's opening in short words of the notation; empty if there is none.

        Args:
            choices: the seat's choices in a match, in order.
        """
        return ""

    def resample_infostate(self, state: S, seat: str, draw: RandomSource) -> S:
        """Return a state drawn at random from those possible for a seat with a perfect memory.

        Such a seat knows its own actions and everything it has ever seen: more than its view.
        """
        return self.resample_view(state, seat, draw)

    def piecepack(self, headers: Mapping[str, str], start: S, actions: Sequence[Action]) -> str:
        """Return a match in Portable Piecepack Notation; empty if it has no such pieces.

        Args:
            headers: headers of the record.
            start: first position of the match.
            actions: that followed, all legal.
        """
        return ""

    @abstractmethod
    def dump(self, state: S) -> str:
        """Return the position as one line of text."""

    @abstractmethod
    def load(self, text: str) -> S:
        """Return the state that `dump` printed.

        Raises:
            ValueError: the text is not a position of this game.
        """


AnyGame = Game[Any, Any]
"""A game whose states and views are not known to the type checker."""
