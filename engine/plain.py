"""A base class for small games of two: a position is a dataclass, and the rest follows from it.

A game names its position and its view, and says who decides (`deciding`) between which `choices`,
and the changes that follow from one (`play`). Legal lists, refusals, draw offers, resigning,
stories, views, and positions as text are made of these. `engine.hands` adds secrets.

Games whose computer looks at many positions are built from `engine.position` instead.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any, ClassVar, Self, TypeVar

from engine.dispatch import TurnRules, wrong_actor
from engine.endings import apply_ending, is_ending, story_events
from engine.game import CHANCE, PUBLIC, Action, Event, Game, IllegalActionError, RandomSource, View


@dataclass(frozen=True, kw_only=True)
class PlainState:
    """A position. A game adds its fields, each with the value before the first action.

    They are numbers, strings, and tuples of these. A field that is added later is not missed in
    positions that were stored before, because `PlainGame.dump` leaves out values of the beginning.

    Attributes:
        turn: number of the current turn, from 1. A new number ends a turn: the events before it
            stay the story until a player chooses again.
        offer, result, story, story_is_old: see `engine.position.BaseDraft`.
    """

    turn: int = 1
    offer: str = ""
    result: str = ""
    story: tuple[Event, ...] = ()
    story_is_old: bool = False

    def with_event(self, kind: str, *facts: str) -> Self:
        """Return the position with one more event in its story."""
        return replace(self, story=(*self.story, Event(kind, facts)))


S = TypeVar("S", bound=PlainState)
V = TypeVar("V", bound=View)


class PlainGame(Game[S, V]):
    """A game of two whose positions are of a `PlainState`, and by default without chance.

    The seats are the letters in `sides`, and `events` begins with those of `ENDING_EVENTS`.
    """

    rules = ("standard",)
    """One set of rules."""
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """No options."""

    state_class: ClassVar[type[PlainState]]
    """The class of positions."""
    view_class: ClassVar[type[View]]
    """The class of views. A field that is not in every `View` has the name of one in positions."""
    turn_rule: ClassVar[str]
    """Number of the rule about turns, for refusals."""
    end_rule: ClassVar[str]
    """Number of the rule about the end of a match, for refusals."""

    @abstractmethod
    def deciding(self, state: S) -> str:
        """Return the seats that must decide, or `*` for chance, while there is no result."""

    @abstractmethod
    def choices(self, state: S, seat: str) -> Iterable[str]:
        """Return the choices of a deciding seat, or of chance, in notation.

        Such as `take 3` for a player, or the form `deal ? ?` for chance.
        """

    @abstractmethod
    def play(self, state: S, action: Action) -> S:
        """Return the position after a legal action, with its events (`PlainState.with_event`).

        The end needs no event: it is reported for the result.
        """

    def refusal(self, state: S, action: Action) -> IllegalActionError:
        """Return the reason why an action of a deciding seat is not legal."""
        return IllegalActionError(
            self.turn_rule, "“{line}” is not possible now.", line=action.notation
        )

    def seats(self, options: Mapping[str, str]) -> str:
        """Return the letters in `sides`."""
        return "".join(self.sides)

    def start(self, rules: str, options: Mapping[str, str]) -> S:
        """Return the position before the first action; see `Game.start`."""
        if rules not in self.rules or options:
            raise IllegalActionError(
                self.turn_rule, "{game} has one set of rules, and no options.", game=self.title
            )
        return self.state_class()  # type: ignore[return-value]  # the class that the game names

    def pending(self, state: S) -> str:
        """Return `deciding`, or nothing after the end."""
        return "" if state.result else self.deciding(state)

    def result(self, state: S) -> str:
        """Return the result."""
        return state.result

    def legal(self, state: S) -> tuple[Action, ...]:
        """Return the `choices` of all seats that decide."""
        return tuple(
            Action.parse(f"{seat} {line}")
            for seat in self.pending(state)
            for line in self.choices(state, seat)
        )

    def is_legal(self, state: S, action: Action) -> bool:
        """Return whether a choice, or an outcome of chance, is legal."""
        return action in self.legal(state)

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Return the position after an action and its events; see `Game.apply`."""
        pending = self.pending(state)
        if is_ending(action):
            return self._end(state, action)
        if action.actor not in tuple(pending):
            numbers = TurnRules(self.end_rule, *[self.turn_rule] * 3)
            raise wrong_actor(action, pending, "".join(self.sides), numbers)
        if not self.is_legal(state, action):
            raise self.refusal(state, action)
        before = state if action.actor == CHANCE else self._begun(state, action.actor)
        after = self.play(before, action)
        if after.result:
            after = after.with_event("ended", *after.result.split())
        is_old = before.story_is_old or after.turn != before.turn
        return replace(after, story_is_old=is_old), after.story[len(before.story) :]

    def _begun(self, state: S, seat: str) -> S:
        """Return a position as a seat's choice finds it, without an offer or an old story."""
        story = () if state.story_is_old else state.story
        offer = state.offer if seat in state.offer else ""
        return replace(state, story=story, story_is_old=False, offer=offer)

    def _end(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Return the position after one of the verbs in `engine.endings`."""
        draft = SimpleNamespace(offer=state.offer, result=state.result)
        seats, pending = "".join(self.sides), self.pending(state)
        events = apply_ending(draft, seats, pending, action, self.end_rule)
        story = state.story + story_events(events)
        return replace(state, offer=draft.offer, result=draft.result, story=story), events

    def chance(self, state: S, draw: RandomSource) -> Action:
        """Raise an error: nothing is left to chance."""
        raise ValueError(f"{self.name} has no chance")

    def view(self, state: S, seat: str = PUBLIC) -> V:
        """Return the view of a seat: `shown_fields`, and the fields of every view."""
        return self.view_class(  # type: ignore[return-value]  # the class that the game names
            game=self.name,
            rules=self.rules[0],
            options=(),
            seats="".join(self.sides),
            seat=seat,
            pending=self.pending(state),
            turn=state.turn,
            legal=tuple(action for action in self.legal(state) if action.actor == seat),
            story=state.story,
            offer=state.offer,
            result=state.result,
            **self.shown_fields(state, seat),
        )

    def shown_fields(self, state: S, seat: str) -> dict[str, Any]:
        """Return the fields of the game's view, by default those of the position."""
        common = {field.name for field in fields(View)}
        names = [field.name for field in fields(self.view_class) if field.name not in common]
        return {name: getattr(state, name) for name in names}

    def resample_view(self, state: S, seat: str, draw: RandomSource) -> S:
        """Return the position: nothing is hidden."""
        return state

    def redact(self, state: S, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Return the actions: nothing is hidden."""
        return tuple(actions)

    def dump(self, state: S) -> str:
        """Print the fields that differ from the beginning, as JSON."""
        beginning = self.state_class()
        values = {field.name: getattr(state, field.name) for field in fields(state)}
        changed = {name: v for name, v in values.items() if v != getattr(beginning, name)}
        if state.story:
            changed["story"] = " ".join(map(str, state.story))
        return json.dumps(changed, ensure_ascii=False)

    def load(self, text: str) -> S:
        """Return the position that `dump` printed; see `Game.load`."""
        values = json.loads(text)
        names = {field.name for field in fields(self.state_class)}
        if not isinstance(values, dict) or not values.keys() <= names:
            raise ValueError(f"“{text}” is no position of {self.title}.")
        story = tuple(map(Event.parse, str(values.pop("story", "")).split()))
        values = {name: _as_tuple(value) for name, value in values.items()}
        return self.state_class(**values, story=story)  # type: ignore[return-value]


def _as_tuple(value: Any) -> Any:
    """Return a value of JSON with tuples in place of lists."""
    return tuple(map(_as_tuple, value)) if isinstance(value, list) else value
