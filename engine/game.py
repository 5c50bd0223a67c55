"""The contract between a game and everything around it. Read this file first.

A `Game` makes a start state from options, says whose decision is pending, lists the legal
actions, applies one and tells what happened, and shows a state to a seat as a view. States are
immutable values, chance comes in as an action of the actor `*`, and nothing here reads a clock,
a file or a random source. The terms are those of OpenSpiel and python-chess.

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

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

CHANCE = "*"
"""The actor of chance events."""

PUBLIC = ""
"""The seat of those who have none: spectators, a channel. It sees the least."""

OPEN_VALUE = "?"
"""In a form, in place of each value that is still to be given, by chance or by a player."""

RandomSource = Callable[[int], int]
"""A source of chance: `draw(n)` is a uniform whole number in 0 … n - 1."""


class Action(NamedTuple):
    """A choice of a seat or an outcome of chance: a line of a record (docs/notation.md)."""

    actor: str
    verb: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Print the action in the notation of records."""
        return " ".join((self.actor, self.verb, *self.args))

    @property
    def notation(self) -> str:
        """The action as its player types it: without the actor."""
        return " ".join((self.verb, *self.args))

    @property
    def is_form(self) -> bool:
        """Whether values are still to be given."""
        return any(arg.endswith(OPEN_VALUE) for arg in self.args)

    @classmethod
    def parse(cls, line: str) -> Action:
        """Read one action line; whether it is legal is for `Game.apply` to say.

        Raises:
            IllegalActionError: the line does not consist of an actor and a verb.
        """
        actor, _, rest = line.partition(" ")
        verb, *args = rest.split(" ")
        if not actor or not verb:
            raise IllegalActionError(
                "notation", "“{line}” is not of the form ACTOR VERB ARGUMENTS.", line=line
            )
        return cls(actor, verb, tuple(args))


class Event(NamedTuple):
    """Something that happened, for stories and arrows; the names of its facts are in `Game.events`.

    Events hold open facts only, which all players may know for ever. What only some may
    know is never an event: it is read from a view, which is made for one seat.
    """

    kind: str
    facts: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Print the event as one word, for positions."""
        return ":".join((self.kind, *self.facts))

    @classmethod
    def parse(cls, word: str) -> Event:
        """Read what `str` of an event prints."""
        kind, *facts = word.split(":")
        return cls(kind, tuple(facts))


class IllegalActionError(Exception):
    """An action that the rules refuse: the rule's number and one friendly sentence why.

    Attributes:
        rule: number of the broken rule, e.g. `W4.2`; `notation` for lines that cannot be read.
        reason: the sentence with `{field}` places, as translators see it.
        fields: what goes into these places.
    """

    def __init__(self, rule: str, reason: str, **fields: object) -> None:
        super().__init__(rule, reason, fields)
        self.rule = rule
        self.reason = reason
        self.fields = fields

    def __str__(self) -> str:
        """Give the sentence, filled in."""
        return self.reason.format(**self.fields)


class Parameter(NamedTuple):
    """One argument of a verb as players see it.

    Attributes:
        name: its name.
        description: what it means (≤ 100 characters).
        upper: the notation has it in upper case; players may type it as they like.
    """

    name: str
    description: str
    upper: bool = False

    def spell(self, word: str) -> str:
        """A typed value as the notation has it; a game's own parameters may know more spellings."""
        return word.upper() if self.upper else word.lower()


class Verb(NamedTuple):
    """A kind of action that players choose: one slash command, a kind of button, a notation word.

    Attributes:
        name: the word of the notation.
        description: what it does, for players (≤ 100 characters).
        parameters: its arguments, in the order of the notation.
        secret: its arguments must not be seen by others (it is only ever offered in private).
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What one seat, or the public, may know of a state. Each game adds its own fields.

    Attributes:
        game, rules, options: what is played; options as sorted (name, value) pairs.
        seats: letters of all seats in order, e.g. `OD`.
        seat: for whom this view is made; empty for the public.
        pending: the seats that must decide now, `*` for chance, empty after the end.
        turn: number of the current turn, from 1; 0 during set-up.
        legal: the legal actions of `seat`, in the game's fixed order.
        story: what happened in the last turn, or so far in this one.
        offer: seats that stand by a draw offer, the one who made it first.
        result: e.g. `O base`; empty while the match goes on.
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


S = TypeVar("S")
V = TypeVar("V", bound=View)


class Game(ABC, Generic[S, V]):
    """The rules of one game. Instances hold no state: one of each serves all matches."""

    name: ClassVar[str]
    """Name in records and commands."""
    title: ClassVar[str]
    """Name for people."""
    version: ClassVar[int]
    """Changes only when behaviour does; a match keeps the one it began with."""
    rules: ClassVar[tuple[str, ...]]
    """The rule sets; the first is the default."""
    options: ClassVar[Mapping[str, tuple[str, ...]]]
    """Values of each option; the first is the default."""
    verbs: ClassVar[tuple[Verb, ...]]
    """What players can choose."""
    events: ClassVar[Mapping[str, tuple[str, ...]]]
    """Names of each event's facts."""
    sides: ClassVar[Mapping[str, str]]
    """Name for people of each seat letter."""
    in_series: ClassVar[bool] = False
    """Whether matches may be played in series, in which points add up (see `engine.series`)."""

    @abstractmethod
    def seats(self, options: Mapping[str, str]) -> str:
        """Letters of the seats that these options make, in order."""

    def move_options(self, options: Mapping[str, str], moved: Mapping[str, str]) -> dict[str, str]:
        """Return the options for a rematch in which the players change seats.

        An option whose name ends in `_SEAT` belongs to the player of that seat and goes along.

        Args:
            options: of the match before.
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
            options: of the match that has ended.
            result: of that match, see `result`.
        """
        return ()

    @abstractmethod
    def start(self, rules: str, options: Mapping[str, str]) -> S:
        """The state before the first action.

        Raises:
            IllegalActionError: no such rule set, option or value.
        """

    @abstractmethod
    def pending(self, state: S) -> str:
        """Letters of the seats that must decide now, `*` for a chance event, empty at the end."""

    @abstractmethod
    def result(self, state: S) -> str:
        """Winner's seat (or `-`) and reason as in a record's Result; empty during the match."""

    @abstractmethod
    def legal(self, state: S) -> tuple[Action, ...]:
        """All legal actions in a fixed order.

        Before chance it is one form with `?` for each open value, and so is, for each seat that
        has to decide, a choice that is too wide to be listed.
        """

    @abstractmethod
    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """The next state, and what happened on the way.

        Raises:
            IllegalActionError: the action is not legal here.
        """

    @abstractmethod
    def chance(self, state: S, draw: RandomSource) -> Action:
        """The outcome of the pending chance event, its values drawn in the order of the line."""

    def fill(self, form: Action, draw: RandomSource) -> Action:
        """A player's action out of a legal list, with random values where it is a form."""
        return form

    def values(self, form: Action, place: int) -> tuple[str, ...]:
        """What can be given for the open value of an argument of a form, without its name.

        Raises:
            ValueError: no legal list of this game has a form.
        """
        raise ValueError(f"{self.name} has no forms")

    def points(self, state: S) -> Mapping[str, int] | None:
        """What each seat scores with this result, in seat order; None in games without points."""
        return None

    @abstractmethod
    def view(self, state: S, seat: str = PUBLIC) -> V:
        """What the seat may know."""

    @abstractmethod
    def resample(self, state: S, seat: str, draw: RandomSource) -> S:
        """Return a state drawn at random from those with an equal view.

        The view and `draw` decide it, never what is hidden: equal views and equal draws give equal
        states.
        """

    @abstractmethod
    def redact(self, state: S, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """The actions that led to a state as the seat may see them, `?` for what is hidden."""

    def complete(self, options: Mapping[str, str], actions: Sequence[Action]) -> tuple[Action, ...]:
        """Return the actions of a redacted record with values that fit in place of `?`.

        Which of the values that fit is not chosen with care: see `redeal`.
        """
        return tuple(actions)

    def redeal(self, state: S, seat: str, draw: RandomSource) -> S:
        """Return a state drawn at random from those that a seat with a perfect memory allows.

        Such a seat knows its own actions, and all that was ever open to it: more than its view.
        """
        return self.resample(state, seat, draw)

    @abstractmethod
    def dump(self, state: S) -> str:
        """The position as one line of text."""

    @abstractmethod
    def load(self, text: str) -> S:
        """The state that `dump` printed.

        Raises:
            ValueError: the text is not a position of this game.
        """


AnyGame = Game[Any, Any]
