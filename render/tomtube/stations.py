"""The six stations: a deck with its owner's rim, the fork, both gates, a house or a module."""

from __future__ import annotations

from functools import cache

from PIL import Image

from engine.game import PUBLIC
from engine.tomtube.lattice import (
    DIRECTIONS,
    FORKS,
    GATES,
    MIDDLES,
    STATION_NAMES,
    TRIANGLE_CORNERS,
    TRIANGLES,
)
from engine.tomtube.tables import SEATS, STATIONS
from engine.tomtube.view import TomTubeView
from render import markers
from render.painted import painted
from render.sprites import Board, Sprite
from render.text import text_sprite
from render.themes import Theme
from render.tomtube import tiles
from render.tomtube.layout import Layout
from render.tomtube.tiles import GAME, HALF_TURN

SIGN_TEXT_SIZE = 32
"""Size of the letter of a station."""


def draw(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw all stations."""
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        seat = SEATS[station.owner]
        inwards = where.inwards(middle, fork)
        painted(GAME, theme, f"dock-{seat}-{(inwards - 3) // 2 % 6}").put(page, where.knot(middle))
        _fork(page, theme, where, fork, seat)
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        names = STATION_NAMES[station.owner]
        name = next(name for name, knot in names.items() if knot == middle)
        along = (where.inwards(middle, fork) + 3) // 2 % 3
        sign(theme, SEATS[station.owner], name, along).put(page, where.sign(station, middle, fork))
    for gate in GATES:
        tiles.sphere(theme).put(page, where.knot(gate))


def draw_flags(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Mark where astronauts have to get: the viewer's, or of spectators both players'."""
    for seat in goal_seats(view):
        shade = theme.lines[SEATS.index(seat)]
        board.put(markers.flag(theme, shade, theme.space[0]), where.flag(seat))


def goal_seats(view: TomTubeView) -> list[str]:
    """Return the players whose base has a flag."""
    return [seat for seat in SEATS if view.seat in (seat, PUBLIC)]


def _fork(page: Image.Image, theme: Theme, where: Layout, fork: int, owner: str) -> None:
    """Draw tubes from both gates for all, and one to the middle for the owner (T1.5)."""
    arms = [
        tiles.Arm(
            where.way((corner.way + HALF_TURN) % DIRECTIONS),
            "single",
            owner if corner.knot in MIDDLES else SEATS,
        )
        for corner in TRIANGLE_CORNERS[fork]
    ]
    tiles.put_arms(page, theme, arms, where.mean(TRIANGLES[fork]))
    tiles.joint(theme).put(page, where.mean(TRIANGLES[fork]))


@cache
def sign(theme: Theme, seat: str, name: str, along: int) -> Sprite:
    """Return the sprite of a station: a house for the base, a module with two panels.

    Args:
        theme: the colours.
        seat: the owner's seat.
        name: name of the station in the notation.
        along: direction of its panels, in sixths of a turn.
    """
    number = name[-1] if name[-1].isdecimal() else ""
    kind = f"module-{seat}-{along}" if number else f"base-{seat}"
    sprite = painted(GAME, theme, kind).copy()
    text = text_sprite(theme, seat + number, SIGN_TEXT_SIZE, theme.paper, theme.ink)
    sprite.write((0, 0), text)
    return sprite
