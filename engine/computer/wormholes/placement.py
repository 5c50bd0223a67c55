"""Place coins where they help the seat's ships most, after the opponent's best answer.

Where a coin lies is public, and so is this program: to a player who knows it, a coin that is placed
for its value tells much of it. Hiding the values costs more (docs/players/computer.md), so all
coins are placed for their values. Among placings that look equally good one is drawn.
"""

from __future__ import annotations

from engine.computer.situation import SCALE, Situation
from engine.computer.wormholes.race import (
    ONE,
    TURN,
    Coins,
    Outlook,
    coins_known_to,
    coins_known_to_all,
    race,
)
from engine.computer.wormholes.reading import coins_read_by, hand_read_from, shares_of
from engine.computer.wormholes.ways import Near, Ways
from engine.game import Action, RandomSource
from engine.wormholes.board import FREE_FOR_COINS, INDEX, STARTS
from engine.wormholes.knowledge import board_of
from engine.wormholes.pieces import COINS, SEATS, VALUES
from engine.wormholes.rules import apply
from engine.wormholes.state import State

HAND_SIZE = len(COINS) // len(SEATS)
"""Coins of a seat before the setup."""

PLACING_NODES = 20
"""Positions as which a placing counts: its chance of winning takes longer to evaluate."""

MIN_PLACINGS = 8
"""Players that may compare fewer placings by the chance of winning go by turns."""

COINS_A_SPACE = 2
"""Coins that are compared on one space."""

CLOSE = SCALE // 200
"""Placings whose scores differ by less are equally likely."""

CLOSE_AT_FIRST = SCALE // 50
"""The same for the first coin of a seat, which has no other coins to go by: without it, nearly all
set-ups would begin alike."""

TURN_SCORE = 900
"""What a turn's lead is worth of the score."""


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return placings with the expected score after each; the best ones are equally good.

    Args:
        situation: situation of a seat that places a coin.
        draw: draws the coins that a player looks at which goes by turns.
        nodes: maximum positions to evaluate.
    """
    count = nodes // PLACING_NODES
    if count < MIN_PLACINGS:
        rated = _rate_by_turns(situation, draw)
    else:
        rated = Table(situation).rate(count)
    situation.tally.nodes += len(rated)
    best = max(score for score, _ in rated)
    hand = coins_in_hand(situation.sampled_state, SEATS.index(situation.seat))
    close = CLOSE_AT_FIRST if hand == HAND_SIZE else CLOSE
    return [(best if best - score < close else score, action) for score, action in rated]


def _rate_by_turns(situation: Situation, draw: RandomSource) -> list[tuple[int, Action]]:
    """Return all placings of a coin of each suit, drawn from the hand, by the turns they win."""
    coins = sorted({action.args[0] for action in situation.legal})
    hands = [[coin for coin in coins if coin[0] == suit] for suit in sorted({c[0] for c in coins})]
    drawn = {hand[draw(len(hand))] for hand in hands}
    gains = known_ways(situation).gains(a for a in situation.legal if a.args[0] in drawn)
    return [(SCALE // 2 + won * TURN_SCORE // TURN, action) for action, won in gains.items()]


class Table:
    """The coins on the board and in both hands, as a seat that places one expects them.

    It expects the opponent's coins where they are good for it; the opponent is assumed to know of
    the seat's coins the suits only, and to expect each of its own where one of that suit lies.

    Args:
        situation: situation of the seat.
    """

    def __init__(self, situation: Situation) -> None:
        self._legal = situation.legal
        self._seat = SEATS.index(situation.seat)
        self._state = with_laid(situation.sampled_state, situation.seat)
        self._common = coins_known_to_all(self._state)
        shares = shares_of(self._state, self._seat, self._common)
        self._expected = coins_read_by(self._state, self._seat, shares)
        left = coins_in_hand(self._state, 1 - self._seat)
        self._opposing_hand = hand_read_from(self._seat, shares, left)

    def rate(self, count: int) -> list[tuple[int, Action]]:
        """Return the most promising placings with the expected score after the best answer.

        The next coin of the seat is taken to win back half of what that answer costs.

        Args:
            count: number of placings.
        """
        ways = Ways(self._seat, self._expected, self._common)
        gains = ways.gains(self._legal)
        promising: list[Action] = []
        on_space: dict[str, int] = {}
        for action in sorted(gains, key=lambda action: -gains[action]):
            space = action.args[1]
            on_space[space] = on_space.get(space, 0) + 1
            if on_space[space] <= COINS_A_SPACE and len(promising) < count:
                promising.append(action)
        rated = [(self._score(action, ways.lengths), action) for action in promising]
        best, action = max(rated, key=lambda pair: pair[0])
        regained = (self._score(action, ways.lengths, is_answered=False) - best) // 2
        return [(score + regained, action) for score, action in rated]

    def _score(self, action: Action, near: Near, *, is_answered: bool = True) -> int:
        """Return the expected score after a placing.

        Args:
            action: the placing.
            near: lengths of both races before it, see `race.lengths_of`.
            is_answered: whether the opponent places the coin that then is best for it.
        """
        seat, space = self._seat, INDEX[action.args[1]]
        coin = COINS.index(action.args[0])
        first = coin - coin % len(VALUES)
        expected = _with_coins(self._expected, space, (coin,))
        common = _with_coins(self._common, space, tuple(range(first, first + len(VALUES))))
        if is_answered and self._opposing_hand:
            ways = Ways(1 - seat, common, expected, near)
            near = ways.lengths
            free = [space for space in FREE_FOR_COINS if not expected[space]]
            answers = ((coin, space) for coin in self._opposing_hand for space in free)
            coin, space = max(answers, key=lambda answer: ways.gain(*answer))
            expected, common = (_with_coins(coins, space, (coin,)) for coins in (expected, common))
        player = race(seat, expected, expected, near[seat], STARTS[2 * seat : 2 * seat + 2])
        opponent = race(
            1 - seat, common, expected, near[1 - seat], STARTS[2 - 2 * seat : 4 - 2 * seat]
        )
        outlook = Outlook(
            self._state.rules, (player, opponent) if seat == 0 else (opponent, player)
        )
        mover = first_to_move(self._state)
        if mover is None:
            return before_play(self._state, outlook, seat) * SCALE // ONE
        return outlook.winning(self._state, seat, mover) * SCALE // ONE


def known_ways(situation: Situation) -> Ways:
    """Return the ways of both seats, by what a seat knows; the other one knows what all know."""
    seat = SEATS.index(situation.seat)
    state = with_laid(situation.sampled_state, situation.seat)
    return Ways(seat, coins_known_to(state, seat), coins_known_to_all(state))


def score_after(situation: Situation, action: Action) -> int:
    """Return the expected score of a seat after a placing, by what it knows.

    Args:
        situation: situation of the seat.
        action: the placing.
    """
    seat = SEATS.index(situation.seat)
    after = with_laid(apply(situation.sampled_state, action)[0], situation.seat)
    return before_play(after, Outlook.known_to(after, seat), seat) * SCALE // ONE


def _with_coins(board: Coins, space: int, coins: tuple[int, ...]) -> Coins:
    return (*board[:space], coins, *board[space + 1 :])


def before_play(state: State, outlook: Outlook, seat: int) -> int:
    """Return the probability that a seat wins, in `ONE`, whichever moves first."""
    return sum(outlook.winning(state, seat, first) for first in (0, 1)) // 2


def first_to_move(state: State) -> int | None:
    """Return the seat that will move first, which places last (W3.2); None if no seat does."""
    if state.phase != "place":
        return None
    left, other_left = (coins_in_hand(state, seat) for seat in (state.turn, 1 - state.turn))
    return state.turn if left > other_left else 1 - state.turn


def coins_in_hand(state: State, seat: int) -> int:
    """Return the number of coins that a seat has not placed yet."""
    return (state.hand >> HAND_SIZE * seat & (1 << HAND_SIZE) - 1).bit_count()


def with_laid(state: State, seats: str) -> State:
    """Return a position with the coins on the board that these seats have placed in secret."""
    if not state.laid:
        return state
    draft = state.draft()
    for seat in seats:
        draft.board = board_of(draft, seat)
    return draft.freeze()
