"""Wormholes in OpenSpiel: numbers of actions, views as vectors, and lines of other worlds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from engine.game import Action
from engine.openspiel.support import OpenSpielSupport
from engine.openspiel.tensors import flags, one_hot, shared
from engine.wormholes.board import DIRECTIONS, FREE_FOR_COINS, INDEX, SPACES
from engine.wormholes.pieces import COIN_AT, COINS, EMPTY, SEATS, SUITS, VALUES
from engine.wormholes.state import State
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView

COINS_OF_A_SUIT = len(VALUES)
COINS_OF_A_SEAT = len(COINS) // len(SEATS)

_PHASES = (
    *("rolloff", "first", "place", "lay", "lot", "deal", "study", "declare", "roll", "act"),
    *("jump", "send", "over"),
)
_FACES = (*VALUES, "-", UNKNOWN)
_NO_COIN = [0] * (1 + len(SUITS) + len(VALUES))
_NO_DIE = [0] * (len(_FACES) + 2)


def _actions() -> Iterator[str]:
    yield from ("first move", "first place", "ready")
    for coin, space in product(COINS, FREE_FOR_COINS):
        yield f"place {coin} {SPACES[space]}"
    for verb, suit, way in product(("move", "jump"), SUITS, DIRECTIONS):
        yield f"{verb} {suit} {way}"
    for verb, suit in product(("null", "rolls", "skips", "keep"), SUITS):
        yield f"{verb} {suit}"
    for suit, name in product(SUITS, SPACES):
        yield f"send {suit} {name}"


def _observe(view: WormholesView) -> dict[str, Sequence[float]]:
    coins = {coin.space: coin for coin in view.coins}
    dice = {die.suit: die for die in view.dice}
    return {
        **shared(view),
        "phase": one_hot(view.phase, _PHASES),
        "turn": one_hot(view.turn_seat, SEATS),
        "ships": [number for ship in view.ships for number in _ship(ship)],
        "coins": [
            number
            for space in SPACES
            for number in (_coin(coins[space]) if space in coins else _NO_COIN)
        ],
        "hand": flags(view.hand, COINS),
        "left": [count / COINS_OF_A_SUIT for count in view.left],
        "laid": [count / COINS_OF_A_SEAT for count in view.laid],
        "dice": [
            number for suit in SUITS for number in (_die(dice[suit]) if suit in dice else _NO_DIE)
        ],
        "focus": one_hot(view.focus, SUITS),
        "target": one_hot(view.target, SUITS),
    }


def _ship(ship: Ship) -> list[int]:
    return [*one_hot(ship.space, SPACES), ship.owes, ship.activated, ship.landed]


def _coin(coin: Coin) -> list[int]:
    return [coin.up == "suit", *one_hot(coin.suit, SUITS), *one_hot(coin.value, VALUES)]


def _die(die: Die) -> list[int]:
    return [*one_hot(die.value, _FACES), die.spent, die.stuck]


def _lines_in(state: State, world: State, seat: str, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield the actions with the coins of the world.

    In place of a coin on the board comes the one that the world has on its space, in place of one
    that lies in secret any that lies so, and of one that was taken back one of its suit that is
    not on the board.
    """
    places = _places(state)
    secret = {
        side: iter([pair for pair in world.laid if SEATS[pair[0] // 12] == side]) for side in SEATS
    }
    for action in actions:
        if action.verb == "deal":
            yield action._replace(args=tuple(_dealt(world)))
        elif action.verb == "place" and action.actor != seat:
            coin, space = COINS.index(action.args[0]), INDEX[action.args[1]]
            if (coin, space) in state.laid:
                coin, space = next(secret[action.actor])
            elif coin in places:
                coin = COIN_AT[world.board[places[coin]]]
            else:
                coin = _off_board(world, coin)[_off_board(state, coin).index(coin)]
            yield action._replace(args=(COINS[coin], SPACES[space]))
        else:
            yield action


def _dealt(world: State) -> Iterator[str]:
    places = _places(world)
    return (name + SPACES[places[coin]] for coin, name in enumerate(COINS))


def _places(state: State) -> dict[int, int]:
    """Return the space of each coin on the board."""
    return {COIN_AT[at]: space for space, at in enumerate(state.board) if at != EMPTY}


def _off_board(state: State, coin: int) -> list[int]:
    """Return the coins of the suit of a coin that are not on the board."""
    placed = _places(state)
    first = coin - coin % 6
    return [candidate for candidate in range(first, first + 6) if candidate not in placed]


SUPPORT = OpenSpielSupport(
    actions=_actions,
    max_outcomes=len(FREE_FOR_COINS),
    observe=_observe,
    hidden_with=(),
    lines_in=_lines_in,
)
"""See `OpenSpielSupport`."""
