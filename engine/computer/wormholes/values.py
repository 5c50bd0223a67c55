"""What a known position of Wormholes is worth, and what its decisions are worth to their seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from engine.computer.shares import Shares, damped, won_by
from engine.computer.situation import SCALE, Situation
from engine.computer.wormholes import placement, search
from engine.computer.wormholes.player import rate
from engine.computer.wormholes.race import ONE, Outlook
from engine.game import Action, RandomSource
from engine.wormholes.pieces import SEATS, VALUES
from engine.wormholes.rules import legal
from engine.wormholes.state import State

MAX_PLACES = 3
"""How many of the placings that look best are valued."""

PLACING_PERCENT = 40
"""Part of a judged loss that counts. A whole setup at random is judged to lose .9 of a win more
than a good one; it lowers the score by .375 (docs/players/analysis.md)."""

_NOT_RATED = frozenset({"first", "study"})
"""Phases where no action is known to be better than another."""


def expected_scores(state: State) -> Shares:
    """Return the expected scores in a known position; before a roll, as after the last turn."""
    if state.result:
        return won_by(SEATS, state.result[0])
    state = placement.with_laid(state, SEATS)
    outlook = Outlook.true(state)
    if not state.number:
        first = placement.before_play(state, outlook, 0)
    elif state.phase in search.IN_TURN:
        first = search.Search(state.turn, outlook).value(state)
        first = first if state.turn == 0 else ONE - first
    else:
        first = outlook.winning(state, 0, state.turn)
    score = min(max(first, 0), ONE) * SCALE // ONE
    return score, SCALE - score


def outcomes(state: State) -> Iterator[Action]:
    """Yield the equally likely outcomes of a roll; none of the chance events of the setup."""
    if state.phase == "roll":
        (form,) = legal(state)
        open_values = [VALUES if arg.endswith("?") else (arg[1:],) for arg in form.args]
        for values in product(*open_values):
            args = (arg[0] + value for arg, value in zip(form.args, values, strict=True))
            yield form._replace(args=tuple(args))


def score_choices(
    situation: Situation, choice: Action, draw: RandomSource, nodes: int
) -> list[tuple[int, Action]]:
    """Return the actions worth choosing, and the one that was made, with the score after each."""
    phase = situation.sampled_state.phase
    if phase in _NOT_RATED:
        return []
    if phase in ("place", "lay"):
        return _score_placings(situation, choice)
    if phase == "declare":
        return rate(situation, draw, nodes)
    rated = search.rate(situation, draw, nodes, choice)
    return [(value * SCALE // ONE, action) for value, action in rated]


def _score_placings(situation: Situation, choice: Action) -> list[tuple[int, Action]]:
    """Return the placings that look best and the one that was made, with the score after each.

    A good place that is left free can be taken by the next coin, so the one that was made loses
    no more than what all coins of the seat together can still gain without it.
    """
    gains = placement.known_ways(situation).gains(situation.legal)
    ranked = sorted(gains, key=lambda action: -gains[action])
    seat, rated = SEATS.index(situation.seat), dict[Action, int]()
    for action in dict.fromkeys((*ranked[:MAX_PLACES], choice)):
        rated[action] = placement.score_after(situation, action)
    best = max(rated.values())
    lost_gain = gains[ranked[0]] - gains[choice]
    if best > rated[choice] and lost_gain > 0:
        coins = placement.coins_in_hand(situation.sampled_state, seat)
        attainable = gains[choice] + _together(gains, ranked, coins - 1, *choice.args)
        missed = min(max(_together(gains, ranked, coins) - attainable, 0), lost_gain)
        rated[choice] = best - (best - rated[choice]) * missed // lost_gain
    return damped([(value, action) for action, value in rated.items()], PLACING_PERCENT)


def _together(gains: Mapping[Action, int], ranked: Sequence[Action], coins: int, *used: str) -> int:
    """Return the total gain of `coins` coins, each on the best place that is left."""
    total, taken = 0, set(used)
    for action in ranked:
        if coins and taken.isdisjoint(action.args):
            total += gains[action]
            taken.update(action.args)
            coins -= 1
    return total
