"""The search for a way home agrees with one that tries every single move."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from engine.tomtube.board import Board
from engine.tomtube.drifting import find_drifts
from engine.tomtube.homeward import Cost, Homeward, Left, is_in_the_way, worth
from engine.tomtube.lattice import BASES, NEIGHBOURS, SHORT
from engine.tomtube.tiles import EVERY, OWN
from tests.support.tiers import sampled
from tests.support.tomtube.games import greedy, match, random_match
from tests.support.tomtube.positions import GAME, around, bits, node, position

FREE = ("drift", "jump")
"""Moves without a control counter."""

MOST_COUNTERS = 3
"""On the board. With more the search below takes too long."""


def boards(seed: int) -> list[Board]:
    """Some boards of a random match."""
    state, state_boards = GAME.start("standard", {}), []
    for number, action in enumerate(random_match(seed)[1]):
        state, _ = GAME.apply(state, action)
        if number % 30 == 29:
            state_boards.append(state.board)
    return state_boards


class EveryMove:
    """All positions that an astronaut reaches by single moves, with these counters."""

    def __init__(self, board: Board, seat: int) -> None:
        self._board, self._seat = board, seat
        self._drifts = cache(
            lambda node, users, counters: find_drifts(
                board, board.nodes[seat], node, users, counters
            )
        )

    def _jumps(self, node: int) -> list[int]:
        complete = self._board.complete
        covered = {SHORT[pair] for pair in self._board.places}
        if not complete >> node & 1:
            return []
        others = (
            neighbour
            for neighbour in NEIGHBOURS[node]
            if neighbour is not None and complete >> neighbour & 1
        )
        return [neighbour for neighbour in others if frozenset((node, neighbour)) not in covered]

    def _after(self, node: int, hand: Cost, left: Left) -> tuple[int, Cost, Left]:
        """Stop on a node and take its counter."""
        gain = worth(*[kind >> node & 1 for kind in left])
        taken = hand[0] + gain[0], hand[1] + gain[1]
        return node, taken, tuple(kind & ~(1 << node) for kind in left)

    def leads_home(self, node: int, hand: Cost, left: Left) -> bool:
        """Try every move from every position."""
        queue = [self._after(node, hand, left)]
        seen = set(queue)
        for place, (energy, control), counters in queue:
            if place == BASES[self._seat]:
                return True
            lying = counters[0] | counters[1] | counters[2]
            ends = [(end, 0, 0) for end in self._drifts(place, OWN[self._seat], lying)]
            ends += [(end, 1, 0) for end in self._jumps(place) if energy]
            ends += [
                (end, 0, 1) for end in self._drifts(place, EVERY[self._seat], lying) if control
            ]
            after = [
                self._after(end, (energy - fuel, control - steering), counters)
                for end, fuel, steering in ends
            ]
            new = [option for option in dict.fromkeys(after) if option not in seen]
            seen.update(new)
            queue += new
        return False


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
@sampled(8, 24, 600)
def test_t5_3_a_way_home_is_found_if_there_is_one(seat: int, samples: int) -> None:
    random, results = Random(seat), set()
    for board in (board for seed in range(samples) for board in boards(seed)):
        search, every = Homeward(board, seat), EveryMove(board, seat)
        complete = board.nodes[seat]
        nodes = [node for node in range(complete.bit_length()) if complete >> node & 1]
        for _ in range(12):
            left = [0, 0, 0]
            for lying in random.sample(nodes, random.randrange(MOST_COUNTERS + 1)):
                left[random.randrange(3)] |= 1 << lying
            place = random.choice(nodes), (random.randrange(3), random.randrange(3)), tuple(left)
            assert search.possible(*place) == every.leads_home(*place), (board, place)
            results.add(search.possible(*place))
    assert results == {False, True}


def test_t5_3_no_region_is_searched_again_with_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the search would grow exponentially with the counters that are out of reach."""
    cluster = ("0,0", "1,0", "0,1", "-1,0", "0,-1", "1,1", "1,-1", "-1,1")
    out_of_reach = ("-4,2", "4,-2")
    board = position(fills=around(*cluster, *out_of_reach)).board
    steps, regions = Homeward._steps, list[int]()

    def noted(search: Homeward, region: int, hand: Cost, left: Left) -> Any:
        regions.append(region)
        return steps(search, region, hand, left)

    monkeypatch.setattr(Homeward, "_steps", noted)
    left = (0, 0, bits(" ".join(out_of_reach)))
    assert not Homeward(board, 0).possible(node("0,-1"), (3, 0), left), "four jumps from home"
    assert len(regions) == len(set(regions)) == len(cluster)


def test_t4_0_the_other_astronaut_is_in_the_way_of_moves() -> None:
    """Exactly if a move that costs no control counter ends there once the place is free."""
    cases = set()
    for seed in range(2):
        state = GAME.start("standard", {})
        for action in match(greedy, seed)[1]:
            state, _ = GAME.apply(state, action)
            if state.phase != "turn" or state.faster >= 0:
                continue
            seat = state.turn
            free = state.draft()
            free.at = (free.at[0], BASES[1]) if seat == 0 else (BASES[0], free.at[1])
            letter, moves = "TD"[seat], [a for a in GAME.legal(free.freeze()) if a.verb in FREE]
            is_end = state.at[1 - seat] in {node(move.args[0], letter) for move in moves}
            assert is_in_the_way(state, letter) == is_end
            cases.add(is_end)
    assert cases == {True, False}
