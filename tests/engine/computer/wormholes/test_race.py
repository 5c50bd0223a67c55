"""The race of a lone ship, against the same sums written out step by step."""

from __future__ import annotations

from random import Random

import pytest

from engine.computer.wormholes import race
from engine.computer.wormholes.race import COUNT, FACES, JUMPS, MAX_TURNS, ONE, TURN, WAYS, Coins
from engine.wormholes.board import BASES, FREE_FOR_COINS


def boards(seed: int) -> tuple[Coins, Coins]:
    """Return the coins that a seat expects on a board, and the real ones."""
    random = Random(seed)
    expected: list[tuple[int, ...]] = [()] * COUNT
    for space in random.sample(FREE_FOR_COINS, 24):
        expected[space] = tuple(random.sample(range(24), random.choice((1, 2, 3, 6))))
    met = tuple((random.choice(coins),) if coins else () for coins in expected)
    return tuple(expected), met


def rolled(space: int, lengths: tuple[int, ...], met: tuple[int, ...]) -> int:
    """Return the mean length after the best way for each face."""
    total = met[space]
    for value in range(1, FACES):
        ends = WAYS[value][space]
        total += min(met[end] for end in ends) if ends else lengths[space]
    return total // FACES


@pytest.mark.parametrize("seat", [0, 1])
def test_lengths_are_those_of_the_best_way_for_each_face(seat: int) -> None:
    expected, _ = boards(seat)
    lengths = race.lengths_of(seat, expected)
    met = [
        sum(
            lengths[space] + TURN
            if coin % 6 == 0
            else min((lengths[end] for end in JUMPS[coin][space]), default=lengths[space])
            for coin in coins
        )
        // len(coins)
        if coins
        else lengths[space]
        for space, coins in enumerate(expected)
    ]
    for space in range(COUNT):
        if space in BASES[1 - seat]:
            assert lengths[space] == 0
        else:
            once_more = TURN + rolled(space, lengths, tuple(met))
            assert abs(lengths[space] - once_more) <= race.CLOSE


def test_a_value_that_leads_nowhere_leaves_the_ship_where_it_is() -> None:
    stuck = [space for space in range(COUNT) if any(not ends[space] for ends in WAYS[1:])]
    assert stuck
    lengths = tuple(Random(1).randrange(20 * TURN) for _ in range(COUNT))
    met = tuple(length + 500 for length in lengths)
    for space in stuck:
        assert race._rolled(space, lengths, met) == rolled(space, lengths, met)


@pytest.mark.parametrize("seat", [0, 1])
def test_curves_add_up_all_that_a_turn_leads_to(seat: int) -> None:
    expected, met = boards(seat + 2)
    lengths, curves = race.race(seat, expected, met)
    goals = BASES[1 - seat]
    steps = race._steps(goals, lengths, expected, met)
    assert any(lost for there in steps for _, _, lost in there)
    curve = [tuple(ONE * (space in goals) for space in range(COUNT))] * 2
    for turns in range(1, MAX_TURNS + 1):
        after = tuple(
            ONE
            if space in goals
            else sum(part * curve[-1 - lost][end] for part, end, lost in steps[space])
            // (FACES * race.PARTS)
            for space in range(COUNT)
        )
        assert curves[turns] == after
        curve.append(after)
