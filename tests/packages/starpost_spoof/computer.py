"""A computer player for Spoof: its guesses can be right beside its own coins."""

from __future__ import annotations

from collections.abc import Iterable

from engine.computer.reasons import Reason
from engine.computer.shares import Shares, even, won_by
from engine.computer.situation import SCALE, Situation
from engine.computer.support import ComputerSupport
from engine.game import Action, RandomSource

from .rules import MOST, SEATS, State


def rank(state: State, action: Action) -> int:
    """Return a rank for an action: a guess that can be right comes first."""
    if action.verb == "hold":
        return 0
    own_coins = int(state.hands[SEATS.index(action.actor)])
    return int(own_coins <= int(action.args[0]) <= own_coins + MOST)


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return the actions with their expected scores."""
    state = situation.determinize(draw)
    situation.tally.nodes += len(situation.legal)
    return [(SCALE // 2 + 500 * rank(state, action), action) for action in situation.legal]


def explain(_situation: Situation, _action: Action) -> list[Reason]:
    """Return no reasons."""
    return []


class Values:
    """Every position is even until it is over."""

    def expected_scores(self, state: State) -> Shares:
        return won_by(SEATS, state.result[0]) if state.result else even(len(SEATS))

    def outcomes(self, state: State) -> Iterable[Action]:
        return ()

    def score_choices(
        self, situation: Situation, choice: Action, draw: RandomSource, nodes: int, /
    ) -> list[tuple[int, Action]]:
        return []


SUPPORT = ComputerSupport(
    rank=rank,
    rate=rate,
    explain=explain,
    temperatures=(800, 400, 200, 0),
    values=Values(),
    error_rates=(0.02, 0.01, 0.005, 0.0),
)
"""See `ComputerSupport`."""
