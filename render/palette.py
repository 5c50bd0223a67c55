"""One palette for a whole picture: drawings become pages of indexes into it."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import chain

from PIL import Image

from render.themes import Colour, Theme, mix, pairs

EDGE_MIXES = (1 / 3, 2 / 3)
"""Mixtures kept for each pair of colours that meet at an edge."""

MERGE_DISTANCE = 10
"""Colours share an entry if the differences of their channels add up to less than this."""


class Palette:
    """The colours of a theme and the mixtures that its edges need, at most 256.

    Pages are images of mode `L` whose values are indexes.
    """

    def __init__(self, theme: Theme) -> None:
        self.colours: list[Colour] = []
        self._found: dict[Colour, int] = {}
        values = (value for name, value in vars(theme).items() if name != "name" and value)
        for value in values:
            for colour in value if isinstance(value[0], tuple) else (value,):
                self._add(colour)
        for one, other in pairs(theme):
            for share in EDGE_MIXES:
                self._add(mix(one, other, share), near=MERGE_DISTANCE)
        self._image = Image.new("P", (1, 1))
        self._image.putpalette(self.flat + self.flat[:3] * (256 - len(self.colours)))

    def _add(self, colour: Colour, near: int = 0) -> None:
        """Add a colour that is not there yet, nor another one that is nearer than `near`."""
        if colour in self._found:
            return
        if not near or all(_distance(colour, other) >= near for other in self.colours):
            self._found[colour] = len(self.colours)
            self.colours.append(colour)

    @cached_property
    def flat(self) -> bytes:
        """Red, green, blue of each colour in turn."""
        return bytes(chain.from_iterable(self.colours))

    def index(self, colour: Colour) -> int:
        """Return the entry that is nearest to a colour."""
        if colour not in self._found:
            far = [_distance(other, colour) for other in self.colours]
            self._found[colour] = far.index(min(far))
        return self._found[colour]

    def page(self, image: Image.Image) -> Image.Image:
        """Return an RGB image as a page, without dithering.

        Each pixel gets an entry near its colour, and the nearest one nearly always: Pillow looks
        entries up by the leading bits of a colour.
        """
        quantized = image.quantize(palette=self._image, dither=Image.Dither.NONE)
        return Image.frombytes("L", quantized.size, quantized.tobytes())

    def image(self, page: Image.Image) -> Image.Image:
        """Return a page as an RGB image."""
        image = page.copy()
        image.putpalette(self.flat)
        return image.convert("RGB")


def _distance(one: Colour, other: Colour) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) + abs(one[2] - other[2])


@cache
def palette(theme: Theme) -> Palette:
    """Return the cached palette of a theme."""
    return Palette(theme)
