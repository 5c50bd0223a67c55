"""Whole turns with a drawn rhomb."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

from engine.computer.tomtube.outlook import score
from engine.computer.tomtube.placing import MAX_PLACES, Turn, promising, whole_turns
from engine.tomtube.rules import apply, legal
from engine.tomtube.state import State
from tests.support.tomtube.games import isolating, match
from tests.support.tomtube.positions import GAME


def drawn(seed: int) -> Iterator[State]:
    """The positions of a match in which a rhomb has been drawn."""
    state = GAME.start("standard", {})
    for action in match(isolating, seed)[1]:
        if state.phase == "rhomb":
            yield state
        state, _ = apply(state, action)


def after(state: State, turn: Turn) -> State:
    """The state after a turn."""
    for action in turn:
        state, _ = apply(state, action)
    return state


@pytest.mark.slow
def test_the_most_promising_turns_come_by_the_score_after_them() -> None:
    for state in drawn(7):
        first = set(promising(state, state.turn, legal(state), MAX_PLACES))
        turns = list(whole_turns(state, legal(state)))
        scores = [score(after(state, way), state.turn) for way in turns if way[0] in first]
        assert scores == sorted(scores, reverse=True)
        assert {way[0] for way in turns[: len(scores)]} == first
        assert {turn[0] for turn in turns} == set(legal(state))


@pytest.mark.slow
def test_a_seat_fills_what_it_isolates_in_every_way() -> None:
    sizes = set[tuple[int, int]]()
    for state in chain(drawn(1), drawn(7)):
        fillings: dict[object, list[Turn]] = {}
        for first, *others in whole_turns(state, legal(state)):
            fillings.setdefault(first, []).append(tuple(others))
        for ways in fillings.values():
            assert len(set(ways)) == len(ways)
            assert len({tuple(action.args for action in way) for way in ways}) == 1
            sizes.add((len(ways[0]), len(ways)))
    assert sizes >= {(0, 1), (1, 2), (2, 4), (2, 3)}  # the last one with few triangles left
