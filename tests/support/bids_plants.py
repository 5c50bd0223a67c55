"""Leaks made on purpose: each is a game of secret bids that shows a bid in one way.

`PLANTS` names the ways in which `tests.support.secrecy` has to find each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from engine.game import PUBLIC, Action, Event, IllegalActionError, RandomSource, Verb
from render.renderer import DEFAULT_STYLE, Button, Names, Row, Style, rows_of
from tests.support.bids import Bids, BidsView, State
from tests.support.bids_drawn import BidsRenderer


class Unmarked(Bids):
    """The verb is not marked secret, so bids are offered to all."""

    verbs: ClassVar[tuple[Verb, ...]] = (Bids.verbs[0]._replace(secret=False),)


class Open(Unmarked):
    """Everything is open: the verb, all views, the record."""

    def knows(self, state: State, seat: str, owner: str) -> bool:
        return True


class InView(Bids):
    """Views show all bids."""

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        return replace(super().view(state, seat), bids=state.bids)


class AlikeForAll(Bids):
    """No view shows a player's own cards and bid."""

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        public = super().view(state)
        return replace(public, seat=seat, legal=super().view(state, seat).legal)


class InEvent(Bids):
    """The event of a bid names the card."""

    def bid_event(self, action: Action) -> Event:
        return Event("bid", (action.actor, *action.args))


class InLegalList(Bids):
    """A player cannot bid what another one has bid."""

    def view(self, state: State, seat: str = PUBLIC) -> BidsView:
        view = super().view(state, seat)
        return replace(view, legal=_not_bid(state, view.legal))


class InPlan(Bids):
    """A player cannot plan what another one has bid."""

    def plannable(self, state: State, seat: str) -> tuple[Action, ...]:
        return _not_bid(state, super().plannable(state, seat))


class InRefusal(Bids):
    """A bid that is refused names the others."""

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        try:
            return super().apply(state, action)
        except IllegalActionError as error:
            raise IllegalActionError(error.rule, f"The bids are {state.bids}.") from error


class InRecord(Bids):
    """The record shows all bids."""

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        return tuple(actions)


class InMemory(Bids):
    """The record that computers get shows all bids."""

    def redact_for_infostate(
        self, state: State, seat: str, actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        return tuple(actions)


class NotResampled(Bids):
    """A resampled position keeps the bids."""

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        return state


class AfterOffer(Bids):
    """Once a draw is offered, all see all bids, as after the end."""

    def knows(self, state: State, seat: str, owner: str) -> bool:
        return bool(state.offer) or super().knows(state, seat, owner)


class AfterLeaving(Bids):
    """Once a player has left, all see all bids, as after the end."""

    def knows(self, state: State, seat: str, owner: str) -> bool:
        return bool(state.left) or super().knows(state, seat, owner)


@dataclass(frozen=True, kw_only=True)
class KeptView(BidsView):
    """A view that carries the position along, where comparing views does not find it."""

    @property
    def kept(self) -> str:
        """All bids."""
        return str(self.__dict__["kept"])


class Kept(Bids):
    """Views look honest, but carry the position."""

    def view(self, state: State, seat: str = PUBLIC) -> KeptView:
        honest = super().view(state, seat)
        names = BidsView.__dataclass_fields__
        view = KeptView(**{name: getattr(honest, name) for name in names})
        view.__dict__["kept"] = state.bids
        return view


def kept(view: BidsView) -> str:
    """Return all bids; those that are known, from a view that was made of another one."""
    return view.kept if isinstance(view, KeptView) and "kept" in view.__dict__ else view.bids


class InAltText(BidsRenderer):
    """The alt text of a picture ends in the bids."""

    def alt_text(self, view: BidsView, names: Names) -> str:
        return f"{super().alt_text(view, names)} {kept(view)}"


class InTextBoard(BidsRenderer):
    """The position in words has all bids."""

    def text_board(self, view: BidsView, names: Names) -> str:
        return f"{super().text_board(view, names)} {kept(view)}"


class InLabel(BidsRenderer):
    """The labels of buttons name the bids."""

    def label(self, view: BidsView, action: Action) -> str:
        return f"{super().label(view, action)} against {kept(view)}"


class InCustomId(BidsRenderer):
    """A button carries more than it says."""

    def rows(
        self, view: BidsView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        more = (Action(view.seat, "bid", (kept(view),)),)
        return rows_of([Button(bid, self.label(view, bid), more=more) for bid in actions])


class InPicture(BidsRenderer):
    """The picture shows all bids, but smaller ones do not."""

    def picture(
        self,
        view: BidsView,
        names: Names,
        style: Style = DEFAULT_STYLE,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> bytes:
        return super().picture(replace(view, bids=kept(view)), names, style, actions)


class InAnimation(BidsRenderer):
    """The pictures of animations show all bids."""

    def picture(self, *args: Any, **_: Any) -> bytes:
        return BidsRenderer().picture(*args)

    def bars(self, view: BidsView) -> str:
        return kept(view)


def _not_bid(state: State, actions: Sequence[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.args[0] not in state.bids)


class Plant(NamedTuple):
    """A leak.

    Attributes:
        where: one of the places in which it is found.
        text: what the example of it says; empty if that does not matter.
    """

    game: Bids
    renderer: BidsRenderer
    where: str
    text: str = ""


HONEST = BidsRenderer()

PLANTS = {
    "verb that is not marked": Plant(Unmarked(), HONEST, "verb", "bid is not marked secret"),
    "game without secrets": Plant(Open(), HONEST, "verb", "bid is not marked secret"),
    "bids in every view": Plant(InView(), HONEST, "view: bids"),
    "views that are alike": Plant(AlikeForAll(), HONEST, "views"),
    "event": Plant(InEvent(), HONEST, "event"),
    "legal list": Plant(InLegalList(), HONEST, "view: legal"),
    "buttons for legal actions": Plant(InLegalList(), HONEST, "custom_id"),
    "plan": Plant(InPlan(), HONEST, "plan"),
    "refusal": Plant(InRefusal(), HONEST, "refusal"),
    "record": Plant(InRecord(), HONEST, "record"),
    "memory of computers": Plant(InMemory(), HONEST, "memory"),
    "resampling": Plant(NotResampled(), HONEST, "resampling"),
    "draw offer": Plant(AfterOffer(), HONEST, "view: bids", "draw offer"),
    "record after a draw offer": Plant(AfterOffer(), HONEST, "record", "draw offer"),
    "player who leaves": Plant(AfterLeaving(), HONEST, "view: bids", "C "),
    "alt text": Plant(Kept(), InAltText(), "alt text"),
    "text board": Plant(Kept(), InTextBoard(), "text board"),
    "label": Plant(Kept(), InLabel(), "label"),
    "button": Plant(Kept(), InLabel(), "button"),
    "custom_id": Plant(Kept(), InCustomId(), "custom_id"),
    "picture": Plant(Kept(), InPicture(), "picture"),
    "animation": Plant(Kept(), InAnimation(), "animation"),
}
"""Way in which a bid could be shown → a leak in that way."""
