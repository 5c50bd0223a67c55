"""The panels beside the board: the turn, the players, their dice and coins in hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import CHANCE
from engine.wormholes.board import ROWS
from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import UNKNOWN, WormholesView
from render.cards import Side, card, result_status
from render.i18n import NC_
from render.renderer import Names
from render.sprites import Board, Point
from render.text import drawable, drawable_translation, measure, text_sprite, truncate_to_width
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import CELL_SIZE, COLUMNS, HEADER_HEIGHT, Layout
from render.wormholes.pieces import DIE_SIZE, hull

TURN_TEXT_SIZE = 60
"""Size of text."""

TURN_PLACE = {True: (2.05, 0.8), False: (8, 0.8)}
"""Where the turn stands, in cells from the corner of the board's frame: landscape, portrait."""

TURN_WIDTH = 260
"""Maximum width of the turn in pixels: longer words are smaller, beside the letters of rows."""

SCORE_DEPTH = 78
"""Pixels from the word for the setup down to the score of the setup roll."""

TICK_PLACE = (-38, 36)
"""The middle of the tick on a used die, from the die's middle."""

NAME_SIZE = 36
"""Size of the name of a base's owner."""

OWNERS = "OODD"
"""The owner of each suit's ship."""

SIDES = {
    seat: Side(name, tuple(hull(seat, 1)))
    for seat, name in zip(SEATS, ("OrthogonAliens", "DiagonAliens"), strict=True)
}

STATUS_TEXTS = {
    "rolloff": NC_("status", "to roll"),
    "first": NC_("status", "to choose"),
    "place": NC_("status", "to place"),
    "lay": NC_("status", "to place"),
    "study": NC_("status", "to look"),
    "declare": NC_("status", "to decide"),
    "roll": NC_("status", "to roll"),
    "act": NC_("status", "to move"),
    "jump": NC_("status", "to jump"),
    "send": NC_("status", "to decide"),
}


def draw(board: Board, view: WormholesView, names: Names, theme: Theme, where: Layout) -> None:
    """Draw everything beside the board."""
    width = where.size[0]
    seats = SEATS[::-1] if where.turned else SEATS
    for place, seat in enumerate(seats):
        status = _status(view, seat)
        ships = tuple(
            pieces.ship(theme, suit, pieces.TWIN_SHIP)
            for suit, owner in zip(SUITS, OWNERS, strict=True)
            if owner == seat
        )
        passed = any(event.kind == "passed" and seat in event.facts for event in view.story)
        sprite = card(
            theme,
            names[seat],
            SIDES[seat],
            status,
            width // 2 - 24,
            tokens=ships,
            note=drawable_translation(NC_("status", "passed")) if passed else "",
        )
        board.put(sprite, (width / 4 + place * width / 2 + 4 - 8 * place, HEADER_HEIGHT / 2 - 6))
    middle = where.at(*TURN_PLACE[where.landscape])
    turn = (
        drawable_translation("Turn {number}").format(number=view.turn)
        if view.turn
        else drawable_translation(NC_("phase", "Setup"))
    )
    size = int(min(1, TURN_WIDTH / measure(turn, TURN_TEXT_SIZE)) * TURN_TEXT_SIZE)
    board.put(text_sprite(theme, turn, size, theme.text, theme.space[1]), middle)
    if view.phase == "first":
        score = " : ".join(map(str, _first_rolls(view, seats)))
        text = text_sprite(theme, score, TURN_TEXT_SIZE, theme.text, theme.space[1])
        board.put(text, (middle[0], middle[1] + SCORE_DEPTH))
    for place, die in enumerate(view.dice):
        if die.value == UNKNOWN:
            continue
        at = (middle[0] + (place - 0.5) * DIE_SIZE[0], middle[1] + 108)
        board.put(pieces.die(theme, die.suit, die.value, spent=die.spent or die.stuck), at)
        if die.spent:
            board.put(pieces.tick(theme), (at[0] + TICK_PLACE[0], at[1] + TICK_PLACE[1]))
    if any(view.left):
        _hands(board, view, theme, where)
    else:
        _owners(board, names, theme, where)


def _first_rolls(view: WormholesView, seats: Sequence[str]) -> list[int]:
    """Return the sums of the setup roll, in the order of the cards (W3.2)."""
    *_, (*rolls, _winner) = (event.facts for event in view.story if event.kind == "rolloff")
    return [
        sum(int(roll[1]) for roll in rolls if OWNERS[SUITS.index(roll[0])] == seat)
        for seat in seats
    ]


def _owners(board: Board, names: Names, theme: Theme, where: Layout) -> None:
    """Name the bases by their owners."""
    for place, seat in enumerate(SEATS):
        name = drawable(names[seat], SIDES[seat].name)
        room = 4 * CELL_SIZE if where.landscape else 2 * CELL_SIZE - 8
        text = truncate_to_width(name, NAME_SIZE, room)
        sprite = text_sprite(theme, text, NAME_SIZE, theme.seats[place], theme.space[1])
        x, y = where.place(9.5, 2.5) if place == 0 else where.place(1.5, ROWS - 1.5)
        way = 1 if (place == 0) != where.turned else -1
        if where.landscape:
            board.put(sprite, (x + way * (16 + sprite.page.width / 2), y + way * CELL_SIZE / 2))
        else:
            board.put(sprite, (x, y - way * 30))


def _status(view: WormholesView, seat: str) -> str:
    """Return the decision of a player, or the result."""
    if view.result:
        return result_status(view, seat)
    acts = seat in view.pending or (view.pending == CHANCE and view.turn_seat == seat)
    return drawable_translation(STATUS_TEXTS[view.phase]) if acts else ""


def _hands(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Draw the coins in hand beside the board near their base, with values if known."""
    for suit, value, at in in_hand(view, where):
        board.put(pieces.coin(theme, "suit", suit, value, where.axis(suit)), at)


def in_hand(view: WormholesView, where: Layout) -> Iterator[tuple[str, str, Point]]:
    """Yield suit, value and point of all coins in hand."""
    for place, (suit, count) in enumerate(zip(SUITS, view.left, strict=True)):
        seen_values = [name[1] for name in view.hand if name[0] == suit]
        values = [*seen_values, *UNKNOWN * (count - len(seen_values))]
        for slot, value in enumerate(values):
            x, y = 9 + place % 2, 4 + slot
            if suit not in SUITS[:2]:
                x, y = COLUMNS + 1 - x, ROWS + 1 - y
            yield suit, value, where.place(x, y)
