"""Place coins where they help the own ships and hinder the opponent's on their ways."""

from __future__ import annotations

from functools import lru_cache

from engine.computer.situation import Situation
from engine.computer.wormholes.race import (
    FACES,
    JUMPS,
    ONE,
    PARTS,
    TURN,
    WAYS,
    coins_known_to,
    coins_known_to_all,
    race,
)
from engine.game import Action
from engine.wormholes.board import BASES, INDEX, SPACES, STARTS
from engine.wormholes.knowledge import board_of
from engine.wormholes.pieces import COINS, SEATS
from engine.wormholes.state import State

MAX_DETOUR = TURN // 2
"""A way that is longer than the best one by no more than this may be taken as well."""

HORIZON = 16
"""Turns of a race that are looked at."""


def rate(situation: Situation) -> list[tuple[int, Action]]:
    """Return each placing with the turns it wins for the own side, in thousandths."""
    seat = SEATS.index(situation.seat)
    state = with_laid(situation.world, situation.seat)
    mine, common = coins_known_to(state, seat), coins_known_to_all(state)
    races = {seat: race(seat, mine, mine), 1 - seat: race(1 - seat, common, mine)}
    visits = {each: visits_of(each, run.lengths) for each, run in races.items()}
    rated = []
    for action in situation.legal:
        coin, space = COINS.index(action.args[0]), INDEX[action.args[1]]
        gains = {
            each: gain(coin, space, races[each].lengths) * visits[each][space] // ONE
            for each in (0, 1)
        }
        own = max(gains[seat], 0)  # a way that does not help can be avoided
        rated.append((own - gains[1 - seat], action))
    situation.tally.nodes += len(rated)
    return rated


def with_laid(state: State, seats: str) -> State:
    """Return a position with the coins on the board that these seats have placed in secret."""
    if not state.laid:
        return state
    draft = state.draft()
    for seat in seats:
        draft.board = board_of(draft, seat)
    return draft.freeze()


def gain(coin: int, space: int, lengths: tuple[int, ...]) -> int:
    """Return by how much a coin shortens the race of a ship that comes to its space."""
    if coin % 6 == 0:
        return -TURN
    ends = JUMPS[coin][space]
    return lengths[space] - min(lengths[end] for end in ends) if ends else 0


@lru_cache(maxsize=4)
def visits_of(seat: int, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return how often the ships of a seat come to each space by a die, in `ONE`."""
    goals = BASES[1 - seat]
    visits = [0] * len(SPACES)
    now = [0] * len(SPACES)
    for start in STARTS[2 * seat : 2 * seat + 2]:
        now[start] += ONE
    shares = [_shares(space, lengths) for space in range(len(SPACES))]
    for _ in range(HORIZON):
        after = [0] * len(SPACES)
        for space, weight in enumerate(now):
            if not weight or space in goals:
                continue
            for end, share in shares[space]:
                part = weight * share // (FACES * PARTS)
                visits[end] += part
                after[end] += part
            after[space] += weight // FACES
        now = after
    return tuple(visits)


def _shares(space: int, lengths: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the spaces that a ship may go to, with their parts of each face."""
    found = []
    for value in range(1, FACES):
        ends = WAYS[value][space]
        if not ends:
            continue
        best = min(lengths[end] for end in ends)
        good = [end for end in ends if lengths[end] <= best + MAX_DETOUR]
        found += [(end, PARTS // len(good)) for end in good]
    return found
