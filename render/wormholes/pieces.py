"""Coins, ships, dice and marks of Wormholes, each drawn once for a theme."""

from __future__ import annotations

from functools import cache, lru_cache
from math import hypot

from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import UNKNOWN
from render import markers
from render.painted import painted
from render.sprites import Point, Sketch, Sprite
from render.text import text_sprite
from render.themes import Colour, Theme, mix
from render.wormholes.emblems import emblem
from render.wormholes.layout import CELL_SIZE, Step

GAME = "wormholes"

HOLE = "0"

LARGE_COIN_RADIUS, SMALL_COIN_RADIUS = 26.0, 21.0
"""Radius of a coin: alone, and beside a ship that stands on it."""

VALUE_SIZES = {LARGE_COIN_RADIUS: 46, SMALL_COIN_RADIUS: 44}
"""Size of a coin's value, by radius: 9 pixels high in a picture 400 pixels wide.

It fills the coin: with its value known, a coin's suit is told by the rim's axis and colour.
"""

HOLE_SHARE = 0.56
"""Radius of the black hole on a coin with its suit up, compared with the coin's."""

FULL_SHIP, SMALL_SHIP, TWIN_SHIP = 28.0, 23.0, 19.0
"""Half a ship's width: alone, on a coin, two on a space."""

STATE_RADIUS = 15.0
"""Radius of the sign of a ship's state: 9 pixels across in a picture 400 pixels wide."""

WEDGE_WIDTH, WEDGE_LENGTH = 32.0, 20.0
"""Size of the wedges at both ends of the axis of a coin that shares its space with ships."""

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
    size, radius = ("small", SMALL_COIN_RADIUS) if small else ("large", LARGE_COIN_RADIUS)
    face = "suit" if up == "suit" else "hole" if value == HOLE else "value"
    shape = f"{suit}{axis[0]}{axis[1]}" if axis else UNKNOWN
    sprite = painted(GAME, theme, f"coin-{face}-{shape}-{size}").copy()
    if face == "suit":
        content = (
            painted(GAME, theme, f"emblem-{suit}-{size}")
            if value == UNKNOWN
            else _number(theme, value, radius, face)
        )
        sprite.write((0, 0), content)
    elif face == "value":
        sprite.write((0, 0), _number(theme, value, radius, face))
    return sprite


@lru_cache(maxsize=32)
def wedge(theme: Theme, suit: str, way: Step) -> Sprite:
    """Return the sprite of a wedge that points one way along a coin's axis."""
    length = hypot(*way)
    x, y = way[0] / length, way[1] / length
    sketch = Sketch(56, 56, theme.tile)
    for rim, shade in ((3.0, theme.edge), (0.0, colour(theme, suit))):
        long, wide = WEDGE_LENGTH / 2 + rim, WEDGE_WIDTH / 2 + rim
        ends = ((long, 0.0), (-long, wide), (-long, -wide))
        sketch.polygon([(a * x - b * y, a * y + b * x) for a, b in ends], shade)
    return sketch.sprite(theme)


def _number(theme: Theme, value: str, radius: float, face: str) -> Sprite:
    """Return a value that fills a coin; a null with its suit up is a small black hole."""
    if value == HOLE:
        return _small_hole(theme, radius * HOLE_SHARE)
    ink, ground = (theme.ink, theme.paper) if face == "suit" else (theme.paper, theme.metal)
    return text_sprite(theme, value, VALUE_SIZES[radius], ink, ground)


@cache
def _small_hole(theme: Theme, radius: float) -> Sprite:
    sketch = Sketch(round(2 * radius) + 4, round(2 * radius) + 4, theme.paper)
    sketch.disc((0, 0), radius, theme.glow)
    sketch.disc((0, 0), radius * 0.58, theme.hole)
    return sketch.sprite(theme)


@cache
def medal(theme: Theme, suit: str) -> Sprite:
    """Return a suit's emblem on a small coin, for the rose of axes."""
    sketch = Sketch(40, 40, theme.space[1])
    for radius, shade in ((18.0, theme.edge), (16.5, colour(theme, suit)), (13.0, theme.paper)):
        sketch.disc((0, 0), radius, shade)
    emblem(sketch, suit, (0, 0), 10, (theme.ink, theme.paper))
    return sketch.sprite(theme)


def hull(seat: str, half: float) -> list[Point]:
    """Return the outline of a ship: a broad cross or a star by faction."""
    square = [
        (-0.46, -1.08), (0.46, -1.08), (0.6, -0.6), (1.08, -0.46),
        (1.08, 0.46), (0.6, 0.6), (0.46, 1.08), (-0.46, 1.08),
        (-0.6, 0.6), (-1.08, 0.46), (-1.08, -0.46), (-0.6, -0.6),
    ]  # fmt: skip
    star = [
        (0, -1.24), (0.5, -0.5), (1.24, 0), (0.5, 0.5),
        (0, 1.24), (-0.5, 0.5), (-1.24, 0), (-0.5, -0.5),
    ]  # fmt: skip
    return [(half * x, half * y) for x, y in (square if seat == SEATS[0] else star)]


def ship(theme: Theme, suit: str, half: float) -> Sprite:
    """Return the sprite of a ship: its shape shows the faction, its emblem the suit.

    Args:
        theme: the colours.
        suit: `S`, `M`, `C` or `A`.
        half: half of its width in pixels.
    """
    return painted(GAME, theme, f"ship-{suit}-{half:g}")


@cache
def state(theme: Theme, mark: str) -> Sprite:
    """Return the sprite of a ship's state: a crossed die, a coin that was used, or a flag.

    Its shape distinguishes it from a coin under the ship.

    Args:
        theme: the colours.
        mark: `o` if it owes a turn, `a` if it has used a coin, `l` if it has landed.
    """
    radius = STATE_RADIUS
    sketch = Sketch(round(2 * radius) + 6, round(2 * radius) + 6, theme.tile)
    if mark == "o":
        for half, shade in ((radius + 1.5, theme.ink), (radius, theme.paper)):
            sketch.box(((-half, -half), (half, half)), half * 0.4, shade)
        for slope in (1, -1):
            reach = radius * 0.52
            sketch.bar((-reach, -reach * slope), (reach, reach * slope), radius * 0.36, theme.ink)
        return sketch.sprite(theme)
    sketch.disc((0, 0), radius + 1.5, theme.ink)
    sketch.disc((0, 0), radius, theme.paper)
    if mark == "a":
        sketch.disc((0, 0), radius * 0.6, theme.ink)
        sketch.disc((0, 0), radius * 0.3, theme.paper)
    else:
        left, low = -radius * 0.3, radius * 0.6
        sketch.bar((left, low), (left, -low), radius * 0.2, theme.ink)
        flag = ((left, -radius * 0.7), (radius * 0.65, -radius * 0.32), (left, radius * 0.08))
        sketch.polygon(flag, theme.ink)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def ghost(theme: Theme, suit: str, seat: str) -> Sprite:
    """Return the sprite of a ship's former position, its outline."""
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    fill = mix(colour(theme, suit), theme.tile, 0.35)
    sketch.polygon(hull(seat, 27), fill)
    sketch.polygon(hull(seat, 22.5), mix(colour(theme, suit), theme.tile, 0.85))
    return sketch.sprite(theme)


DIE_SIZE = (144, 144)
"""Width and height of a die's sprite."""

DIE_TEXT_SIZE = 92
"""Size of a die's value."""

DIE_VALUE = (14.0, 12.0)
"""The middle of a die's value, from the die's middle."""


@lru_cache(maxsize=256)
def die(theme: Theme, suit: str, value: str, *, spent: bool) -> Sprite:
    """Return the sprite of a die, hollow if it has no use now, crossed out if it was not rolled."""
    is_lost = value == "-"
    name = "lost" if is_lost else "spent" if spent else "ready"
    sprite = painted(GAME, theme, f"die-{suit}-{name}")
    if is_lost:
        return sprite
    sprite = sprite.copy()
    ink, ground = (theme.faint, theme.card) if spent else (theme.ink, colour(theme, suit))
    if value == HOLE:
        sprite.write(DIE_VALUE, _null(theme, ink, ground))
    else:
        sprite.write(DIE_VALUE, text_sprite(theme, value, DIE_TEXT_SIZE, ink, ground))
    return sprite


@cache
def tick(theme: Theme) -> Sprite:
    """Return the sign of a die that has been used."""
    sketch = Sketch(50, 44, theme.card)
    sketch.line(((-15, 1), (-5, 11), (15, -11)), 8, theme.text)
    return sketch.sprite(theme)


@cache
def _null(theme: Theme, ink: Colour, ground: Colour) -> Sprite:
    """Return the sign of a die's null."""
    sketch = Sketch(84, 84, ground)
    sketch.disc((0, 0), 28, ink)
    sketch.disc((0, 0), 20, ground)
    sketch.bar((-26, 28), (26, -28), 7, ink)
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


@lru_cache(maxsize=8)
def story_frame(theme: Theme) -> Sprite:
    """Return the frame around a coin that was placed or turned over."""
    half, long = CELL_SIZE / 2 - 4, 17
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    for x in (-1, 1):
        for y in (-1, 1):
            corner = (x * half, y * half)
            ends = ((corner[0] - x * long, corner[1]), (corner[0], corner[1] - y * long))
            sketch.line((ends[0], corner, ends[1]), 4, theme.story)
    return sketch.sprite(theme)


@cache
def ring(theme: Theme, width: int = markers.RING_WIDTH) -> Sprite:
    """Return the ring around a space that the viewer may choose; it lies below pieces."""
    half = CELL_SIZE / 2 - 2
    sketch = Sketch(CELL_SIZE, CELL_SIZE, theme.tile)
    inner = 1 + width
    for less, shade in ((0, theme.mark_text), (1, theme.mark), (inner, theme.mark_text)):
        corner = half - less
        sketch.box(((-corner, -corner), (corner, corner)), 14 - less, shade)
    corner = half - inner - 1
    sketch.hollow(((-corner, -corner), (corner, corner)), 14 - inner)
    return sketch.sprite(theme)


@lru_cache(maxsize=4)
def plate(theme: Theme, height: int) -> Sprite:
    """Return the ground of a name on a base, inside the ring: its emblem would show through."""
    half = CELL_SIZE / 2 - 6
    sketch = Sketch(CELL_SIZE, height, theme.tile)
    sketch.box(((-half, -height / 2), (half, height / 2)), 9, theme.tile)
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def origin(theme: Theme, suits: str, size: float) -> Sprite:
    """Return the emblems of the ships that can go to a space, in the colour of choices.

    Two are in opposite corners, so that they fit in the space's ring.
    """
    away = 0.62 * size * (len(suits) - 1)
    side = round(2 * (away + size)) + 8
    sketch = Sketch(side, side, theme.tile)
    for suit, shift in zip(suits, (-away, away), strict=False):
        emblem(sketch, suit, (shift, shift), size, (theme.mark, theme.tile))
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def tag(theme: Theme, suits: str, size: float) -> Sprite:
    """Return the same on the edge of a space with a piece."""
    wide = size * (1.15 * len(suits) + 0.35)
    sketch = Sketch(round(2 * wide) + 6, round(2.9 * size) + 4, theme.tile)
    high = size * 1.35
    sketch.box(((-wide - 2, -high - 2), (wide + 2, high + 2)), high, theme.mark_text)
    sketch.box(((-wide, -high), (wide, high)), high, theme.mark)
    for place, suit in enumerate(suits):
        x = (place - (len(suits) - 1) / 2) * 2.3 * size
        emblem(sketch, suit, (x, 0), size, (theme.mark_text, theme.mark))
    return sketch.sprite(theme)


@lru_cache(maxsize=32)
def bar(theme: Theme, cells: int, *, landscape: bool) -> Sprite:
    """Return the sprite of a bar along the edge of the board, some cells long."""
    long, wide = cells * CELL_SIZE / 2 - 8, 4
    x, y = (long, wide) if landscape else (wide, long)
    sketch = Sketch(round(2 * x) + 4, round(2 * y) + 4, theme.space[0])
    sketch.box(((-x, -y), (x, y)), wide, theme.mark)
    return sketch.sprite(theme)
