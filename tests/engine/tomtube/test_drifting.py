"""Two searches for drifts agree: that for one move, and that for all nodes within reach."""

from __future__ import annotations

import pytest

from engine.tomtube.drifting import connected, find_drifts, spread
from engine.tomtube.lattice import MIDDLE_BITS
from engine.tomtube.state import Draft
from engine.tomtube.tiles import EVERY, OWN
from tests.support.tiers import sampled
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME


def bits(nodes: int) -> list[int]:
    """The nodes of a set of bits."""
    return [node for node in range(nodes.bit_length()) if nodes >> node & 1]


def drafts(seed: int) -> list[Draft]:
    """Some positions of a random match."""
    state, state_drafts = GAME.start("standard", {}), []
    for number, action in enumerate(random_match(seed)[1]):
        state, _ = GAME.apply(state, action)
        if number % 20 == 0:
            state_drafts.append(state.draft())
    return state_drafts


@pytest.mark.parametrize("seat", [0, 1])
@sampled(2, 6, 200)
def test_t4_5_nodes_within_reach_are_the_stops_of_drifts(seat: int, samples: int) -> None:
    for draft in (draft for seed in range(samples) for draft in drafts(seed)):
        board, counters = draft.board, draft.counters()
        nodes, users = board.nodes[seat], EVERY[seat]
        for start in bits(nodes):
            stops = find_drifts(board, nodes, start, users, counters)
            reached = spread(board, nodes, 1 << start, users, final=counters | MIDDLE_BITS)
            assert {start, *bits(reached)} == {start, *stops}


@pytest.mark.parametrize("seat", [0, 1])
@sampled(2, 6, 200)
def test_t4_1_connected_nodes_are_those_of_several_drifts(seat: int, samples: int) -> None:
    for draft in (draft for seed in range(samples) for draft in drafts(seed)):
        board = draft.board
        nodes, users = board.nodes[seat], OWN[seat]
        start = draft.at[seat]
        reached = {start}
        while (
            new := {end for node in reached for end in find_drifts(board, nodes, node, users, 0)}
            - reached
        ):
            reached |= new
        assert set(bits(connected(board, nodes, start, users))) == reached
