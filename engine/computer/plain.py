"""A computer for small games, made of one function that scores an action in a known position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from engine.computer.reasons import Reason
from engine.computer.shares import Shares, even, won_by
from engine.computer.situation import Situation
from engine.computer.support import ComputerSupport, ScoreActions
from engine.game import Action, RandomSource

Score = Callable[[Any, Action], int]
"""Returns the expected score (0 … `SCALE`) of the acting seat after an action.

It may look at everything in the position, as it is called with many that its seat cannot tell
apart."""

MOST_WORLDS = 200
"""Maximum number of positions in which the actions of a decision are scored."""

ERROR_RATES = (0.04, 0.02, 0.01, 0.0)
"""Assumed losses of the levels, until they are measured; see `ComputerSupport.error_rates`."""


def support_by_score(
    seats: str, score: Score, temperatures: tuple[int, int, int, int] = (2000, 800, 300, 0)
) -> ComputerSupport:
    """Return a computer that chooses by the mean score of each action in sampled positions.

    Choices are listed actions, without open values.

    Args:
        seats: letters of all seats.
        score: scores an action.
        temperatures: see `ComputerSupport`.
    """

    def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
        """Return each action with its mean score in as many positions as `nodes` allows."""
        actions, sums = situation.legal, Counter[Action]()
        worlds = max(1, min(nodes // len(actions), MOST_WORLDS))
        for _ in range(worlds):
            state = situation.determinize(draw)
            sums.update({action: score(state, action) for action in actions})
        situation.tally.nodes += worlds * len(actions)
        return [(sums[action] // worlds, action) for action in actions]

    return ComputerSupport(
        rank=score,
        rate=rate,
        explain=_explain,
        temperatures=temperatures,
        values=_Values(seats, rate),
        error_rates=ERROR_RATES,
    )


def _explain(_situation: Situation, _action: Action) -> list[Reason]:
    """Return no reasons: the levels say how the action compares with others."""
    return []


class _Values:
    """Judges decisions as the computer rates them; a match is even until it is over."""

    def __init__(self, seats: str, rate: ScoreActions) -> None:
        self._seats = seats
        self._rate = rate

    def expected_scores(self, state: Any) -> Shares:
        """Return the result, or even shares; see `Values.expected_scores`."""
        winner = state.result[:1]
        return won_by(self._seats, winner) if winner else even(len(self._seats))

    def outcomes(self, state: Any) -> Iterable[Action]:
        """Return nothing: chance is not judged."""
        return ()

    def score_choices(
        self, situation: Situation, choice: Action, draw: RandomSource, nodes: int, /
    ) -> list[tuple[int, Action]]:
        """Return all actions with their scores; see `Values.score_choices`."""
        return self._rate(situation, draw, nodes)
