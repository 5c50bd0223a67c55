"""Beside the spiral: the players, their dice and where these are, the turn."""

from __future__ import annotations

from functools import lru_cache

from engine.game import CHANCE
from engine.warp6.pieces import SIDES
from engine.warp6.view import Die, Warp6View
from render.renderer import Names
from render.sprites import Board, Point, Sketch, Sprite
from render.text import drawable, fitted, line
from render.themes import Theme
from render.warp6 import pieces
from render.warp6.layout import CARD, Layout

NAME, STATUS, WHERE = 38, 29, 42
"""Sizes of text."""

BESIDE, LETTER = 36, 38
"""Pixels from the middle of a die in a list to the words about it, and for its letter."""

DOES = {"set": "to set", "roll": "to roll", "place": "to place", "play": "to move"}
DOES |= {"reroll": "to roll", "lot": ""}


def draw(board: Board, view: Warp6View, names: Names, theme: Theme, where: Layout) -> None:
    """Put everything that is beside the spiral."""
    for place, seat in enumerate(view.seats):
        box = where.box(len(view.seats), place)
        home = f"{view.off[place]}/{view.target} off"
        card = _card(theme, (names[seat], seat), home, _status(view, seat), box.width)
        board.put(card, box.card)
        own = [die for die in view.dice if die.seat == seat]
        for die, at in zip(own, box.dice, strict=True):
            _listed(board, die, theme, at)
    turn = f"Turn {view.turn}" if view.turn else "Set-up"
    _begin(board, line(theme, turn, WHERE, theme.text, theme.space[1]), where.turn)


def _listed(board: Board, die: Die, theme: Theme, at: Point) -> None:
    """Its kind where a new one begins; its letter and where it is, in hand what it shows."""
    if die.name[-1] == "a":
        board.put(pieces.kind(theme, die.seat, die.faces), at)
    words = {"hand": f": {die.number}", "board": str(die.space)}.get(die.where, die.where)
    ink = theme.text if die.where in ("hand", "board") else theme.faint
    for text, right in ((die.name[-1], BESIDE), (words, BESIDE + LETTER)):
        _begin(board, line(theme, text, WHERE, ink, theme.space[1]), (at[0] + right, at[1]))


def _begin(board: Board, words: Sprite, at: Point) -> None:
    """Put a line of text that begins at a point."""
    board.put(words, (at[0] + words.page.width / 2, at[1]))


def _status(view: Warp6View, seat: str) -> str:
    """What a player has to do, or the end."""
    if view.result:
        winner = view.result.split()[0]
        if winner != seat and seat in view.left:
            return "left"
        return "wins" if winner == seat else "draw" if winner == "-" else ""
    if seat in view.left:
        return "left"
    acts = seat in view.pending or (view.pending == CHANCE and view.turn_seat == seat)
    return DOES[view.phase] if acts else ""


@lru_cache(maxsize=256)
def _card(theme: Theme, player: tuple[str, str], home: str, status: str, wide: int) -> Sprite:
    """A player: the colour of the dice with its letter, the name, dice off, what is to do."""
    name, seat = player
    acting = status.startswith("to") or status == "wins"
    ground = theme.card_on if acting else theme.card
    half = (wide / 2, CARD / 2 - 1)
    sketch = Sketch(wide, CARD, theme.space[1])
    edge, width = (theme.accent, 4) if acting else (theme.tile_line, 2)
    sketch.box(((-half[0], -half[1]), half), 18, edge)
    sketch.box(((width - half[0], width - half[1]), (half[0] - width, half[1] - width)), 15, ground)
    fill, rim, ink, lined = pieces.look(theme, seat)
    x = -half[0] + 44
    rings = ((29, theme.edge), (27, rim), (24, fill), (21, rim), (19, fill))
    for radius, shade in rings[: 5 if lined else 3]:
        sketch.disc((x, 0), radius, shade)
    sketch.text((x, 0), seat, 30, ink, 0.8)
    sprite = sketch.sprite(theme)
    shown = fitted(drawable(name, SIDES[seat]), NAME, wide - 100)
    for words, size, shade, down in (
        (shown, NAME, theme.text, 28),
        (home, STATUS, theme.faint, 65),
    ):
        text = line(theme, words, size, shade, ground)
        text.put(sprite.page, (84 + text.page.width / 2, down))
    if status:
        text = line(theme, status, STATUS, theme.accent, ground)
        text.put(sprite.page, (wide - 20 - text.page.width / 2, 65))
    return sprite
