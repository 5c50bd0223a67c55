"""What a position of Tom Tube is worth, and what its decisions are worth to their seats."""

from __future__ import annotations

from collections.abc import Iterator

from engine.computer.shares import Shares, damped, even, won_by
from engine.computer.situation import SCALE, Situation
from engine.computer.tomtube.placing import promising
from engine.computer.tomtube.player import rate, settled
from engine.game import CHANCE, Action, RandomSource
from engine.tomtube.rules import apply, legal
from engine.tomtube.state import State
from engine.tomtube.tables import SEATS
from engine.tomtube.tiles import TILES

LOSS_PERCENT = 50
"""Part of a judged loss that counts."""

MAX_PLACES = 3
"""How many of the places for a drawn rhomb that look best are valued."""


def expected_scores(state: State) -> Shares:
    """Return the expected scores; equal ones before the first turn."""
    if state.result:
        return won_by(SEATS, state.result[0])
    if state.phase == "first":
        return even(len(SEATS))
    if state.phase == "rhomb":
        places = promising(state, state.turn, legal(state), MAX_PLACES)
        best = max(settled(apply(state, place)[0], state.turn) for place in places)
    else:
        best = settled(state, state.turn)
    best = min(max(best, 0), SCALE)
    return (best, SCALE - best) if state.turn == 0 else (SCALE - best, best)


def outcomes(state: State) -> Iterator[Action]:
    """Yield the equally likely rhombs that may be drawn; none before the first turn."""
    if state.phase == "draw":
        for tile, name in enumerate(TILES):
            if state.stack >> tile & 1:
                yield Action(CHANCE, "draw", (name,))


def score_choices(
    situation: Situation, choice: Action, draw: RandomSource, nodes: int
) -> list[tuple[int, Action]]:
    """Return the actions worth choosing, and the one that was made, with the score after each."""
    rated = rate(situation, draw, nodes)
    if all(action != choice for _, action in rated):
        seat = SEATS.index(situation.seat)
        rated.append((settled(apply(situation.sampled_state, choice)[0], seat), choice))
    return damped([(min(max(value, 0), SCALE), action) for value, action in rated], LOSS_PERCENT)
