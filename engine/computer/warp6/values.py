"""What a position of Warp 6 is worth, and what its decisions are worth to their seats."""

from __future__ import annotations

from collections.abc import Iterator

from engine.computer.shares import Shares, damped, scaled, won_by
from engine.computer.situation import SCALE, Situation
from engine.computer.warp6.search import Search, is_won, rerolls, value, worth_trying
from engine.game import Action, RandomSource
from engine.warp6.pieces import KITS
from engine.warp6.rules import apply, still_in
from engine.warp6.state import State

LOSS_PERCENT = 50
"""Part of a judged loss that counts."""

_IN_PLAY = frozenset({"play", "reroll"})


def expected_scores(state: State) -> Shares:
    """Return the expected scores; equal ones before the first move."""
    seats = KITS[state.seats].seats
    if state.result:
        return won_by(seats, state.result[0])
    staying = still_in(state)
    is_known = state.phase in _IN_PLAY
    return scaled(
        [
            (value(state, seat) if is_known else 1) if seat in staying else 0
            for seat in range(len(seats))
        ]
    )


def outcomes(state: State) -> Iterator[Action]:
    """Yield the equally likely outcomes of a reroll; none of the chance events of the setup."""
    if state.phase == "reroll":
        yield from rerolls(state)


def score_choices(
    situation: Situation, choice: Action, _draw: RandomSource, _nodes: int
) -> list[tuple[int, Action]]:
    """Return the actions worth choosing, and the one that was made, with the score after replies.

    Nothing is known of the setup. A choice after which the seat wins surely costs nothing, also if
    it wins later than by another one.
    """
    state = situation.sampled_state
    if state.phase != "play":
        return []
    actions = dict.fromkeys((*worth_trying(state, situation.legal), choice))
    rated = Search(exact=True).after_replies(state, actions)
    seat = state.turn
    sure = [
        (SCALE if is_won(apply(state, action)[0], seat) else score, action)
        for score, action in rated
    ]
    return damped(sure, LOSS_PERCENT)
