"""The static parts: deep space, the spiral galaxy, tiles, bases, coordinates, the compass."""

from __future__ import annotations

from functools import cache
from math import cos, exp, pi, sin
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from engine.wormholes.board import BASES, COLUMNS, ROWS, TILE_COLUMNS, XY
from engine.wormholes.pieces import SEATS
from render.i18n import N_
from render.palette import palette
from render.sprites import Point, Sketch, Sprite, small
from render.text import drawable_translation, text_sprite
from render.themes import Colour, Theme, mix
from render.wormholes.layout import CELL_SIZE, FOOTER_HEIGHT, Layout
from render.wormholes.pieces import hull

LIGHT_SCALE = 8
"""Factor by which the galaxy's light is drawn smaller: it has no sharp edges."""

LIGHT_GRAIN = 4
"""Size of the squares in which the light is drawn, in pixels."""

COMPASS = {"N": N_("N"), "E": N_("E"), "S": N_("S"), "W": N_("W")}
"""Directions of the notation → their names; sentences and buttons have arrows."""
STAR_COUNT = 120
NUMBER_SIZE, LETTER_SIZE = 46, 62
"""Text sizes of coordinates: the smallest are 9 pixels high in a picture 400 pixels wide."""


def background(theme: Theme, layout: Layout) -> Image.Image:
    """Return the page onto which everything else is copied."""
    return _background(theme, layout, _letters())


def _letters() -> tuple[str, ...]:
    """Return the letters of the compass in the current language, in the order of `COMPASS`."""
    return tuple(drawable_translation(name) for name in COMPASS.values())


@cache
def _background(theme: Theme, layout: Layout, letters: tuple[str, ...]) -> Image.Image:
    light = _light(layout)
    page = _shaded(theme, theme.space, light)
    _stars(page, theme, layout)
    tiles = _shaded(theme, theme.tiles, light)
    fill, edges = _tile(theme)
    for row, columns in enumerate(TILE_COLUMNS):
        for column in columns:
            x, y = layout.place(2 * int(column) - 0.5, 2 * row + 1.5)
            left, top = round(x) - CELL_SIZE, round(y) - CELL_SIZE
            page.paste(
                tiles.crop((left, top, left + 2 * CELL_SIZE, top + 2 * CELL_SIZE)),
                (left, top),
                fill,
            )
            edges.put(page, (x, y))
    for seat, spaces in zip(SEATS, BASES, strict=True):
        for space in spaces:
            _base(theme, seat).put(page, layout.place(*XY[space]))
    _coordinates(page, theme, layout)
    _compass(page, theme, layout, letters)
    return page


def small_background(theme: Theme, layout: Layout) -> Image.Image:
    """Return the background of small boards."""
    return _small_background(theme, layout, _letters())


@cache
def _small_background(theme: Theme, layout: Layout, letters: tuple[str, ...]) -> Image.Image:
    colours = palette(theme)
    return colours.page(small(colours.image(_background(theme, layout, letters))))


def _shaded(theme: Theme, ramp: tuple[Colour, ...], light: Image.Image) -> Image.Image:
    """Return the light in a ramp of colours, in small squares, which compress well."""
    colours = palette(theme)
    steps = [colours.index(colour) for colour in ramp]
    page = light.point([steps[int((value / 256) ** 0.8 * len(steps))] for value in range(256)])
    return page.resize(
        (page.width * LIGHT_GRAIN, page.height * LIGHT_GRAIN), Image.Resampling.NEAREST
    )


def _light(layout: Layout) -> Image.Image:
    """Return the brightness of the galaxy: a bar in the middle and two arms along the tiles."""
    width, height = (-(-side // LIGHT_SCALE) for side in layout.size)
    light = Image.new("L", (width, height))
    canvas = ImageDraw.Draw(light)
    for blob, glow, wide in _blobs():
        x, y = (value / LIGHT_SCALE for value in layout.place(*blob))
        reach = CELL_SIZE / LIGHT_SCALE * wide
        canvas.ellipse((x - reach, y - reach, x + reach, y + reach), int(255 * glow))
    soft = light.filter(ImageFilter.GaussianBlur(CELL_SIZE / LIGHT_SCALE * 0.55))
    size = (layout.size[0] // LIGHT_GRAIN, layout.size[1] // LIGHT_GRAIN)
    return soft.resize(size, Image.Resampling.BICUBIC)


def _blobs() -> list[tuple[Point, float, float]]:
    """Return column and row, brightness and width along the arms, the dimmest first."""
    found = [((5.5, 9.5), 0.16, 5.0), ((5.5, 9.5), 0.3, 2.6), ((5.5, 9.5), 1.0, 1.15)]
    for start, bright in ((0.0, 0.95), (pi / 2, 0.7)):
        for step in (i / 90 for i in range(91)):
            angle, reach = start - 0.75 + 3.9 * step, 1.0 * exp(2.55 * step)
            north, east = -reach * sin(angle) * 1.05, -reach * cos(angle) * 0.66
            glow = bright * (1 - step) ** 0.75
            wide = 0.42 + 0.62 * step
            found += [((5.5 + sign * east, 9.5 + sign * north), glow, wide) for sign in (1, -1)]
    return sorted(found, key=lambda blob: blob[1])


def _stars(page: Image.Image, theme: Theme, layout: Layout) -> None:
    """Draw stars, away from the coordinates."""
    random = Random(8)
    left, top = layout.corner
    for _ in range(STAR_COUNT):
        place = (
            random.randrange(left + 6, page.width - left - 6),
            random.randrange(top, page.height - FOOTER_HEIGHT - 6),
        )
        _star(theme, random.choice((1.1, 1.1, 1.4, 1.8, 2.4))).put(page, place)


@cache
def _star(theme: Theme, radius: float) -> Sprite:
    sketch = Sketch(8, 8, theme.space[1])
    shade = mix(theme.space[1], theme.star, min(1, radius / 2))
    sketch.disc((0, 0), radius, shade)
    return sketch.sprite(theme)


@cache
def _tile(theme: Theme) -> tuple[Image.Image, Sprite]:
    """Return a tile of 2 × 2 spaces: the mask of its fill, and its edges."""
    half = float(CELL_SIZE - 1)
    fill = Sketch(2 * CELL_SIZE, 2 * CELL_SIZE, theme.space[1])
    fill.box(((-half, -half), (half, half)), 10, theme.tile)
    edges = Sketch(2 * CELL_SIZE, 2 * CELL_SIZE, theme.space[1])
    edges.box(((-half, -half), (half, half)), 10, theme.tile_edge)
    edges.hollow(((2 - half, 2 - half), (half - 2, half - 2)), 8)
    reach = half - 9
    for x, y in ((1, 0), (0, 1)):
        edges.bar((-x * reach, -y * reach), (x * reach, y * reach), 2, theme.tile_line)
    return fill.sprite(theme).mask, edges.sprite(theme)


@cache
def _base(theme: Theme, seat: str) -> Sprite:
    """Return the sprite of a base: the faction's colour and the outline of its ships."""
    half = CELL_SIZE / 2 - 5
    fill = theme.seats[SEATS.index(seat)]
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    sketch.box(((-half, -half), (half, half)), 7, fill)
    for size, shade in (
        (25.0, theme.tile_edge),
        (22.0, fill),
        (13.0, theme.tile_edge),
        (10.0, fill),
    ):
        sketch.polygon(hull(seat, size), shade)
    return sketch.sprite(theme)


def _coordinates(page: Image.Image, theme: Theme, layout: Layout) -> None:
    """Draw letters and numbers at the frame."""
    ground = theme.space[0]
    width, height = layout.size
    left, top = layout.corner
    for column, letter in enumerate(COLUMNS, 1):
        x, y = layout.place(column, 1)
        sprite = text_sprite(theme, letter, LETTER_SIZE, theme.faint, ground)
        if layout.landscape:
            for edge in (left / 2, width - left / 2):
                sprite.put(page, (edge, y))
        else:
            sprite.put(page, (x, (top + ROWS * CELL_SIZE + height) / 2))
    for row in range(1, ROWS + 1):
        x, y = layout.place(1, row)
        sprite = text_sprite(theme, str(row), NUMBER_SIZE, theme.faint, ground)
        if layout.landscape:
            sprite.put(page, (x, top + len(COLUMNS) * CELL_SIZE + 36))
        else:
            for edge in (left / 2, width - left / 2):
                sprite.put(page, (edge, y))


def _compass(page: Image.Image, theme: Theme, layout: Layout, letters: tuple[str, ...]) -> None:
    middle = layout.at(16, 8) if layout.landscape else layout.at(2, 16)
    sketch = Sketch(130, 130, theme.space[1])
    for letter in "ESWN":
        dx, dy = layout.way(letter)
        shade = theme.text if letter == "N" else theme.star
        sketch.polygon(((dx * 64, dy * 64), (-dy * 13, dx * 13), (dy * 13, -dx * 13)), shade)
    sketch.sprite(theme).put(page, middle)
    for way, letter in zip(COMPASS, letters, strict=True):
        dx, dy = layout.way(way)
        shade = theme.text if way == "N" else theme.faint
        place = (middle[0] + 92 * dx, middle[1] + 92 * dy)
        text_sprite(theme, letter, 44, shade, theme.space[1]).put(page, place)
