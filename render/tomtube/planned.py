"""Actions of Tom Tube that may become legal later, in words."""

from __future__ import annotations

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render.i18n import N_, _
from render.tomtube.terms import place_name
from render.tomtube.words import label

_WORDS = {
    "rhomb": N_("Place the rhomb on {place}"),
    "tube": N_("Fill {place} with tubes"),
    "blank": N_("Fill {place} with a blank"),
    "pass": N_("Leave {place} empty"),
    "drift": N_("Drift to {place}"),
    "control": N_("Pay control, drift to {place}"),
    "jump": N_("Pay energy, jump to {place}"),
}


def planned(view: TomTubeView, action: Action) -> str:
    """Return an action without what depends on the position."""
    words = _WORDS.get(action.verb)
    return _(words).format(place=place_name(action.args[0])) if words else label(view, action)


def example(_view: TomTubeView) -> str:
    """Return orders of two turns."""
    return "if build: drift module1 or build\ndrift base or control base"


NOTE = N_(
    "`drift`, `control` (pay control and drift) and `jump` (pay energy and jump) are your moves; "
    "places are named as on the board, such as `drift e5`. `rhomb e3-d1` places the rhomb that you "
    "draw by its tips, and `build` alone leaves that to you."
)
