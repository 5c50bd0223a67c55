"""Views and redacted records: who may know which coin (W2.3, W3.4, W9)."""

from __future__ import annotations

from collections.abc import Sequence

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
from engine.wormholes.board import FREE_FOR_COINS, SPACES
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
from engine.wormholes.rules import is_usable, landed_on, legal, pending
from engine.wormholes.state import State
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView

GAME = "wormholes"


def view(state: State, seat: str = PUBLIC) -> WormholesView:
    """Return the view of a seat or of the public."""
    who = pending(state)
    over = state.phase == "over"
    return WormholesView(
        game=GAME,
        rules=state.rules,
        options=(("notes", "on" if state.notes else "off"),),
        seats=SEATS,
        seat=seat,
        pending=who,
        turn=state.number,
        legal=legal(state) if seat and seat == who else (),
        story=state.story,
        offer=state.offer,
        result=state.result,
        phase=state.phase,
        turn_seat="" if state.phase == "rolloff" else SEATS[state.turn],
        ships=tuple(_ship(state, ship) for ship in range(4)),
        coins=tuple(
            _coin(state, seat, space) for space, at in enumerate(state.board) if at != EMPTY
        ),
        hand=tuple(
            name
            for coin, name in enumerate(COINS)
            if state.hand >> coin & 1 and (over or SEATS[coin // 12] == seat)
        ),
        left=(_left(state, 0), _left(state, 1), _left(state, 2), _left(state, 3)),
        dice=tuple(_die(state, die) for die in range(len(state.dice))),
        focus=SUITS[state.focus] if state.focus >= 0 else "",
        target=SUITS[landed_on(state)] if state.phase == "send" else "",
    )


def _ship(state: State, ship: int) -> Ship:
    return Ship(
        SUITS[ship],
        SEATS[owner(ship)],
        SPACES[state.ships[ship]],
        bool(state.owes >> ship & 1),
        bool(state.activated >> ship & 1),
        bool(state.landed >> ship & 1),
    )


def _coin(state: State, seat: str, space: int) -> Coin:
    letter = state.board[space]
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
    if not state.notes or not seat:
        return False
    return SEATS[coin // 12] == seat or bool(state.seen >> coin & 1)


def plannable(state: State, seat: str) -> tuple[Action, ...]:
    """See `Game.plannable`: coins in hand on free spaces; everything that ships can ever do."""
    player = SEATS.index(seat)
    actions = list(FIRST[player]) if state.phase in ("rolloff", "first") else []
    for coin in range(len(COINS)):
        if coin // 12 == player and state.hand >> coin & 1:
            actions += [
                place
                for place, space in zip(PLACE[coin], FREE_FOR_COINS, strict=True)
                if state.board[space] == EMPTY
            ]
    own = [ship for ship in range(len(SUITS)) if owner(ship) == player]
    others = [ship for ship in range(len(SUITS)) if owner(ship) != player]
    for ways in (MOVE, JUMP):
        actions += [action for ship in own for action in ways[ship].values()]
    actions += [one[ship] for one in (NULL, ROLLS, SKIPS) for ship in own]
    actions += [KEEP[ship] for ship in others]
    return (*actions, *(action for ship in others for action in SEND[ship]))


def _left(state: State, suit: int) -> int:
    return (state.hand >> 6 * suit & 63).bit_count()


def _die(state: State, die: int) -> Die:
    value = state.dice[die]
    if value == NO_DIE:
        shown = "-"
    elif state.phase in ("declare", "roll"):
        shown = UNKNOWN
    else:
        shown = VALUES[value]
    spent = bool(state.spent >> die & 1)
    stuck = state.phase == "act" and value >= 0 and not spent and not is_usable(state, die)
    return Die(SUITS[2 * state.turn + die], shown, spent, stuck)


def redact(state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Replace the values of placed coins by `?` until they are activated (W9.3)."""
    return tuple(
        action._replace(args=(action.args[0][0] + UNKNOWN, action.args[1]))
        if action.verb == "place" and not _open(state, seat, action)
        else action
        for action in actions
    )


def _open(state: State, seat: str, placing: Action) -> bool:
    coin = COINS.index(placing.args[0])
    own = state.notes and placing.actor == seat
    return state.phase == "over" or bool(own) or bool(state.seen >> coin & 1)
