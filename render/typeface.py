"""The typeface: fonts for all scripts that are shown, and which of them shows a character.

Every font comes with Starpost (render/fonts/, cut by tools/cut_fonts.py), so that pictures are the
same on every machine. Scripts whose letters change beside others need Raqm, which Pillow brings,
and FriBidi, which Raqm takes from the system; without it their letters count as missing.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont, features

from render.bidi import MIRRORED, levels, visual

FONTS = Path(__file__).parent / "fonts"

JOINERS = "\u200c\u200d"
"""Part and join letters of some scripts; the second also joins emoji."""

PROBE_SIZE = 32
"""Size for looking up characters."""


class Face(NamedTuple):
    """A font, and the ranges of characters that use it.

    Attributes:
        file: file name in render/fonts/.
        ranges: first and last character.
        scale: size beside letters of the size that was asked for.
        shaped: whether its letters change beside others.
    """

    file: str
    ranges: tuple[tuple[int, int], ...]
    scale: float = 1.0
    shaped: bool = False

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        """Return the font for text of a size in pixels."""
        return _font(self, size)


LATIN = Face("latin.otf", ((0x20, 0x58F), (0x1D00, 0x2BFF)))
"""Inter, for Latin, Greek and Cyrillic letters, digits and signs."""

FACES = (
    LATIN,
    Face("hebrew.ttf", ((0x590, 0x5FF),)),
    Face("arabic.ttf", ((0x600, 0x77F),), shaped=True),
    Face("devanagari.ttf", ((0x900, 0x97F), (0x200C, 0x200D)), shaped=True),
    Face("thai.ttf", ((0xE00, 0xE7F),), shaped=True),
    Face(
        "japanese.otf",
        ((0x3000, 0x30FF), (0x31F0, 0x31FF), (0x4E00, 0x9FFF), (0xFF01, 0xFF9F)),
        0.94,
    ),
    Face("han.otf", ((0x4E00, 0x9FFF),), 0.94),
    Face("hangul.otf", ((0x3130, 0x318F), (0xAC00, 0xD7A3)), 0.94),
    Face(
        "emoji.ttf",
        ((0x2100, 0x2BFF), (0x3030, 0x303D), (0x1F200, 0x1FAFF), (0x1F000, 0x1F1E5)),
        0.8,
    ),
)
"""All fonts; the first that has a character shows it."""


@cache
def _font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if face.shaped else ImageFont.Layout.BASIC
    return ImageFont.truetype(FONTS / face.file, round(size * face.scale), layout_engine=engine)


@cache
def can_shape() -> bool:
    """Return whether letters that change beside others can be drawn."""
    return bool(features.check("raqm"))


@lru_cache(maxsize=4096)
def face_of(letter: str) -> Face | None:
    """Return the font that shows a character; None if there is none, or nothing to show."""
    code = ord(letter)
    if letter != " " and unicodedata.category(letter)[0] in "CZ":
        return None
    for face in FACES:
        if any(first <= code <= last for first, last in face.ranges) and _has(face, letter):
            return face
    return None


def _has(face: Face, letter: str) -> bool:
    """Return whether a font has a character: a missing one has neither width nor ink."""
    if face.shaped and not can_shape():
        return False
    font = face.font(PROBE_SIZE)
    left, _, right, _ = font.getbbox(letter)
    return right > left or font.getlength(letter) > 0


class Run(NamedTuple):
    """Part of a line with one font and direction, in the drawing order of `font`."""

    face: Face
    text: str
    direction: str | None


@lru_cache(maxsize=2048)
def runs(text: str) -> tuple[Run, ...]:
    """Return the parts of a line from left to right; characters without a font are left out."""
    if text.isascii():
        return (Run(LATIN, text, None),)
    faces = _faces(text)
    parts: list[tuple[int, Run]] = []
    letters = zip(text, faces, levels(text), strict=True)
    for (face, level), group in groupby(letters, key=lambda entry: entry[1:]):
        if face is not None:
            parts.append((level, _run(face, "".join(letter for letter, *_ in group), level)))
    return tuple(visual(parts))


def _faces(text: str) -> list[Face | None]:
    """Return the font of each character; a mark has its letter's font."""
    faces: list[Face | None] = []
    for letter in text:
        before = faces[-1] if faces else None
        joined = before is not None and before.shaped and is_mark(letter)
        faces.append(before if joined else face_of(letter))
    return faces


def is_mark(letter: str) -> bool:
    """Return whether a character belongs to the one before it: an accent, or a joiner."""
    return unicodedata.category(letter)[0] == "M" or letter in JOINERS


def _run(face: Face, text: str, level: int) -> Run:
    leftwards = level % 2 == 1
    if face.shaped:
        return Run(face, text, "rtl" if leftwards else "ltr")
    return Run(face, text[::-1].translate(MIRRORED) if leftwards else text, None)
