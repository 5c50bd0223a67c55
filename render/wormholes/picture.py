"""The Wormholes board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
from render.wormholes import areas, arrows, marks, pieces, player_panels
from render.wormholes import ghosts as ghost_marks
from render.wormholes.background import background, small_background
from render.wormholes.colours import THEMES
from render.wormholes.layout import CELL_SIZE, Layout, layout
from render.wormholes.marks import NAME_ROOM
from render.wormholes.pieces import FULL_SHIP, SMALL_SHIP, TWIN_SHIP
from render.zoom import Box, around, with_map

ZOOM_MARGIN = 0.9 * CELL_SIZE
"""Pixels from the middles of the spaces to choose from to the edge of the part with them."""

COIN_SHIFT, SHIP_SHIFT = 15, 12
"""Pixels from the middle of a space to a coin and to a ship there, each to a corner of its own."""


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
        return encode(with_map(board.page, theme, box), palette(theme).flat)
    return encode(board.page, palette(theme).flat, board.rows)


def zoom_box(view: WormholesView, actions: Sequence[Action], where: Layout) -> Box | None:
    """Return the part of the board with the area of the spaces to choose from.

    The spaces of the area that may not be chosen, above all bases, show where the others lie.
    """
    spaces = areas.spaces_of(actions)
    if len(spaces) < 2 or areas.groups(view, actions):
        return None
    spaces |= areas.around(spaces)
    (left, top), (right, bottom) = where.at(0, 0), where.at(*where.cells)
    box = around([where.space(space) for space in spaces], ZOOM_MARGIN)
    return Box(
        max(box.left, left), max(box.top, top), min(box.right, right), min(box.bottom, bottom)
    )


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
    _ships(board, view, theme, where, named)
    for coin in beside:
        x, y = where.space(coin.space)
        shift = COIN_SHIFT if len(crews[coin.space]) == 1 else 0
        board.put(_coin(theme, coin, where, small=True), (x + shift, y + COIN_SHIFT))
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


def _crews(view: WormholesView) -> dict[str, list[Ship]]:
    """Return the ships on each space that has any."""
    crews: dict[str, list[Ship]] = {}
    for ship in view.ships:
        crews.setdefault(ship.space, []).append(ship)
    return crews


def _ships(
    board: Board, view: WormholesView, theme: Theme, where: Layout, named: Collection[str]
) -> None:
    coins = {coin.space for coin in view.coins}
    for space, crew in _crews(view).items():
        x, y = where.space(space)
        half = FULL_SHIP
        on_coin = space in coins
        if len(crew) > 1:
            half, y = TWIN_SHIP, y - SHIP_SHIFT * on_coin
        elif on_coin:
            half, x, y = SMALL_SHIP, x - SHIP_SHIFT, y - SHIP_SHIFT
        elif space in named:
            half, y = TWIN_SHIP, y - NAME_ROOM
        for place, ship in enumerate(crew):
            shift = 0 if len(crew) == 1 else 17 * (2 * place - 1)
            board.put(pieces.ship(theme, ship.suit, half), (x + shift, y))
            states = ("o", ship.owes), ("a", ship.activated), ("l", ship.landed)
            flags = [letter for letter, true in states if true]
            for number, flag in enumerate(flags):
                away = half * 0.86 * (1 - 2 * number)
                board.put(pieces.state(theme, flag), (x + shift + away, y - half * 0.86))
