"""The Tom Tube board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.game import Action
from engine.tomtube.lattice import (
    DIRECTIONS,
    FORKS,
    MIDDLES,
    PAIRS,
    STEPS,
    TRIANGLE_CORNERS,
    TRIANGLE_INDEX,
    TRIANGLES,
)
from engine.tomtube.tables import SIDE, STATIONS
from engine.tomtube.view import TomTubeView
from render.palette import palette
from render.png import encode
from render.renderer import Names, Style
from render.sprites import Board
from render.themes import Theme
from render.tomtube import (
    arrows,
    drawn_rhomb,
    legend,
    marks,
    pieces,
    player_panels,
    stations,
    tiles,
)
from render.tomtube import ghosts as ghost_marks
from render.tomtube.areas import pairs_of
from render.tomtube.background import background, draw_near_numbers, small_background
from render.tomtube.buttons import FILLINGS
from render.tomtube.colours import THEMES
from render.tomtube.layout import Layout, layout
from render.tomtube.own_tubes import unfinished_ends
from render.zoom import Box, around, enlarged, natural

ZOOM_MARGIN = 150
"""Pixels around a place that is enlarged: its neighbours are in sight."""


FILLING_MARGIN = 200
"""Pixels around the middle of a triangle to fill: the tubes that meet there are in sight."""

FILLING_SIDE = 600
"""Maximum width and height of a part with triangles to fill: on a phone it is as large as twice the
whole board."""

RIM_MARGIN = 66
"""Pixels around the board beside which only the names of its lines are shown."""

RIM = SIDE * 1.085
"""Corners of the part that is enlarged, in edges of the lattice: beyond the stations' signs."""

TURN_FACTOR = 1.8
"""Enlargement of the two turns of a rhomb, when only that is open."""


def draw(
    view: TomTubeView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    ghosts: Sequence[Action] = (),
) -> bytes:
    """Return the board as PNG bytes; of choices of tiles, only the part with their places."""
    theme, where = THEMES[style.theme], layout(style, view.seat)
    is_placing = not actions and bool(ghost_marks.placings(view.legal))
    places = ghost_marks.placings(ghosts) if is_placing else []
    box = zoom_box(actions, where)
    board = drawn(view, names, style, actions, ghosts=ghosts, alone=bool(box or places))
    shade = palette(theme).index(theme.space[0])
    if box:
        place = _alone(board.page, where, shade)
        if pairs_of(actions):
            beside = drawn_rhomb.both_ways(view, actions, theme, where, shade)
            part = enlarged(place, theme, box, beside, TURN_FACTOR)
        else:
            part = natural(place, theme, box)
        return encode(part, palette(theme).flat)
    if places:
        alone = _alone(board.page, where, shade)
        draw_near_numbers(alone, theme, where)
        return encode(_with_ways(alone, view, theme, where), palette(theme).flat)
    return encode(board.page, palette(theme).flat, board.rows)


def _with_ways(page: Image.Image, view: TomTubeView, theme: Theme, where: Layout) -> Image.Image:
    """Return the board of a page, and below it the drawn rhomb as it can lie, if not in one way.

    Its letters are on the buttons below the picture, and so on the same screen of a phone.
    """
    part = around_board(where).cut(page)
    below = drawn_rhomb.ways_page(part.width, view, theme, where)
    if not below:
        return part
    joined = Image.new("L", (part.width, part.height + below.height))
    joined.paste(part, (0, 0))
    joined.paste(below, (0, part.height))
    return joined


def around_board(where: Layout) -> Box:
    """Return the part of a page with the hexagon and the names of its lines."""
    return around([where.at(SIDE * q, SIDE * r) for q, r in STEPS], RIM_MARGIN)


def _alone(page: Image.Image, where: Layout, shade: int) -> Image.Image:
    """Return the hexagon with nothing around it but the houses."""
    mask = Image.new("1", page.size)
    shape = ImageDraw.Draw(mask)
    shape.polygon([where.at(RIM * q, RIM * r) for q, r in STEPS], 1)
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        x, y = where.sign(station, middle, fork)
        wide, high = arrows.HOUSE_SIZE
        shape.rectangle((x - wide, y - high, x + wide, y + high), 1)
    return Image.composite(page, Image.new("L", page.size, shade), mask)


def zoom_box(actions: Sequence[Action], where: Layout) -> Box | None:
    """Return the part of the board around the only place for a rhomb, or triangles to fill.

    None if there are more places for a rhomb, if the triangles lie far apart, or for an action that
    is drawn as if it were done.
    """
    triangles = {action.args[0] for action in actions if action.verb in FILLINGS}
    if len(actions) > 1 and triangles:
        box = around([where.triangle(name) for name in triangles], FILLING_MARGIN)
        return box if max(box.width, box.height) <= FILLING_SIDE else None
    pairs = [*pairs_of(actions)]
    if len(actions) < len("AC") or len(pairs) != 1:
        return None
    knots = {knot for triangle in PAIRS[pairs[0]] for knot in TRIANGLES[triangle]}
    return around([where.knot(knot) for knot in knots], ZOOM_MARGIN)


def page(
    view: TomTubeView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    small: bool = False,
) -> Image.Image:
    """Return the board as a page of palette indexes; see `drawn`."""
    return drawn(view, names, style, actions, small=small).page


def drawn(
    view: TomTubeView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    small: bool = False,
    ghosts: Sequence[Action] = (),
    alone: bool = False,
) -> Board:
    """Draw the board, full-size or small; for `ghosts` see `Renderer.picture`.

    If it is to be `alone`, the players and their goals are left out, see `arrows.draw_heads`.
    """
    theme, where = THEMES[style.theme], layout(style, view.seat)
    ground = (small_background if small else background)(theme, where, is_long=legend.is_long(view))
    board = Board(*ground.copy(), small=small)
    if not alone:
        player_panels.draw(board, view, names, theme, where)
        stations.draw_flags(board, view, theme, where)
        drawn_rhomb.draw(board, view, theme, where)
    _tiles(board, view, theme, where)
    marks.draw_below_pieces(board, view, actions, theme, where)
    _spheres(board, view, theme, where)
    arrows.draw_lines(board, view, theme, where)
    ghost_marks.draw_lines(board, view, ghosts, theme, where)
    _pieces(board, view, theme, where)
    words = arrows.draw_heads(board, view, theme, where, alone=alone)
    marks.draw_above_pieces(board, view, actions, theme, where, words=words)
    ghost_marks.draw_ghosts(board, view, ghosts, theme, where)
    return board


def _tiles(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    for rhomb in view.rhombs:
        way = where.direction_of(rhomb.place)
        board.put(tiles.rhomb(theme, rhomb.tile, way), where.place(rhomb.place))
    for triangle in view.triangles:
        corner = TRIANGLE_CORNERS[TRIANGLE_INDEX[frozenset(triangle.place.split("/"))]][0]
        way = where.way(corner.way + DIRECTIONS // 2)
        board.put(tiles.triangle(theme, triangle.what, way), where.triangle(triangle.place))


def _spheres(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw the spheres of complete knots."""
    for name in view.complete:
        board.put(tiles.sphere(theme), where.node(name, ""))


def _pieces(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw counters, signs where tubes end at a knot that is unfinished, and astronauts."""
    for counter in view.counters:
        sprite = pieces.counter(theme, counter.kind, counter.seat)
        board.put(sprite, arrows.counter_place(counter, where))
    for knot in unfinished_ends(view):
        board.put(tiles.unfinished(theme), where.knot(knot))
    for astronaut in view.astronauts:
        board.put(
            pieces.astronaut(theme, astronaut.seat), where.node(astronaut.place, astronaut.seat)
        )
