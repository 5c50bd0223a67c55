"""Warp 6 as an implementation of `Game`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.endings import ENDING_EVENTS
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
)
from engine.i18n import N_
from engine.warp6 import knowledge, rules, state
from engine.warp6.pieces import KITS, SEATS, SIDES, faces_of
from engine.warp6.state import Draft, State
from engine.warp6.view import Warp6View

_DIE = Parameter(N_("die"), N_("one of your dice: colour, faces and a letter, such as b8a"))
_ALL_DICE = Parameter(
    N_("dice"), N_("all your dice in their order, each with its number: b8a5 b8b3 …")
)


class Warp6(Game[State, Warp6View]):
    """Two or three fleets of dice race down a spiral, with short cuts by landing on other dice."""

    name = knowledge.GAME
    title = "Warp 6"
    version = 1
    rules = (knowledge.RULES,)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {
        N_("seats"): ("2", "3"),
        N_("setup"): (N_("rolled"), N_("secret")),
    }
    sides: ClassVar[Mapping[str, str]] = SIDES
    in_series = True
    verbs = (
        Verb(
            N_("set"),
            N_("Set all your dice in secret, before the race"),
            (_ALL_DICE,),
            secret=True,
            event="set",
        ),
        Verb(
            N_("place"),
            N_("Put one of your dice on the next free space of the outer ring"),
            (_DIE,),
            once=1,
            event="placed",
        ),
        Verb(
            N_("move"),
            N_("Move one of your dice forward as many spaces as it shows"),
            (_DIE,),
            event="moved",
        ),
        Verb(
            N_("up"),
            N_("Raise the number on one of your dice by one instead of moving"),
            (_DIE,),
            event="changed",
        ),
        Verb(
            N_("down"),
            N_("Lower the number on one of your dice by one instead of moving"),
            (_DIE,),
            event="changed",
        ),
    )
    words = re.compile("[byw]?[468][a-d][1-8]?|[1-8]|[byw]|roll|reroll|lot")
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "set": ("seat",),
        "revealed": ("seat", "numbers"),
        "rolled": ("seat", "numbers"),
        "tied": ("seats",),
        "lot": ("seat",),
        "starts": ("seat",),
        "placed": ("die", "space"),
        "moved": ("die", "start", "end"),
        "warped": ("die", "start", "end"),
        "rerolled": ("die", "number"),
        "off": ("die",),
        "changed": ("die", "before", "after"),
        "left": ("seat", "reason"),
        **ENDING_EVENTS,
    }

    def seats(self, options: Mapping[str, str]) -> str:
        """See `Game.seats`: Black and Yellow; with `seats=3` also White.

        Raises:
            IllegalActionError: the match is not for two or three players.
        """
        count = options.get("seats", self.options["seats"][0])
        if count not in self.options["seats"]:
            raise _no_option("seats", count)
        return KITS[int(count)].seats

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        """See `Game.start`: all dice in hand, to be rolled or to be set in secret (X2)."""
        if rules not in self.rules:
            raise IllegalActionError("X2", "There is no rule set “{rules}”.", rules=rules)
        for name, value in options.items():
            if value not in self.options.get(name, ()):
                raise _no_option(name, value)
        seats = len(self.seats(options))
        if options.get("setup") == "secret":
            return Draft(seats, 1, "set").freeze()
        return Draft(seats, 0, "roll", tied=(1 << seats) - 1).freeze()

    def pending(self, state: State) -> str:
        """See `Game.pending`."""
        return rules.pending(state)

    def result(self, state: State) -> str:
        """See `Game.result`."""
        return state.result

    def points(self, state: State) -> Mapping[str, int] | None:
        """See `Game.points` (X5.2)."""
        return rules.points(state)

    def legal(self, state: State) -> tuple[Action, ...]:
        """See `Game.legal`."""
        return rules.legal(state)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """See `Game.apply`."""
        return rules.apply(state, action)

    def plannable(self, state: State, seat: str) -> tuple[Action, ...]:
        """See `Game.plannable`."""
        return rules.plannable(state, seat)

    def chance(self, state: State, draw: RandomSource) -> Action:
        """See `Game.chance`: roll dice, or draw the starting player."""
        (form,) = rules.legal(state)
        if form.verb == "lot":
            tied = [seat for i, seat in enumerate(SEATS) if state.tied >> i & 1]
            return form._replace(args=(tied[draw(len(tied))],))
        return self.fill(form, draw)

    def fill(self, form: Action, draw: RandomSource) -> Action:
        """See `Game.fill`: give each open die a number, in the order of the line."""
        name = form.args[0]
        return form._replace(
            args=tuple(
                arg.replace(OPEN_VALUE, str(draw(faces_of(name if arg == OPEN_VALUE else arg)) + 1))
                if arg.endswith(OPEN_VALUE)
                else arg
                for arg in form.args
            )
        )

    def values(self, form: Action, place: int) -> tuple[str, ...]:
        """See `Game.values`: the numbers of a die."""
        return tuple(str(number + 1) for number in range(faces_of(form.args[place])))

    def view(self, state: State, seat: str = PUBLIC) -> Warp6View:
        """See `Game.view` (X2.4)."""
        return knowledge.view(state, seat)

    def revealed_view(self, state: State) -> Warp6View:
        """See `Game.revealed_view`."""
        return knowledge.revealed_view(state)

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        """See `Game.resample_view`."""
        return knowledge.resample_view(state, seat, draw)

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """See `Game.fill_redacted`."""
        return knowledge.fill_redacted(KITS[len(self.seats(options))], actions)

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """See `Game.redact` (X2.4)."""
        return knowledge.redact(state, seat, actions)

    def opening(self, choices: Sequence[Action]) -> str:
        """Return the number of faces of the first die placed."""
        return next((choice.args[0][1] for choice in choices if choice.verb == "place"), "")

    def dump(self, position: State) -> str:
        """See `Game.dump`."""
        return state.dump(position)

    def load(self, text: str) -> State:
        """See `Game.load`."""
        return state.load(text)


def _no_option(name: str, value: str) -> IllegalActionError:
    rule = "X2.4" if name == "setup" else "X2.1"
    return IllegalActionError(rule, "There is no option “{name}={value}”.", name=name, value=value)
