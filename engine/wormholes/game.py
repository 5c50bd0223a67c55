"""Wormholes as an implementation of `Game`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.endings import ENDING_EVENTS
from engine.game import (
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
from engine.wormholes import dealing, knowledge, ppn, resampling, rules, state
from engine.wormholes.pieces import SEATS, VALUES
from engine.wormholes.state import Draft, State
from engine.wormholes.view import UNKNOWN, WormholesView

_SHIP = Parameter(N_("ship"), N_("S, M, C or A: Suns, Moons, Crowns, Arms"), upper=True)


_WAY = Parameter(
    N_("direction"), N_("an arrow as on your board, or words such as up right"), upper=True
)
_SPACE = Parameter(N_("space"), N_("a space of the board, such as e9"))


class Wormholes(Game[State, WormholesView]):
    """Two factions race dice-driven ships through a spiral galaxy with 24 secret coins."""

    name = knowledge.GAME
    title = "Wormholes"
    version = 1
    rules = ("0.6", "0.6-long", "0.5.2")
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {
        N_("notes"): (N_("off"), N_("on")),
        N_("placing"): (N_("one"), N_("three"), N_("secret"), N_("random")),
    }
    sides: ClassVar[Mapping[str, str]] = {"O": "OrthogonAliens", "D": "DiagonAliens"}
    verbs = (
        Verb(
            N_("first"),
            N_("After winning the opening roll: place the first coin, or move first"),
            (Parameter(N_("choice"), N_("place or move")),),
            event="first",
        ),
        Verb(
            N_("place"),
            N_("Put one of your coins on a free space"),
            (
                Parameter(
                    N_("coin"), N_("one of your coins, suit and value, such as S4"), upper=True
                ),
                _SPACE,
            ),
            secret=True,
            once=2,
            event="placed",
        ),
        Verb(
            N_("ready"),
            N_("After a random setup: you have looked at your coins"),
            (),
            secret=True,
            acknowledges=True,
        ),
        Verb(
            N_("rolls"), N_("A ship on the opposing base takes its die"), (_SHIP,), event="declared"
        ),
        Verb(
            N_("skips"),
            N_("A ship on the opposing base stays and takes no die"),
            (_SHIP,),
            event="declared",
        ),
        Verb(
            N_("move"),
            N_("Use a die: its ship goes that far in a straight line"),
            (_SHIP, _WAY),
            event="moved",
        ),
        Verb(N_("null"), N_("Use a null on the coin under the ship"), (_SHIP,), event="turned"),
        Verb(
            N_("jump"),
            N_("Choose which way the wormhole takes your ship"),
            (_SHIP, _WAY),
            event="jumped",
        ),
        Verb(
            N_("send"),
            N_("Send away the ship that you have landed on"),
            (_SHIP, _SPACE),
            event="sent",
        ),
        Verb(
            N_("keep"),
            N_("Leave the ship that you have landed on where it is"),
            (_SHIP,),
            event="kept",
        ),
    )
    words = re.compile(
        "[smca][0-9-]?|[a-j][0-9]{1,2}|[smca][0-9][a-j][0-9]{1,2}|[ns]?[ew]?|[od]"
        "|place|move|rolloff|roll|lot|deal"
    )
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "rolloff": ("suns", "moons", "crowns", "arms", "winner"),
        "opening": ("suns", "moons", "crowns", "arms", "winner"),
        "first": ("seat", "choice"),
        "placed": ("suit", "space"),
        "laid": ("seat",),
        "revealed": ("count",),
        "returned": ("suit", "space"),
        "dealt": (),
        "ready": ("seat",),
        "declared": ("ship", "word"),
        "rolled": ("first", "second"),
        "moved": ("ship", "start", "end"),
        "turned": ("suit", "value", "space", "ship", "up"),
        "hole": ("ship",),
        "jumped": ("ship", "start", "end"),
        "stuck": ("ship",),
        "sent": ("by", "ship", "start", "end"),
        "kept": ("by", "ship"),
        "lapsed": ("ship", "number"),
        "passed": ("seat", "why"),
        **ENDING_EVENTS,
    }

    def seats(self, options: Mapping[str, str]) -> str:
        """See `Game.seats`: always the OrthogonAliens and the DiagonAliens."""
        return SEATS

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        """See `Game.start`: ships on their bases, coins in hand, the setup roll due (W1.3, W3)."""
        if rules not in self.rules:
            raise IllegalActionError("W8", "There is no rule set “{rules}”.", rules=rules)
        for name, value in options.items():
            if value not in self.options.get(name, ()):
                raise IllegalActionError(
                    "W3.4", "There is no option “{name}={value}”.", name=name, value=value
                )
        placing = options.get("placing", self.options["placing"][0])
        return Draft(rules, int(options.get("notes") == "on"), placing=placing).freeze()

    def pending(self, state: State) -> str:
        """See `Game.pending`."""
        return rules.pending(state)

    def result(self, state: State) -> str:
        """See `Game.result`."""
        return state.result

    def legal(self, state: State) -> tuple[Action, ...]:
        """See `Game.legal`."""
        return rules.legal(state)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """See `Game.apply`."""
        return rules.apply(state, action)

    def plannable(self, state: State, seat: str) -> tuple[Action, ...]:
        """See `Game.plannable`."""
        return knowledge.plannable(state, seat)

    def chance(self, state: State, draw: RandomSource) -> Action:
        """See `Game.chance`."""
        (form,) = rules.legal(state)
        if form.verb == "lot":
            return form._replace(args=(SEATS[draw(len(SEATS))],))
        if form.verb == "deal":
            return form._replace(args=dealing.deal(draw))
        return form._replace(
            args=tuple(
                arg[0] + VALUES[draw(6)] if arg.endswith(UNKNOWN) else arg for arg in form.args
            )
        )

    def view(self, state: State, seat: str = PUBLIC) -> WormholesView:
        """See `Game.view` (W9)."""
        return knowledge.view(state, seat)

    def revealed_view(self, state: State) -> WormholesView:
        """See `Game.revealed_view`."""
        return knowledge.revealed_view(state)

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        """See `Game.resample_view`."""
        return resampling.resample_view(state, seat, draw)

    def resample_infostate(self, state: State, seat: str, draw: RandomSource) -> State:
        """See `Game.resample_infostate`; W9.3."""
        return resampling.resample_infostate(state, seat, draw)

    def fill_redacted(
        self, options: Mapping[str, str], actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """See `Game.fill_redacted`."""
        if options.get("placing") in dealing.HIDING:
            return dealing.fill_redacted(options, actions)
        return resampling.fill_redacted(actions)

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """See `Game.redact` (W9.3)."""
        return knowledge.redact(state, seat, actions)

    def redact_for_infostate(
        self, state: State, seat: str, actions: Sequence[Action]
    ) -> tuple[Action, ...]:
        """See `Game.redact_for_infostate`; of a deal, a seat knows its own coins (W3.8)."""
        return knowledge.redact_for_infostate(state, seat, actions)

    def opening(self, choices: Sequence[Action]) -> str:
        """Return the first coin placed, and where, e.g. `S0 a7`."""
        return next((" ".join(choice.args) for choice in choices if choice.verb == "place"), "")

    def piecepack(self, headers: Mapping[str, str], start: State, actions: Sequence[Action]) -> str:
        """See `Game.piecepack`."""
        return ppn.export(headers, start, actions)

    def dump(self, position: State) -> str:
        """See `Game.dump`."""
        return state.dump(position)

    def load(self, text: str) -> State:
        """See `Game.load`."""
        return state.load(text)
