"""Choices and plans drawn as if they were done: arrows to a die's end, numbers that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.game import Action
from engine.warp6.view import Die, Warp6View
from render import markers
from render.sprites import Board, Point
from render.text import drawable_translation
from render.themes import Theme
from render.warp6 import pieces
from render.warp6.arrows import DIE_RADIUS, DIE_RING_RADIUS
from render.warp6.courses import course, die_named
from render.warp6.layout import Layout

STEPS = {"up": 1, "down": -1}
"""Verb → what it adds to the number of a die."""

ASIDE, WIDE_ASIDE = 52, 74
"""Pixels from the middle of a die to the sign of its change or order: above or below, and left."""


def draw_lines(
    board: Board, view: Warp6View, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw below the dice: the ways of moves, rings around dice that change."""
    for before, action in _in_order(view, ghosts):
        die = _die(before, action)
        if not die:
            continue
        if action.verb in STEPS:
            board.put(pieces.acted(theme, DIE_RING_RADIUS, choice=True), where.at(die.space))
        elif action.verb == "move":
            way = course(before, die)
            for edge in (True, False):
                for space in range(die.space, way.lands, -1):
                    part = pieces.stretch(theme, where, space, edge=edge, choice=True)
                    board.put(part, where.along(space, 0.5))
            markers.choice_line(board, theme, [where.at(at) for at in (way.lands, *way.warps)])


def draw_ghosts(
    board: Board, view: Warp6View, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw above the dice: placed dice, heads of arrows, changes, numbers."""
    taken = [where.at(die.space) for die in view.dice if die.where == "board"]
    places = [action for action in ghosts if action.verb == "place"]
    # Where the next ones go depends on the opponent.
    unknown = places[view.seat in view.pending :]
    points = [
        [] if action in unknown else _ghost(board, before, action, theme, where)
        for before, action in _in_order(view, ghosts)
    ]
    markers.choice_numbers(board, theme, points, taken, is_order=True)


def _in_order(view: Warp6View, ghosts: Sequence[Action]) -> Iterator[tuple[Warp6View, Action]]:
    """Yield each action with the position that those before it lead to.

    All other dice stay where they are. The number of a die that has warped is unknown.
    """
    for action in ghosts:
        yield view, action
        if die := _die(view, action):
            after = _after(view, action, die)
            view = replace(
                view, dice=tuple(after if die == other else other for other in view.dice)
            )


def _after(view: Warp6View, action: Action, die: Die) -> Die:
    """Return a die after its move or change."""
    if action.verb in STEPS:
        return die._replace(number=str(int(die.number) + STEPS[action.verb]))
    way = course(view, die)
    number = "?" if way.warps else die.number
    return die._replace(number=number, space=way.end, where="board" if way.end else "off")


def _die(view: Warp6View, action: Action) -> Die | None:
    """Return the die of an action that is on the board and shows a number; None without one."""
    if action.verb not in ("move", *STEPS):
        return None
    die = die_named(view, action.args[0])
    possible = map(str, range(1, die.faces + 1))
    return die if die.where == "board" and die.number in possible else None


def _ghost(
    board: Board, view: Warp6View, action: Action, theme: Theme, where: Layout
) -> list[Point]:
    """Draw an action; return points for its number in the order."""
    if action.verb == "place":
        die, (x, y) = die_named(view, action.args[0]), where.at(view.free)
        board.put(pieces.acted(theme, DIE_RING_RADIUS, choice=True), (x, y))
        board.put(pieces.die(theme, die.seat, int(die.name[1]), die.number), (x, y))
        dx, dy = pieces.SHAPES[int(die.name[1])].tabs[0]
        board.put(pieces.tab(theme, die.seat, die.name[2]), (x + dx, y + dy))
        return [(x, y - ASIDE), (x, y + ASIDE), (x - WIDE_ASIDE, y)]
    moving = _die(view, action)
    if not moving:
        return []
    x, y = where.at(moving.space)
    if action.verb in STEPS:
        number = int(moving.number)
        words = drawable_translation("{before} to {after}").format(
            before=number, after=number + STEPS[action.verb]
        )
        board.put(markers.chip(theme, words, theme.mark, theme.mark_text), (x, y + ASIDE + 12))
        return [(x - ASIDE, y - ASIDE), (x + ASIDE, y - ASIDE)]
    way = course(view, moving)
    before, end = (where.along(way.lands + 1, 0.5), *map(where.at, (way.lands, *way.warps)))[-2:]
    markers.choice_head(board, theme, before, end)
    middle = where.at((moving.space + way.lands + 1) // 2)
    return [middle, (middle[0] + DIE_RADIUS, middle[1]), (middle[0], middle[1] - DIE_RADIUS)]
