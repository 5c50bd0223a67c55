"""The rules of Spoof (S1 to S4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.endings import ENDING_EVENTS
from engine.game import Action, IllegalActionError, Parameter, Verb
from engine.hands import HandsGame, HandsState, HandsView

SEATS = "LR"
MOST = 3
"""Maximum number of coins in a hand."""

ROUNDS = 10


@dataclass(frozen=True, kw_only=True)
class State(HandsState):
    """A round, whose number is `turn`; `hands` has the coins of each seat, as a digit.

    Attributes:
        guesses: guess of each seat; `-` before it is made.
    """

    guesses: str = "--"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoofView(HandsView):
    """All but the other hand."""

    guesses: str


class Spoof(HandsGame[State, SpoofView]):
    """Both hide coins, then one after the other guesses how many there are."""

    name = "spoof"
    title = "Spoof"
    version = 1
    state_class, view_class = State, SpoofView
    turn_rule, end_rule = "S2", "S4"
    verbs: ClassVar[tuple[Verb, ...]] = (
        Verb("hold", "Hide coins in your hand", (Parameter("coins", "0 to 3"),), secret=True),
        Verb("guess", "Guess how many coins there are", (Parameter("coins", "0 to 6"),)),
    )
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **ENDING_EVENTS,
        "held": ("seat",),
        "guessed": ("seat", "coins"),
        "shown": ("seat", "coins"),
    }
    sides: ClassVar[Mapping[str, str]] = {"L": "Left", "R": "Right"}

    def deciding(self, state: State) -> str:
        if hiding := "".join(s for s, hand in zip(SEATS, state.hands, strict=True) if not hand):
            return hiding
        first = SEATS if state.turn % 2 else SEATS[::-1]
        return next(s for s in first if state.guesses[SEATS.index(s)] == "-")

    def choices(self, state: State, seat: str) -> Iterable[str]:
        if "" in state.hands:
            return (f"hold {count}" for count in range(MOST + 1))
        return (f"guess {n}" for n in range(2 * MOST + 1) if str(n) not in state.guesses)

    def refusal(self, state: State, action: Action) -> IllegalActionError:
        return IllegalActionError("S2", "Hide 0 to 3 coins, then guess a free number.")

    def pieces(self, dealt: Sequence[str]) -> Sequence[str]:
        return "".join(map(str, range(MOST + 1)))

    def play(self, state: State, action: Action) -> State:
        place = SEATS.index(action.actor)
        if action.verb == "hold":
            hands = (*state.hands[:place], action.args[0], *state.hands[place + 1 :])
            return replace(state, hands=hands).with_event("held", action.actor)
        guesses = state.guesses[:place] + action.args[0] + state.guesses[place + 1 :]
        after = replace(state, guesses=guesses).with_event("guessed", action.actor, *action.args)
        return after if "-" in guesses else self._revealed(after)

    def _revealed(self, state: State) -> State:
        """Show both hands; the match ends, or a new round begins."""
        for seat, coins in zip(SEATS, state.hands, strict=True):
            state = state.with_event("shown", seat, coins)
        total = str(sum(map(int, state.hands)))
        if total in state.guesses:
            return replace(state, result=f"{SEATS[state.guesses.index(total)]} right")
        if state.turn == ROUNDS:
            return replace(state, result="- rounds")
        return State(turn=state.turn + 1, story=state.story)
