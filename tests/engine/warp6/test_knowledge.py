"""X2.4: who may know what while dice are set in secret, and what views say."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Action
from engine.record import Record
from engine.warp6.state import State
from tests.support.any_game import assert_equal_views
from tests.support.tiers import examples
from tests.support.warp6.games import SETUPS, random_match
from tests.support.warp6.positions import (
    FORMS,
    GAME,
    HIGH,
    HIGHS,
    LOW,
    LOWS,
    after,
    legal,
    numbered,
    placing,
    position,
    rolled,
    secretly,
    start,
)
from tests.support.warp6.states import SEATS, secret_states


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state out of a random match."""
    seats, setup = draw(st.sampled_from(SETUPS))
    return random_match(seats, setup, draw(st.integers(0, 10**6)), draw(st.integers(0, 300)))[0]


@examples(70, 100, 5000)
@given(state=secret_states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_states_with_other_hidden_values_give_equal_views(
    state: State, seat: str, seed: int
) -> None:
    assert_equal_views(GAME, state, seat, seed)


@examples(30, 40, 1000)
@given(state=states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_nothing_else_is_hidden(state: State, seat: str, seed: int) -> None:
    assert_equal_views(GAME, state, seat, seed)
    if state.phase != "set":
        assert GAME.resample_view(state, seat, Random(seed).randrange) == state


@examples(50, 80, 2000)
@given(state=secret_states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_a_resampled_state_plays_on(state: State, seat: str, seed: int) -> None:
    random = Random(seed)
    other = GAME.resample_view(state, seat, random.randrange)
    while other.phase == "set":
        other, _ = GAME.apply(other, GAME.fill(GAME.legal(other)[0], random.randrange))
    assert GAME.load(GAME.dump(other)) == other


def test_resampling_does_change_what_is_hidden() -> None:
    state = after(start(2, "secret"), numbered(FORMS[2][0], LOW))
    others = {GAME.resample_view(state, "Y", Random(seed).randrange).numbers for seed in range(20)}
    assert len(others) > 10
    assert GAME.resample_view(state, "B", Random(0).randrange) == state


def test_x2_4_only_the_own_setting_is_seen_until_all_have_set() -> None:
    state = after(start(3, "secret"), numbered(FORMS[3][0], HIGHS), numbered(FORMS[3][1], LOWS))

    def seen(state: State, seat: str) -> str:
        return "".join(die.number for die in GAME.view(state, seat).dice)

    assert seen(state, "B") == HIGHS + "?" * 12
    assert seen(state, "Y") == "?" * 6 + LOWS + "?" * 6
    assert seen(state, "W") == seen(state, "") == "?" * 18
    state = after(state, numbered(FORMS[3][2], LOWS))
    assert {seen(state, seat) for seat in SEATS} == {HIGHS + LOWS + LOWS}


def test_x2_4_who_has_set_is_open() -> None:
    state = after(start(3, "secret"), numbered(FORMS[3][1], LOWS))
    view = GAME.view(state, "B")
    assert view.pending == "BW"
    assert [str(event) for event in view.story] == ["set:Y"]
    assert [str(action) for action in view.legal] == [FORMS[3][0]]
    assert GAME.view(state, "Y").legal == ()
    assert GAME.view(state).legal == ()


@pytest.mark.parametrize("seat", SEATS)
def test_x2_4_a_record_hides_settings_until_all_have_set(seat: str) -> None:
    lines = [numbered(form, LOWS) for form in FORMS[3]]
    actions = tuple(Action.parse(line) for line in lines)
    headers = {"Game": "warp6", "Options": "seats=3 setup=secret", "Seed": "00"}
    waiting = Record(headers, actions[:2]).redact(seat)
    assert "Seed" not in waiting.headers
    expected = [line if line[0] == seat else f"{line[0]} set ?" for line in lines[:2]]
    assert [str(action) for action in waiting.actions] == expected
    assert Record(headers, actions).redact(seat).actions == actions


def test_x2_4_a_setting_of_a_seat_that_left_is_open_at_the_end() -> None:
    actions = [Action.parse(line) for line in (numbered(FORMS[3][0], LOWS), "B leave")]
    state = after(start(3, "secret"), *map(str, actions))
    assert str(GAME.redact(state, "Y", actions)[0]) == "B set ?"
    assert GAME.redact(state, "B", actions)[0] == actions[0]
    assert {die.where for die in GAME.view(state, "Y").dice[:6]} == {"out"}
    state = after(state, "Y leave")
    assert GAME.redact(state, "", actions)[0] == actions[0]


def test_a_view_shows_where_every_die_is() -> None:
    state = after(rolled(HIGH, LOW), "B place b8a")
    view = GAME.view(state, "Y")
    assert view.dice[0] == ("b8a", "B", 8, "8", "board", 126, 6)
    assert view.dice[1] == ("b8b", "B", 8, "2", "hand", 0, 0)
    assert (view.phase, view.turn_seat, view.free, view.turn) == ("place", "Y", 125, 0)
    view = GAME.view(position("b8a1@0 b8b2@90 y4a1@0 y4b1@0"))
    assert view.dice[:2] == (
        ("b8a", "B", 8, "1", "off", 0, 0),
        ("b8b", "B", 8, "2", "board", 90, 5),
    )
    assert (view.off, view.target, view.free, view.turn) == ((1, 2), 6, 0, 1)


def test_view_names_the_die_to_reroll_and_counts_changes() -> None:
    state = after(position("b4a2@93 y8a1@91", changes=7), "B down b4a")
    assert GAME.view(state).changes == 8
    state = after(position("b4a2@93 y8a1@91", changes=7), "B move b4a")
    view = GAME.view(state, "B")
    assert (view.changes, view.focus, view.pending, view.legal) == (0, "b4a", "*", ())


def test_a_view_shows_whose_turn_it_is_once_that_is_known() -> None:
    assert GAME.view(start()).turn_seat == ""
    assert GAME.view(start(2, "secret")).turn_seat == ""
    assert GAME.view(secretly(HIGH, HIGH)).turn_seat == ""
    assert GAME.view(rolled(LOW, HIGH)).turn_seat == "Y"


def test_a_view_shows_who_left_and_the_points_at_the_end() -> None:
    state = after(placing(rolled(HIGHS, LOWS, LOWS)), "Y leave")
    assert (GAME.view(state).departed, GAME.view(state).points) == ("Y", ())
    view = GAME.view(after(state, "B flag"))
    assert view.points == (("B", 24), ("Y", 24), ("W", 0))
    assert (view.departed, view.result) == ("BY", "W time")


def test_only_the_seat_that_decides_sees_a_list() -> None:
    state = position(seat="Y")
    assert [str(action) for action in GAME.view(state, "Y").legal] == legal(state)
    assert GAME.view(state, "B").legal == ()
    assert GAME.view(state).legal == ()
