"""A game of secret bids, to show what a new game with hidden information needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import ClassVar

from engine.endings import ENDING_EVENTS, apply_ending, is_ending
from engine.game import (
    CHANCE,
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

SEATS, CARDS = "ABC", "1234"
ROUNDS = 3
PRIZES = 3
"""Highest value of a prize."""


@dataclass(frozen=True)
class State:
    """The prize of a round, the bids for it, and what came before.

    Attributes:
        number: of the round, from 1; 0 before the first prize.
        prize: its value; 0 before it is drawn.
        bids: the card of each seat in this round; `-` before it has bid.
        spent: the cards of earlier rounds of each seat.
        points: of each seat.
        left: seats that have left the match.
    """

    seats: str = SEATS[:2]
    number: int = 0
    prize: int = 0
    bids: str = "--"
    spent: tuple[str, ...] = ("", "")
    points: tuple[int, ...] = (0, 0)
    left: str = ""
    offer: str = ""
    result: str = ""
    story: tuple[Event, ...] = ()

    def hand(self, place: int) -> str:
        """The cards that a seat has not used in earlier rounds."""
        return "".join(card for card in CARDS if card not in self.spent[place])


@dataclass(frozen=True, slots=True, kw_only=True)
class BidsView(View):
    """Bids of others are `?` until all have bid."""

    prize: int
    hand: str
    bids: str
    spent: tuple[str, ...]
    points: tuple[int, ...]


class Bids(Game[State, BidsView]):
    """All bid a card at the same time; the highest card of all, if it is alone, wins the prize."""

    name = "bids"
    title = "Bids"
    version = 1
    rules = ("plain",)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"seats": ("2", "3")}
    verbs: ClassVar[tuple[Verb, ...]] = (
        Verb("bid", "Bid a card", (Parameter("card", "One of your cards"),), secret=True, once=1),
    )
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "prize": ("value",),
        "bid": ("seat",),
        "revealed": ("seat", "card"),
        "won": ("seat",),
        "left": ("seat", "reason"),
        **ENDING_EVENTS,
    }
    sides: ClassVar[Mapping[str, str]] = {"A": "First", "B": "Second", "C": "Third"}

    def seats(self, options: Mapping[str, str]) -> str:
        return SEATS[: int(options.get("seats", "2"))]

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        seats = self.seats(options)
        count = len(seats)
        return State(seats, bids="-" * count, spent=("",) * count, points=(0,) * count)

    def pending(self, state: State) -> str:
        if state.result:
            return ""
        bids = zip(state.seats, state.bids, strict=True)
        waiting = "".join(seat for seat, bid in bids if bid == "-" and seat not in state.left)
        return waiting if state.prize else CHANCE

    def result(self, state: State) -> str:
        return state.result

    def points(self, state: State) -> Mapping[str, int] | None:
        return dict(zip(state.seats, state.points, strict=True)) if state.result else None

    def legal(self, state: State) -> tuple[Action, ...]:
        if self.pending(state) == CHANCE:
            return (Action(CHANCE, "prize", (OPEN_VALUE,)),)
        return tuple(
            Action(seat, "bid", (card,))
            for seat in self.pending(state)
            for card in state.hand(state.seats.index(seat))
        )

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        if is_ending(action):
            return self._ended(state, action)
        if self.pending(state) == CHANCE and action.verb == "prize":
            drawn = Event("prize", action.args)
            number, prize = state.number + 1, int(action.args[0])
            return replace(state, number=number, prize=prize, story=(drawn,)), (drawn,)
        if action not in self.legal(state):
            raise IllegalActionError("B2", "Bid a card that you have.")
        place, bid = state.seats.index(action.actor), self.bid_event(action)
        bids = state.bids[:place] + action.args[0] + state.bids[place + 1 :]
        after = replace(state, bids=bids, offer="", story=(*state.story, bid))
        after, events = self._revealed(after)
        return after, (bid, *events)

    def bid_event(self, action: Action) -> Event:
        """Return the event of a bid, which all may know."""
        return Event("bid", (action.actor,))

    def _ended(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        draft = SimpleNamespace(offer=state.offer, result=state.result)
        playing = "".join(seat for seat in state.seats if seat not in state.left)
        count, pending = len(state.seats), self.pending(state)
        events = apply_ending(draft, playing, pending, action, "B4", seat_count=count)
        left = state.left + "".join(event.facts[0] for event in events if event.kind == "left")
        story = tuple(event for event in events if event.kind != "offered")
        after = replace(state, left=left, offer=draft.offer, result=draft.result, story=story)
        after, more = self._revealed(after)
        return after, events + more

    def _revealed(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """Return the position after a round, once all have bid."""
        if self.pending(state):
            return state, ()
        bids = [
            (seat, bid) for seat, bid in zip(state.seats, state.bids, strict=True) if bid != "-"
        ]
        events = tuple(Event("revealed", bid) for bid in bids)
        if state.result:
            return replace(state, story=state.story + events), events
        best = max(bid for _, bid in bids)
        winners = [seat for seat, bid in bids if bid == best]
        points = state.points
        if len(winners) == 1:
            events += (Event("won", (winners[0],)),)
            points = tuple(
                score + state.prize * (seat == winners[0])
                for seat, score in zip(state.seats, points, strict=True)
            )
        spent = tuple(
            cards + bid.strip("-") for cards, bid in zip(state.spent, state.bids, strict=True)
        )
        result = _result(state.seats, points) if state.number == ROUNDS else ""
        if result:
            events += (Event("ended", tuple(result.split())),)
        unbid = "-" * len(state.seats)
        after = replace(state, prize=0, bids=unbid, spent=spent, points=points, result=result)
        return replace(after, story=state.story + events), events

    def chance(self, state: State, draw: RandomSource) -> Action:
        return Action(CHANCE, "prize", (str(1 + draw(PRIZES)),))

    def knows(self, state: State, seat: str, owner: str) -> bool:
        """Return whether a seat may know the bid of another one in this round."""
        return seat == owner or bool(state.result)

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        place = state.seats.find(seat) if seat else -1
        return BidsView(
            game=self.name,
            rules=self.rules[0],
            options=(("seats", str(len(state.seats))),),
            seats=state.seats,
            seat=seat,
            pending=self.pending(state),
            turn=state.number,
            legal=tuple(action for action in self.legal(state) if action.actor == seat),
            story=state.story,
            offer=state.offer,
            result=state.result,
            departed=state.left,
            prize=state.prize,
            hand=state.hand(place) if place >= 0 else "",
            bids="".join(
                bid if bid == "-" or self.knows(state, seat, owner) else OPEN_VALUE
                for owner, bid in zip(state.seats, state.bids, strict=True)
            ),
            spent=state.spent,
            points=state.points,
        )

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        bids = ""
        for place, (owner, bid) in enumerate(zip(state.seats, state.bids, strict=True)):
            hand = state.hand(place)
            hidden = bid != "-" and not self.knows(state, seat, owner)
            bids += hand[draw(len(hand))] if hidden else bid
        return replace(state, bids=bids)

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        redacted = list(actions)
        for owner, bid in zip(state.seats, state.bids, strict=True):
            places = [n for n, action in enumerate(actions) if action[:2] == (owner, "bid")]
            if places and bid != "-" and not self.knows(state, seat, owner):
                redacted[places[-1]] = Action(owner, "bid", (OPEN_VALUE,))
        return tuple(redacted)

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        def filled(form: Action) -> Action:
            bids = [form._replace(args=(card,)) for card in CARDS]
            return next(bid for bid in bids if bid not in actions)

        return tuple(filled(action) if action.is_form else action for action in actions)

    def dump(self, state: State) -> str:
        fields = (
            *(state.seats, state.number, state.prize, state.bids, ",".join(state.spent)),
            *(",".join(map(str, state.points)), state.left, state.offer, state.result),
            " ".join(map(str, state.story)),
        )
        return ";".join(map(str, fields))

    def load(self, text: str) -> State:
        seats, number, prize, bids, spent, points, left, offer, result, story = text.split(";")
        return State(
            seats,
            int(number),
            int(prize),
            bids,
            tuple(spent.split(",")),
            tuple(map(int, points.split(","))),
            left,
            offer,
            result,
            tuple(map(Event.parse, story.split())),
        )


def _result(seats: str, points: Sequence[int]) -> str:
    """Return the result after the last round."""
    leaders = [seat for seat, score in zip(seats, points, strict=True) if score == max(points)]
    return f"{leaders[0]} points" if len(leaders) == 1 else "- tie"
