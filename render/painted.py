"""Painted sprites and grounds: data beside each game's code, made by `make paint`.

A sheet is a PNG of one theme with all sprites of a game, at the same places in every theme.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from PIL import Image

from render.palette import palette
from render.sprites import Sprite
from render.themes import Colour, Theme, mix

TRANSPARENT = 255
"""The index of pixels of a sheet that belong to no sprite."""

GROUND_LEVELS, STAR_LEVELS = 10, 6
"""Levels of light in a background: of its clouds, then of its stars. With 40, a pattern would have
to hide the steps in the brightest part, and boards would be a tenth larger."""


def folder(game: str) -> Path:
    """Return the folder with the painted files of a game."""
    return Path(__file__).parent / game / "painted"


def painted_colours(game: str, theme: str) -> tuple[Colour, ...]:
    """Return the colours of a sheet."""
    with Image.open(folder(game) / f"{theme}.png") as image:
        flat = image.getpalette() or []
    return tuple((flat[i], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3))


def ground_colours(theme: Theme) -> tuple[Colour, ...]:
    """Return the colours of the levels of a ground."""
    stops = theme.space
    places = [level / (GROUND_LEVELS - 1) * (len(stops) - 1) for level in range(GROUND_LEVELS)]
    clouds = [
        mix(stops[int(place)], stops[min(int(place) + 1, len(stops) - 1)], place % 1)
        for place in places
    ]
    stars = [
        mix(stops[1], theme.star, (level + 2) / (STAR_LEVELS + 1)) for level in range(STAR_LEVELS)
    ]
    return (*clouds, *stars)


@cache
def places(game: str) -> dict[str, tuple[int, int, int, int]]:
    """Return left, top, width and height of each sprite on the sheets of a game."""
    boxes = json.loads((folder(game) / "places.json").read_text(encoding="utf-8"))
    return {name: tuple(place) for name, place in boxes.items()}


@cache
def _sheet(game: str, theme: Theme) -> tuple[Image.Image, Image.Image]:
    """Return a sheet as a page, and the mask of its sprites."""
    with Image.open(folder(game) / f"{theme.name}.png") as image:
        raw = Image.frombytes("L", image.size, image.tobytes())
    colours = palette(theme)
    indexes = [colours.index(colour) for colour in theme.painted]
    page = raw.point([*indexes, *[0] * (256 - len(indexes))])
    return page, raw.point([255 * (index != TRANSPARENT) for index in range(256)], "1")


@cache
def painted(game: str, theme: Theme, name: str) -> Sprite:
    """Return a painted sprite."""
    left, top, width, height = places(game)[name]
    box = (left, top, left + width, top + height)
    page, mask = _sheet(game, theme)
    return Sprite(theme, page.crop(box), mask.crop(box))


@cache
def ground(game: str, theme: Theme, name: str) -> Image.Image:
    """Return a painted ground as a page."""
    with Image.open(folder(game) / f"{name}.png") as image:
        levels = image.convert("L")
    colours = palette(theme)
    return levels.point(
        [colours.index(colour) for colour in theme.levels] + [0] * (256 - len(theme.levels))
    )
