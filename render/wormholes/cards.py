"""Beside the board: whose turn, which turn, the players, their dice and coins in hand."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.game import CHANCE
from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import UNKNOWN, WormholesView
from render.renderer import Names
from render.sprites import Sketch, Sprite
from render.text import drawable, fitted, line, measure
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import HEADER, Layout
from render.wormholes.pieces import hull

NAME, STATUS, TURN = 40, 32, 46
"""Sizes of text."""

SIDES = dict(zip(SEATS, ("OrthogonAliens", "DiagonAliens"), strict=True))

DOES = {
    "rolloff": "to roll",
    "first": "to choose",
    "place": "to place",
    "declare": "to decide",
    "roll": "to roll",
    "act": "to move",
    "jump": "to jump",
    "send": "to decide",
}


def draw(
    board: Image.Image, view: WormholesView, names: Names, theme: Theme, where: Layout
) -> None:
    """Put everything that is beside the board."""
    width = where.size[0]
    wide = width // 2 - 24
    seats = SEATS[::-1] if where.turned else SEATS
    for place, seat in enumerate(seats):
        status = _status(view, seat)
        sprite = _card(theme, names[seat], seat, status, wide)
        sprite.put(board, (width / 4 + place * width / 2 + 4 - 8 * place, HEADER / 2 - 6))
    middle = where.at(2, 1) if where.landscape else where.at(8, 1)
    turn = f"Turn {view.turn}" if view.turn else "Set-up"
    line(theme, turn, TURN, theme.text, theme.space[1]).put(board, middle)
    for place, die in enumerate(view.dice):
        at = (middle[0] + (place - 0.5) * 142, middle[1] + 98)
        pieces.die(theme, die.suit, die.value, spent=die.spent).put(board, at)
    _hands(board, view, theme, where)


def _status(view: WormholesView, seat: str) -> str:
    """What a player has to do, or the end."""
    if view.result:
        winner = view.result.split()[0]
        return "wins" if winner == seat else "draw" if winner == "-" else ""
    acts = seat in view.pending or (view.pending == CHANCE and view.turn_seat == seat)
    return DOES[view.phase] if acts else ""


@lru_cache(maxsize=128)
def _card(theme: Theme, name: str, seat: str, status: str, wide: int) -> Sprite:
    """A player: the faction's shape, the name, what is to do."""
    ground = theme.card_on if status else theme.card
    half = (wide / 2, 37)
    sketch = Sketch(wide, 78, theme.space[0])
    edge, width = (theme.accent, 4) if status else (theme.tile_line, 2)
    sketch.box(((-half[0], -half[1]), half), 18, edge)
    sketch.box(((width - half[0], width - half[1]), (half[0] - width, half[1] - width)), 15, ground)
    x = -half[0] + 44
    for size, shade in ((20.0, theme.text), (16.0, ground), (9.0, theme.text)):
        sketch.polygon([(x + a, b) for a, b in hull(seat, size)], shade)
    sprite = sketch.sprite(theme)
    room = wide - 100 - (measure(status, STATUS) + 24 if status else 0)
    shown = fitted(drawable(name, SIDES[seat]), NAME, room)
    words = line(theme, shown, NAME, theme.text, ground)
    words.put(sprite.page, (80 + words.page.width / 2, 39))
    if status:
        words = line(theme, status, STATUS, theme.accent, ground)
        words.put(sprite.page, (wide - 22 - words.page.width / 2, 39))
    return sprite


def _hands(board: Image.Image, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Coins not yet placed, beside the board near their base: values where they may be known."""
    for suit, count in zip(SUITS, view.left, strict=True):
        known = [name[1] for name in view.hand if name[0] == suit]
        values = [*known, *UNKNOWN * (count - len(known))]
        place = SUITS.index(suit)
        for slot, value in enumerate(values):
            x, y = 9 + place % 2, 3.5 + slot
            if place >= 2:
                x, y = 11 - x, 19 - y
            sprite = pieces.coin(theme, "suit", suit, value, where.axis(suit))
            sprite.put(board, where.place(x, y))
