"""The panels beside the spiral: the players, their dice with their spaces, the turn."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin, tau

from engine.game import CHANCE
from engine.warp6.board import OUTERMOST
from engine.warp6.pieces import SIDES
from engine.warp6.view import Die, Warp6View
from render.cards import BADGE_MARGIN, Side, badge, card, result_status
from render.i18n import NC_
from render.renderer import Names
from render.sprites import Board, Point, Sketch, Sprite
from render.text import drawable_translation, text_sprite
from render.themes import Theme
from render.warp6 import arrows, pieces
from render.warp6.layout import TURN_TEXT_SIZE, Layout, Listed

LAST_OUT_WIDTH, LAST_OUT_DEPTH = 84, 25
"""Width of the line below a die that has just left the board, and its distance from the middle."""

SIGN_RADIUS = 31
"""Half the width of the sign at the head of a card."""

OFF_BOARD = {"off": NC_("off the board", "off"), "out": NC_("off the board", "out")}
"""Where dice are that are not on the board any more."""

DISC_OUTLINE = tuple((cos(tau * i / 24), sin(tau * i / 24)) for i in range(24))

STATUS_TEXTS = {
    "set": NC_("status", "sets"),
    "roll": NC_("status", "rolls"),
    "place": NC_("status", "places"),
    "play": NC_("status", "moves"),
    "reroll": NC_("status", "rolls"),
    "lot": "",
}


def draw(board: Board, view: Warp6View, names: Names, theme: Theme, where: Layout) -> None:
    """Draw everything beside the spiral."""
    acted, listed = arrows.acted(view), where.listed(len(view.seats))
    for place, seat in enumerate(view.seats):
        box = where.box(len(view.seats), place)
        side = Side(drawable_translation(SIDES[seat]), DISC_OUTLINE)
        has_left = seat in view.departed and view.result.split()[:1] != [seat]
        note = drawable_translation(NC_("status", "left")) if has_left else ""
        status = "" if has_left else _status(view, seat)
        if board.small and status:
            # The frame of a card that stands out would be an eighth of an animation's bytes.
            board.put(card(theme, names[seat], side, "", box.width), box.card)
            words = badge(theme, status)
            right = box.card[0] + box.width / 2 - BADGE_MARGIN
            board.put(words, (right - words.page.width / 2, box.card[1]))
        else:
            board.put(card(theme, names[seat], side, status, box.width, note=note), box.card)
        sign = (box.card[0] - box.width / 2 + 44, box.card[1])
        board.put(_home(theme, seat, view.off[place], view.target), sign)
        dice = [die for die in view.dice if die.seat == seat]
        for die, at in zip(dice, box.dice, strict=True):
            _listed(board, die, theme, at, listed)
            if die.where == "off" and die.name in acted:
                mark = pieces.last_out(theme, LAST_OUT_WIDTH)
                middle = at[0] + listed.text_offset + LAST_OUT_WIDTH / 2
                board.put(mark, (middle, at[1] + LAST_OUT_DEPTH))
    turn = (
        drawable_translation("Turn {number}").format(number=view.turn)
        if view.turn
        else drawable_translation(NC_("phase", "Setup"))
    )
    _begin(board, text_sprite(theme, turn, TURN_TEXT_SIZE, theme.text, theme.space[1]), where.turn)


def _listed(board: Board, die: Die, theme: Theme, at: Point, listed: Listed) -> None:
    """Draw a die, and its space beside its letter on the ground.

    The word for a die off the board takes at most the room of the longest number.
    """
    gone = die.where in OFF_BOARD
    number = "" if gone else die.number
    board.put(pieces.listed(theme, die.seat, int(die.name[1]), number, listed.size), at)
    if die.where == "hand":
        return
    words = drawable_translation(OFF_BOARD[die.where]) if gone else str(die.space)
    ink = theme.faint if gone else theme.text
    longest = text_sprite(theme, str(OUTERMOST), listed.text_size, ink, theme.card)
    width = longest.page.width
    text = text_sprite(theme, words, listed.text_size, ink, theme.card, width=width)
    _begin(board, text, (at[0] + listed.text_offset + listed.letter_width, at[1]))


def _begin(board: Board, words: Sprite, at: Point) -> None:
    """Draw a line of text that begins at a point."""
    board.put(words, (at[0] + words.page.width / 2, at[1]))


def _status(view: Warp6View, seat: str) -> str:
    """Return the decision of a player, or the result."""
    if view.result:
        return result_status(view, seat)
    acts = seat in view.pending or (view.pending == CHANCE and view.turn_seat == seat)
    return drawable_translation(STATUS_TEXTS[view.phase]) if acts else ""


@lru_cache(maxsize=64)
def _home(theme: Theme, seat: str, off: int, target: int) -> Sprite:
    """Return the sprite of a player's dice off the board and the target."""
    fill, rim, ink, lined = pieces.look(theme, seat)
    sketch = Sketch(2 * SIGN_RADIUS + 8, 60, theme.card)
    for less, shade in ((0, fill if lined else rim), (3, rim if lined else fill), (6, fill)):
        sketch.box(
            ((less - SIGN_RADIUS, less - 26), (SIGN_RADIUS - less, 26 - less)), 14 - less, shade
        )
    sketch.text((0, 0), f"{off}/{target}", 31, ink, 0.5)
    return sketch.sprite(theme)
