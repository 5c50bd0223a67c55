"""Who knows what: views, and states that a seat cannot tell apart (W2.3, W3.4, W9)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import PUBLIC, Action, Draw
from engine.wormholes.actions import NO_DIE
from engine.wormholes.board import SPACES
from engine.wormholes.pieces import (
    COIN_AT,
    COINS,
    EMPTY,
    SEATS,
    SUIT_UP,
    SUITS,
    VALUE_UP,
    VALUES,
    owner,
)
from engine.wormholes.rules import is_usable, landed_on, legal, pending
from engine.wormholes.state import State
from engine.wormholes.view import UNKNOWN, Coin, Die, Ship, WormholesView

GAME = "wormholes"


def view(state: State, seat: str = PUBLIC) -> WormholesView:
    """What the seat, or the public, may know."""
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
    if not _knows(state, seat, COIN_AT[letter]):
        suit, value = (suit, UNKNOWN) if up == "suit" else (UNKNOWN, value)
    return Coin(SPACES[space], up, suit, value)


def _knows(state: State, seat: str, coin: int) -> bool:
    """Whether the game shows this seat both sides of a placed coin (W3.4, W9.2)."""
    if state.phase == "over":
        return True
    if not state.notes or not seat:
        return False
    return SEATS[coin // 12] == seat or bool(state.seen >> coin & 1)


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


def resample(state: State, seat: str, draw: Draw) -> State:
    """Return another state with an equal view: the hidden sides of the coins are dealt again."""
    if state.phase == "over":
        return state
    draft = state.draft()
    if state.hand:
        draft.board, draft.hand = _deal_placing(state, seat, draw)
    else:
        draft.board, draft.seen = _deal_playing(state, seat, draw)
    return draft.freeze()


def _deal_placing(state: State, seat: str, draw: Draw) -> tuple[str, int]:
    """During set-up all coins lie suit up: deal the values of each suit again."""
    board, hand = list(state.board), state.hand
    for suit in range(4):
        own = SEATS[owner(suit)] == seat
        if own and state.notes:
            continue
        coins = [6 * suit + value for value in range(6)]
        placed = [space for space, at in enumerate(board) if at in SUIT_UP[6 * suit : 6 * suit + 6]]
        pool = [coin for coin in coins if not (own and state.hand >> coin & 1)]
        _shuffle(pool, draw)
        for space in placed:
            board[space] = SUIT_UP[pool.pop()]
        if not own:
            hand &= ~(63 << 6 * suit)
            hand |= sum(1 << coin for coin in pool)
    return "".join(board), hand


def _deal_playing(state: State, seat: str, draw: Draw) -> tuple[str, int]:
    """Deal suits to the coins that lie value up, and values to those that lie suit up.

    `up[v][s]` tells whether the coin of value v and suit s lies value up. Only the sums of its
    rows and columns can be seen; swapping the corners of a rectangle keeps them (Ryser 1957).
    """
    shown = {event.facts[0] + event.facts[1] for event in state.story if event.kind == "turned"}
    fixed = {coin for coin, name in enumerate(COINS) if name in shown or _knows(state, seat, coin)}
    space_of = {COIN_AT[at]: space for space, at in enumerate(state.board) if at != EMPTY}
    free = [coin for coin in range(24) if coin not in fixed]
    up = {coin for coin in free if state.board[space_of[coin]] in VALUE_UP}
    new_up = _swap_corners(up, free, draw) if free else up
    board = list(state.board)
    for value in range(6):
        spaces = [space_of[coin] for coin in sorted(up) if coin % 6 == value]
        coins = [coin for coin in free if coin in new_up and coin % 6 == value]
        _shuffle(coins, draw)
        for space, coin in zip(spaces, coins, strict=True):
            board[space] = VALUE_UP[coin]
    for suit in range(4):
        spaces = [space_of[coin] for coin in free if coin not in up and coin // 6 == suit]
        coins = [coin for coin in free if coin not in new_up and coin // 6 == suit]
        _shuffle(coins, draw)
        for space, coin in zip(spaces, coins, strict=True):
            board[space] = SUIT_UP[coin]
    seen = state.seen
    if not state.notes:  # with notes the seat would see what has been activated
        seen |= sum(1 << coin for coin in new_up)
    return "".join(board), seen


def _swap_corners(up: set[int], free: list[int], draw: Draw) -> set[int]:
    new = set(up)
    members = set(free)
    for _ in range(100):
        a, b = free[draw(len(free))], free[draw(len(free))]
        c, d = a // 6 * 6 + b % 6, b // 6 * 6 + a % 6
        if {c, d} <= members and {a, b} <= new and not {c, d} & new:
            new = new - {a, b} | {c, d}
    return new


def _shuffle(items: list[int], draw: Draw) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = draw(last + 1)
        items[last], items[other] = items[other], items[last]


def redact(state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
    """The record of open events: a placed coin's value is `?` until it is activated (W9.3)."""
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
