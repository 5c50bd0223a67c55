"""Tom Tube in OpenSpiel: numbers of actions, and views as vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from engine.openspiel.support import OpenSpielSupport
from engine.openspiel.tensors import flags, one_hot, shared
from engine.tomtube.lattice import KNOT_NAMES, PLACE_NAMES, STATION_NAMES, TRIANGLE_NAMES
from engine.tomtube.tables import KINDS, SEATS
from engine.tomtube.tiles import TILES
from engine.tomtube.view import Astronaut, Rhomb, TomTubeView

MOST = 24
"""The largest number of counters of a kind; other numbers are given as parts of it as well."""

_PHASES = ("first", "turn", "draw", "rhomb", "fill", "help", "over")
_ENDS = (*KNOT_NAMES, *STATION_NAMES[0], *PLACE_NAMES)
_FILLINGS = (*SEATS, "-", ".")
_TUBES = ("AB", "AC", "AD", "BC", "BD", "CD")
_NO_RHOMB = [0] * (2 * len(_TUBES) + 1)


def _actions() -> Iterator[str]:
    yield from ("build", "exchange")
    yield from (f"rhomb {place}" for place in PLACE_NAMES)
    yield from (f"jump {knot}" for knot in KNOT_NAMES)
    for verb, triangle in product(("tube", "blank", "pass"), TRIANGLE_NAMES):
        yield f"{verb} {triangle}"
    for verb, end in product(("drift", "control"), _ENDS):
        yield f"{verb} {end}"


def _observe(view: TomTubeView) -> dict[str, Sequence[float]]:
    fillings = {triangle.place: triangle.what for triangle in view.triangles}
    places = [astronaut.place for astronaut in view.astronauts]
    return {
        **shared(view),
        "phase": one_hot(view.phase, _PHASES),
        "turn": one_hot(view.turn_seat, SEATS),
        "places": [flag for place in places for flag in one_hot(place, _ENDS)],
        "hands": [part for astronaut in view.astronauts for part in _hand(astronaut)],
        "rhombs": _rhombs(view.rhombs),
        "triangles": [
            flag for name in TRIANGLE_NAMES for flag in one_hot(fillings.get(name, ""), _FILLINGS)
        ],
        "isolated": flags(view.isolated, TRIANGLE_NAMES),
        "complete": flags(view.complete, KNOT_NAMES),
        "counters": _counters(view),
        "drawn": one_hot(view.drawn, TILES),
        "stack": flags(view.stack, TILES),
        "supply": [count / MOST for count in view.supply],
        "faster": one_hot(view.faster, SEATS),
        "progress": [view.room, view.quiet / MOST, view.bonus / MOST],
    }


def _hand(astronaut: Astronaut) -> list[float]:
    _seat, _place, *counts = astronaut
    return [count / MOST for count in counts]


def _rhombs(rhombs: tuple[Rhomb, ...]) -> list[int]:
    tiles = {rhomb.place: rhomb.tile for rhomb in rhombs}
    return [
        flag
        for place in PLACE_NAMES
        for flag in (_tile(tiles[place]) if place in tiles else _NO_RHOMB)
    ]


def _tile(name: str) -> list[int]:
    """Return Tom's tube on a tile, Dave's, and whether it has a sphere."""
    toms, daves = name.removesuffix("+").split("/")
    return [*one_hot(toms, _TUBES), *one_hot(daves, _TUBES), name.endswith("+")]


def _counters(view: TomTubeView) -> list[int]:
    """Return the places of counters by kind; solar ones belong to a seat."""
    groups = [(kind, "") for kind in KINDS] + [("solar", seat) for seat in SEATS]
    return [
        flag
        for kind, seat in groups
        for flag in flags(
            {counter.place for counter in view.counters if counter[::2] == (kind, seat)}, _ENDS
        )
    ]


SUPPORT = OpenSpielSupport(actions=_actions, max_outcomes=len(TILES), observe=_observe)
"""See `OpenSpielSupport`."""
