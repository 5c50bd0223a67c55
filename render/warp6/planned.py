"""Actions of Warp 6 that may become legal later, in words."""

from __future__ import annotations

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import N_, _
from render.warp6.terms import sign
from render.warp6.words import label

_WORDS = {
    "place": N_("Place {die}"),
    "move": N_("Move {die}"),
    "up": N_("Raise {die}"),
    "down": N_("Lower {die}"),
}


def planned(view: Warp6View, action: Action) -> str:
    """Return an action without what depends on the position."""
    words = _WORDS.get(action.verb)
    return _(words).format(die=sign(action.args[0])) if words else label(view, action)


def example(view: Warp6View) -> str:
    """Return orders of the setup, then of the race."""
    player, opponent = (seat.lower() for seat in (view.seat, view.seats.replace(view.seat, "")[0]))
    if view.phase in ("set", "roll", "lot", "place"):
        return f"if {opponent}8a: place {player}8a\nplace {player}6b or place {player}6a"
    return f"if {opponent}8a: move {player}6a\nmove {player}6b or move {player}6a"


NOTE = N_(
    "Type ◆A on the board as 8a, ■A as 6a, ▲A as 4a: number of faces, then the letter. A die of "
    "another player has its colour before it: y for yellow, b for black, w for white. “up 6a” "
    "raises a die, “down 6a” lowers it."
)
