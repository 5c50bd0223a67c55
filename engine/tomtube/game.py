"""Tom Tube as an implementation of `Game`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.endings import ABANDONED, ENDING_EVENTS
from engine.game import (
    CHANCE,
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
from engine.tomtube import knowledge, rules, state
from engine.tomtube.lattice import TRIANGLE_INDEX, TRIANGLE_NAMES
from engine.tomtube.state import State
from engine.tomtube.tables import MAX_LAUNCH_ENERGY, SEATS
from engine.tomtube.tiles import TILES
from engine.tomtube.view import TomTubeView

_HYPHENS = str.maketrans("−–", "--")
"""Replaces the minus signs and dashes that phones type instead of a hyphen."""


class _Place(Parameter):
    """A place of any kind, in lower case; the corners of a triangle may be in any order."""

    __slots__ = ()

    def spell(self, word: str) -> str:
        """See `Parameter.spell`."""
        plain = super().spell(word).translate(_HYPHENS)
        triangle = TRIANGLE_INDEX.get(frozenset(plain.split("/")))
        return plain if triangle is None else TRIANGLE_NAMES[triangle]


_END = _Place(
    N_("to"), N_("knot such as -1,2, energy sphere such as 1,0>0,2, base, module1, module2")
)
_KNOT = _Place(N_("to"), N_("a neighbouring complete knot, such as 0,1"))
_PLACE = _Place(N_("at"), N_("corner A > corner C, the two acute ones, such as 1,0>0,2"))
_TRIANGLE = _Place(N_("triangle"), N_("its three knots, such as 0,0/1,0/0,1"))

OPENING_VERBS = frozenset({"build", "drift", "control", "jump"})
"""The kinds of turns that make up a seat's opening."""

OPENING_TURNS = 3
"""Number of turns that make an opening."""

_LAUNCH = tuple(str(extra) for extra in range(MAX_LAUNCH_ENERGY + 1))


class TomTube(Game[State, TomTubeView]):
    """Two astronauts build tubes, drift and jump, collect counters, and race home."""

    name = knowledge.GAME
    title = "Tom Tube"
    version = 1
    rules = (N_("standard"), N_("basic"))
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"launch_T": _LAUNCH, "launch_D": _LAUNCH}
    sides: ClassVar[Mapping[str, str]] = {"T": "Tom", "D": "Dave"}
    verbs = (
        Verb(N_("build"), N_("Draw a rhomb and place it this turn"), ()),
        Verb(
            N_("rhomb"),
            N_("Place the drawn rhomb on two free neighbouring triangles"),
            (_PLACE,),
            event="laid",
        ),
        Verb(
            N_("tube"),
            N_("Fill an isolated triangle with one of your tube triangles"),
            (_TRIANGLE,),
            event="filled",
        ),
        Verb(
            N_("blank"),
            N_("Fill an isolated triangle with one of your blank triangles"),
            (_TRIANGLE,),
            event="filled",
        ),
        Verb(
            N_("pass"),
            N_("Leave a triangle empty that the other player could not fill"),
            (_TRIANGLE,),
            event="passed",
        ),
        Verb(
            N_("drift"),
            N_("Drift through your own, neutral and printed tubes"),
            (_END,),
            event="drifted",
        ),
        Verb(
            N_("control"),
            N_("Pay a control counter and drift through tubes of every colour"),
            (_END,),
            event="steered",
            kind_of="drift",
        ),
        Verb(
            N_("jump"),
            N_("Pay an energy counter and jump along one edge between knots"),
            (_KNOT,),
            event="jumped",
        ),
        Verb(
            N_("exchange"),
            N_("Exchange an alien counter for one control and two energy counters"),
            (),
            event="exchanged",
        ),
    )
    words = re.compile(
        "-?[0-9],-?[0-9]([>/]-?[0-9],-?[0-9]){0,2}|[a-d]{2}/[a-d]{2}[+]?|[td]|base|module[12]"
        "|first|draw"
    )
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "first": ("seat",),
        "drawn": ("seat", "tile"),
        "laid": ("seat", "tile", "place"),
        "filled": ("seat", "what", "triangle"),
        "passed": ("seat", "triangle"),
        "empty": ("triangle",),
        "put": ("counter", "place"),
        "exchanged": ("seat",),
        "paid": ("seat", "counter"),
        "drifted": ("seat", "start", "end", "way"),
        "steered": ("seat", "start", "end", "way"),
        "jumped": ("seat", "start", "end", "way"),
        "took": ("seat", "counter", "place"),
        "missed": ("seat",),
        "home": ("seat",),
        "stranded": ("seat",),
        **ENDING_EVENTS,
    }
    """A `way` is its nodes and centres from start to end, joined by `|`."""

    def seats(self, options: Mapping[str, str]) -> str:
        """See `Game.seats`: always Tom and Dave."""
        return SEATS

    def handicaps(self, options: Mapping[str, str], result: str) -> tuple[dict[str, str], ...]:
        """See `Game.handicaps`: launch energy, less for the winner or more for the loser (T5.6)."""
        winner = result[:1]
        if winner not in tuple(SEATS):
            return ()
        loser = SEATS.replace(winner, "")
        less = int(options.get(f"launch_{winner}", "0")) - 1
        points = int(options.get(f"launch_{loser}", "0")) + 1
        if less >= 0:
            return (self._with_launch(options, winner, less),)
        return (self._with_launch(options, loser, points),) if points <= MAX_LAUNCH_ENERGY else ()

    @staticmethod
    def _with_launch(options: Mapping[str, str], seat: str, energy: int) -> dict[str, str]:
        return {**options, f"launch_{seat}": str(energy)}

    def start(self, rules: str, options: Mapping[str, str]) -> State:
        """See `Game.start`: an empty board, astronauts on their bases (T2.1, T5.6, T5.7)."""
        if rules not in self.rules:
            raise IllegalActionError("T5.6", "There is no rule set “{rules}”.", rules=rules)
        for name, value in options.items():
            if value not in self.options.get(name, ()):
                raise IllegalActionError(
                    "T5.6", "There is no option “{name}={value}”.", name=name, value=value
                )
        launch = tuple(int(options.get(f"launch_{seat}", "0")) for seat in SEATS)
        return state.start(rules, launch)

    def pending(self, state: State) -> str:
        """See `Game.pending`."""
        return rules.pending(state)

    def result(self, state: State) -> str:
        """See `Game.result`."""
        return state.result

    def points(self, state: State) -> Mapping[str, int] | None:
        """See `Game.points`; T5.5."""
        return None if state.result == ABANDONED else rules.points(state)

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
        """Draw the starting player (0: Tom), or a remaining rhomb, counted in the order of T2.2.

        Of two rhombs with the same tubes, the one with the energy sphere counts first.
        """
        if state.phase == "first":
            return Action(CHANCE, "first", (SEATS[draw(len(SEATS))],))
        remaining = [name for tile, name in enumerate(TILES) if state.stack >> tile & 1]
        return Action(CHANCE, "draw", (remaining[draw(len(remaining))],))

    def view(self, state: State, seat: str = PUBLIC) -> TomTubeView:
        """See `Game.view`."""
        return knowledge.view(state, seat)

    def resample_view(self, state: State, seat: str, draw: RandomSource) -> State:
        """See `Game.resample_view`: the state itself, for the order of the stack is not stored."""
        return state

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """See `Game.redact`: all lines are public."""
        return tuple(actions)

    def opening(self, choices: Sequence[Action]) -> str:
        """Return the kinds of the first turns."""
        turns = [choice.verb for choice in choices if choice.verb in OPENING_VERBS]
        return " ".join(turns[:OPENING_TURNS]) if len(turns) >= OPENING_TURNS else ""

    def dump(self, position: State) -> str:
        """See `Game.dump`."""
        return state.dump(position)

    def load(self, text: str) -> State:
        """See `Game.load`."""
        return state.load(text)
