"""Colour themes, shared by all games: dark (the default), light, high contrast.

Colours only help: a thing's kind must show in its shape as well. Tests hold every text to a
contrast of 4.5 : 1, and the suits to a distance that people with colour-vision deficiencies see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Colour = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of a theme; themes are compared by identity.

    Attributes:
        name: name as players choose it.
        space: the void, from darkest to the galaxy's glow.
        tiles: tiles, from the rim of the galaxy to its core.
        tile_edge, tile_line: around a tile, and between its spaces.
        shadow: shadow of painted pieces, on tiles.
        star: stars, and the lines of the compass.
        text, faint: text on the void and on cards; `faint` for less important ones.
        card: behind a player's name.
        accent: the edge of the acting player's card, and the ground of its status.
        edge: around pieces, to set them off from tiles.
        ink, paper: dark and bright parts of pieces.
        metal: the value side of a coin.
        hole, glow: a black hole and the matter that falls into it.
        suits: Suns, Moons, Crowns, Arms.
        seats: the pieces of the two sides, above all their bases.
        story, story_edge: arrows that show the last turn.
        mark, mark_text: the viewer's choices.
        lines: on tiles, paths that belong to each side; only for games with such paths.
        painted: colours of painted sprites.
        levels: levels of a painted background, from dark to bright, then its stars.
    """

    name: str
    space: tuple[Colour, ...]
    tiles: tuple[Colour, ...]
    tile_edge: Colour
    tile_line: Colour
    shadow: Colour
    star: Colour
    text: Colour
    faint: Colour
    card: Colour
    accent: Colour
    edge: Colour
    ink: Colour
    paper: Colour
    metal: Colour
    hole: Colour
    glow: Colour
    suits: tuple[Colour, Colour, Colour, Colour]
    seats: tuple[Colour, Colour]
    story: Colour
    story_edge: Colour
    mark: Colour
    mark_text: Colour
    lines: tuple[Colour, ...] = ()
    painted: tuple[Colour, ...] = ()
    levels: tuple[Colour, ...] = ()

    @property
    def tile(self) -> Colour:
        """The tile colour that the edges of pieces are smoothed for."""
        return self.tiles[len(self.tiles) // 2]


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours; `share` (0 … 1) is the share of the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _hex(words: str) -> tuple[Colour, ...]:
    numbers = (int(word, 16) for word in words.split())
    return tuple((number >> 16, number >> 8 & 255, number & 255) for number in numbers)


def _ramp(first: str, last: str, steps: int) -> tuple[Colour, ...]:
    one, other = _hex(f"{first} {last}")
    return tuple(mix(one, other, i / (steps - 1)) for i in range(steps))


def _one(word: str) -> Colour:
    return _hex(word)[0]


def _four(words: str) -> tuple[Colour, Colour, Colour, Colour]:
    first, second, third, fourth = _hex(words)
    return first, second, third, fourth


def _two(words: str) -> tuple[Colour, Colour]:
    first, second = _hex(words)
    return first, second


DARK = Theme(
    name="dark",
    space=_hex("04060e 080b1c 0c1029 131439 1f1a4e 2c2363 3a2b74 48337f 533a85"),
    tiles=_ramp("1d2645", "40477f", 5),
    tile_edge=_one("5a6aa3"),
    tile_line=_one("505f9a"),
    shadow=_one("080b1a"),
    star=_one("8f9cc9"),
    text=_one("f2f5ff"),
    faint=_one("aab6dc"),
    card=_one("10152e"),
    accent=_one("ffd66b"),
    edge=_one("1b2342"),
    ink=_one("0c1024"),
    paper=_one("f4f1e6"),
    metal=_one("161b33"),
    hole=_one("000000"),
    glow=_one("ff8a3c"),
    suits=_four("f4c12c c0e7ff d944c5 309a70"),
    seats=_two("ffcb4d ea63dc"),
    story=_one("ffffff"),
    story_edge=_one("0c1024"),
    mark=_one("5cf2d6"),
    mark_text=_one("06231f"),
)

LIGHT = Theme(
    name="light",
    space=_hex("f3f5fc eef0fa e8eaf8 e1e2f5 d9d8f1 cfcdec c4c0e6 b8b2df"),
    tiles=_ramp("ffffff", "f4f1fb", 4),
    tile_edge=_one("8a93b8"),
    tile_line=_one("c3c9de"),
    shadow=_one("a7aecb"),
    star=_one("a3a9cc"),
    text=_one("161b33"),
    faint=_one("4a527a"),
    card=_one("e3e7f5"),
    accent=_one("7a5200"),
    edge=_one("12162b"),
    ink=_one("12162b"),
    paper=_one("ffffff"),
    metal=_one("333b5e"),
    hole=_one("000000"),
    glow=_one("ff7a1f"),
    suits=_four("f4c12c c0e7ff d944c5 309a70"),
    seats=_two("a06a00 b0209c"),
    story=_one("1c2a78"),
    story_edge=_one("ffffff"),
    mark=_one("00705f"),
    mark_text=_one("ffffff"),
)

CONTRAST = Theme(
    name="contrast",
    space=_hex("000000 000000 000000 000000 000000 000000 060612 0a0a1c"),
    tiles=_ramp("1a1a1a", "1a1a1a", 2),
    tile_edge=_one("ffffff"),
    tile_line=_one("8c8c8c"),
    shadow=_one("000000"),
    star=_one("8c8c8c"),
    text=_one("ffffff"),
    faint=_one("e4e4e4"),
    card=_one("000000"),
    accent=_one("ffe600"),
    edge=_one("000000"),
    ink=_one("000000"),
    paper=_one("ffffff"),
    metal=_one("000000"),
    hole=_one("000000"),
    glow=_one("ff8a3c"),
    suits=_four("f4c12c c0e7ff d944c5 309a70"),
    seats=_two("ffd60a ff5cf0"),
    story=_one("ffffff"),
    story_edge=_one("000000"),
    mark=_one("00ffd0"),
    mark_text=_one("000000"),
)

THEMES: dict[str, Theme] = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST)}
"""Themes by name, the default first."""


def pairs(theme: Theme) -> Sequence[tuple[Colour, Colour]]:
    """Return the colours that meet at smoothed edges, for the palette's steps in between."""
    tile, void = theme.tile, theme.space[1]
    inks = (theme.ink, theme.paper, theme.metal)
    pieces = [
        *((suit, ground) for suit in theme.suits for ground in (theme.ink, theme.paper, tile)),
        *((suit, theme.metal) for suit in theme.suits),
        *((ink, tile) for ink in (*inks, theme.edge)),
        *((suit, theme.edge) for suit in theme.suits),
        (theme.ink, theme.paper),
        (theme.paper, theme.metal),
        (theme.tile_edge, void),
        (theme.tile_edge, tile),
        (theme.star, void),
        (theme.glow, theme.hole),
        (theme.glow, tile),
    ]
    return [
        *(() if theme.painted else pieces),
        *((theme.text, ground) for ground in (void, theme.card)),
        *((theme.faint, ground) for ground in (void, theme.card)),
        (theme.accent, theme.card),
        (theme.story, theme.story_edge),
        (theme.story, tile),
        (theme.mark, tile),
        (theme.mark, theme.mark_text),
        *((line, tile) for line in theme.lines),
    ]
