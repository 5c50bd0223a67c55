"""The slower player of Tom Tube goes home the best way, which is foreseen."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.computer.situation import SCALE
from engine.computer.tomtube.outlook import final_lead, score, side_of
from engine.computer.tomtube.player import rate
from engine.computer.tomtube.returning import NO_RETURN, gain_until_home
from engine.computer.tomtube.ways import NO_WAY
from engine.game import Action
from engine.tomtube.homeward import is_stranded
from engine.tomtube.lattice import BASES, KNOT_NAMES
from engine.tomtube.rules import points
from engine.tomtube.state import State
from tests.support.reasons import situation
from tests.support.tiers import examples
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME, position

SEEDS = st.integers(0, 10**6)

MAX_TURNS = 25
"""No way home is longer in these tests."""


def counted(seed: int) -> State:
    """Return a position of a random match, as if Dave had just come home and Tom had not."""
    draft = random_match(seed, limit=40 + seed % 120)[0].draft()
    draft.phase, draft.turn, draft.quiet, draft.drawn = "turn", 0, 0, -1
    draft.faster, draft.at, draft.result = 1, (draft.at[0], BASES[1]), ""
    draft.hands = (draft.hands[0] + seed % 3, *draft.hands[1:])
    state = draft.freeze()
    assume(state.at[0] != BASES[0] and not is_stranded(state, 0) and GAME.legal(state))
    return state


def best_action(state: State) -> Action:
    """Return the strongest player's action."""
    rated = rate(situation(GAME, state), Random(1).randrange, 400)
    return max(rated, key=lambda value_and_action: value_and_action[0])[1]


def gains_at_home(state: State, depth: int, start: int) -> Iterator[int]:
    """Yield Tom's gain on each way home of at most `depth` turns."""
    if state.at[0] == BASES[0]:
        yield points(state)["T"] - start - state.bonus
    elif depth and not state.result:
        for action in GAME.legal(state):
            yield from gains_at_home(GAME.apply(state, action)[0], depth - 1, start)


@examples(20, 80, 2000)
@given(seed=SEEDS)
def test_foreseen_lead_is_reached_without_repeated_positions(seed: int) -> None:
    state = counted(seed)
    assume(gain_until_home(state, 0) > -NO_RETURN)
    seen = set()
    while not state.result:
        expected, key = final_lead(state, 0), (state.at, state.hands, state.put)
        assert key not in seen
        seen.add(key)
        assert len(seen) <= MAX_TURNS
        state, _ = GAME.apply(state, best_action(state))
        assert final_lead(state, 0) >= expected
    assert state.at[0] == BASES[0]


@examples(5, 25, 500)
@given(seed=SEEDS)
def test_no_short_way_home_gains_more_than_the_best(seed: int) -> None:
    state = counted(seed)
    gain = max(gains_at_home(state, 3, points(state)["T"]), default=-NO_RETURN)
    assert gain <= gain_until_home(state, 0)


def test_lost_match_is_ended_at_once() -> None:
    state = position(tom="1,2", faster=1, solar=(0, 2), bonus=8)
    assert (score(state, 0), score(state, 1)) == (0, SCALE)
    assert best_action(state) == Action.parse("T drift base")


@pytest.mark.parametrize(
    ("put", "gain"), [(("", "", ""), -1), (("", "2,1", ""), 0), (("", "", "2,1"), 3)]
)
def test_counter_is_taken_that_is_worth_more_than_a_turn(
    put: tuple[str, str, str], gain: int
) -> None:
    state = position(tom="1,2", put=put, faster=1, solar=(0, 2))
    assert gain_until_home(state, 0) == gain
    assert best_action(state) == Action.parse("T drift 2,1" if any(put) else "T drift base")


def test_ways_that_are_not_built_end_with_building() -> None:
    state = position(tom="1,2", faster=1, solar=(0, 2))
    centre = KNOT_NAMES.index("0,0")
    assert side_of(state, 0).ways.lengths(state.at[0])[centre] == NO_WAY
    assert side_of(position(tom="1,2"), 0).ways.lengths(state.at[0])[centre] < NO_WAY
