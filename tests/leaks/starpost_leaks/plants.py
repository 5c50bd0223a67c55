"""Leaks made on purpose: each is a game of Spoof that shows closed hands in one way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from starpost_spoof.drawn import SpoofRenderer
from starpost_spoof.rules import MOST, Spoof, SpoofView, State

from engine.game import PUBLIC, Action, Event, IllegalActionError, RandomSource
from render.renderer import DEFAULT_STYLE, Button, Names, Row, Style, rows_of


class InView(Spoof):
    """The views of players show both hands."""

    name = "inview"

    def sees(self, state: State, seat: str, owner: str) -> bool:
        return bool(seat)


class InEvent(Spoof):
    """The event of closing a hand counts the coins."""

    name = "inevent"

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after, events = super().apply(state, action)
        if action.verb == "hold":
            events = (Event("held", (action.actor, *action.args)),)
        return after, events


class InRecord(Spoof):
    """The record shows players what the other one holds; the public's does not."""

    name = "inrecord"

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        return tuple(actions) if seat else super().redact(state, seat, actions)


class InMemory(Spoof):
    """Hints and computers read the whole record."""

    name = "inmemory"

    def redact_for_infostate(
        self, state: State, seat: str, actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        return tuple(actions)


class InRefusal(Spoof):
    """Whether a guess that is no number is refused kindly depends on the other hand."""

    name = "inrefusal"

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        try:
            return super().apply(state, action)
        except IllegalActionError as error:
            kind = "Please hide" if "3" in state.hands else "Hide"
            raise IllegalActionError(error.rule, f"{kind} 0 to 3 coins.") from error


class InLegalList(Spoof):
    """Guesses below the number of all coins are not offered."""

    name = "inlegallist"

    def view(self, state: State, seat: str = PUBLIC) -> SpoofView:
        view = super().view(state, seat)
        coins = sum(int(hand or 0) for hand in state.hands)
        legal = (a for a in view.legal if a.verb == "hold" or int(a.args[0]) >= coins)
        return replace(view, legal=tuple(legal))


class InPlan(Spoof):
    """A plan cannot have a guess below the number of all coins."""

    name = "inplan"

    def plannable(self, state: State, seat: str) -> tuple[Action, ...]:
        coins = sum(int(hand or 0) for hand in state.hands)
        forms = (Action(seat, "guess", (str(number),)) for number in range(coins, 2 * MOST + 1))
        return tuple(forms)


class Biased(Spoof):
    """Of four worlds that are drawn, one more is the truth."""

    name = "biased"

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        return super().resample_view(state, seat, draw) if draw(4) else state


class Unequal(Spoof):
    """Full hands are drawn half as often as others."""

    name = "unequal"

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        return super().resample_view(state, seat, lambda count: draw(2 * count - 1) % count)


class Excluding(Spoof):
    """Empty hands are never drawn."""

    name = "excluding"

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        return super().resample_view(state, seat, lambda count: 1 + draw(count - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpedView(SpoofView):
    """A view with the whole position as text."""

    position: str


class Dumped(Spoof):
    """Views have the position as it is stored."""

    name = "dumped"

    def view(self, state: State, seat: str = PUBLIC) -> SpoofView:
        honest = super().view(state, seat)
        names = SpoofView.__dataclass_fields__
        fields = {name: getattr(honest, name) for name in names}
        return DumpedView(**fields, position=self.dump(state))


@dataclass(frozen=True, kw_only=True)
class CarryingView(SpoofView):
    """A view that carries the hands along, where no field has them."""


class Carrying(Spoof):
    """Views look honest, but carry the hands to the renderer."""

    def view(self, state: State, seat: str = PUBLIC) -> SpoofView:
        honest = super().view(state, seat)
        names = SpoofView.__dataclass_fields__
        view = CarryingView(**{name: getattr(honest, name) for name in names})
        view.__dict__["carried"] = state.hands
        return view


def carried(view: SpoofView) -> tuple[str, ...]:
    """Return both hands; those that are known, from a view that was made of another one."""
    hands: tuple[str, ...] = getattr(view, "__dict__", {}).get("carried", view.hands)
    return hands


class ToLabel(Carrying):
    """For `InLabel`."""

    name = "inlabel"


class InLabel(SpoofRenderer):
    """A button ends in a space if the hands are equal."""

    def label(self, view: SpoofView, action: Action) -> str:
        hands = carried(view)
        return super().label(view, action) + " " * (hands[0] == hands[1])


class ToAltText(Carrying):
    """For `InAltText`."""

    name = "inalttext"


class InAltText(SpoofRenderer):
    """Alt texts have both hands."""

    def alt_text(self, view: SpoofView, names: Names) -> str:
        return super().alt_text(replace(view, hands=carried(view)), names)


class ToCustomId(Carrying):
    """For `InCustomId`."""

    name = "incustomid"


class InCustomId(SpoofRenderer):
    """Buttons do more than they say."""

    def rows(
        self, view: SpoofView, actions: Sequence[Action], style: Style = DEFAULT_STYLE
    ) -> tuple[Row, ...]:
        more = (Action(view.seat, "guess", carried(view)),)
        return rows_of([Button(action, self.label(view, action), more=more) for action in actions])


class ToPicture(Carrying):
    """For `InPicture`."""

    name = "inpicture"


class InPicture(SpoofRenderer):
    """Pictures show both hands; those of animations do not."""

    def picture(self, view: SpoofView, *args: Any, **more: Any) -> bytes:
        return super().picture(replace(view, hands=carried(view)), *args, **more)
