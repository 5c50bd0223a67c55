"""What a position of Warp 6 is worth, and what its decisions are worth to their seats."""

from __future__ import annotations

from collections.abc import Iterator

from engine.computer.shares import Shares, damped, scaled, won_by
from engine.computer.situation import Situation
from engine.computer.warp6.player import value
from engine.game import Action, RandomSource
from engine.warp6.pieces import KITS
from engine.warp6.rules import apply, legal, still_in
from engine.warp6.state import State

LOSS_PERCENT = 75
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
        (form,) = legal(state)
        name, faces = form.args[0], int(form.args[0][1])
        for number in range(1, faces + 1):
            yield form._replace(args=(name, str(number)))


def score_choices(
    situation: Situation, _made: Action, _draw: RandomSource, _nodes: int
) -> list[tuple[int, Action]]:
    """Return all actions with the score after each; nothing is known of the setup."""
    state = situation.sampled_state
    if state.phase != "play":
        return []
    seat = KITS[state.seats].seats.index(situation.seat)
    rated = [(expected_scores(apply(state, action)[0])[seat], action) for action in situation.legal]
    return damped(rated, LOSS_PERCENT)
