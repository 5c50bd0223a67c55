"""The Wormholes board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from engine.game import PUBLIC, Action
from engine.wormholes.board import BASES, XY
from engine.wormholes.pieces import SEATS
from engine.wormholes.view import UNKNOWN, Coin, Ship, WormholesView
from render import markers
from render.palette import palette
from render.png import encode
from render.renderer import Names, Style
from render.sprites import Board, Sprite
from render.themes import Theme
from render.wormholes import areas, arrows, marks, pieces, player_panels, small_map
from render.wormholes import ghosts as ghost_marks
from render.wormholes.background import background, small_background
from render.wormholes.colours import THEMES
from render.wormholes.layout import CELL_SIZE, Layout, Point, layout
from render.wormholes.marks import NAME_ROOM
from render.wormholes.pieces import FULL_SHIP, SMALL_SHIP, TWIN_SHIP
from render.zoom import Box, around, natural

AREA_CELLS, AREA_MARGIN = 7, 2
"""Least width and height of the part with the spaces to choose from in cells, and pixels around
it."""

COIN_SHIFT, SHIP_SHIFT = 15, 12
"""Pixels from the middle of a space to a coin and to a ship there, each to a corner of its own."""

COIN_SIGN_SHIFT = 40
"""Pixels from the middle of a ship beside a coin to the right, to the sign of its state."""

SIGN_SHARE, TWIN_SIGN_SHARE = 0.86, 1.3
"""Distance across and up from a ship to the sign of its state, or only up from one of two ships,
compared with half its width."""

TWIN_SHIFT = 20
"""Pixels from the middle of a space to either of two ships there, which hardly overlap then."""

WEDGE_SHIFTS = {1: 38, 2: 33}
"""Pixels across and down from a space's middle to a wedge of its coin: on a side, in a corner."""


def draw(
    view: WormholesView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    ghosts: Sequence[Action] = (),
) -> bytes:
    """Return the board as PNG bytes."""
    theme, where = THEMES[style.theme], layout(style, view.seat)
    board = drawn(view, names, style, actions, ghosts=ghosts)
    if box := zoom_box(view, actions, where):
        small_map.draw(board, areas.spaces_of(actions), theme, where)
        return encode(natural(board.page, theme, box), palette(theme).flat)
    return encode(board.page, palette(theme).flat, board.rows)


def zoom_box(view: WormholesView, actions: Sequence[Action], where: Layout) -> Box | None:
    """Return the part of the board with the area of the spaces to choose from.

    It is a square of whole cells, so that no coin beside the board is cut; at the edges of the
    board, it has the letters and numbers there. The spaces of the area that may not be chosen,
    above all bases, show where the others lie.
    """
    spaces = areas.spaces_of(actions)
    if len(spaces) < 2 or areas.groups(view, actions):
        return None
    spaces |= areas.around(spaces)
    (left, top), (across, down) = where.at(0, 0), where.cells
    points = [where.space(space) for space in spaces]
    columns = {int((x - left) // CELL_SIZE) for x, _ in points}
    rows = {int((y - top) // CELL_SIZE) for _, y in points}
    side = max(AREA_CELLS, max(columns) - min(columns) + 1, max(rows) - min(rows) + 1)
    column, row = _first_cell(columns, side, across), _first_cell(rows, side, down)
    box = around([where.at(column, row), where.at(column + side, row + side)], AREA_MARGIN)
    width, height = where.size
    return Box(
        0 if column == 0 else box.left,
        box.top,
        width if column + side == across else box.right,
        height if row + side == down else box.bottom,
    )


def _first_cell(cells: Collection[int], side: int, most: int) -> int:
    """Return the first of `side` cells in a row of `most`, around others."""
    centred = (min(cells) + max(cells) + 1 - side) // 2
    return max(0, min(centred, most - side))


def page(
    view: WormholesView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    small: bool = False,
) -> Image.Image:
    """Return the board as a page of palette indexes; see `drawn`."""
    return drawn(view, names, style, actions, small=small).page


def drawn(
    view: WormholesView,
    names: Names,
    style: Style,
    actions: Sequence[Action] = (),
    *,
    small: bool = False,
    ghosts: Sequence[Action] = (),
) -> Board:
    """Draw the board, full-size or small; for `ghosts` see `Renderer.picture`."""
    theme, where = THEMES[style.theme], layout(style, view.seat)
    ground = small_background(theme, where) if small else background(theme, where)
    board = Board(*ground.copy(), small=small)
    player_panels.draw(board, view, names, theme, where)
    _flags(board, view, theme, where)
    named = marks.draw_below(board, view, actions, theme, where)
    arrows.draw_lines(board, view, theme, where)
    ghost_marks.draw_lines(board, view, ghosts, theme, where)
    crews = _crews(view)
    beside = [coin for coin in view.coins if coin.space in crews]
    _coins(board, [coin for coin in view.coins if coin.space not in crews], theme, where, named)
    berths = tuple(_berths(view, where, named))
    for berth in berths:
        board.put(pieces.ship(theme, berth.ship.suit, berth.half), berth.at)
    for coin in beside:
        x, y = where.space(coin.space)
        _wedges(board, coin, theme, where)
        shift = COIN_SHIFT if len(crews[coin.space]) == 1 else 0
        board.put(_coin(theme, coin, where, small=True), (x + shift, y + COIN_SHIFT))
    _signs(board, berths, theme)
    goals = marks.ends_of(view, actions)
    numbers = arrows.draw_heads(board, view, theme, where, goals)
    marks.draw_above(board, view, actions, theme, where, numbers=numbers)
    ghost_marks.draw_ghosts(board, view, ghosts, theme, where)
    return board


def _flags(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Mark where ships have to land: the viewer's, or of spectators both players'."""
    for seat, goal, shade in zip(SEATS, reversed(BASES), theme.seats, strict=True):
        if view.seat in (seat, PUBLIC):
            for space in goal:
                board.put(markers.flag(theme, shade, theme.tile), where.place(*XY[space]))


def _coins(
    board: Board, coins: Iterable[Coin], theme: Theme, where: Layout, named: Collection[str]
) -> None:
    """Draw coins without ships: small ones above the names of spaces."""
    for coin in coins:
        x, y = where.space(coin.space)
        small = coin.space in named
        board.put(_coin(theme, coin, where, small=small), (x, y - NAME_ROOM * small))


def _coin(theme: Theme, coin: Coin, where: Layout, *, small: bool) -> Sprite:
    axis = None if coin.suit == UNKNOWN else where.axis(coin.suit)
    return pieces.coin(theme, coin.up, coin.suit, coin.value, axis, small=small)


def _wedges(board: Board, coin: Coin, theme: Theme, where: Layout) -> None:
    """Point in both ways of a coin that ships partly hide, if its suit is known."""
    if coin.suit == UNKNOWN:
        return
    x, y = where.space(coin.space)
    dx, dy = where.axis(coin.suit)
    for side in (1, -1):
        way = (side * dx, side * dy)
        away = WEDGE_SHIFTS[abs(dx) + abs(dy)]
        place = (x + away * way[0], y + away * way[1])
        board.put(pieces.wedge(theme, coin.suit, way), place)


def _crews(view: WormholesView) -> dict[str, list[Ship]]:
    """Return the ships on each space that has any."""
    crews: dict[str, list[Ship]] = {}
    for ship in view.ships:
        crews.setdefault(ship.space, []).append(ship)
    return crews


class _Berth(NamedTuple):
    """Where a ship is drawn.

    Attributes:
        ship: the ship.
        half: half of its width in pixels.
        at: its middle.
        signs: the middles of the signs of its state, the first one first.
    """

    ship: Ship
    half: float
    at: Point
    signs: tuple[Point, Point]


def _berths(view: WormholesView, where: Layout, named: Collection[str]) -> Iterator[_Berth]:
    """Yield the berth of each ship: beside another one, a coin or the name of a space, or alone."""
    coins = {coin.space: coin for coin in view.coins}
    for space, crew in _crews(view).items():
        x, y = where.space(space)
        coin = coins.get(space)
        if len(crew) > 1:
            y -= SHIP_SHIFT if coin else 0
            for side, ship in zip((-1, 1), crew, strict=True):
                yield _twin(ship, side, (x + side * TWIN_SHIFT, y))
        elif coin:
            yield _beside(crew[0], coin, where)
        else:
            half, high = (TWIN_SHIP, NAME_ROOM) if space in named else (FULL_SHIP, 0)
            y, away = y - high, SIGN_SHARE * half
            yield _Berth(crew[0], half, (x, y), ((x + away, y - away), (x - away, y - away)))


def _twin(ship: Ship, side: int, at: Point) -> _Berth:
    """Return the berth of one of two ships on a space; its signs hide no emblem."""
    x, y = at
    away = SIGN_SHARE * TWIN_SHIP
    signs = (x, y - TWIN_SIGN_SHARE * TWIN_SHIP), (x + side * away, y + away)
    return _Berth(ship, TWIN_SHIP, at, signs)


def _beside(ship: Ship, coin: Coin, where: Layout) -> _Berth:
    """Return the berth of a ship on a coin; the first sign leaves the coin's wedges in sight."""
    x, y = (middle - SHIP_SHIFT for middle in where.space(ship.space))
    away = SIGN_SHARE * SMALL_SHIP
    right, left = (x + COIN_SIGN_SHIFT, y - away), (x - away, y - away)
    is_taken = coin.suit != UNKNOWN and where.axis(coin.suit) == (1, -1)
    return _Berth(ship, SMALL_SHIP, (x, y), (left, right) if is_taken else (right, left))


def _signs(board: Board, berths: Iterable[_Berth], theme: Theme) -> None:
    """Draw the signs of ships' states, which no piece hides."""
    for ship, _half, _at, places in berths:
        states = ("o", ship.owes), ("a", ship.activated), ("l", ship.landed)
        letters = [letter for letter, is_true in states if is_true]
        for letter, place in zip(letters, places, strict=False):
            board.put(pieces.state(theme, letter), place)
