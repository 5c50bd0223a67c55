"""What a network sees of a race in Warp 6: whole numbers, for each side in the order of play."""

from __future__ import annotations

from functools import lru_cache

from engine.warp6.board import OUTERMOST, WARP
from engine.warp6.pieces import KITS, Kit
from engine.warp6.rules import still_in
from engine.warp6.state import OFF, State

UNIT = 64
"""A feature of 1 is this number."""

MAX_FACES = 8
GAINS = 3
"""How many of a side's best moves are features."""

NEEDED_SCALE, TOTAL_SCALE, GAIN_SCALE = 8, 40, 4
"""Turns that make 1 of the features for one die, for all dice and for what a move gains."""


@lru_cache(maxsize=1)
def needed_turns() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return `[faces][number][space]`: the turns that a die needs to leave the board alone (X3)."""
    return tuple(
        tuple(
            tuple(_needed(faces, number, space) for space in range(OUTERMOST + 1))
            if 0 < number <= faces
            else ()
            for number in range(faces + 1)
        )
        for faces in range(MAX_FACES + 1)
    )


def _needed(faces: int, number: int, space: int) -> int:
    return min(abs(face - number) - -space // face for face in range(1, faces + 1))


@lru_cache(maxsize=1)
def mean_needed() -> tuple[tuple[int, ...], ...]:
    """Return `[faces][space]`: the mean turns of a die after a reroll, in `UNIT`."""
    table = needed_turns()
    return tuple(
        tuple(
            UNIT * sum(table[faces][number][space] for number in range(1, faces + 1)) // faces
            for space in range(OUTERMOST + 1)
        )
        if faces
        else ()
        for faces in range(MAX_FACES + 1)
    )


@lru_cache(maxsize=1)
def _scaled_needs() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return `needed_turns` in `UNIT`."""
    return tuple(
        tuple(tuple(UNIT * turns for turns in spaces) for spaces in numbers)
        for numbers in needed_turns()
    )


def side_features(state: State, kit: Kit, seat: int, taken: frozenset[int]) -> tuple[int, ...]:
    """Return the features of one side."""
    table, means = _scaled_needs(), mean_needed()
    needs: list[int] = []
    gains: list[int] = []
    off = 0
    for die in kit.own(seat):
        space = state.spaces[die]
        if space <= OFF:
            off += space == OFF
            continue
        faces, number = kit.faces[die], state.numbers[die]
        turns = table[faces][number]
        need = turns[space]
        needs.append(need)
        end = space - number
        if end <= OFF:
            gains.append(need)
        elif end in taken:
            while end in taken:
                end = WARP[end]
            gains.append(need - means[faces][end])
        else:
            gains.append(need - turns[end])
    needs.sort()
    gains.sort(reverse=True)
    missing = max(kit.target - off, 0)
    counted = needs[:missing]
    padded = [0] * (kit.target - len(counted)) + counted
    return (
        UNIT * off // kit.target,
        sum(counted) // TOTAL_SCALE,
        *[need // NEEDED_SCALE for need in padded],
        sum(needs[missing : missing + 2]) // (2 * NEEDED_SCALE),
        *[gain // GAIN_SCALE for gain in (*gains[:GAINS], *[0] * (GAINS - len(gains)))],
        sum(gains[: kit.target]) // TOTAL_SCALE,
    )


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features of each side of a position in the race, of the side on turn first."""
    kit = KITS[state.seats]
    taken = frozenset(space for space in state.spaces if space > OFF)
    staying = still_in(state)
    sides: list[tuple[int, ...]] = []
    for step in range(state.seats):
        seat = (state.turn + step) % state.seats
        side = side_features(state, kit, seat, taken)
        sides.append(side if seat in staying else (0,) * len(side))
    return sides
