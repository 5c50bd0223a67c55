"""The Warp 6 board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache, lru_cache
from math import hypot

from PIL import Image

from engine.game import Action
from engine.warp6.board import CENTRE, OUTERMOST
from engine.warp6.view import Warp6View
from render import markers
from render.palette import palette
from render.png import QUICK_LEVEL, encode
from render.renderer import Names, Style
from render.sprites import Board, Point
from render.themes import Theme
from render.warp6 import arrows, marks, pieces, player_panels
from render.warp6 import ghosts as ghost_marks
from render.warp6.background import background, small_background
from render.warp6.colours import THEMES
from render.warp6.layout import Layout, layout

TAB_ROOM, GOAL_ROOM = 44, 50
"""Pixels from the middle of a die to the tab of another one, and from that of a ring."""

TAB_DISTANCE, TAB_TURNS = 43.0, (0, 40, -40, 180, 140, -140)
"""Pixels from a die to its tab, and the directions, in degrees from outwards, the best first.

Dice that stand in a line along a ring leave room outside and inside of it.
"""


def draw(
    view: Warp6View,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    goal: int = 0,
    *,
    ghosts: Sequence[Action] = (),
) -> bytes:
    """Return the board as PNG bytes."""
    board = drawn(view, names, style, actions, goal, ghosts=ghosts)
    return encode(board.page, palette(THEMES[style.theme]).flat, board.rows, QUICK_LEVEL)


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
    ghosts: Sequence[Action] = (),
) -> Board:
    """Draw the board, full-size or small.

    Args:
        view: the position to draw.
        names: the players' names.
        style: the viewer's.
        actions: choices to mark.
        goal: another space to frame; 0 for none.
        small: whether to draw it small, for animations.
        ghosts: see `Renderer.picture`.
    """
    theme, where = THEMES[style.theme], layout(landscape=style.orientation == "landscape")
    ground = (small_background if small else background)(theme, where, len(view.seats))
    board = Board(*ground.copy(), small=small)
    player_panels.draw(board, view, names, theme, where)
    arrows.draw_lines(board, view, theme, where)
    ghost_marks.draw_lines(board, view, ghosts, theme, where)
    if framed := goal or view.free:
        marks.frame(board, view, framed, theme, where)
    goals = marks.ends_of(view, actions)
    tabs = _dice(board, view, theme, where, goals, lettered=_lettered(view, actions))
    taken = arrows.draw_heads(board, view, theme, where, goals, tabs=tabs)
    marks.draw(board, view, actions, theme, where, taken=taken)
    arrows.draw_changes(board, view, theme, where, taken)
    ghost_marks.draw_ghosts(board, view, ghosts, theme, where)
    return board


def _lettered(view: Warp6View, actions: Sequence[Action]) -> set[str]:
    """Return the names of the dice with a letter beside them.

    While choices are marked, those are the dice of the players who choose, and the last that
    acted: letters of all dice would crowd the rim, and a die with a letter can be chosen.
    """
    choosing = {action.actor for action in actions}
    acted = arrows.acted(view)
    return {
        die.name for die in view.dice if not choosing or die.seat in choosing or die.name in acted
    }


def _dice(
    board: Board,
    view: Warp6View,
    theme: Theme,
    where: Layout,
    goals: Iterable[int],
    *,
    lettered: Container[str],
) -> dict[str, Point]:
    """Draw the dice, the last that acted above all others; return the middles of their tabs.

    Args:
        board: the board to draw on.
        view: the position.
        theme: the colours.
        where: the layout.
        goals: spaces whose rings tabs keep clear of.
        lettered: names of the dice that have a tab.
    """
    acted = arrows.acted(view)
    dice = [die for die in view.dice if die.where == "board"]
    dice.sort(key=lambda die: die.name in acted)
    taken = {space: [(where.at(space), GOAL_ROOM)] for space in goals}
    for die in dice:
        at = where.at(die.space)
        board.put(pieces.die(theme, die.seat, die.faces, die.number), at)
        taken.setdefault(die.space, []).append((at, TAB_ROOM))
    tabs: dict[str, Point] = {}
    for die in dice:
        if die.name not in lettered:
            continue
        near = near_spaces(where, die.space).intersection(taken)
        others = tuple(item for space in near for item in taken[space])
        tab = _tab(where, die.space, die.faces, len(view.seats), others)
        board.put(pieces.tab(theme, die.seat, die.name[2]), tab)
        tabs[die.name] = tab
        taken[die.space].append((tab, pieces.TAB_HEIGHT))
    return tabs


@lru_cache(maxsize=2048)
def _tab(
    where: Layout, space: int, faces: int, seats: int, others: tuple[tuple[Point, float], ...]
) -> Point:
    """Return the middle of the tab of a die; most dice and their neighbours stay where they are.

    Args:
        where: the layout.
        space, faces: of the die.
        seats: number of lists, 2 or 3.
        others: points near it, and how far from each it should be.
    """
    return markers.freest(tab_places(where, space, faces, seats), others)


@cache
def near_spaces(where: Layout, space: int) -> frozenset[int]:
    """Return the other spaces whose dice, tabs and rings can be too near to the tab of a die."""
    x, y = where.at(space)
    reach = max(hypot(*at) for shape in pieces.SHAPES.values() for at in shape.tabs)
    reach = 2 * max(reach, TAB_DISTANCE) + max(TAB_ROOM, GOAL_ROOM, pieces.TAB_HEIGHT)
    places = {other: where.at(other) for other in range(CENTRE, OUTERMOST + 1) if other != space}
    return frozenset(other for other, (a, b) in places.items() if hypot(a - x, b - y) < reach)


@cache
def tab_places(where: Layout, space: int, faces: int, seats: int) -> Sequence[Point]:
    """Return the points where the tab of a die can be, the best first."""
    half = pieces.TAB_WIDTH / 2, pieces.TAB_HEIGHT / 2
    around = (where.around(space, TAB_DISTANCE, turn) for turn in TAB_TURNS)
    x, y = where.at(space)
    corners = [(x + dx, y + dy) for dx, dy in pieces.SHAPES[faces].tabs]
    return [at for at in around if where.is_free(at, half, seats)] + corners
