"""The Warp 6 board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PIL import Image

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render.palette import palette
from render.png import encode
from render.renderer import Names, Style
from render.themes import THEMES, Theme
from render.warp6 import arrows, pieces, rosters
from render.warp6.courses import course, die_named
from render.warp6.layout import Layout, layout
from render.warp6.spiral import background

MARKED = 30.0
"""Radius of the ring around a space where something can go."""

CHIPS = 34
"""Pixels between chips on one space."""


def draw(view: Warp6View, names: Names, style: Style, actions: Sequence[Action] = ()) -> bytes:
    """The board as PNG bytes."""
    return encode(page(view, names, style, actions), palette(THEMES[style.theme]).flat)


def page(
    view: Warp6View, names: Names, style: Style, actions: Sequence[Action] = ()
) -> Image.Image:
    """The board as a page of palette indexes."""
    theme, where = THEMES[style.theme], layout(landscape=style.orientation == "landscape")
    board = background(theme, where).copy()
    rosters.draw(board, view, names, theme, where)
    arrows.lines(board, view, theme, where)
    for die in view.dice:
        if die.where == "board":
            sprite = pieces.die(theme, die.seat, die.name[1:], die.number)
            sprite.put(board, where.at(die.space))
    arrows.heads(board, view, theme, where)
    _marks(board, view, theme, where, actions)
    return board


def _marks(
    board: Image.Image, view: Warp6View, theme: Theme, where: Layout, actions: Sequence[Action]
) -> None:
    """What the viewer may choose: where each die would end, with its short name."""
    if any(action.verb == "place" for action in actions):
        pieces.halo(theme, theme.mark, MARKED).put(board, where.at(view.free))
    used: Counter[int] = Counter()
    for action in actions:
        if action.verb != "move":
            continue
        name = action.args[0]
        end = course(view, die_named(view, name)).end
        x, y = where.at(end)
        if not used[end] and end != CENTRE:
            pieces.halo(theme, theme.mark, MARKED).put(board, (x, y))
        chip = pieces.chip(theme, name[1:], theme.mark, theme.mark_text)
        chip.put(board, (x, y + CHIPS * used[end]))
        used[end] += 1
