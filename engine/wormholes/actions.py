"""Tables of all actions. Legal lists share these objects."""

from __future__ import annotations

from itertools import product

from engine.game import CHANCE, OPEN_VALUE, Action
from engine.wormholes.board import DIRECTIONS, ENDS, FREE_FOR_COINS, SPACES
from engine.wormholes.pieces import COINS, SEATS, SUITS, VALUES, owner

FIRST: tuple[tuple[Action, ...], ...] = tuple(
    tuple(Action(seat, "first", (choice,)) for choice in ("move", "place")) for seat in SEATS
)
"""FIRST[seat]: choices of the winner of the setup roll (W3.2)."""

PLACE: tuple[tuple[Action, ...], ...] = tuple(
    tuple(Action(SEATS[coin // 12], "place", (name, SPACES[space])) for space in FREE_FOR_COINS)
    for coin, name in enumerate(COINS)
)
"""PLACE[coin]: one action for each space of FREE_FOR_COINS (W3.3)."""


READY: tuple[Action, ...] = tuple(Action(seat, "ready") for seat in SEATS)
"""READY[seat]: the seat has looked at its coins (W3.8)."""

LOT_LIST = (Action(CHANCE, "lot", (OPEN_VALUE,)),)
"""The draw for the first space where both seats have placed a coin (W3.7)."""

DEAL_LIST = (Action(CHANCE, "deal", tuple(name + OPEN_VALUE for name in COINS)),)
"""The spaces of all coins (W3.8)."""


def _of_ships(verb: str) -> tuple[Action, ...]:
    return tuple(Action(SEATS[owner(ship)], verb, (suit,)) for ship, suit in enumerate(SUITS))


ROLLS = _of_ships("rolls")
SKIPS = _of_ships("skips")
NULL = _of_ships("null")
KEEP: tuple[Action, ...] = tuple(
    Action(SEATS[1 - owner(target)], "keep", (suit,)) for target, suit in enumerate(SUITS)
)
"""By ship. KEEP is indexed by the ship that is kept, which belongs to the other seat (W7.1)."""

SEND: tuple[tuple[Action, ...], ...] = tuple(
    tuple(Action(SEATS[1 - owner(target)], "send", (suit, space)) for space in SPACES)
    for target, suit in enumerate(SUITS)
)
"""SEND[target][space]."""


def _straight(verb: str) -> tuple[dict[str, Action], ...]:
    return tuple(
        {way: Action(SEATS[owner(ship)], verb, (suit, way)) for way in DIRECTIONS}
        for ship, suit in enumerate(SUITS)
    )


MOVE = _straight("move")
JUMP = _straight("jump")
"""By ship and direction."""

MOVES: tuple[tuple[tuple[tuple[Action, ...], ...], ...], ...] = tuple(
    tuple(tuple(tuple(MOVE[ship][way] for way in ends) for ends in by_space) for by_space in ENDS)
    for ship in range(len(SUITS))
)
"""MOVES[ship][distance][space]: moves that stay on the board (W4.2)."""

REACH: tuple[tuple[frozenset[int], ...], ...] = tuple(
    tuple(frozenset(ends.values()) for ends in by_space) for by_space in ENDS
)
"""REACH[distance][space]: spaces where these moves end."""

ROLLOFF_LIST = (Action(CHANCE, "rolloff", tuple(f"{suit}?" for suit in SUITS)),)

ROLL_LISTS: dict[tuple[int, tuple[bool, bool]], tuple[Action, ...]] = {
    (seat, dice): (
        Action(
            CHANCE,
            "roll",
            tuple(
                SUITS[2 * seat + i] + ("?" if has_die else "-") for i, has_die in enumerate(dice)
            ),
        ),
    )
    for seat in (0, 1)
    for dice in ((True, True), (True, False), (False, True))
}
"""Legal list before a roll, by seat and the dice of its two ships."""

NO_DIE = -1
"""Value of a ship's die if the ship gets none in this turn."""

ROLL_VALUES: tuple[dict[tuple[str, ...], tuple[int, int]], ...] = tuple(
    {
        (SUITS[2 * seat] + first, SUITS[2 * seat + 1] + second): (
            VALUES.find(first),
            VALUES.find(second),
        )
        for first, second in product(VALUES + "-", repeat=2)
    }
    for seat in (0, 1)
)
"""ROLL_VALUES[seat][arguments of a roll]: values of both dice, NO_DIE for `-`."""
