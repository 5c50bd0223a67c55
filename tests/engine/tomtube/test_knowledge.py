"""T2.5: the order of the stack is hidden; everything else is open."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.game import Action
from engine.record import Record
from engine.tomtube.knowledge import state_of
from engine.tomtube.state import State
from engine.tomtube.tiles import TILES
from tests.support.any_game import assert_equal_views, view_text
from tests.support.tiers import examples
from tests.support.tomtube.games import bare, isolating, match, random_match
from tests.support.tomtube.positions import GAME, after, around, hands, laying, legal, position

SEATS = ("", "T", "D")


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state out of a match of any kind."""
    seed, limit = draw(st.integers(0, 10**6)), draw(st.integers(0, 150))
    choose = draw(st.sampled_from((None, bare, isolating)))
    rules = draw(st.sampled_from(GAME.rules))
    if choose is None:
        return random_match(seed, rules, limit=limit)[0]
    return match(choose, seed, rules, limit=limit)[0]


@examples(5, 40, 2000)
@given(state=states(), seat=st.sampled_from(SEATS))
def test_a_view_at_a_choice_of_place_tells_the_state(state: State, seat: str) -> None:
    assume(state.phase in ("turn", "rhomb"))
    draft = state.draft()
    draft.story_is_old = 1  # it is told at the beginning of the next turn, which no view shows
    assert state_of(GAME.view(state, seat)) == draft.freeze()


@examples(10, 40, 2000)
@given(state=states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_t2_5_states_dealt_anew_give_equal_views(state: State, seat: str, seed: int) -> None:
    assert_equal_views(GAME, state, seat, seed)


def test_t2_5_next_tile_is_in_neither_position_nor_view() -> None:
    """Two matches that went the same way so far cannot be told apart, whatever will be drawn."""
    lines = ["* first T", "T build", "* draw AD/BC+", "T rhomb 0,0>1,1", "D build"]
    stack = after(GAME.start("standard", {}), *lines)
    for seat in SEATS:
        drawn = {
            view_text(GAME, GAME.load(GAME.dump(stack)), seat)
            for tile in TILES
            if tile != "AD/BC+" and after(stack, f"* draw {tile}")
        }
        assert len(drawn) == 1
        assert list(GAME.view(stack, seat).stack) == [tile for tile in TILES if tile != "AD/BC+"]


def test_t2_5_every_rhomb_left_can_be_drawn_next() -> None:
    stack = after(position("AB/CD+@0,0>1,1"), "T build")
    drawn = {GAME.chance(stack, Random(seed).randrange).args[0] for seed in range(600)}
    assert drawn == set(TILES) - {"AB/CD+"}


def test_t3_1_both_see_the_drawn_rhomb() -> None:
    state = laying("", "AB/CD+")
    assert {GAME.view(state, seat).drawn for seat in SEATS} == {"AB/CD+"}


def test_only_the_seat_that_decides_sees_a_list() -> None:
    state = position()
    assert list(map(str, GAME.view(state, "T").legal)) == [f"T {line}" for line in legal(state)]
    assert not GAME.view(state, "D").legal
    assert not GAME.view(state).legal


@pytest.mark.parametrize("seat", SEATS)
def test_every_line_of_a_record_is_open(seat: str) -> None:
    _, actions = random_match(3, limit=70)
    record = Record({"Game": "tomtube", "Seed": "00"}, actions).redact(seat)
    assert "Seed" not in record.headers
    assert record.actions == actions


def test_a_view_shows_everything_on_the_table() -> None:
    """Views alone suffice to draw the board: its pieces, their places, and the legal actions."""
    fills = around("0,0", tubes="0,0/1,0/0,1", dave="0,0/-1,0/0,-1")
    state = position(
        "AB/CD+@1,1>3,0", fills, tom="0,0", put=("1,1>3,0", "", ""), hands=hands((3, 1))
    )
    view = GAME.view(state, "T")
    assert view.rhombs == (("1,1>3,0", "AB/CD+"),)
    assert ("0,0/1,0/0,1", "T") in view.triangles
    assert ("0,-1/-1,0/0,0", "D") in view.triangles
    assert ("energy", "1,1>3,0", "") in view.counters
    assert view.astronauts[0][:5] == ("T", "0,0", 3, 0, 0)
    assert view.astronauts[0].points == 3
    assert "0,0" in view.complete


def test_the_story_is_of_this_turn_or_of_the_last() -> None:
    state = after(position(), "T drift 1,2")
    assert [event.kind for event in GAME.view(state).story] == ["drifted"]
    for announced in ("D build", "* draw AB/AB"):
        state = after(state, announced)
        assert [event.kind for event in GAME.view(state, "D").story] == ["drifted"], announced
    state = after(state, "D rhomb 0,0>1,1")
    assert [event.kind for event in GAME.view(state).story] == ["laid"]


def test_a_drawn_rhomb_is_an_event_though_the_story_stays() -> None:
    state = after(position(), "T drift 1,2", "D build")
    _, events = GAME.apply(state, Action.parse("* draw AB/AB"))
    assert [str(event) for event in events] == ["drawn:D:AB/AB"]


@pytest.mark.slow
def test_every_event_has_the_facts_that_the_contract_names() -> None:
    for seed in range(20):
        state = GAME.start("standard", {})
        for action in match(bare if seed % 2 else isolating, seed, limit=200)[1]:
            state, events = GAME.apply(state, action)
            for event in events:
                assert len(event.facts) == len(GAME.events[event.kind])
    for line in ("T draw offer", "T resign"):
        for event in GAME.apply(position(), Action.parse(line))[1]:
            assert len(event.facts) == len(GAME.events[event.kind])
