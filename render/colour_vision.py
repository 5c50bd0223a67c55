"""Boards as people with a colour-vision deficiency see them, for the gallery and the tests.

A board is a picture with a palette, so it is enough to change the colours of its palette.
"""

from __future__ import annotations

import io

from PIL import Image

from render.themes import Colour

Vector = tuple[float, float, float]

DEFICIENCIES: dict[str, tuple[Vector, Vector, Vector]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Deficiency → what becomes of linear light: Machado, Oliveira and Fernandes 2009, severity 1."""


def light(colour: Colour) -> Vector:
    """Return the linear light of an sRGB colour."""
    red, green, blue = (
        value / 3294.6 if value <= 10.31475 else ((value / 255 + 0.055) / 1.055) ** 2.4
        for value in colour
    )
    return red, green, blue


def seen(colour: Colour, deficiency: str) -> Vector:
    """Return the linear light of a colour as people with a deficiency see it."""
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light(colour), strict=True))))
        for row in DEFICIENCIES[deficiency]
    )
    return red, green, blue


def simulated(png: bytes, deficiency: str) -> bytes:
    """Return a board, a PNG with a palette, as people with a deficiency see it."""
    with Image.open(io.BytesIO(png)) as image:
        flat = image.getpalette() or []
        colours = ((flat[i], flat[i + 1], flat[i + 2]) for i in range(0, len(flat), 3))
        image.putpalette([_level(part) for colour in colours for part in seen(colour, deficiency)])
        file = io.BytesIO()
        image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _level(part: float) -> int:
    """Return a channel of sRGB, from 0 to 255, from linear light."""
    return round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))
