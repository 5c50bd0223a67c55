"""What the viewer may choose, marked on the board with the words of the buttons."""

from __future__ import annotations

from collections import Counter

from PIL import Image

from engine.game import Action
from engine.wormholes.board import ENDS, INDEX, SPACES
from engine.wormholes.view import WormholesView
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import Layout

NAMED = ("place", "send")
"""Verbs with a space to choose: there are many, so that only their names are shown."""

FRAMED = ("move", "jump", "null")

LOW = 22
"""Pixels below or above the middle of a space, where chips lie."""


def draw(board: Image.Image, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Frame each target and say what leads there."""
    for space in sorted({action.args[1] for action in view.legal if action.verb in NAMED}):
        x, y = where.space(space)
        full = any(space == piece.space for piece in (*view.ships, *view.coins))
        pieces.chip(theme, "", space).put(board, (x, y + LOW * full))
    used: Counter[str] = Counter()
    for action in view.legal:
        space = _target(view, action) if action.verb in FRAMED else ""
        if space:
            x, y = where.space(space)
            if not used[space]:
                pieces.target(theme).put(board, (x, y))
            text = "null" if action.verb == "null" else action.args[1]
            high = used[space] > 0 or action.verb == "null"
            pieces.chip(theme, action.args[0], text).put(board, (x, y - LOW if high else y + LOW))
            used[space] += 1


def _target(view: WormholesView, action: Action) -> str:
    """Where a ship would end: by its die, or by the coin that everybody has just seen."""
    suit = action.args[0]
    start = next(ship.space for ship in view.ships if ship.suit == suit)
    if action.verb == "null":
        return start
    if action.verb == "move":
        value = next(die.value for die in view.dice if die.suit == suit)
    else:
        turned = [e.facts[1] for e in view.story if e.kind == "turned" and e.facts[3] == suit]
        value = turned[-1] if turned else "0"
    end = ENDS[int(value)][INDEX[start]].get(action.args[1])
    return "" if end is None else SPACES[end]
