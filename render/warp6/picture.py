"""The Warp 6 board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engine.game import Action
from engine.warp6.view import Warp6View
from render.palette import palette
from render.png import encode
from render.renderer import Names, Style
from render.sprites import Board
from render.warp6 import arrows, marks, pieces, player_panels
from render.warp6.background import background, small_background
from render.warp6.colours import THEMES
from render.warp6.layout import layout


def draw(
    view: Warp6View, names: Names, style: Style, actions: Sequence[Action] = (), goal: int = 0
) -> bytes:
    """Return the board as PNG bytes."""
    board = drawn(view, names, style, actions, goal)
    return encode(board.page, palette(THEMES[style.theme]).flat, board.rows)


def page(
    view: Warp6View,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    goal: int = 0,
    *,
    small: bool = False,
) -> Image.Image:
    """Return the board as a page of palette indexes; see `drawn`."""
    return drawn(view, names, style, actions, goal, small=small).page


def drawn(
    view: Warp6View,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    goal: int = 0,
    *,
    small: bool = False,
) -> Board:
    """Draw the board, full-size or small.

    Args:
        view: the position to draw.
        names: the players' names.
        style: the viewer's.
        actions: choices to mark.
        goal: another space to frame; 0 for none.
        small: whether to draw it small, for animations.
    """
    theme, where = THEMES[style.theme], layout(landscape=style.orientation == "landscape")
    ground = (small_background if small else background)(theme, where, len(view.seats))
    board = Board(*ground.copy(), small=small)
    player_panels.draw(board, view, names, theme, where)
    arrows.draw_lines(board, view, theme, where)
    if goal:
        marks.frame(board, view, goal, theme, where)
    acted = arrows.acted(view)
    for die in sorted(view.dice, key=lambda die: die.name in acted):  # nothing hides the last one
        if die.where == "board":
            sprite = pieces.die(theme, die.seat, die.name[1:], die.number)
            board.put(sprite, where.at(die.space))
    ends = marks.ends_of(view, actions)
    goals = [where.at(space) for space in ends]
    used = arrows.draw_heads(board, view, theme, where, goals)
    marks.draw(board, view, actions, theme, where, used=used)
    return board
