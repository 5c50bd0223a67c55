"""Views and redacted records: who may know which coin (W2.3, W3.4, W9)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from engine.game import PUBLIC, Action
from engine.wormholes.actions import (
    FIRST,
    JUMP,
    KEEP,
    MOVE,
    NO_DIE,
    NULL,
    PLACE,
    ROLLS,
    SEND,
    SKIPS,
)
from engine.wormholes.board import FREE_FOR_COINS, INDEX, SPACES
from engine.wormholes.pieces import (
    COIN_AT,
    COINS,
    EMPTY,
    SEATS,
    SUIT_UP,
    SUITS,
    VALUES,
    owner,
)
from engine.wormholes.rules import is_usable, laid_by, landed_on, legal, pending
from engine.wormholes.state import Draft, State
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView

GAME = "wormholes"


def view(state: State, seat: str = PUBLIC) -> WormholesView:
    """Return the view of a seat or of the public."""
    pending_seats = pending(state)
    over = state.phase == "over"
    return WormholesView(
        game=GAME,
        rules=state.rules,
        options=(("notes", "on" if state.notes else "off"), ("placing", state.placing)),
        seats=SEATS,
        seat=seat,
        pending=pending_seats,
        turn=state.number,
        legal=_legal(state, seat, pending_seats),
        story=state.story,
        offer=state.offer,
        result=state.result,
        phase=state.phase,
        turn_seat="" if state.phase in _SIMULTANEOUS else SEATS[state.turn],
        ships=tuple(_ship(state, ship) for ship in range(4)),
        coins=tuple(
            _coin(state, seat, space, at)
            for space, at in enumerate(board_of(state, seat))
            if at != EMPTY
        ),
        hand=tuple(
            name
            for coin, name in enumerate(COINS)
            if state.hand >> coin & 1 and (over or SEATS[coin // 12] == seat)
        ),
        left=tuple(_left(state, seat, suit) for suit in range(4)),
        laid=(len(laid_by(state, 0)), len(laid_by(state, 1))),
        dice=tuple(_die(state, die) for die in range(len(state.dice))),
        focus=SUITS[state.focus] if state.focus >= 0 else "",
        target=SUITS[landed_on(state)] if state.phase == "send" else "",
    )


def revealed_view(state: State) -> WormholesView:
    """Return the public view with both sides of all coins, and those placed in secret."""
    board = board_of(state, SEATS)
    coins = [(space, at, COINS[COIN_AT[at]]) for space, at in enumerate(board) if at != EMPTY]
    return replace(
        view(state),
        coins=tuple(
            Coin(SPACES[space], "suit" if at in SUIT_UP else "value", name[0], name[1])
            for space, at, name in coins
        ),
    )


_SIMULTANEOUS = frozenset({"rolloff", "lay", "lot", "deal", "study"})
"""Phases where no seat is on turn."""


def _legal(state: State, seat: str, pending_seats: str) -> tuple[Action, ...]:
    if seat == pending_seats:
        return legal(state) if seat else ()
    return (
        tuple(action for action in legal(state) if action.actor == seat)
        if seat in pending_seats
        else ()
    )


def board_of(state: Draft, seats: str) -> str:
    """Return the board with the coins that some seats have placed in secret (W3.7)."""
    board = state.board
    for coin, space in state.laid:
        if SEATS[coin // 12] in seats:
            board = board[:space] + SUIT_UP[coin] + board[space + 1 :]
    return board


def _ship(state: State, ship: int) -> Ship:
    return Ship(
        SUITS[ship],
        SEATS[owner(ship)],
        SPACES[state.ships[ship]],
        bool(state.owes >> ship & 1),
        bool(state.activated >> ship & 1),
        bool(state.landed >> ship & 1),
    )


def _coin(state: State, seat: str, space: int, letter: str) -> Coin:
    name = COINS[COIN_AT[letter]]
    suit, value = name[0], name[1]
    up = "suit" if letter in SUIT_UP else "value"
    if not knows(state, seat, COIN_AT[letter]):
        suit, value = (suit, UNKNOWN) if up == "suit" else (UNKNOWN, value)
    return Coin(SPACES[space], up, suit, value)


def knows(state: State, seat: str, coin: int) -> bool:
    """Return whether this seat is shown both sides of a placed coin (W3.4, W9.2)."""
    if state.phase == "over":
        return True
    is_own = SEATS[coin // 12] == seat
    if is_own and (state.phase == "study" or coin in laid_by(state, coin // 12)):
        return True
    if not state.notes or not seat:
        return False
    return is_own or bool(state.seen >> coin & 1)


def plannable(state: State, seat: str) -> tuple[Action, ...]:
    """See `Game.plannable`: coins in hand on free spaces; everything that ships can ever do."""
    player, board = SEATS.index(seat), board_of(state, seat)
    actions = list(FIRST[player]) if state.phase in ("rolloff", "first") else []
    for coin in range(len(COINS)):
        if coin // 12 == player and state.hand >> coin & 1:
            actions += [
                place
                for place, space in zip(PLACE[coin], FREE_FOR_COINS, strict=True)
                if board[space] == EMPTY
            ]
    ships = [ship for ship in range(len(SUITS)) if owner(ship) == player]
    other_ships = [ship for ship in range(len(SUITS)) if owner(ship) != player]
    for ways in (MOVE, JUMP):
        actions += [action for ship in ships for action in ways[ship].values()]
    actions += [by_ship[ship] for by_ship in (NULL, ROLLS, SKIPS) for ship in ships]
    actions += [KEEP[ship] for ship in other_ships]
    return (*actions, *(action for ship in other_ships for action in SEND[ship]))


def _left(state: State, seat: str, suit: int) -> int:
    """Return the number of a suit's coins in hand; for others, secretly placed ones included."""
    hand = state.hand
    if SEATS[owner(suit)] != seat:
        hand |= sum(1 << coin for coin, _ in state.laid)
    return (hand >> 6 * suit & 63).bit_count()


def _die(state: State, die: int) -> Die:
    value = state.dice[die]
    if value == NO_DIE:
        face = "-"
    elif state.phase in ("declare", "roll"):
        face = UNKNOWN
    else:
        face = VALUES[value]
    spent = bool(state.spent >> die & 1)
    stuck = state.phase == "act" and value >= 0 and not spent and not is_usable(state, die)
    return Die(SUITS[2 * state.turn + die], face, spent, stuck)


def redact(state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Replace the values of placed coins by `?` until they are activated (W9.3)."""
    return _redact(state, seat, actions, remembers=bool(state.notes))


def redact_for_infostate(state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions as a seat knows them that remembers its own coins."""
    return _redact(state, seat, actions, remembers=True)


def _redact(
    state: State, seat: str, actions: Sequence[Action], *, remembers: bool
) -> tuple[Action, ...]:
    """Hide the coins of other seats, and the seat's coins unless it `remembers` them."""
    if state.phase == "over":
        return tuple(actions)
    visible = state.seen | (_OWN[seat] if remembers else 0)
    visible |= _OWN[seat] & (state.hand | sum(1 << coin for coin, _ in state.laid))
    if state.phase == "study":
        visible |= _OWN[seat]
    laid = {(COINS[coin], SPACES[space]) for coin, space in state.laid}
    return tuple(
        _REDACTIONS[action.verb](action, seat, visible, laid)
        if action.verb in _REDACTIONS
        else action
        for action in actions
    )


Laid = AbstractSet[tuple[str, ...]]
"""Coins that lie in secret, with their spaces."""


def _redact_place(action: Action, seat: str, visible: int, laid: Laid) -> Action:
    if action.args in laid:
        return action if action.actor == seat else action._replace(args=(UNKNOWN, UNKNOWN))
    if visible >> COINS.index(action.args[0]) & 1:
        return action
    return action._replace(args=(action.args[0][0] + UNKNOWN, action.args[1]))


def _redact_deal(action: Action, _seat: str, visible: int, _laid: Laid) -> Action:
    """Hide values; the order of spaces does not reveal them."""
    args = [
        arg if visible >> coin & 1 else arg[0] + UNKNOWN + arg[2:]
        for coin, arg in enumerate(action.args)
    ]
    return action._replace(args=tuple(sorted(args, key=lambda arg: INDEX[arg[2:]])))


_OWN = {"": 0, "O": (1 << 12) - 1, "D": (1 << 24) - (1 << 12)}
"""Bits of the coins of each seat."""

_REDACTIONS = {"place": _redact_place, "deal": _redact_deal}
"""Verbs with hidden arguments."""
