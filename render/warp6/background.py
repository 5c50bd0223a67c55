"""The static parts: space, the wormhole, the solid line, dotted warps, the 126 spaces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import hypot

from PIL import Image

from engine.warp6.board import (
    CENTRE,
    OUTERMOST,
    SPOKES,
    WARP,
)
from engine.warp6.pieces import KITS, Kit
from render import markers
from render.i18n import N_
from render.painted import ground, painted
from render.palette import palette
from render.png import Ground
from render.sprites import Board, Point, Sketch, Sprite, small
from render.text import drawable_translation, text_sprite
from render.themes import Theme
from render.warp6.layers import Layer
from render.warp6.layout import CORE_RADIUS, Layout
from render.warp6.pieces import THREE_DIGITS, letter_text

GAME = "warp6"

SPACE, FIFTH, NUMBERED = 8.0, 12.0, 25.0
"""Radius of a space, of every fifth one, and of those on the spokes and at the rim's end."""

NUMBER_SIZE, LONG_NUMBER_SIZE = 32, 26
"""Size of the number of a space, and of one with three digits."""

START_SIZE = 30
"""Size of the word at the first space."""

CHEVRON_SPACES = 6
"""Spaces from one sign of the direction of flight to the next."""

DOT, DOTS = 5, 16
"""Size of the dots of a warp, and pixels from one to the next."""


def background(theme: Theme, where: Layout, seats: int) -> Ground:
    """Return the ground of boards for some players."""
    return _background(theme, where, seats, drawable_translation(N_("start")))


@cache
def _background(theme: Theme, where: Layout, seats: int, start: str) -> Ground:
    page = _void(theme, where)
    for seat in range(seats):
        _panel(page, theme, where.box(seats, seat).panel)
        _letters(page, theme, where, KITS[seats], seat)
    _lines(page, theme, where)
    _spaces(page, theme, where)
    painted(GAME, theme, "wormhole").put(page, where.middle)
    markers.flag(theme, theme.ink, theme.hole).put(page, where.middle)
    word = text_sprite(theme, start, START_SIZE, theme.faint, theme.space[0])
    x, y = where.at(OUTERMOST)
    word.put(page, (x + 4, y + NUMBERED + 32))
    return Ground(page)


def small_background(theme: Theme, where: Layout, seats: int) -> Ground:
    """Return the ground of small boards."""
    return _small_background(theme, where, seats, drawable_translation(N_("start")))


@cache
def _small_background(theme: Theme, where: Layout, seats: int, start: str) -> Ground:
    colours = palette(theme)
    return Ground(colours.page(small(colours.image(_background(theme, where, seats, start).page))))


def _void(theme: Theme, where: Layout) -> Image.Image:
    """Return dark space with the disc around the wormhole."""
    page = Image.new("L", where.size, palette(theme).index(theme.space[0]))
    disc = ground(GAME, theme, "disc")
    x, y = where.middle
    page.paste(disc, (round(x - disc.width / 2), round(y - disc.height / 2)))
    return page


PANEL_RADIUS, PANEL_LINE = 18, 2
"""Radius of a panel's corners, and width of its line."""

PANEL_CORNER = PANEL_RADIUS + PANEL_LINE
"""Side of a square with a corner."""


def _panel(page: Image.Image, theme: Theme, panel: tuple[int, int, int, int]) -> None:
    """Draw what joins a player's card and the list of dice.

    Only its corners are from a sketch: one of the whole panel would take 10 ms.
    """
    left, top, right, bottom = panel
    corners = _panel_corners(theme)
    for x in (left, right - PANEL_CORNER):
        for y in (top, bottom - PANEL_CORNER):
            start = (PANEL_CORNER * (x > left), PANEL_CORNER * (y > top))
            part = (*start, start[0] + PANEL_CORNER, start[1] + PANEL_CORNER)
            page.paste(corners.page.crop(part), (x, y), corners.mask.crop(part))
    pixels, width = corners.page.tobytes(), corners.page.width
    line, inside = pixels[PANEL_CORNER], pixels[PANEL_CORNER * width + PANEL_CORNER]
    for shade, less in ((line, 0), (inside, PANEL_LINE)):
        page.paste(shade, (left + PANEL_CORNER, top + less, right - PANEL_CORNER, bottom - less))
        page.paste(shade, (left + less, top + PANEL_CORNER, right - less, bottom - PANEL_CORNER))


@cache
def _panel_corners(theme: Theme) -> Sprite:
    """Return the sprite of the smallest panel."""
    sketch = Sketch(2 * PANEL_CORNER, 2 * PANEL_CORNER, theme.space[0])
    for less, shade in ((0, theme.tile_line), (PANEL_LINE, theme.card)):
        half = PANEL_CORNER - less
        sketch.box(((-half, -half), (half, half)), PANEL_RADIUS - less, shade)
    return sketch.sprite(theme)


def _letters(page: Image.Image, theme: Theme, where: Layout, kit: Kit, seat: int) -> None:
    """Draw what never changes in the list of a player's dice: their letters."""
    places = where.box(len(kit.seats), seat).dice
    listed = where.listed(len(kit.seats))
    for die, (x, y) in zip(kit.own(seat), places, strict=True):
        text = text_sprite(
            theme, letter_text(kit.names[die][2]), listed.text_size, theme.text, theme.card
        )
        text.put(page, (x + listed.text_offset + text.page.width / 2, y))


def _dot(page: Image.Image, middle: Point, side: int, shade: int) -> None:
    """Draw a small square without soft edges, which costs a third of a disc."""
    left, top = (round(value - side / 2) for value in middle)
    page.paste(shade, (left, top, left + side, top + side))


def _lines(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the solid line from the rim to the wormhole, and the dotted lines."""
    solid = Layer(where.size)
    fine = 6
    points = [
        where.along(space, i / fine) for space in range(OUTERMOST, 0, -1) for i in range(fine)
    ]
    solid.line(points, 5)
    solid.lay(page, theme, theme.tile_edge, theme.space[2], steps=1)
    for space in range(OUTERMOST - 1, CHEVRON_SPACES, -CHEVRON_SPACES):
        (x1, y1), (x2, y2) = (where.along(space, share) for share in (0.45, 0.55))
        angle = markers.angle_of(x2 - x1, y2 - y1)
        _chevron(theme, angle).put(page, where.along(space, 0.5))
    for space in range(1, OUTERMOST + 1):
        shade = palette(theme).index(theme.text if space in _SPOKES else theme.star)
        for place in _dots(where, space):
            _dot(page, place, DOT, shade)


def _dots(where: Layout, space: int) -> Iterator[Point]:
    """Return the middles of the dots of a warp, between the edges of both spaces."""
    start, end = where.at(space), where.at(WARP[space])
    length = hypot(end[0] - start[0], end[1] - start[1])
    first, last = (_radius(at) + 8 for at in (space, WARP[space]))
    last = length - last
    count = max(2, round((last - first) / DOTS) + 1)
    for i in range(count):
        share = (first + (last - first) * i / (count - 1)) / length
        yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _radius(space: int) -> float:
    if space in NUMBERED_SPACES:
        return NUMBERED
    return CORE_RADIUS - 8 if space == CENTRE else FIFTH if space % 5 == 0 else SPACE


@cache
def _chevron(theme: Theme, angle: int) -> Sprite:
    """Return the sprite of the direction of flight."""
    sketch = Sketch(36, 36, theme.space[2])
    for width, shade in ((9.0, theme.space[0]), (4.5, theme.faint)):
        sketch.line(
            [markers.turned(angle, *at) for at in ((-4, -9), (5, 0), (-4, 9))], width, shade
        )
    return sketch.sprite(theme)


def _spaces(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the spaces and their numbers."""
    board = Board(page)
    for space in range(1, OUTERMOST + 1):
        put_space(board, theme, where, space)


def put_space(board: Board, theme: Theme, where: Layout, space: int) -> None:
    """Draw a space, with its number if it has one."""
    at = where.at(space)
    board.put(_bead(theme, _radius(space)), at)
    if space not in NUMBERED_SPACES:
        return
    size = NUMBER_SIZE if space < THREE_DIGITS else LONG_NUMBER_SIZE
    board.put(text_sprite(theme, str(space), size, theme.text, theme.tile), at)


@cache
def _bead(theme: Theme, radius: float) -> Sprite:
    """Return the sprite of a space, flat: there are 126, and their shades would be most bytes."""
    side = round(2 * radius) + 2
    sketch = Sketch(side, side, theme.space[2])
    sketch.disc((0, 0), radius, theme.tile_edge)
    if radius == NUMBERED:
        sketch.disc((0, 0), radius - 3, theme.tile)
    return sketch.sprite(theme)


def _on_spokes() -> Iterator[int]:
    for space in SPOKES:
        on_spoke = space
        while on_spoke != CENTRE:
            yield on_spoke
            on_spoke = WARP[on_spoke]


_SPOKES = frozenset(_on_spokes())
"""The spaces of the six straight chains, which separate the sectors: their dots are brighter."""

NUMBERED_SPACES = _SPOKES | {OUTERMOST}
"""Spaces with a number; the others are counted from them."""
