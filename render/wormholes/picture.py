"""The Wormholes board as a PNG: ready-made sprites copied onto a ready-made background."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PIL import Image

from engine.game import Action
from engine.wormholes.view import UNKNOWN, Coin, Ship, WormholesView
from render.palette import palette
from render.png import encode
from render.renderer import Names, Style
from render.sprites import Board, Sprite
from render.themes import Theme
from render.wormholes import areas, arrows, marks, pieces, player_panels
from render.wormholes.background import background, small_background
from render.wormholes.colours import THEMES
from render.wormholes.layout import CELL_SIZE, Layout, layout
from render.wormholes.marks import NAME_ROOM
from render.wormholes.pieces import FULL_SHIP, SMALL_SHIP, TWIN_SHIP
from render.zoom import Box, around, enlarged


def draw(view: WormholesView, names: Names, style: Style, actions: Sequence[Action] = ()) -> bytes:
    """Return the board as PNG bytes."""
    theme, where = THEMES[style.theme], layout(style, view.seat)
    board = drawn(view, names, style, actions)
    if box := zoom_box(view, actions, where):
        return encode(enlarged(board.page, theme, box), palette(theme).flat)
    return encode(board.page, palette(theme).flat, board.rows)


def zoom_box(view: WormholesView, actions: Sequence[Action], where: Layout) -> Box | None:
    """Return the part of the board with the area of the spaces to choose from."""
    spaces = areas.spaces_of(actions)
    if len(spaces) < 2 or areas.groups(view, actions):
        return None
    (left, top), (right, bottom) = where.at(0, 0), where.at(*where.cells)
    box = around([where.space(space) for space in spaces], 1.5 * CELL_SIZE)
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
) -> Board:
    """Draw the board, full-size or small."""
    theme, where = THEMES[style.theme], layout(style, view.seat)
    ground = small_background(theme, where) if small else background(theme, where)
    board = Board(*ground.copy(), small=small)
    player_panels.draw(board, view, names, theme, where)
    named = marks.draw_below(board, view, actions, theme, where)
    arrows.draw_lines(board, view, theme, where)
    _coins(board, view, theme, where, named)
    _ships(board, view, theme, where, named)
    goals = marks.ends_of(view, actions)
    numbers = arrows.draw_heads(board, view, theme, where, goals)
    marks.draw_above(board, view, actions, theme, where, numbers=numbers)
    return board


def _coins(
    board: Board, view: WormholesView, theme: Theme, where: Layout, named: Collection[str]
) -> None:
    """Draw the coins: small beside ships, and above the names of spaces."""
    crews = _crews(view)
    for coin in view.coins:
        x, y = where.space(coin.space)
        crew = len(crews.get(coin.space, ()))
        if crew:
            x, y = (x + 16, y + 16) if crew == 1 else (x, y + 17)
        elif coin.space in named:
            y -= NAME_ROOM
        board.put(_coin(theme, coin, where, small=crew > 0 or coin.space in named), (x, y))


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
            half, y = TWIN_SHIP, y - 12 * on_coin
        elif on_coin:
            half, x, y = SMALL_SHIP, x - 10, y - 10
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
