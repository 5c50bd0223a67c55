"""Deal hidden coins again: every world that fits a seat's view is equally likely (W9).

A world is made from what the view shows, never from the true coins. Equal views and equal draws
therefore give equal worlds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.game import OPEN_VALUE, Action, RandomSource
from engine.wormholes.board import FREE_FOR_COINS
from engine.wormholes.knowledge import knows
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
from engine.wormholes.rules import laid_by
from engine.wormholes.state import State

Row = tuple[int, int]
"""Row of a table of 0 and 1: the columns that may hold a 1, as bits, and how many do."""

MAX_CACHED_TABLES = 1 << 14


def resample_view(state: State, seat: str, draw: RandomSource) -> State:
    """Return a state with an equal view, drawn uniformly from all such states."""
    if state.phase == "over":
        return state
    draft = state.draft()
    if state.phase in ("lay", "lot"):
        return _deal_secret(state, seat, draw, remembers=bool(state.notes))
    if state.hand:
        draft.board, draft.hand = _deal_placing(state, seat, draw)
    else:
        draft.board, draft.seen = _deal_playing(state, seat, draw)
    return draft.freeze()


def resample_infostate(state: State, seat: str, draw: RandomSource) -> State:
    """Deal the other seats' coins again that were never activated: they stay unknown (W9.3)."""
    if state.phase == "over":
        return state
    if state.phase in ("lay", "lot"):
        return _deal_secret(state, seat, draw, remembers=True)
    board, hand = list(state.board), state.hand
    for suit in range(4):
        if SEATS[owner(suit)] == seat:
            continue
        coins = range(6 * suit, 6 * suit + 6)
        unknown = [coin for coin in coins if not state.seen >> coin & 1]
        spaces = [s for s, at in enumerate(board) if at != EMPTY and COIN_AT[at] in unknown]
        _shuffle(unknown, draw)
        for space in spaces:
            board[space] = SUIT_UP[unknown.pop()]
        hand &= ~(63 << 6 * suit)
        hand |= sum(1 << coin for coin in unknown)
    draft = state.draft()
    draft.board, draft.hand = "".join(board), hand
    return draft.freeze()


def fill_redacted(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Give each coin that is placed as `?` a value that no other placing of its suit names."""
    named_coins = {action.args[0] for action in actions if action.verb == "place" and action.args}
    free = {
        suit + OPEN_VALUE: [suit + v for v in VALUES if suit + v not in named_coins]
        for suit in SUITS
    }
    return tuple(
        action._replace(args=(free[action.args[0]].pop(), *action.args[1:]))
        if action.verb == "place" and action.args and free.get(action.args[0])
        else action
        for action in actions
    )


def _deal_placing(state: State, seat: str, draw: RandomSource) -> tuple[str, int]:
    """Deal the values of each suit: during setup all coins lie suit up."""
    board, hand = list(state.board), state.hand
    for suit in range(4):
        is_own = SEATS[owner(suit)] == seat
        if is_own and state.notes:
            continue
        coins = [6 * suit + value for value in range(6)]
        placed = [space for space, at in enumerate(board) if at in SUIT_UP[6 * suit : 6 * suit + 6]]
        pool = [coin for coin in coins if not (is_own and state.hand >> coin & 1)]
        _shuffle(pool, draw)
        for space in placed:
            board[space] = SUIT_UP[pool.pop()]
        if not is_own:
            hand &= ~(63 << 6 * suit)
            hand |= sum(1 << coin for coin in pool)
    return "".join(board), hand


def _deal_secret(state: State, seat: str, draw: RandomSource, *, remembers: bool) -> State:
    """Deal the values of placed coins, and the others' coins that lie in secret (W3.7).

    Args:
        state: during the setup in secret.
        seat: the seat whose view remains equal.
        draw: the random source.
        remembers: whether the seat knows the values of its own placed coins.
    """
    board, hand, laid = list(state.board), 0, list[tuple[int, int]]()
    for side, letter in enumerate(SEATS):
        secret = laid_by(state, side)
        is_own = letter == seat
        unplaced: list[int] = []
        for suit in (2 * side, 2 * side + 1):
            coins = range(6 * suit, 6 * suit + 6)
            known_coins = [c for c in coins if is_own and (c in secret or state.hand >> c & 1)]
            up = SUIT_UP[6 * suit : 6 * suit + 6]
            placed = [space for space, at in enumerate(board) if at in up]
            if is_own and remembers:
                unplaced += known_coins
                continue
            pool = [coin for coin in coins if coin not in known_coins]
            _shuffle(pool, draw)
            for space in placed:
                board[space] = SUIT_UP[pool.pop()]
            unplaced += known_coins + pool
        if not is_own:
            _shuffle(unplaced, draw)
            free = [space for space in FREE_FOR_COINS if board[space] == EMPTY]
            secret = {coin: free.pop(draw(len(free))) for coin in unplaced[: len(secret)]}
        laid += secret.items()
        hand |= sum(1 << coin for coin in unplaced if coin not in secret)
    draft = state.draft()
    draft.board, draft.hand, draft.laid = "".join(board), hand, tuple(sorted(laid))
    return draft.freeze()


def _deal_playing(state: State, seat: str, draw: RandomSource) -> tuple[str, int]:
    """Deal suits to the coins that lie value up, and values to those that lie suit up.

    The view shows how many coins of each value lie value up, and of each suit: the sums of the rows
    and columns of a table of 0 and 1. Each such table can be dealt to the spaces in equally many
    ways, so that a uniform table gives a uniform world.
    """
    visible = _shown(state)
    known_coins = visible | {coin for coin in range(24) if knows(state, seat, coin)}
    hidden = [
        (s, at)
        for s, at in enumerate(state.board)
        if at != EMPTY and COIN_AT[at] not in known_coins
    ]
    value_up = [[s for s, at in hidden if at in VALUE_UP[value::6]] for value in range(6)]
    suit_up = [
        [s for s, at in hidden if at in SUIT_UP[6 * suit : 6 * suit + 6]] for suit in range(4)
    ]
    free = [coin for coin in range(24) if coin not in known_coins]
    rows = tuple(
        (sum(1 << coin // 6 for coin in free if coin % 6 == value), len(value_up[value]))
        for value in range(6)
    )
    columns = tuple(
        sum(coin // 6 == suit for coin in free) - len(suit_up[suit]) for suit in range(4)
    )
    up = {
        6 * suit + value
        for value, suits in enumerate(draw_table(rows, columns, draw))
        for suit in range(4)
        if suits >> suit & 1
    }
    board = list(state.board)
    for value, spaces in enumerate(value_up):
        _deal(board, spaces, [coin for coin in sorted(up) if coin % 6 == value], VALUE_UP, draw)
    for suit, spaces in enumerate(suit_up):
        down = [coin for coin in free if coin // 6 == suit and coin not in up]
        _deal(board, spaces, down, SUIT_UP, draw)
    # A coin that lies value up was activated. Whether another one was cannot be seen, but where the
    # view shows both sides of an opponent's coin.
    activated = up | visible | {coin for coin in known_coins if SEATS[coin // 12] != seat}
    activated |= {COIN_AT[at] for at in board if at in VALUE_UP}
    return "".join(board), sum(1 << coin for coin in activated)


def _shown(state: State) -> set[int]:
    """Return the coins that the story of the last turn names with both sides."""
    return {
        COINS.index(event.facts[0] + event.facts[1])
        for event in state.story
        if event.kind == "turned"
    }


def _deal(
    board: list[str], spaces: list[int], coins: list[int], side: str, draw: RandomSource
) -> None:
    _shuffle(coins, draw)
    for space, coin in zip(spaces, coins, strict=True):
        board[space] = side[coin]


def _shuffle(items: list[int], draw: RandomSource) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = draw(last + 1)
        items[last], items[other] = items[other], items[last]


def draw_table(rows: tuple[Row, ...], columns: tuple[int, ...], draw: RandomSource) -> list[int]:
    """Draw a table of 0 and 1 uniformly from all with these sums of rows and columns.

    Args:
        rows: for each row the columns that may hold a 1, as bits, and how many do.
        columns: number of ones in each column.
        draw: called once, with the number of tables.

    Returns:
        The columns with a 1 in each row, as bits.

    Raises:
        ValueError: no table has these sums.
    """
    count = _tables(rows, columns)
    if not count:
        raise ValueError("no table has these sums")
    number = draw(count)
    table: list[int] = []
    for first, row in enumerate(rows, 1):
        for filling, left in _fillings(row, columns):
            number -= _tables(rows[first:], left)
            if number < 0:
                number += _tables(rows[first:], left)
                table.append(filling)
                columns = left
                break
    return table


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _tables(rows: tuple[Row, ...], columns: tuple[int, ...]) -> int:
    """Return the number of tables with these sums."""
    if not rows:
        return int(not any(columns))
    return sum(_tables(rows[1:], left) for _, left in _fillings(rows[0], columns))


def _fillings(row: Row, columns: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each way to fill a row, with the remaining sums of its columns."""
    allowed, count = row
    for filling in range(1 << len(columns)):
        if filling & ~allowed or filling.bit_count() != count:
            continue
        left = tuple(n - (filling >> column & 1) for column, n in enumerate(columns))
        if min(left) >= 0:
            yield filling, left
