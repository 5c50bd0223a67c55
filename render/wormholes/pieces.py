"""Coins, ships, dice and marks of Wormholes, each drawn once for a theme."""

from __future__ import annotations

from functools import cache, lru_cache
from math import cos, hypot, pi, sin

from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import UNKNOWN
from render import markers
from render.sprites import Point, Sketch, Sprite
from render.themes import THEMES, Colour, Theme, mix
from render.wormholes.emblems import emblem
from render.wormholes.layout import CELL_SIZE, Step

HOLE = "0"

LARGE_COIN_RADIUS, SMALL_COIN_RADIUS = 25.0, 18.5
"""Radius of a coin: alone, and beside a ship that stands on it."""

SIGN_SIZE = 96
"""Pixels of a sign's width and height; in a text it is shown at a quarter of that."""

SIGN_SCALE = 4
"""Scale of a sign: it is sent only once, so its edges may be finer than those on boards."""

POINTED_RATIO = 1.42
"""Length of a pointed coin compared with its width."""

Axis = Step | None


def colour(theme: Theme, suit: str) -> Colour:
    """Return the colour that goes with a suit."""
    return theme.suits[SUITS.index(suit)]


@lru_cache(maxsize=2048)
def coin(
    theme: Theme, up: str, suit: str, value: str, axis: Axis, *, small: bool = False
) -> Sprite:
    """Return the sprite of a coin as far as it is known.

    Args:
        theme: the colours.
        up: the side on top, `suit` or `value`.
        suit: its suit or `?`.
        value: its value or `?`.
        axis: direction of the suit's axis on the canvas; none if the suit is unknown.
        small: beside a ship that stands on it.
    """
    radius = SMALL_COIN_RADIUS if small else LARGE_COIN_RADIUS
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    rim = theme.paper if suit == UNKNOWN else colour(theme, suit)
    for grow, shade in ((2.0, theme.edge), (0.0, rim)):
        sketch.disc((0, 0), radius + grow, shade)
        if axis:
            sketch.polygon(_eye(axis, radius + grow), shade)
    if up == "suit":
        _suit_side(sketch, theme, suit, value, radius)
    else:
        _value_side(sketch, theme, suit, value, radius)
    return sketch.sprite(theme)


@cache
def emoji_image(suit: str) -> bytes:
    """Return a suit's emoji as a small picture, for dark and bright grounds alike."""
    theme, radius = THEMES["dark"], SIGN_SIZE / 2
    sketch = Sketch(SIGN_SIZE, SIGN_SIZE, theme.edge, SIGN_SCALE)
    for reach, shade in ((1.0, theme.edge), (0.96, colour(theme, suit)), (0.8, theme.paper)):
        sketch.disc((0, 0), radius * reach, shade)
    emblem(sketch, suit, (0, 0), radius * 0.62, (theme.ink, theme.paper))
    return sketch.png()


def _eye(axis: Step, radius: float) -> list[Point]:
    """Return the outline that makes a disc pointed at both ends of an axis."""
    length = hypot(*axis)
    x, y = axis[0] / length, axis[1] / length
    long, wide = radius * POINTED_RATIO, radius * (1 - POINTED_RATIO**-2) ** 0.5
    near = radius / POINTED_RATIO
    return [
        (a * x - b * y, a * y + b * x)
        for a, b in (
            (long, 0.0),
            (near, wide),
            (-near, wide),
            (-long, 0.0),
            (-near, -wide),
            (near, -wide),
        )
    ]


def _suit_side(sketch: Sketch, theme: Theme, suit: str, value: str, radius: float) -> None:
    sketch.disc((0, 0), radius * 0.86, theme.paper)
    if value == UNKNOWN:
        emblem(sketch, suit, (0, 0), radius * 0.66, (theme.ink, theme.paper))
        return
    emblem(sketch, suit, (-radius * 0.26, -radius * 0.26), radius * 0.5, (theme.ink, theme.paper))
    _badge(sketch, theme, value, (radius * 0.5, radius * 0.5), radius * 0.6)


def _badge(sketch: Sketch, theme: Theme, value: str, middle: Point, radius: float) -> None:
    """Draw the value of the lower side as a small coin."""
    sketch.disc(middle, radius, theme.paper)
    if value == HOLE:
        sketch.disc(middle, radius - 1.5, theme.glow)
        sketch.disc(middle, radius * 0.55, theme.hole)
        return
    sketch.disc(middle, radius - 1.5, theme.metal)
    sketch.text(middle, value, radius * 1.5, theme.paper, 0.5)


def _value_side(sketch: Sketch, theme: Theme, suit: str, value: str, radius: float) -> None:
    if value == HOLE:
        _black_hole(sketch, theme, radius)
    else:
        sketch.disc((0, 0), radius * 0.86, theme.metal)
        shift = 0 if suit == UNKNOWN else -radius * 0.2
        sketch.text((shift, shift), value, radius * 1.4, theme.paper, radius / 24)
    if suit != UNKNOWN:
        middle, reach = (radius * 0.5, radius * 0.5), radius * 0.54
        sketch.disc(middle, reach, theme.ink)
        sketch.disc(middle, reach - 1.5, theme.paper)
        emblem(sketch, suit, middle, reach * 0.72, (theme.ink, theme.paper))


def _black_hole(sketch: Sketch, theme: Theme, radius: float) -> None:
    """Draw a dark disc in a bright whirl."""
    sketch.disc((0, 0), radius * 0.96, theme.glow)
    for turn in range(3):
        angle = 2 * pi * turn / 3
        points = [
            (
                radius * (0.6 + 0.4 * i / 12) * cos(angle + i / 7),
                radius * (0.6 + 0.4 * i / 12) * sin(angle + i / 7),
            )
            for i in range(13)
        ]
        sketch.line(points, radius * 0.12, theme.hole)
    sketch.disc((0, 0), radius * 0.62, theme.paper)
    sketch.disc((0, 0), radius * 0.54, theme.hole)


def hull(seat: str, half: float) -> list[Point]:
    """Return the outline of a ship: a cross-shaped square or diamond by faction."""
    square = [
        (-0.55, -1), (0.55, -1), (0.66, -0.66), (1, -0.55),
        (1, 0.55), (0.66, 0.66), (0.55, 1), (-0.55, 1),
        (-0.66, 0.66), (-1, 0.55), (-1, -0.55), (-0.66, -0.66),
    ]  # fmt: skip
    if seat == SEATS[0]:
        return [(half * x, half * y) for x, y in square]
    return [(0, -half * 1.22), (half * 1.22, 0), (0, half * 1.22), (-half * 1.22, 0)]


@lru_cache(maxsize=512)
def ship(theme: Theme, suit: str, seat: str, half: float, marks: str) -> Sprite:
    """Return the sprite of a ship: its shape shows the faction, its emblem the suit.

    Args:
        theme: the colours.
        suit: `S`, `M`, `C` or `A`.
        seat: the owner, `O` or `D`.
        half: half of its width in pixels.
        marks: `o` if it owes a turn, `a` if it has used a coin, `l` if it has landed.
    """
    fill = colour(theme, suit)
    sketch = Sketch(CELL_SIZE + 12, CELL_SIZE + 12, theme.tile)
    for grow, shade in ((2.5, theme.edge), (0.0, theme.paper), (-4.0, fill)):
        sketch.polygon(hull(seat, half + grow), shade)
    size = half * (0.62 if seat == SEATS[0] else 0.56)
    emblem(sketch, suit, (0, 0), size, (theme.ink, fill))
    for place, mark in enumerate(marks):
        _state(sketch, theme, mark, (half * 0.82 * (1 - 2 * place), -half * 0.82), half * 0.4)
    return sketch.sprite(theme)


def _state(sketch: Sketch, theme: Theme, mark: str, middle: Point, radius: float) -> None:
    """Draw a ship's state as a badge: pause, whirl or flag."""
    x, y = middle
    sketch.disc(middle, radius + 1.5, theme.ink)
    sketch.disc(middle, radius, theme.glow if mark == "o" else theme.paper)
    if mark == "o":
        for side in (-1, 1):
            at = x + side * radius * 0.3
            sketch.bar((at, y - radius * 0.5), (at, y + radius * 0.5), radius * 0.3, theme.ink)
    elif mark == "a":
        sketch.disc(middle, radius * 0.6, theme.ink)
        sketch.disc(middle, radius * 0.3, theme.paper)
    else:
        low = (x - radius * 0.3, y + radius * 0.6)
        sketch.bar(low, (low[0], y - radius * 0.6), radius * 0.2, theme.ink)
        sketch.polygon(
            (
                (low[0], y - radius * 0.7),
                (x + radius * 0.6, y - radius * 0.35),
                (low[0], y + radius * 0.05),
            ),
            theme.ink,
        )


@lru_cache(maxsize=32)
def ghost(theme: Theme, suit: str, seat: str) -> Sprite:
    """Return the sprite of a ship's former position, its outline."""
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    fill = mix(colour(theme, suit), theme.tile, 0.35)
    sketch.polygon(hull(seat, 27), fill)
    sketch.polygon(hull(seat, 22.5), mix(colour(theme, suit), theme.tile, 0.85))
    return sketch.sprite(theme)


DIE_SIZE = (132, 92)


@lru_cache(maxsize=256)
def die(theme: Theme, suit: str, value: str, *, spent: bool) -> Sprite:
    """Return the sprite of a die: its ship's emblem and value; hollow if used or not rolled."""
    hollow = spent or value == "-"
    fill = colour(theme, suit)
    face = theme.space[1] if hollow else fill
    ink = theme.faint if hollow else theme.ink
    x, y = DIE_SIZE[0] / 2, DIE_SIZE[1] / 2
    sketch = Sketch(*DIE_SIZE, theme.space[1])
    sketch.box(((-x, -y), (x, y)), 20, theme.faint if hollow else theme.paper)
    sketch.box(((4 - x, 4 - y), (x - 4, y - 4)), 16, face)
    emblem(sketch, suit, (-30, 0), 25, (ink, face))
    if value == HOLE:
        sketch.disc((30, 0), 22, ink)
        sketch.disc((30, 0), 15.5, face)
        sketch.bar((12, 18), (48, -18), 5.5, ink)
    elif value == "-":
        for side in (-1, 1):
            sketch.bar((30 + side * 11, -20), (30 + side * 11, 20), 9, ink)
    else:
        sketch.text((30, 0), value, 68, ink, 1.5)
    return sketch.sprite(theme)


@lru_cache(maxsize=64)
def stretch(theme: Theme, way: Step, *, edge: bool) -> Sprite:
    """Return the sprite of a move's line across one space, or of its edge."""
    dx, dy = (CELL_SIZE / 2 * step * 1.06 for step in way)
    sketch = Sketch(CELL_SIZE + 16, CELL_SIZE + 16, theme.story_edge)
    sketch.bar((-dx, -dy), (dx, dy), *markers.stroke(theme, edge=edge))
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def chevron(theme: Theme, angle: int) -> Sprite:
    """Return the sprite of a chevron along a jump; the angle is as in `head`."""
    sketch = Sketch(34, 34, theme.tile)
    for width, shade in ((11.0, theme.story_edge), (6.0, theme.story)):
        shape = ((-6, -9), (5, 0), (-6, 9))
        sketch.line([markers.turned(angle, *at) for at in shape], width, shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def dot(theme: Theme) -> Sprite:
    """Return the sprite of a dot of the line along which a ship was sent."""
    sketch = Sketch(18, 18, theme.tile)
    sketch.disc((0, 0), 7, theme.story_edge)
    sketch.disc((0, 0), 4.6, theme.story)
    return sketch.sprite(theme)


@lru_cache(maxsize=256)
def head(theme: Theme, angle: int) -> Sprite:
    """Return the sprite of an arrow's head.

    Args:
        theme: the colours.
        angle: where it points, in 64ths of a turn from the right, downwards.
    """
    sketch = Sketch(48, 48, theme.tile)
    for grow, shade in ((4.0, theme.story_edge), (0.0, theme.story)):
        shape = ((16 + grow, 0), (-10 - grow * 0.6, 14 + grow), (-10 - grow * 0.6, -14 - grow))
        sketch.polygon([markers.turned(angle, *at) for at in shape], shade)
    return sketch.sprite(theme)


NUMBER_RADIUS = 18
"""Radius of a step's number."""


STEP_TEXT_SIZE = 29
"""Size of the number of a step."""


@lru_cache(maxsize=64)
def number(theme: Theme, value: int) -> Sprite:
    """Return the sprite of the number of a step of the story."""
    sketch = Sketch(2 * NUMBER_RADIUS + 4, 2 * NUMBER_RADIUS + 4, theme.tile)
    sketch.disc((0, 0), NUMBER_RADIUS, theme.story_edge)
    sketch.disc((0, 0), NUMBER_RADIUS - 2, theme.story)
    sketch.text(
        (0, 0), str(value), STEP_TEXT_SIZE if len(str(value)) == 1 else 21, theme.story_edge, 1
    )
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def story_frame(theme: Theme) -> Sprite:
    """Return the frame around a coin that was placed or turned over."""
    return _frame(theme, theme.story, 4)


@lru_cache(maxsize=8)
def choice_frame(theme: Theme) -> Sprite:
    """Return the frame around a space that the viewer may choose."""
    return _frame(theme, theme.mark, 5)


def _frame(theme: Theme, shade: Colour, width: float) -> Sprite:
    """Return the sprite of four corners around a space."""
    half, long = CELL_SIZE / 2 - 4, 17
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    for x in (-1, 1):
        for y in (-1, 1):
            corner = (x * half, y * half)
            ends = ((corner[0] - x * long, corner[1]), (corner[0], corner[1] - y * long))
            sketch.line((ends[0], corner, ends[1]), width, shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def pointer(theme: Theme, way: Step) -> Sprite:
    """Return the sprite of the direction of a choice."""
    sketch = Sketch(40, 40, theme.tile)
    angle = markers.angle_of(*way)
    for grow, shade in ((3.0, theme.mark_text), (0.0, theme.mark)):
        shape = ((12 + grow * 1.4, 0), (-7 - grow, 11 + grow), (-7 - grow, -11 - grow))
        sketch.polygon([markers.turned(angle, *at) for at in shape], shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def chip(theme: Theme, suits: str) -> Sprite:
    """Return the sprite of the emblems of the ships that can go to a space."""
    half = 12 * len(suits) + 4
    sketch = Sketch(2 * half + 6, 34, theme.tile)
    sketch.box(((-half - 2, -16), (half + 2, 16)), 10, theme.mark_text)
    sketch.box(((-half, -14), (half, 14)), 8, theme.mark)
    for place, suit in enumerate(suits):
        emblem(sketch, suit, (-half + 15 + 24 * place, 0), 11, (theme.mark_text, theme.mark))
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def bar(theme: Theme, cells: int, *, landscape: bool) -> Sprite:
    """Return the sprite of a bar along the edge of the board, some cells long."""
    long, wide = cells * CELL_SIZE / 2 - 8, 4
    x, y = (long, wide) if landscape else (wide, long)
    sketch = Sketch(round(2 * x) + 4, round(2 * y) + 4, theme.space[0])
    sketch.box(((-x, -y), (x, y)), wide, theme.mark)
    return sketch.sprite(theme)
