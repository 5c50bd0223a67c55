"""Sheets of sprites: one picture a theme with all of a game's sprites, and where each is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from math import dist
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from render.themes import Colour, Theme
from tools.paint.canvas import Canvas

WIDTH = 1024
"""Pixels of a row of sprites on a sheet."""

TRANSPARENT = 255
"""The index of pixels that are not part of a sprite."""

Painter = Callable[[Theme], tuple[Canvas, Colour]]
"""Paint a sprite in a theme; the colour is the background's."""


def places(sprites: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int, int, int]]:
    """Return left, top, width, height of each sprite on the sheet, given the sizes."""
    boxes, left, top, row = {}, 0, 0, 0
    for name, (wide, high) in sorted(sprites.items(), key=lambda item: (-item[1][1], item[0])):
        if left + wide > WIDTH:
            left, top, row = 0, top + row, 0
        boxes[name] = (left, top, wide, high)
        left, row = left + wide, max(row, high)
    return boxes


def painted(theme: Theme, painters: Mapping[str, Painter]) -> Sheet:
    """Paint all sprites of a theme."""
    by_name = {}
    for name, paint in painters.items():
        canvas, ground = paint(theme)
        by_name[name] = trimmed(*canvas.image(ground))
    where = places({name: (mask.shape[1], mask.shape[0]) for name, (_, mask) in by_name.items()})
    height = max(top + high for _, top, _, high in where.values())
    colours = np.zeros((height, WIDTH, 3), dtype=np.int64)
    masks = np.zeros((height, WIDTH), dtype=bool)
    for name, (left, top, wide, high) in where.items():
        colours[top : top + high, left : left + wide] = by_name[name][0]
        masks[top : top + high, left : left + wide] = by_name[name][1]
    return Sheet(colours, masks, where, theme.suits)


def trimmed(
    colours: NDArray[np.int64], mask: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Cut away empty margins on all four sides; the middle stays in the middle."""
    spare = []
    for axis in (1, 0):
        full = np.flatnonzero(mask.any(axis=1 - axis))
        spare.append(int(min(full[0], mask.shape[axis] - 1 - full[-1])))
    wide, high = spare
    part = np.s_[high : mask.shape[0] - high, wide : mask.shape[1] - wide]
    return colours[part], mask[part]


class Sheet:
    """Painted sprites in true colours."""

    def __init__(
        self,
        colours: NDArray[np.int64],
        masks: NDArray[np.bool_],
        where: dict[str, tuple[int, int, int, int]],
        kept: Sequence[Colour] = (),
    ) -> None:
        self.colours, self.masks, self.where, self.kept = colours, masks, where, kept

    def palette(self, count: int) -> list[Colour]:
        """Return colours that fit the sprites, the darkest first; `kept` are among them."""
        pixels = self.colours[self.masks].astype(np.uint8)
        row = Image.fromarray(pixels[None, :, :], "RGB")
        few = row.quantize(count, Image.Quantize.MEDIANCUT, kmeans=2)
        flat = (few.getpalette() or [])[: 3 * count]
        colours = {(flat[i], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3)}
        for colour in self.kept:
            colours.remove(min(colours - {*self.kept}, key=lambda other: dist(other, colour)))
            colours.add(colour)
        return sorted(colours, key=lambda colour: (sum(colour), colour))

    def indexes(self, palette: list[Colour]) -> NDArray[np.uint8]:
        """Return the nearest entry of each pixel."""
        colours, place = np.unique(self.colours[self.masks], axis=0, return_inverse=True)
        entries = np.asarray(palette, dtype=np.int64)
        weights = np.asarray((3, 4, 2))  # the eye sees green best
        nearest = np.concatenate(
            [
                (((part[:, None] - entries[None]) ** 2) * weights).sum(axis=2).argmin(axis=1)
                for part in np.array_split(colours, max(1, len(colours) // 4000))
            ]
        )
        page = np.full(self.masks.shape, TRANSPARENT, dtype=np.uint8)
        page[self.masks] = nearest[place.reshape(-1)]
        return page


def write(folder: Path, theme: Theme, sheet: Sheet, palette: list[Colour]) -> None:
    """Write the sheet of a theme, and the places, which are the same in all themes."""
    page = Image.fromarray(sheet.indexes(palette), "L").convert("P")
    page.putpalette([part for colour in palette for part in colour])
    page.save(folder / f"{theme.name}.png", optimize=True)
    rows = ",\n".join(f" {json.dumps(name)}: {list(at)}" for name, at in sheet.where.items())
    (folder / "places.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
