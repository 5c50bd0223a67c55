"""The panels around the board: the players and their supplies, the stock, the turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, sin, tau

from engine.game import CHANCE
from engine.tomtube.tables import KINDS, MAX_QUIET_TURNS, SEATS
from engine.tomtube.view import Astronaut, TomTubeView
from render.cards import Side, card, result_status
from render.chips import Box
from render.i18n import N_, NC_, ngettext
from render.renderer import Names
from render.sprites import Board, Point, Sketch, Sprite
from render.text import drawable_translation, text_sprite
from render.themes import Colour, Theme
from render.tomtube import pieces
from render.tomtube.layout import SINGLE, WORD_SIZE, Layout, towards
from render.tomtube.terms import COUNTER_NAMES
from render.tomtube.words import QUIET_TURNS_SHOWN

NUMBER_SIZE, TURN_TEXT_SIZE = 42, 44
"""Sizes of numbers and of the turn."""

STOCK_SPACING = 56
"""Pixels from one line of the stock to the next."""

STOCK_WIDTH, STOCK_TITLE_WIDTH = 246, 200
"""Pixels of a line of the stock with its word, and of the word above all lines."""

CARD_HALF, ROW_HALF, POINTS_WIDTH, TURN_WIDTH = 36, 28, 130, 200
"""Half the heights of a card and of a line below it; widths of its points and of the turn."""

ENTRY, WIDE, SIGN = 94, 112, 26
"""Widths of a sign with one digit, of one with two, and of half of the sign."""

SIDES = {
    "T": Side("Tom", tuple((cos(tau * i / 24), sin(tau * i / 24)) for i in range(24))),
    "D": Side("Dave", ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9))),
}
"""Round and square, like the helmets."""

STATUS_TEXTS = {
    "turn": NC_("status", "to move"),
    "draw": NC_("status", "draws"),
    "rhomb": NC_("status", "builds"),
    "fill": NC_("status", "fills"),
    "help": NC_("status", "fills"),
}


def draw(board: Board, view: TomTubeView, names: Names, theme: Theme, where: Layout) -> None:
    """Draw everything around the board."""
    for seat, astronaut in enumerate(view.astronauts):
        box = where.box(seat)
        status = _status(view, astronaut.seat)
        tokens = (pieces.token(theme, astronaut.seat),)
        sprite = card(
            theme, names[astronaut.seat], SIDES[astronaut.seat], status, box.width, tokens=tokens
        )
        board.put(sprite, box.card)
        _holdings(board, astronaut, theme, box.rows)
    _stock(board, view, theme, where.stock)
    turn = (
        drawable_translation("Turn {number}").format(number=view.turn)
        if view.turn
        else drawable_translation(NC_("phase", "Setup"))
    )
    if view.quiet >= QUIET_TURNS_SHOWN:
        turn += f" ({view.quiet}/{MAX_QUIET_TURNS})"
    text = text_sprite(theme, turn, TURN_TEXT_SIZE, theme.text, theme.space[1])
    put_left_aligned(board, text, where.turn)


def _stock(board: Board, view: TomTubeView, theme: Theme, start: Point) -> None:
    """Draw the supply of both players in signs, numbers and words."""
    x, y = start
    title = drawable_translation(N_("supply"))
    ink, ground = theme.faint, theme.space[1]
    sprite = text_sprite(theme, title, WORD_SIZE, ink, ground, width=STOCK_TITLE_WIDTH)
    put_left_aligned(board, sprite, (x, y - STOCK_SPACING))
    left = [
        (pieces.counter(theme, kind, ""), number, COUNTER_NAMES[kind])
        for kind, number in zip(KINDS, view.supply, strict=True)
        if number
    ]
    left.append((_stack(theme), len(view.stack), N_("rhombs")))
    for row, (sign, number, words) in enumerate(left):
        at = (x, y + STOCK_SPACING * row)
        _entries(board, [(sign, str(number))], theme, at)
        text = drawable_translation(words)
        room = STOCK_WIDTH - WIDE - 8
        sprite = text_sprite(theme, text, WORD_SIZE, ink, ground, width=room)
        put_left_aligned(board, sprite, (at[0] + WIDE + 8, at[1]))


def stack_place(view: TomTubeView, where: Layout) -> Point:
    """Return the point of the sign for the rhombs that can be drawn."""
    x, y = where.stock
    return x + SIGN, y + STOCK_SPACING * sum(map(bool, view.supply))


def boxes(view: TomTubeView, where: Layout) -> list[Box]:
    """Return the boxes of all words around the board, which other words should not cover."""
    x, y = where.stock
    rows = sum(map(bool, view.supply)) + 1
    top = y - 1.5 * STOCK_SPACING
    texts = [(x, top, x + STOCK_WIDTH, top + STOCK_SPACING * (rows + 1))]
    for seat, astronaut in enumerate(view.astronauts):
        box = where.box(seat)
        (card_x, card_y), half = box.card, box.width / 2
        texts.append((card_x - half, card_y - CARD_HALF, card_x + half, card_y + CARD_HALF))
        kinds = sum(map(bool, astronaut[2:6])) + (not astronaut.energy)
        for (left, middle), width in zip(
            box.rows, (WIDE * kinds, 2 * ENTRY + POINTS_WIDTH), strict=True
        ):
            texts.append((left, middle - ROW_HALF, left + width, middle + ROW_HALF))
    x, y = where.turn
    return [*texts, (x, y - ROW_HALF, x + TURN_WIDTH, y + ROW_HALF)]


def _status(view: TomTubeView, seat: str) -> str:
    """Return the decision of a player, or the result."""
    if view.result:
        return result_status(view, seat)
    acts = seat in view.pending or (view.pending == CHANCE and view.turn_seat == seat)
    if not acts and view.faster == seat:
        return drawable_translation("home +{bonus}").format(bonus=view.bonus)
    return drawable_translation(STATUS_TEXTS[view.phase]) if acts else ""


def _holdings(board: Board, astronaut: Astronaut, theme: Theme, rows: Sequence[Point]) -> None:
    """Draw counters in the first line (energy even if 0), and the rest in the second."""
    counters = [
        (pieces.counter(theme, kind, astronaut.seat), str(number))
        for kind, number in zip((*KINDS, "solar"), astronaut[2:6], strict=True)
        if number or kind == KINDS[0]
    ]
    _entries(board, counters, theme, rows[0])
    triangles = [
        (_triangle(theme, astronaut.seat), str(astronaut.tubes)),
        (_triangle(theme, "-"), str(astronaut.blanks)),
    ]
    _entries(board, triangles, theme, rows[1])
    points = ngettext("{count} pt", "{count} pts", astronaut.points).format(count=astronaut.points)
    x, y = rows[1]
    put_left_aligned(board, panel_text(theme, points, theme.text), (x + 2 * ENTRY + 16, y))


def _entries(
    board: Board, entries: Sequence[tuple[Sprite, str]], theme: Theme, start: Point
) -> None:
    """Draw signs with numbers from left to right."""
    x, y = start
    for sign, number in entries:
        board.put(sign, (x + SIGN, y))
        ink = theme.faint if number == "0" else theme.text
        put_left_aligned(board, panel_text(theme, number, ink), (x + 2 * SIGN + 5, y))
        x += ENTRY if len(number) == 1 else WIDE


def panel_text(theme: Theme, text: str, ink: Colour) -> Sprite:
    """Return the sprite of a line of text on the void."""
    return text_sprite(theme, text, NUMBER_SIZE, ink, theme.space[1])


def put_left_aligned(board: Board, text: Sprite, at: Point) -> None:
    """Draw a line of text that begins at a point."""
    board.put(text, (at[0] + text.page.width / 2, at[1]))


TILE_SCALE = 0.56
"""Size of a sign for tiles, compared with them."""


@lru_cache(maxsize=16)
def _triangle(theme: Theme, filling: str) -> Sprite:
    """Return the sprite of a sign for the triangles that a player has."""
    sketch = Sketch(64, 64, theme.space[1])
    radius = SINGLE * TILE_SCALE
    for less, shade in ((0, theme.tile_edge), (4, theme.tile)):
        corners = [towards(way, radius - less) for way in (3, 7, 11)]
        sketch.polygon([(x, y + 6) for x, y in corners], shade)
    if filling in SEATS:
        seat = SEATS.index(filling)
        gap = ((3, theme.tile),) * seat
        for width, shade in ((9, theme.lines[seat]), *gap):
            for way in (3, 7, 11):
                x, y = towards(way, radius - 9)
                sketch.bar((0, 6), (x, y + 6), width, shade)
    return sketch.sprite(theme)


@lru_cache(maxsize=4)
def _stack(theme: Theme) -> Sprite:
    """Return the sprite of a sign for the rhombs that are face down."""
    sketch = Sketch(64, 64, theme.space[1])
    for down in (7, 0, -7):
        for less, shade in ((0, theme.tile_edge), (3, theme.tile)):
            wide, high = 27 - 1.7 * less, 14 - less
            sketch.polygon(((-wide, down), (0, down - high), (wide, down), (0, down + high)), shade)
    return sketch.sprite(theme)
