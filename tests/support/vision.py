"""Perception of colours: luminance contrast, distance, colour-vision deficiencies."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

from render.colour_vision import DEFICIENCIES, Vector, light, seen
from render.themes import Colour

EYES = ("normal", *DEFICIENCIES)


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    dark, bright = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in map(light, (one, other))
    )
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: Colour, eyes: str) -> Vector:
    """CIE L*a*b* (D65) of a colour as these eyes see it."""
    linear = light(colour) if eyes == "normal" else seen(colour, eyes)
    rows = (
        (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
    )
    x, y, z = (_root(sum(a * b for a, b in zip(row, linear, strict=True))) for row in rows)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 216 / 24389 else (value * 24389 / 27 + 16) / 116


def distance(one: Vector, other: Vector) -> float:
    """CIEDE2000 between two L*a*b* colours, after Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    grow = 1.5 - sqrt(mean / (mean + 25.0**7)) / 2
    a1, a2 = a1 * grow, a2 * grow
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    dl, dc, dh = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    lm, cm = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    t = (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
    sl, sc, sh = 1 + 0.015 * lm**2 / sqrt(20 + lm**2), 1 + 0.045 * cm, 1 + 0.015 * cm * t
    bend = 2 * sqrt(cm**7 / (cm**7 + 25.0**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    lightness, chroma, tint = dl / sl, dc / sc, dh / sh
    return sqrt(lightness**2 + chroma**2 + tint**2 - bend * chroma * tint)
