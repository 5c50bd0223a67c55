"""The cards of players at the head of every board: side, name, status."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.endings import ABANDONED
from engine.game import View
from render.i18n import NC_
from render.sprites import Point, Sketch, Sprite
from render.text import drawable, drawable_translation, measure, text_sprite, truncate_to_width
from render.themes import Theme
from render.typeface import runs

CARD_HEIGHT = 78
NAMES, STATUS = (40, 32, 27), 32
"""Sizes of text; a name takes the first that it fits in, or is truncated in the last."""

TOKEN_WIDTH = 47
"""Pixels of a card for each piece on it."""

BADGE_ROOM, BADGE_MARGIN = 16, 14
"""Pixels from the words of a status to the ends of its badge, and from there to the card's end."""

WINNER_MARK = "★"
"""Before the status of the winner."""

SIGN_OUTLINES = ((20.0, True), (16.0, False), (9.0, True))
"""Sizes of the outlines that make a side's sign, and whether each is bright."""


class Side(NamedTuple):
    """A side of a game: its name, and its shape, which reaches about 1 from its middle."""

    name: str
    outline: tuple[Point, ...]


def clear_cache() -> None:
    """Drop cached drawings and texts that contain names of players."""
    for cached in (card, text_sprite, drawable, measure, runs):
        cached.cache_clear()


def result_status(view: View, seat: str) -> str:
    """Return the status of a player after the end of a match."""
    winner = view.result.split()[0]
    if view.result == ABANDONED:
        return ""
    wins = drawable_translation(NC_("result", "wins"))
    draw_note = drawable_translation(NC_("result", "draw")) if winner == "-" else ""
    return f"{WINNER_MARK} {wins}" if winner == seat else draw_note


@lru_cache(maxsize=256)
def card(
    theme: Theme,
    name: str,
    side: Side,
    status: str,
    wide: int,
    *,
    tokens: tuple[Sprite, ...] = (),
    note: str = "",
) -> Sprite:
    """Return the sprite of a player's card; it stands out if the player has to decide.

    Args:
        theme: the colours.
        name: the player's name, in any script and length.
        side: sign of the side, and its name if the player's name cannot be drawn.
        status: a few words; empty while the player waits.
        wide: width in pixels.
        tokens: pieces of this side, instead of its sign.
        note: news of a player who waits, in a few words; less bright than a status.
    """
    right, low = wide / 2, CARD_HEIGHT / 2 - 2
    sketch = Sketch(wide, CARD_HEIGHT, theme.space[0])
    edge = theme.accent if status else theme.tile_line
    width = 4
    sketch.box(((-right, -low), (right, low)), 18, edge)
    sketch.box(((width - right, width - low), (right - width, low - width)), 15, theme.card)
    for size, bright in SIGN_OUTLINES if not tokens else ():
        points = [(44 - right + size * x, size * y) for x, y in side.outline]
        sketch.polygon(points, theme.text if bright else theme.card)
    start = 24 + TOKEN_WIDTH * len(tokens) if tokens else 80
    room = wide - 20.0 - start
    if status:
        half = measure(status, STATUS) / 2 + BADGE_ROOM
        middle = right - BADGE_MARGIN - half
        sketch.box(((middle - half, 16 - low), (middle + half, low - 16)), 21, theme.accent)
        room -= 2 * half + 10
    sprite = sketch.sprite(theme)
    if status:
        sprite.write((middle, 0), text_sprite(theme, status, STATUS, theme.card, theme.accent))
    elif note:
        words = text_sprite(theme, note, STATUS, theme.faint, theme.card)
        sprite.write((right - 24 - words.page.width / 2, 0), words)
        room -= words.page.width + 14
    text = drawable(name, side.name)
    size = next((size for size in NAMES if measure(text, size) <= room), NAMES[-1])
    words = text_sprite(theme, truncate_to_width(text, size, room), size, theme.text, theme.card)
    words.put(sprite.page, (start + words.page.width / 2, CARD_HEIGHT / 2))
    for place, token in enumerate(tokens):
        token.put(sprite.page, (16 + TOKEN_WIDTH * (place + 0.5), CARD_HEIGHT / 2))
    return sprite


@lru_cache(maxsize=64)
def badge(theme: Theme, status: str) -> Sprite:
    """Return the sprite of a status, to be put on a card without one."""
    half, high = round(measure(status, STATUS) / 2) + BADGE_ROOM, CARD_HEIGHT // 2 - 18
    sketch = Sketch(2 * half, 2 * high, theme.card)
    sketch.box(((-half, -high), (half, high)), 21, theme.accent)
    sprite = sketch.sprite(theme)
    sprite.write((0, 0), text_sprite(theme, status, STATUS, theme.card, theme.accent))
    return sprite
