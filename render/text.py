"""Lines of text: the typeface, its characters, and truncation."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont

from render.i18n import _
from render.palette import palette
from render.sprites import Sprite
from render.themes import Colour, Theme, mix

STROKE_WEIGHT = 1 / 75
"""Stroke around letters compared with their size: the typeface is thin for pictures made small."""

EDGE_SHADES = 2
"""Shades at the edges of letters: four would make the files 4 % larger, and cannot be seen."""

DRAWABLE_CHARACTERS = frozenset(map(chr, range(32, 127))) | frozenset("©«°±·»‘’“”…™")
"""The characters that Pillow's own typeface can draw."""

TRANSLITERATIONS = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ø": "o",
    "Ø": "O",
    "đ": "d",
}
TRANSLITERATIONS |= {"ł": "l", "Ł": "L", "ð": "d", "þ": "th", "–": "-", "—": "-"}
"""Replacements for letters that have no decomposition."""


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return Pillow's own typeface, which needs no font file.

    Raises:
        TypeError: this Pillow was built without FreeType.
    """
    found = ImageFont.load_default(size)
    if not isinstance(found, ImageFont.FreeTypeFont):
        raise TypeError("Pillow without FreeType cannot draw the boards.")
    return found


def drawable(text: str, instead: str) -> str:
    """Return the text without accents, and without characters that the typeface cannot draw.

    Args:
        text: a name, in any script.
        instead: the text to return when nothing is left of it.
    """
    plain = "".join(TRANSLITERATIONS.get(letter, letter) for letter in " ".join(text.split()))
    letters = (
        letter for letter in unicodedata.normalize("NFKD", plain) if letter in DRAWABLE_CHARACTERS
    )
    return " ".join("".join(letters).split()) or instead


def drawable_translation(text: str) -> str:
    """Return a text in the current language, or in English if it cannot be drawn."""
    return drawable(_(text), text)


def truncate_to_width(text: str, size: int, width: float) -> str:
    """Return the text, truncated with an ellipsis if it is wider than `width` pixels."""
    if measure(text, size) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + "…", size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


def measure(text: str, size: int) -> float:
    """Return the width of a text in pixels."""
    return font(size).getlength(text) + 2 * STROKE_WEIGHT * size


@lru_cache(maxsize=1024)
def text_sprite(theme: Theme, text: str, size: int, ink: Colour, ground: Colour) -> Sprite:
    """Return the sprite of a line of text on a ground, centred by the height of its capitals."""
    width, height = int(measure(text, size)) + 4, int(size * 1.4)
    grey = Image.new("L", (width, height))
    place = (2, height / 2 + size * 0.35)
    ImageDraw.Draw(grey).text(
        place, text, 255, font(size), anchor="ls", stroke_width=STROKE_WEIGHT * size
    )
    colours = palette(theme)
    steps = [colours.index(mix(ground, ink, n / EDGE_SHADES)) for n in range(EDGE_SHADES + 1)]
    step = 256 // EDGE_SHADES
    page = grey.point([steps[(value + step // 2) // step] for value in range(256)])
    return Sprite(theme, page, grey.point(lambda value: 255 * (value >= step // 2)).convert("1"))
