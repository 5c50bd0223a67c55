"""Ranking for Wormholes: the distance of the ships from the opposing bases."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Action
from engine.wormholes.board import BASES, ENDS, SPACES
from engine.wormholes.pieces import SEATS, owner
from engine.wormholes.rules import apply
from engine.wormholes.state import State

TURN = 100
"""Race lengths are in hundredths of a turn."""

WIN = 1_000 * TURN
PASSES = 60
"""Rounds of value iteration; the longest race is settled after about half of them."""


def rank(state: State, action: Action) -> int:
    """Return the actor's lead in the race after the action."""
    after, _ = apply(state, action)
    return lead(after, SEATS.index(action.actor))


def lead(state: State, seat: int) -> int:
    """Return the lead of a seat in the race, ignoring coins."""
    if state.result:
        return WIN if state.result[0] == SEATS[seat] else -WIN * (state.result[0] in SEATS)
    return race_length(state, 1 - seat) - race_length(state, seat)


def race_length(state: State, seat: int) -> int:
    """Return the mean length of a seat's race home: of the first ship, or of both (W8)."""
    lengths = [ship_length(state, ship) for ship in (2 * seat, 2 * seat + 1)]
    return min(lengths) if state.rules == "0.6" else sum(lengths)


def ship_length(state: State, ship: int) -> int:
    """Return the mean length of a ship's race; one sent onto a goal has to land yet (W7.5)."""
    seat, space = owner(ship), state.ships[ship]
    lengths = races()[seat]
    if space not in BASES[1 - seat] or state.landed >> ship & 1:
        return lengths[space]
    best = [min(lengths[end] for end in ends[space].values()) for ends in ENDS[1:] if ends[space]]
    return (len(ENDS) * TURN + sum(best)) // len(best)


@lru_cache(maxsize=1)
def races() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for each seat the mean number of turns from each space to the opposing base."""
    return _race(BASES[1]), _race(BASES[0])


def _race(goals: frozenset[int]) -> tuple[int, ...]:
    """Iterate over a lone ship's race on an empty board: the best way for each value of its die."""
    lengths = [0 if space in goals else 20 * TURN for space in range(len(SPACES))]
    for _ in range(PASSES):
        lengths = [
            0 if space in goals else TURN + _after_roll(space, lengths)
            for space in range(len(SPACES))
        ]
    return tuple(lengths)


def _after_roll(space: int, lengths: list[int]) -> int:
    return sum(
        min((lengths[end] for end in ends[space].values()), default=lengths[space]) for ends in ENDS
    ) // len(ENDS)
