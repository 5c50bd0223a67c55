"""Choices of Tom Tube in words, after they were made."""

from __future__ import annotations

from engine.game import Action
from engine.tomtube.view import Rhomb, TomTubeView
from render.choice_text import ChoiceText
from render.i18n import N_
from render.renderer import Names
from render.tomtube.areas import SIDE_NAMES
from render.tomtube.terms import place_name
from render.tomtube.words import tubes

_WORDS = {
    "build": ChoiceText(N_("{name} chose to build"), N_("draw a rhomb and place it")),
    "exchange": ChoiceText(
        N_("{name} exchanged an alien for a control and two energy counters"),
        N_("exchange an alien for a control and two energy counters"),
    ),
    "rhomb": ChoiceText(
        N_(
            "{name} placed the rhomb at {place}, with tubes {own} for {name} and {theirs} for"
            " {other}"
        ),
        N_("place the rhomb at {place}, with tubes {own} for {name} and {theirs} for {other}"),
    ),
    "tube": ChoiceText(
        N_("{name} filled {place} with a tube triangle"), N_("fill {place} with a tube triangle")
    ),
    "blank": ChoiceText(
        N_("{name} filled {place} with a blank triangle"), N_("fill {place} with a blank triangle")
    ),
    "pass": ChoiceText(N_("{name} left {place} unfilled"), N_("leave {place} unfilled")),
    "drift": ChoiceText(N_("{name} drifted from {start} to {place}"), N_("drift to {place}")),
    "control": ChoiceText(
        N_("{name} spent one control counter and drifted from {start} to {place}"),
        N_("spend one control counter and drift to {place}"),
    ),
    "jump": ChoiceText(
        N_("{name} spent one energy counter and jumped from {start} to {place}"),
        N_("spend one energy counter and jump to {place}"),
    ),
}
"""Verb → the choice as done and as advice."""


def describe_choice(view: TomTubeView, action: Action, names: Names) -> ChoiceText:
    """Return a choice with the names of the places that it is about."""
    seat, place = action.actor, action.args[0] if action.args else ""
    start = next(astronaut.place for astronaut in view.astronauts if astronaut.seat == seat)
    fields = {"name": names[seat], "start": place_name(start)}
    if place:
        fields["place"] = place_name(place)
    if action.verb == "rhomb":
        both = dict(zip(SIDE_NAMES, tubes(Rhomb(place, view.drawn)), strict=True))
        fields["own"] = both.pop(seat)
        ((other, fields["theirs"]),) = both.items()
        fields["other"] = names[other]
    return _WORDS[action.verb].fill_in(fields)
