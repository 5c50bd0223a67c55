"""Choices on the board: the end of each die's move, with the sign on its button, and its warps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render import markers
from render.chips import Box, box, draw_chips, lead_of, place_chips
from render.sprites import Board, Sprite
from render.text import drawable_translation
from render.themes import Theme
from render.warp6 import background, pieces
from render.warp6.arrows import DIE_RING_RADIUS, RING_RADIUS, WARP_HEAD_SCALE
from render.warp6.courses import course, die_named
from render.warp6.layout import Layout
from render.warp6.words import die_sign

NUMBER = 20.0
"""Half the side of a number, which chips should not cover."""


def draw(
    board: Board,
    view: Warp6View,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
    *,
    used: Sequence[Box],
) -> None:
    """Mark the ends of actions; `used` are boxes that words should not cover."""
    if not actions:
        return
    ends = ends_of(view, actions)
    for start, end in warps(view, actions):
        (x1, y1), (x2, y2) = where.at(start), where.at(end)
        for place in background.dots(where, start):
            board.put(pieces.warp_dot(theme), place)
        angle = markers.angle_of(x2 - x1, y2 - y1)
        sprite = markers.head(theme, angle, theme.mark, theme.mark_text, WARP_HEAD_SCALE)
        board.put(sprite, ((x1 + x2) / 2, (y1 + y2) / 2))
    taken = list(used)
    taken += [
        box(where.at(space), NUMBER, NUMBER)
        for space in background.NUMBERED_SPACES - {d.space for d in view.dice}
    ]
    # Beside another ring, a sign would be taken for its own; `used` has each ring only once.
    rings = {space: box(where.at(space), RING_RADIUS, RING_RADIUS) for space in ends if space}
    columns = []
    for space, dice in ends.items():
        at, chips = where.at(space), [_chip(theme, space, name) for name in dice]
        others = [ring for other, ring in rings.items() if other != space]
        around = [*others, *taken]
        spot = place_chips(board.page.size, at, RING_RADIUS, chips, around)
        taken = around[len(others) :]
        columns.append((chips, spot))
        if space != CENTRE and (lead := lead_of(at, RING_RADIUS, chips, spot)):
            markers.choice_line(board, theme, lead)
    for space in ends:
        if space != CENTRE:
            board.put(pieces.goal(theme, space, RING_RADIUS), where.at(space))
    for chips, spot in columns:
        draw_chips(board, chips, spot)


def _chip(theme: Theme, space: int, name: str) -> Sprite:
    words = name if space else off_board_text(name)
    return markers.chip(theme, words, theme.mark, theme.mark_text)


def ends_of(view: Warp6View, actions: Sequence[Action]) -> dict[int, list[str]]:
    """Return the spaces where actions end, and the signs of the dice that would be there."""
    ends: defaultdict[int, list[str]] = defaultdict(list)
    for action in actions:
        if action.verb == "move":
            die = die_named(view, action.args[0])
            ends[course(view, die).end].append(die_sign(view, die))
        elif action.verb == "place":
            ends[view.free] = []
    return ends


def frame(board: Board, view: Warp6View, space: int, theme: Theme, where: Layout) -> None:
    """Frame a space: a free one with its number, an occupied one around its die."""
    is_taken = any(die.space == space for die in view.dice)
    ring = (
        pieces.halo(theme, theme.mark, DIE_RING_RADIUS)
        if is_taken
        else pieces.goal(theme, space, RING_RADIUS)
    )
    board.put(ring, where.at(space))


def off_board_text(name: str) -> str:
    """Return the text of a mark for a die that would leave the board."""
    return f"{name} {drawable_translation('off')}"


def warps(view: Warp6View, actions: Sequence[Action]) -> set[tuple[int, int]]:
    """Return the dotted lines that dice would follow, each as a pair of spaces."""
    lines: set[tuple[int, int]] = set()
    for action in actions:
        if action.verb == "move":
            way = course(view, die_named(view, action.args[0]))
            lines |= set(pairwise((way.lands, *way.warps)))
    return lines
