"""Lines of text: names in many scripts, truncation, and sprites."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from math import inf

from PIL import Image, ImageDraw, ImageFont

from render.clusters import TAGGED_FLAG, region_of
from render.i18n import _, english
from render.palette import palette
from render.sprites import Sprite, covered
from render.themes import Colour, Theme, mix
from render.typeface import JOINERS, LATIN, Face, face_of, is_mark, runs

EDGE_SHADES = 2
"""Shades at the edges of letters: four would make the files 4 % larger, and cannot be seen."""

CAPITAL_HEIGHT = 0.72
"""Height of capitals compared with the size of text."""

LINE_HEIGHT, MAX_LINE_HEIGHT = 1.4, 1.8
"""Height of a line compared with the size of text, and with accents or stacked letters."""

MAX_MARKS = 2
"""Maximum number of marks above and below one letter."""


SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)


def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font of Latin letters and digits, which all have one width."""
    return LATIN.font(size)


@lru_cache(maxsize=2048)
def drawable(text: str, instead: str) -> str:
    """Return a text without what no font has: a look-alike, or nothing, takes its place.

    Of emoji joined into one, such as a family, all are shown; of flags, the letters. Characters
    that change the direction of others go.

    Args:
        text: a name, in any script.
        instead: the text to return when most letters would be lost.
    """
    kept: list[str] = []
    face: Face | None = None
    marks = lost = 0
    spelled = TAGGED_FLAG.sub(lambda flag: region_of(flag[0]), " ".join(text.split()))
    for letter in unicodedata.normalize("NFC", spelled):
        if is_mark(letter):
            marks += unicodedata.category(letter) in ("Mn", "Me")
            shaped = face is not None and face.shaped
            if shaped and marks <= MAX_MARKS and (letter in JOINERS or face_of(letter) is face):
                kept.append(letter)
        elif ord(letter) not in SKIN_TONES:
            replacement = letter if face_of(letter) else _look_alike(letter)
            kept.append(replacement)
            lost += not replacement and unicodedata.category(letter)[0] == "L"
            face, marks = face_of(letter), 0
    words = " ".join("".join(kept).strip(f" {JOINERS}").split())
    seen = sum(unicodedata.category(letter)[0] in "LNS" for letter in words)
    return words if seen > lost else instead


def _look_alike(letter: str) -> str:
    """Return the plain parts of a character: A for an ornamental A, or for half the flag of AU."""
    if ord(letter) in FLAG_LETTERS:
        return chr(ord("A") + FLAG_LETTERS.index(ord(letter)))
    parts = unicodedata.normalize("NFKD", letter)
    return "".join(part for part in parts if not is_mark(part) and face_of(part))


def drawable_translation(text: str) -> str:
    """Return a text in the current language, or in English if it cannot be drawn."""
    return drawable(_(text), english(text))


def truncate_to_width(text: str, size: int, width: float) -> str:
    """Return the text, truncated with an ellipsis if it is wider than `width` pixels."""
    if measure(text, size) <= width:
        return text
    ends = [0, *(place for place in range(1, len(text)) if not is_mark(text[place]))]
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if measure(_cut(text, ends[middle]), size) <= width:
            low = middle
        else:
            high = middle - 1
    return _cut(text, ends[low])


def _cut(text: str, end: int) -> str:
    return text[:end].rstrip(f" {JOINERS}") + "…"


@lru_cache(maxsize=4096)
def measure(text: str, size: int) -> float:
    """Return the width of a text in pixels."""
    return sum(
        run.face.font(size).getlength(run.text, direction=run.direction) for run in runs(text)
    )


@lru_cache(maxsize=1024)
def text_sprite(
    theme: Theme, text: str, size: int, ink: Colour, ground: Colour, *, width: float = inf
) -> Sprite:
    """Return the sprite of a line of text on a ground, centred by the height of its capitals.

    Wider text is condensed to `width` pixels.
    """
    natural, height = int(measure(text, size)) + 4, _line_height(text, size)
    grey = Image.new("L", (natural, height))
    canvas = ImageDraw.Draw(grey)
    x, baseline = 2.0, height / 2 + size * CAPITAL_HEIGHT / 2
    for run in runs(text):
        face = run.face.font(size)
        canvas.text((x, baseline), run.text, 255, face, anchor="ls", direction=run.direction)
        x += face.getlength(run.text, direction=run.direction)
    if natural > width:
        grey = grey.resize((round(width), height), Image.Resampling.LANCZOS)
    colours = palette(theme)
    steps = [colours.index(mix(ground, ink, n / EDGE_SHADES)) for n in range(EDGE_SHADES + 1)]
    step = 256 // EDGE_SHADES
    page = grey.point([steps[(value + step // 2) // step] for value in range(256)])
    return Sprite(theme, page, grey.point(covered(step // 2 - 1), "1"))


def _line_height(text: str, size: int) -> int:
    """Return the height of a line, larger if it has accents on capitals or stacked letters."""
    if text.isascii():
        return int(size * LINE_HEIGHT)
    boxes = [
        run.face.font(size).getbbox(run.text, anchor="ls", direction=run.direction)
        for run in runs(text)
    ]
    middle = size * CAPITAL_HEIGHT / 2
    reach = max((max(-box[1] - middle, box[3] + middle) for box in boxes), default=0.0)
    return int(min(max(2 * reach + 2, size * LINE_HEIGHT), size * MAX_LINE_HEIGHT))
