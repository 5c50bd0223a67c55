"""Choices on the board: the end of each die's move, with the sign on its button, and its warps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot, inf

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render import markers
from render.chips import NEVER, Box, Costs, Spot, Taken, box, place_chip
from render.i18n import NC_
from render.sprites import Board, Sprite
from render.text import drawable_translation
from render.themes import Theme
from render.warp6 import background, pieces
from render.warp6.arrows import (
    DIE_RING_RADIUS,
    DIE_WEIGHT,
    LEAD_SIZE,
    RING_RADIUS,
    WARP_HEAD_SCALE,
    cores,
    goal_boxes,
)
from render.warp6.courses import course, die_named
from render.warp6.layout import Layout
from render.warp6.terms import sign

NUMBER, NUMBER_WEIGHT = 20.0, 1
"""Half the side of a space's number, which signs should not hide, and how bad it is if they do."""

COSTS = Costs(inside=2500, lead_size=LEAD_SIZE)
"""How bad it is that a sign is put on its space, whose number it hides, in hidden square pixels."""

ATTEMPTS, BAD_COST = 3, 2500
"""How often signs are placed until each has a place that costs no more than this."""

FAR_ATTEMPTS = 2
"""How often they are placed again while one would be left out, then also far from their spaces."""


def draw(
    board: Board,
    view: Warp6View,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
    *,
    taken: dict[Box, float],
) -> None:
    """Mark the ends of actions and the middles of warps.

    Signs hide nothing of `taken`, and are added to it.
    """
    if not actions:
        return
    ends = ends_of(view, actions)
    for start, end in warps(view, actions):
        (x1, y1), (x2, y2) = where.at(start), where.at(end)
        angle = markers.angle_of(x2 - x1, y2 - y1)
        head = markers.head(theme, angle, theme.mark, theme.mark_text, WARP_HEAD_SCALE)
        board.put(head, ((x1 + x2) / 2, (y1 + y2) / 2))
    for space in background.NUMBERED_SPACES - {die.space for die in view.dice}:
        taken[box(where.at(space), NUMBER, NUMBER)] = NUMBER_WEIGHT
    signs = {space: _sign(theme, space, names) for space, names in ends.items() if names}
    spots = _placed(board.size, signs, taken, where, cores(view, where))
    for spot in spots.values():
        taken |= spot.taken
    for space, spot in spots.items():
        if space != CENTRE and spot.lead:
            markers.lead(board, theme, spot.lead, choice=True)
    for space in ends:
        if space != CENTRE:
            board.put(pieces.goal(theme, space, RING_RADIUS), where.at(space))
    for spot in spots.values():
        spot.draw(board)


def _placed(
    size: tuple[int, int],
    signs: Mapping[int, Sprite],
    taken: Taken,
    where: Layout,
    dice: Iterable[Box],
) -> dict[int, Spot]:
    """Return the places of signs: beside their spaces, or on them.

    Large signs and spaces with the least room around them choose first; if a sign has no good
    place, all are placed again, and it is the first; at last, also far away, and on a part of a
    die to move. A sign that would hide a list, or the number or letter of a die, anywhere is left
    out: its button has the number in the ring.

    Args:
        size: width and height of the canvas.
        signs: spaces, and their signs.
        taken: what signs should not hide.
        where: the layout.
        dice: boxes of dice, which signs may hide a part of rather than be left out.
    """
    order = sorted(signs, key=lambda space: (-signs[space].page.height, _room(where, space, signs)))
    best: dict[int, Spot] = {}
    least = inf, inf
    softer = dict(taken) | dict.fromkeys(dice, DIE_WEIGHT)
    attempts = [(taken, COSTS)] * ATTEMPTS + [(softer, COSTS.far)] * FAR_ATTEMPTS
    for attempt, (free, costs) in enumerate(attempts):
        if attempt >= ATTEMPTS and len(best) == len(signs):
            break
        spots = _in_order(size, order, signs, free, where, costs=costs)
        cost = len(signs) - len(spots), sum(spot.cost for spot in spots.values())
        if cost < least:
            least, best = cost, spots
        bad = [space for space in order if space not in spots or spots[space].cost > BAD_COST]
        if not bad:
            break
        order = [*bad, *(space for space in order if space not in bad)]
    return best


def _in_order(
    size: tuple[int, int],
    order: Iterable[int],
    signs: Mapping[int, Sprite],
    taken: Taken,
    where: Layout,
    *,
    costs: Costs,
) -> dict[int, Spot]:
    """Return the places of signs that choose in this order."""
    taken = dict(taken)
    spots: dict[int, Spot] = {}
    goals = [where.at(space) for space in signs]
    for space in order:
        ring = [part for part in goal_boxes(where, space) if taken.pop(part, 0)]
        at = where.at(space)
        chip = signs[space]
        if spot := place_chip(size, at, RING_RADIUS, chip, taken, costs=costs, others=goals):
            spots[space] = spot
            taken |= spot.taken
        taken |= dict.fromkeys(ring, NEVER)
    return spots


def _room(where: Layout, space: int, ends: Iterable[int]) -> float:
    """Return the pixels from a space to the nearest of others."""
    x, y = where.at(space)
    others = (where.at(end) for end in ends if end != space)
    return min((hypot(a - x, b - y) for a, b in others), default=0.0)


def _sign(theme: Theme, space: int, names: Sequence[str]) -> Sprite:
    """Return the sign with the names of the dice that would end on a space."""
    rows = names if space != CENTRE else map(off_board_text, names)
    return markers.chip(theme, "\n".join(rows), theme.mark, theme.mark_text)


def ends_of(view: Warp6View, actions: Sequence[Action]) -> dict[int, list[str]]:
    """Return the spaces where actions end, and the signs of the dice that would be there."""
    ends: defaultdict[int, list[str]] = defaultdict(list)
    for action in actions:
        if action.verb == "move":
            die = die_named(view, action.args[0])
            ends[course(view, die).end].append(sign(die.name))
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
    return f"{name} {drawable_translation(NC_('off the board', 'off'))}"


def warps(view: Warp6View, actions: Sequence[Action]) -> set[tuple[int, int]]:
    """Return the dotted lines that dice would follow, each as a pair of spaces."""
    lines: set[tuple[int, int]] = set()
    for action in actions:
        if action.verb == "move":
            way = course(view, die_named(view, action.args[0]))
            lines |= set(pairwise((way.lands, *way.warps)))
    return lines
