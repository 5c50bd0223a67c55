"""The lines of a match in another world, in which other seats have other secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.game import Action
from engine.warp6.pieces import KITS
from engine.wormholes.board import INDEX, SPACES
from engine.wormholes.pieces import COIN_AT, COINS, EMPTY, SEATS
from engine.wormholes.state import State


def lines_in(
    name: str, state: Any, world: Any, seat: str, actions: Sequence[Action]
) -> tuple[Action, ...]:
    """Return the actions that led to a world, by those that led to another one.

    Args:
        state: the position after `actions`.
        world: a state that a seat cannot distinguish from `state`.
    """
    if name == "wormholes":
        return tuple(_wormholes(state, world, seat, actions))
    if name == "warp6" and world.phase == "set":
        return tuple(_in_warp6(world, action) for action in actions)
    return tuple(actions)


def _wormholes(
    state: State, world: State, seat: str, actions: Sequence[Action]
) -> Iterator[Action]:
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


def _in_warp6(world: Any, action: Action) -> Action:
    """Return the action with the dice that the seats of the world have set."""
    if action.verb != "set":
        return action
    kit = KITS[world.seats]
    fleet = kit.own(kit.seats.index(action.actor))
    return action._replace(args=tuple(kit.names[die] + str(world.numbers[die]) for die in fleet))
