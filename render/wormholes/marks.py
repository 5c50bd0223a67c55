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


def draw(board: Image.Image, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Frame each target and say what leads there."""
    pieces_on = {ship.space for ship in view.ships} | {coin.space for coin in view.coins}
    chips: Counter[str] = Counter()
    names = set()
    for action in view.legal:
        if action.verb in ("place", "send"):
            names.add(action.args[1])
        elif action.verb in ("move", "jump", "null"):
            space = _target(view, action)
            if not space:
                continue
            x, y = where.space(space)
            if not chips[space]:
                pieces.target(theme).put(board, (x, y))
            text = action.args[1] if len(action.args) > 1 else "null"
            sprite = pieces.chip(theme, action.args[0] if text != "null" else "", text)
            sprite.put(board, (x, y + (22 if not chips[space] else -22)))
            chips[space] += 1
    for space in sorted(names):
        x, y = where.space(space)
        pieces.chip(theme, "", space).put(board, (x, y + 22 * (space in pieces_on)))


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
