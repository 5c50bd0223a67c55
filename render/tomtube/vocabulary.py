"""Words that people use for moves and places of Tom Tube; places are named as on the picture."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from engine.game import Action
from engine.tomtube.lattice import KNOT_NAMES, PLACE_NAMES, TRIANGLE_NAMES
from engine.tomtube.view import TomTubeView
from engine.wording import ACTOR, VERB, Trait
from render.i18n import N_
from render.tomtube.areas import SIDE_NAMES, turn_of
from render.tomtube.terms import place_name
from render.tomtube.words import mark
from render.vocabulary import Names, names_of


def names() -> Names:
    """Yield the names of traits."""
    yield from names_of(VERB, _VERBS)
    yield from names_of("to", _STATIONS)
    for seat, person in SIDE_NAMES.items():
        yield person, (ACTOR, seat)
    for place in KNOT_NAMES:
        yield place_name(place), ("to", place)
    for place in PLACE_NAMES:
        yield place_name(place), ("at", place)
        yield place_name(place), ("to", place)
    for place in TRIANGLE_NAMES:
        for corners in permutations(place.split("/")):
            yield place_name("/".join(corners)), ("triangle", place)


def traits(view: TomTubeView, action: Action) -> Iterator[Trait]:
    """Yield the astronaut, the sign of a choice on the picture, and the turn of a rhomb."""
    yield ACTOR, action.actor
    if not action.args:
        return
    if action.verb == "rhomb":
        yield "turn", f"{turn_of(action)}"
    if action.verb in ("rhomb", "tube", "blank", "pass"):
        yield "sign", mark(view, action)


_VERBS = {
    "build": N_("build, draw, draw a rhomb, draw a tile, draw tile, new tile"),
    "rhomb": N_("rhomb, tile, place, put, lay"),
    "tube": N_("tube, tubes, fill"),
    "blank": N_("blank, fill"),
    "pass": N_("pass, skip, leave, empty, leave empty"),
    "drift": N_("drift, drifts, float, move, go, fly"),
    "control": N_(
        "control, a control, control counter, a control counter, pay control, pay a control "
        "counter, use control, use a control counter, c"
    ),
    "jump": N_(
        "jump, jumps, hop, leap, energy, energy counter, an energy, an energy counter, pay energy, "
        "pay an energy counter, use energy, use an energy counter, e"
    ),
    "exchange": N_("exchange, swap, trade, change, alien, alien counter, an alien"),
}

_STATIONS = {
    "base": N_("base, home, my base"),
    "module1": N_("module 1, first module, module, my module"),
    "module2": N_("module 2, second module, module, my module"),
}
