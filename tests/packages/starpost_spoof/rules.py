"""The rules of Spoof (S1 to S4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import ClassVar

from engine.endings import apply_ending, is_ending
from engine.game import (
    OPEN_VALUE,
    PUBLIC,
    Action,
    Event,
    Game,
    IllegalActionError,
    Parameter,
    RandomSource,
    Verb,
    View,
)

SEATS = "LR"
MOST = 3
"""Maximum number of coins in a hand."""

ROUNDS = 10


@dataclass(frozen=True)
class State:
    """A round.

    Attributes:
        hands: coins in the hand of each seat; `-` before it is closed.
        guesses: guess of each seat; `-` before it is made.
        number: of the round, from 1.
    """

    hands: str = "--"
    guesses: str = "--"
    number: int = 1
    offer: str = ""
    result: str = ""
    story: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoofView(View):
    """A hand that the viewer may not know is `?`."""

    hands: str
    guesses: str


class Spoof(Game[State, SpoofView]):
    """Both hide coins, then one after the other guesses how many there are."""

    name = "spoof"
    title = "Spoof"
    version = 1
    rules = ("standard",)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    verbs: ClassVar[tuple[Verb, ...]] = (
        Verb("hold", "Hide coins in your hand", (Parameter("coins", "0 to 3"),), secret=True),
        Verb("guess", "Guess how many coins there are", (Parameter("coins", "0 to 6"),)),
    )
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "held": ("seat",),
        "guessed": ("seat", "coins"),
        "shown": ("seat", "coins"),
        "offered": ("seat",),
        "accepted": ("seat",),
        "declined": ("seat",),
        "ended": ("winner", "reason"),
    }
    sides: ClassVar[Mapping[str, str]] = {"L": "Left", "R": "Right"}

    def seats(self, options: Mapping[str, str]) -> str:
        return SEATS

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        if rules not in self.rules or options:
            raise IllegalActionError("S1", "There is only one kind of Spoof.")
        return State()

    def pending(self, state: State) -> str:
        if state.result:
            return ""
        hiding = "".join(s for s, hand in zip(SEATS, state.hands, strict=True) if hand == "-")
        first = SEATS if state.number % 2 else SEATS[::-1]
        return hiding or next(s for s in first if state.guesses[SEATS.index(s)] == "-")

    def result(self, state: State) -> str:
        return state.result

    def legal(self, state: State) -> tuple[Action, ...]:
        if "-" in state.hands:
            numbers = [str(count) for count in range(MOST + 1)]
            return tuple(Action(s, "hold", (n,)) for s in self.pending(state) for n in numbers)
        free = [str(n) for n in range(2 * MOST + 1) if str(n) not in state.guesses]
        return tuple(Action(s, "guess", (n,)) for s in self.pending(state) for n in free)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        if is_ending(action):
            return self._ended(state, action)
        if action not in self.legal(state):
            raise IllegalActionError("S2", "Hide 0 to 3 coins, then guess a free number.")
        place = SEATS.index(action.actor)
        story = state.story if "-" in state.hands + state.guesses and state.hands != "--" else ()
        if action.verb == "hold":
            events: tuple[Event, ...] = (Event("held", (action.actor,)),)
            hands = state.hands[:place] + action.args[0] + state.hands[place + 1 :]
            return replace(state, hands=hands, offer="", story=story + events), events
        events = (Event("guessed", (action.actor, action.args[0])),)
        guesses = state.guesses[:place] + action.args[0] + state.guesses[place + 1 :]
        after = replace(state, guesses=guesses, offer="", story=story + events)
        if "-" in guesses:
            return after, events
        after, more = self._revealed(after)
        return after, events + more

    def _revealed(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Show both hands; the match ends, or a new round begins."""
        events = tuple(Event("shown", pair) for pair in zip(SEATS, state.hands, strict=True))
        total = str(sum(map(int, state.hands)))
        result = ""
        if total in state.guesses:
            result = f"{SEATS[state.guesses.index(total)]} right"
        elif state.number == ROUNDS:
            result = "- rounds"
        if result:
            events += (Event("ended", tuple(result.split())),)
            return replace(state, result=result, story=state.story + events), events
        return State(number=state.number + 1, story=state.story + events), events

    def _ended(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        draft = SimpleNamespace(offer=state.offer, result=state.result)
        events = apply_ending(draft, SEATS, self.pending(state), action, "S4")
        story = tuple(event for event in events if event.kind != "offered")
        return replace(state, offer=draft.offer, result=draft.result, story=story), events

    def chance(self, state: State, draw: RandomSource) -> Action:
        raise IllegalActionError("S1", "Nothing is left to chance.")

    def _visible(self, state: State, seat: str, owner: str) -> bool:
        return seat == owner or bool(state.result)

    def view(self, state: State, seat: str = PUBLIC) -> SpoofView:
        return SpoofView(
            game=self.name,
            rules=self.rules[0],
            options=(),
            seats=SEATS,
            seat=seat,
            pending=self.pending(state),
            turn=state.number,
            legal=tuple(action for action in self.legal(state) if action.actor == seat)
            if not state.result
            else (),
            story=state.story,
            offer=state.offer,
            result=state.result,
            hands="".join(
                hand if hand == "-" or self._visible(state, seat, owner) else OPEN_VALUE
                for owner, hand in zip(SEATS, state.hands, strict=True)
            ),
            guesses=state.guesses,
        )

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        hands = "".join(
            hand if hand == "-" or self._visible(state, seat, owner) else str(draw(MOST + 1))
            for owner, hand in zip(SEATS, state.hands, strict=True)
        )
        return replace(state, hands=hands)

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        redacted = list(actions)
        for owner, hand in zip(SEATS, state.hands, strict=True):
            places = [n for n, action in enumerate(actions) if action[:2] == (owner, "hold")]
            if hand != "-" and not self._visible(state, seat, owner):
                redacted[places[-1]] = Action(owner, "hold", (OPEN_VALUE,))
        return tuple(redacted)

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        return tuple(a._replace(args=("0",)) if a.is_form else a for a in actions)

    def dump(self, state: State) -> str:
        story = " ".join(map(str, state.story))
        fields = (state.hands, state.guesses, state.number, state.offer, state.result, story)
        return ";".join(map(str, fields))

    def load(self, text: str) -> State:
        hands, guesses, number, offer, result, story = text.split(";")
        events = tuple(map(Event.parse, story.split()))
        return State(hands, guesses, int(number), offer, result, events)
