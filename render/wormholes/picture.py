"""The Wormholes board as a PNG.

The galaxy lies on its side: rows run from left (1) to right (18), columns from top (a) to bottom
(j). So north is to the right and east is down; the compass says so.
"""

from __future__ import annotations

import io
from functools import cache
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from engine.wormholes.board import BASES, INDEX, XY
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView
from render.renderer import Names
from render.wormholes.words import SUITS, last_events, prompt

WIDTH, HEIGHT = 1400, 1000
CELL = 72
LEFT, TOP = 68, 132

SPACE_COLOUR = (11, 14, 28)
TILE = (38, 45, 74)
TILE_EDGE = (70, 80, 120)
TEXT = (236, 240, 250)
FAINT = (168, 178, 206)
ARROW = (255, 255, 255)
COIN = (225, 228, 236)
INK = (16, 18, 30)
HOLE = (0, 0, 0)
COLOURS = {"S": (255, 196, 61), "M": (120, 190, 255), "C": (240, 120, 170), "A": (110, 220, 160)}
SEAT_COLOURS = ((92, 74, 24), (84, 36, 74))
"""Of the bases: OrthogonAliens, DiagonAliens (marked with O and D as well)."""

AXIS_STEPS = {"S": (1, 0), "M": (0, 1), "C": (1, -1), "A": (1, 1)}
"""Each suit's axis as it runs in this picture: x to the right is north, y downwards is east."""

Point = tuple[float, float]

OUTLINES: dict[str, tuple[Point, ...]] = {
    "C": ((-1, 0.7), (-1, -0.7), (-0.5, 0), (0, -0.9), (0.5, 0), (1, -0.7), (1, 0.7)),
    "A": ((-0.8, -0.9), (0.8, -0.9), (0.8, 0.1), (0, 1), (-0.8, 0.1)),
}
"""Crown and arms (a shield), in units of the emblem's size."""

Canvas = ImageDraw.ImageDraw


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own typeface: no font file is needed."""
    return ImageFont.load_default(size)


def centre(space: int) -> Point:
    """The middle of a space in pixels."""
    x, y = XY[space]
    return LEFT + (y - 0.5) * CELL, TOP + (x - 0.5) * CELL


def draw(view: WormholesView, names: Names) -> bytes:
    """The board as PNG bytes."""
    image = _background().copy()
    canvas = ImageDraw.Draw(image)
    for coin in view.coins:
        _coin(canvas, coin)
    _arrows(canvas, view)
    for place, ship in enumerate(view.ships):
        _ship(canvas, ship, shared=_shares(view, place))
    _header(canvas, view, names)
    for place, die in enumerate(view.dice):
        _die(canvas, die, WIDTH - 260 + 130 * place)
    data = io.BytesIO()
    image.quantize(128, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        data, "PNG"
    )
    return data.getvalue()


@cache
def _background() -> Image.Image:
    image = Image.new("RGB", (WIDTH, HEIGHT), SPACE_COLOUR)
    canvas = ImageDraw.Draw(image)
    for space in range(len(XY)):
        x, y = centre(space)
        half = CELL / 2 - 1
        fill = next((SEAT_COLOURS[s] for s in (0, 1) if space in BASES[s]), TILE)
        canvas.rectangle((x - half, y - half, x + half, y + half), fill, TILE_EDGE, 2)
    for seat, letter in enumerate("OD"):
        for space in BASES[seat]:
            canvas.text(centre(space), letter, FAINT, font(44), anchor="mm")
    for row in range(1, 19):
        place = (LEFT + (row - 0.5) * CELL, TOP + 10 * CELL + 26)
        canvas.text(place, str(row), TEXT, font(38), anchor="mm")
    for column, letter in enumerate("abcdefghij"):
        canvas.text((34, TOP + (column + 0.5) * CELL), letter, TEXT, font(42), anchor="mm")
    _compass(canvas, (LEFT + 1.6 * CELL, TOP + 1.6 * CELL))
    return image


def _compass(canvas: Canvas, middle: Point) -> None:
    x, y = middle
    for letter, dx, dy in (("N", 1, 0), ("S", -1, 0), ("E", 0, 1), ("W", 0, -1)):
        canvas.line((x, y, x + 44 * dx, y + 44 * dy), FAINT, 4)
        canvas.text((x + 66 * dx, y + 66 * dy), letter, TEXT, font(38), anchor="mm")


def emblem(canvas: Canvas, suit: str, middle: Point, size: float, colour: tuple[int, ...]) -> None:
    """A suit's emblem as a shape of its own: sun, moon, crown, arms (a shield)."""
    x, y = middle
    if suit == "S":
        rays = [(i * pi / 8, size if i % 2 == 0 else size * 0.62) for i in range(16)]
        points = [(x + r * sin(a), y - r * cos(a)) for a, r in rays]
    elif suit == "M":
        outer = [(x + size * cos(a), y + size * sin(a)) for a in _angles(0.25, 1.75)]
        inner = [
            (x + size * (0.45 + 0.75 * cos(a)), y + 0.75 * size * sin(a))
            for a in _angles(1.68, 0.32)
        ]
        points = outer + inner
    else:
        points = [(x + size * a, y + size * b) for a, b in OUTLINES[suit]]
    canvas.polygon(points, fill=colour)


def _angles(first: float, last: float) -> list[float]:
    return [pi * (first + (last - first) * i / 16) for i in range(17)]


def _coin(canvas: Canvas, coin: Coin) -> None:
    x, y = middle = centre(INDEX[coin.space])
    hole = coin.value == "0"
    fill = HOLE if hole else COIN
    canvas.ellipse((x - 30, y - 30, x + 30, y + 30), fill, COIN, 4)
    if coin.suit != UNKNOWN:
        dx, dy = AXIS_STEPS[coin.suit]
        reach = 29 / (dx * dx + dy * dy) ** 0.5
        line = (x - dx * reach, y - dy * reach, x + dx * reach, y + dy * reach)
        canvas.line(line, FAINT if hole else INK, 5)
        emblem(canvas, coin.suit, middle, 17, COLOURS[coin.suit] if hole else INK)
    if coin.value != UNKNOWN:
        colour = COIN if hole or coin.suit != UNKNOWN else INK
        canvas.text(middle, coin.value, colour, font(40), anchor="mm")


def _shares(view: WormholesView, place: int) -> int:
    """Where a ship is drawn on its space: 0 alone, -1 and 1 for two that share it."""
    here = [i for i, ship in enumerate(view.ships) if ship.space == view.ships[place].space]
    return 0 if len(here) == 1 else (-1 if here[0] == place else 1)


def _ship(canvas: Canvas, ship: Ship, shared: int) -> None:
    x, y = centre(INDEX[ship.space])
    x += 16 * shared
    half = 24
    box = (x - half, y - half, x + half, y + half)
    if ship.seat == "O":
        canvas.rectangle(box, COLOURS[ship.suit], INK, 4)
    else:
        canvas.polygon(
            [(x, y - 32), (x + 32, y), (x, y + 32), (x - 32, y)], COLOURS[ship.suit], INK, 4
        )
    canvas.text((x, y), ship.suit, INK, font(36), anchor="mm", stroke_width=1)
    if ship.owes:
        canvas.line((x - 24, y + 24, x + 24, y - 24), INK, 5)


def _arrows(canvas: Canvas, view: WormholesView) -> None:
    steps = last_events(view, "moved", "jumped", "sent")
    for number, event in enumerate(steps, 1):
        (x1, y1), (x2, y2) = (centre(INDEX[name]) for name in event.facts[-2:])
        canvas.line((x1, y1, x2, y2), ARROW, 6 if event.kind == "moved" else 3)
        canvas.ellipse((x1 - 9, y1 - 9, x1 + 9, y1 + 9), outline=ARROW, width=4)
        middle = ((x1 + x2) / 2, (y1 + y2) / 2)
        canvas.text(
            middle, str(number), ARROW, font(34), anchor="mm", stroke_width=5, stroke_fill=INK
        )


def _header(canvas: Canvas, view: WormholesView, names: Names) -> None:
    turn = f"Turn {view.turn}" if view.turn else "Set-up"
    canvas.text((34, 34), turn, TEXT, font(44), anchor="lm")
    canvas.text((34, 88), _fitted(prompt(view, names), 1040), TEXT, font(38), anchor="lm")
    legend = "   ".join(f"{letter} {name}" for letter, name in SUITS.items())
    canvas.text((34, HEIGHT - 46), legend, FAINT, font(36), anchor="lm")
    sides = "square: OrthogonAliens   diamond: DiagonAliens"
    canvas.text((WIDTH - 34, HEIGHT - 46), sides, FAINT, font(30), anchor="rm")


def _fitted(text: str, width: int) -> str:
    """The text, cut with an ellipsis where it would be wider than `width` pixels."""
    while font(38).getlength(text) > width:
        text = text[:-2] + "…"
    return text


def _die(canvas: Canvas, die: Die, x: int) -> None:
    colour = FAINT if die.spent or die.value == "-" else COLOURS[die.suit]
    canvas.rounded_rectangle((x, 20, x + 84, 104), 14, None if die.spent else colour, colour, 4)
    ink = colour if die.spent else INK
    canvas.text((x + 42, 50), die.value, ink, font(50), anchor="mm")
    canvas.text((x + 42, 86), die.suit, ink, font(26), anchor="mm")
