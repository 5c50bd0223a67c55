"""The viewer's choices on the board: where each die would end, with the words of its button."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render.sprites import Board
from render.text import printed
from render.themes import Theme
from render.warp6 import pieces
from render.warp6.courses import course, die_named
from render.warp6.layout import Layout

RING = 27.0
"""Radius of the ring around a space to go to."""

LOW, LINE = 36, 34
"""Pixels from a ring to the chip below it, and between chips."""


def draw(
    board: Board, view: Warp6View, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Mark where actions lead."""
    ends: defaultdict[int, list[str]] = defaultdict(list)
    for action in actions:
        if action.verb == "move":
            die = die_named(view, action.args[0])
            ends[course(view, die).end].append(die.name[1:])
        elif action.verb == "place":
            ends[view.free] = []
    for space in ends:
        if space != CENTRE:
            board.put(pieces.halo(theme, theme.mark, RING), where.at(space))
    for space, dice in ends.items():
        x, y = where.at(space)
        for row, name in enumerate(dice):
            words = f"{name} {space or printed('off')}"
            board.put(
                pieces.chip(theme, words, theme.mark, theme.mark_text), (x, y + LOW + LINE * row)
            )
