"""Actions of Wormholes that may become legal later, in words."""

from __future__ import annotations

from engine.game import Action
from engine.wormholes.pieces import SEATS
from engine.wormholes.view import WormholesView
from render.i18n import _
from render.renderer import TEXT_VARIATION, Style
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from render.wormholes.terms import suit_name
from render.wormholes.words import label


def planned(view: WormholesView, action: Action, style: Style) -> str:
    """Return an action without what depends on the position; directions are those of the board."""
    if action.verb not in ("move", "jump"):
        return label(view, action)
    ship, way = action.args
    arrow = ARROWS[layout(style, view.seat).way(way)] + TEXT_VARIATION
    words = _("{ship} jump {arrow}") if action.verb == "jump" else _("{ship} {arrow}")
    return words.format(ship=suit_name(ship), arrow=arrow)


def example(view: WormholesView) -> str:
    """Return orders of the set-up, then of a turn."""
    ship = "S" if view.seat == SEATS[0] else "C"
    if any(view.left):
        return f"place {ship}4 e9 or e10\nplace {ship}2 f7 or f8"
    return f"if {ship}5: move {ship} E\nif {ship}2: move {ship} N or NE"
