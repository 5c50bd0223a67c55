"""The paintings for each game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.paint import emojis, tomtube, warp6, wormholes
from tools.paint.ground import Levels
from tools.paint.sheet import Painter


class Painting(NamedTuple):
    """The painted sprites and background of a game.

    Attributes:
        colours: number of colours of a sheet.
        ground: paints levels of light, given how many there are for clouds and for stars.
        emojis: returns its emojis as PNGs, by name.
    """

    painters: Callable[[], dict[str, Painter]]
    colours: int
    ground: Callable[[int, int], Levels]
    ground_name: str
    emojis: Callable[[], dict[str, bytes]] = dict


GAMES = {
    "wormholes": Painting(
        wormholes.painters, wormholes.COLOURS, wormholes.galaxy, "galaxy", emojis.suits
    ),
    "warp6": Painting(warp6.painters, warp6.COLOURS, warp6.ground, "terraces"),
    "tomtube": Painting(tomtube.painters, tomtube.COLOURS, tomtube.space, "space"),
}
"""Game → its painting."""
