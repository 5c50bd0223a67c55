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

NO_DIE = -1
"""Value of a ship's die if the ship gets none in this turn."""

_DICE: tuple[tuple[int, int], ...] = ((0, 0), (0, NO_DIE), (NO_DIE, 0))
"""The dice of both ships before a roll."""

_ROLLS: dict[tuple[int, tuple[int, ...]], tuple[tuple[str, ...], ...]] = {
    (seat, dice): tuple(
        tuple(
            SUITS[2 * seat + i] + value for value in ("-" if die == NO_DIE else OPEN_VALUE + VALUES)
        )
        for i, die in enumerate(dice)
    )
    for seat in (0, 1)
    for dice in _DICE
}
"""By seat and dice: what each ship's argument of a roll can be, first its open form."""

ROLL_LISTS: dict[tuple[int, tuple[int, ...]], tuple[Action, ...]] = {
    key: (Action(CHANCE, "roll", (first[0], second[0])),) for key, (first, second) in _ROLLS.items()
}
"""By seat and dice: the legal list before a roll."""

ROLL_VALUES: dict[tuple[int, tuple[int, ...]], dict[tuple[str, ...], tuple[int, int]]] = {
    key: {
        (one, other): (VALUES.find(one[1]), VALUES.find(other[1]))
        for one, other in product(first, second)
        if OPEN_VALUE not in one + other
    }
    for key, (first, second) in _ROLLS.items()
}
"""By seat and dice: arguments of a roll → values of both dice, NO_DIE for `-`."""
