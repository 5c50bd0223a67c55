"""The rules of Dudo (D1 to D4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.endings import ENDING_EVENTS
from engine.game import CHANCE, Action, IllegalActionError, Parameter, Verb
from engine.hands import HandsGame, HandsState, HandsView

SEATS = "LR"
WILD = "0"
"""The null of a piecepack die, which counts as every face."""

FACES = "12345"
"""The faces that can be bid; the ace is a 1."""


@dataclass(frozen=True, kw_only=True)
class State(HandsState):
    """A position; `hands` has the dice under each cup, empty before they are rolled.

    Attributes:
        left: number of dice that each player still has.
        bid: the last bid, its count and its face; empty before the first one.
        bidder: seat of that bid; before the first one, the seat that bids last.
    """

    left: tuple[int, int] = (2, 2)
    bid: str = ""
    bidder: str = SEATS[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class DudoView(HandsView):
    """All but the dice under the other cup."""

    left: tuple[int, int]
    bid: str
    bidder: str


class Dudo(HandsGame[State, DudoView]):
    """Bid how many dice show a face, under both cups together, or doubt the bid."""

    name, title, version = "dudo", "Dudo", 1
    state_class, view_class, turn_rule, end_rule = State, DudoView, "D2", "D4"
    verbs = (
        Verb(
            "bid",
            "Bid how many dice show a face, or more",
            (Parameter("count", "Number of dice, 1 to 4"), Parameter("face", "1 to 5")),
        ),
        Verb("doubt", "Doubt the last bid", ()),
    )
    events = {
        **ENDING_EVENTS,
        "rolled": (),
        "bid": ("seat", "count", "face"),
        "doubted": ("seat",),
        "showed": ("seat", "dice"),
        "lost": ("seat",),
    }
    sides = {"L": "Left", "R": "Right"}

    def deciding(self, state: State) -> str:
        return other(state.bidder) if state.hands != ("", "") else CHANCE

    def choices(self, state: State, seat: str) -> Iterable[str]:
        if seat == CHANCE:
            yield "roll" + " ?" * sum(state.left)
            return
        for count in range(1, sum(state.left) + 1):
            yield from (f"bid {count} {face}" for face in FACES if f"{count}{face}" > state.bid)
        if state.bid:
            yield "doubt"

    def refusal(self, state: State, action: Action) -> IllegalActionError:
        if action.verb == "bid":
            reason = "A bid names more dice than the last one, or as many of a higher face."
            return IllegalActionError("D2", reason)
        return IllegalActionError("D3", "There is no bid to doubt yet.")

    def pieces(self, dealt: Sequence[str]) -> Sequence[str]:
        return WILD + FACES

    def play(self, state: State, action: Action) -> State:
        if action.verb == "roll":
            dice = "".join(action.args)
            hands = dice[: state.left[0]], dice[state.left[0] :]
            return replace(state, hands=hands).with_event("rolled")
        if action.verb == "bid":
            state = replace(state, bid="".join(action.args), bidder=action.actor)
            return state.with_event("bid", action.actor, *action.args)
        loser = other(state.bidder) if is_true(state.bid, state.hands) else state.bidder
        state = state.with_event("doubted", action.actor)
        for seat, dice in zip(SEATS, state.hands, strict=True):
            state = state.with_event("showed", seat, dice)
        state = state.with_event("lost", loser)
        left = state.left[0] - (loser == "L"), state.left[1] - (loser == "R")
        if 0 in left:
            return replace(state, left=left, result=f"{other(loser)} dice")
        return replace(  # the next round, in which the loser bids first
            state, left=left, hands=("", ""), bid="", bidder=other(loser), turn=state.turn + 1
        )


def other(seat: str) -> str:
    """Return the other seat."""
    return SEATS[1 - SEATS.index(seat)]


def is_true(bid: str, hands: Sequence[str]) -> bool:
    """Return whether at least as many dice as a bid says show its face (D3)."""
    return sum(die in {bid[1], WILD} for dice in hands for die in dice) >= int(bid[0])
