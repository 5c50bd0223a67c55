"""T4: drifting, control counters, jumps."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, IllegalActionError
from engine.tomtube.drifting import unfinished_knots
from engine.tomtube.lattice import PLACE_NAMES
from engine.tomtube.state import State
from tests.support.tomtube.positions import (
    GAME,
    after,
    around,
    events,
    hands,
    legal,
    node,
    position,
    refusal,
)

LINE = ("0,0/1,0/0,1", "0,0/-1,0/0,-1")
"""Two triangles that face each other across a knot: the way from one to the other is straight."""

TO_GATE = "0,2/1,2/0,3"
"""A tube here leads straight on into the fork of Tom's base."""

BEND = ("0,0/1,0/0,1", "0,0/-1,0/-1,1")
"""Two that do not."""

NEAR = ("0,0", "1,0", "0,1", "-1,0", "0,-1", "-1,1")


def tubes(*names: str, dave: str = "", knots: tuple[str, ...] = NEAR, **fields: Any) -> State:
    """Tubes of Tom's in these triangles, all knots in the middle complete, Tom on one of them."""
    fills = around(*knots, tubes=" ".join(names), dave=dave)
    return position(fills=fills, **{"tom": "1,0"} | fields)


def test_t4_0_an_incomplete_knot_is_no_node() -> None:
    state = tubes(LINE[0], knots=("1,0", "0,0"))
    assert legal(state, "drift") == ["0,0"]
    assert refusal(state, "T drift 0,1") == "T4.0"


def test_t3_3_unfinished_knots_at_the_players_tubes_are_known() -> None:
    """They are those where a drift could end as it does at a complete knot."""
    state = tubes(LINE[0], knots=("1,0", "0,0"))
    assert unfinished_knots(state, "T") == ["0,1"]
    assert unfinished_knots(tubes(LINE[0]), "T") == []
    assert unfinished_knots(tubes("", dave=LINE[0], knots=("1,0", "0,0")), "T") == []
    assert (
        unfinished_knots(
            position(fills=around("1,0", "0,0", tubes=LINE[0]), tom="1,0", dave="0,1"), "T"
        )
        == []
    )


def test_t4_0_energy_spheres_are_nodes_named_as_laid() -> None:
    rhomb = "AB/CD+@1,1>0,0"
    state = position(rhomb, around("1,1"), tom="1,1")
    assert legal(state, "drift") == ["1,1>0,0"]
    assert refusal(state, "T drift 0,0>1,1") == "T4.0"
    bare = position("AB/CD@1,1>0,0", around("1,1"), tom="1,1")
    assert legal(bare, "drift") == []
    assert refusal(bare, "T drift 1,1>0,0") == "T4.0"


@pytest.mark.parametrize("place", ["-2,-2", "-2,4", "4,-2"])
def test_t4_0_players_do_not_enter_the_others_stations(place: str) -> None:
    gate = {"-2,-2": "-2,-1", "-2,4": "-2,3", "4,-2": "3,-1"}[place]
    state = position(tom=gate, hands=hands((1, 1), (1, 0)))
    assert len(legal(state, "drift")) == 1
    assert legal(state, "control") == []
    for verb in ("drift", "control", "jump"):
        assert refusal(state, f"T {verb} {place}") == "T4.0"


def test_t4_0_the_own_stations_have_names() -> None:
    state = position(tom="-3,1")
    assert legal(state, "drift") == ["module1", "-3,2"]
    assert refusal(state, "T drift -4,2") == "T4.0"
    assert legal(position(tom="2,-3"), "drift") == ["module2", "1,-3"]
    assert legal(position(dave="3,-1", seat="D"), "drift") == ["3,-2", "module2"]
    assert legal(position(dave="-1,3", seat="D"), "drift") == ["-2,3", "module1"]


def test_t4_0_an_occupied_sphere_is_neither_entered_nor_passed() -> None:
    assert "0,-1" in legal(tubes(*LINE), "drift")
    state = tubes(*LINE, dave="", hands=hands((1, 1)))
    draft = state.draft()
    draft.at = (node("1,0"), node("0,0"))
    state = draft.freeze()
    assert legal(state, "drift") == ["0,1"]
    assert "0,0" not in legal(state, "jump")
    assert refusal(state, "T drift 0,0") == "T4.0"
    assert refusal(state, "T jump 0,0") == "T4.0"
    assert refusal(state, "T drift -1,0") == "T4.1"


def test_t4_1_a_drift_goes_through_own_neutral_and_printed_tubes() -> None:
    fills = around("0,0", "1,1", tubes="0,0/-1,0/0,-1") + " " + around("-1,0", "0,-1")
    state = position("AC/AC@0,0>1,1", fills, tom="1,1")
    assert legal(state, "drift") == ["0,-1", "-1,0", "0,0"]
    gate = position(fills=around("0,2", tubes=TO_GATE), tom="0,2")
    assert legal(gate, "drift") == ["2,1", "1,2", "base"], "straight on into the printed fork"


def test_t4_1_not_through_tubes_of_the_other_colour() -> None:
    state = tubes(LINE[0], dave=LINE[1])
    assert legal(state, "drift") == ["0,0", "0,1"]
    assert refusal(state, "T drift -1,0") == "T4.1"


def test_t4_2_a_control_counter_opens_tubes_of_every_colour() -> None:
    state = tubes(LINE[0], dave=LINE[1], hands=hands(control=(1, 0)))
    assert legal(state, "control") == ["0,-1", "-1,0"]
    story = events(state, "T control -1,0")
    assert story[:2] == [
        "paid:T:control",
        "steered:T:1,0:-1,0:1,0|0,0/1,0/0,1|0,0|0,-1/-1,0/0,0|-1,0",
    ]
    state = after(state, "T control -1,0")
    assert GAME.view(state).astronauts[0].control == 0
    assert GAME.view(state).supply[1] == 8
    assert legal(after(state, "D drift -1,-2"), "control") == []


def test_t4_2_not_where_a_drift_leads_for_free() -> None:
    state = tubes(LINE[0], dave=LINE[1], hands=hands(control=(1, 0)))
    assert refusal(state, "T control 0,0") == "T4.2"
    assert refusal(tubes(LINE[0], dave=LINE[1]), "T control -1,0") == "T4.2"
    assert refusal(state, "T control 0,2") == "T4.0"
    assert refusal(state, "T control -1,1") == "T4.2"


def test_t4_2_the_picture_of_the_control_drift() -> None:
    """Tom makes way by a neutral tube; Dave drifts through neutral, Tom's and own tubes."""
    rhombs = "AC/AC@-2,1>0,0 AC/BD@0,0>2,-1 AC/AC+@0,0>-1,2"
    fills = around("-2,1", "0,0", "2,-1", dave="2,-1/3,-2/3,-1")
    state = position(rhombs, fills, tom="0,0", dave="-2,1", hands=hands(control=(0, 1)))
    in_the_way = state.draft()
    in_the_way.turn = 1
    assert legal(in_the_way.freeze(), "control") == []
    state = after(state, "T drift 0,0>-1,2")
    assert legal(state, "drift") == ["0,0"]
    assert legal(state, "control") == ["3,-2", "2,-1", "3,-1"]
    state = after(state, "D control 3,-1")
    assert GAME.view(state).astronauts[1].place == "3,-1"


def test_t4_3_a_jump_costs_energy_for_one_edge_of_complete_knots() -> None:
    state = tubes(tom="0,0")
    assert legal(state, "jump") == ["0,-1", "-1,0", "1,0", "-1,1", "0,1"]
    assert refusal(state, "T jump 1,-1") == "T4.0"
    assert refusal(state, "T jump -2,0") == "T4.0"
    assert refusal(tubes(tom="1,0"), "T jump -1,0") == "T4.3"
    state = after(state, "T jump 0,1")
    assert GAME.view(state).astronauts[0][1:3] == ("0,1", 0)
    assert GAME.view(state).supply[0] == 23
    assert refusal(tubes(tom="0,0", hands=hands((0, 1))), "T jump 0,1") == "T4.3"


def test_t4_3_no_jump_along_the_short_diagonal_of_a_rhomb() -> None:
    fills = around("0,0", "1,0", "0,1", "1,1")
    state = position("AC/BD@0,0>1,1", fills, tom="1,0")
    assert "0,1" not in legal(state, "jump")
    assert {"0,0", "1,1"} <= set(legal(state, "jump"))
    assert refusal(state, "T jump 0,1") == "T4.3"
    with pytest.raises(IllegalActionError, match="A rhomb covers the edge to"):
        GAME.apply(state, Action.parse("T jump 0,1"))


def test_t4_3_no_jump_from_or_to_spheres_bases_and_modules() -> None:
    assert legal(position(tom="1,2"), "jump") == ["2,1"]
    assert legal(position(), "jump") == []
    assert refusal(position(), "T jump 1,2") == "T4.3"
    sphere = position("AC/AC+@0,0>1,1", around("0,0", "1,1"), tom="0,0>1,1")
    assert legal(sphere, "jump") == []
    assert refusal(sphere, "T jump 0,0") == "T4.3"
    beside = position("AC/AC+@0,0>1,1", around("0,0", "1,1"), tom="0,0")
    assert legal(beside, "jump") == []
    assert refusal(beside, "T jump 0,0>1,1") == "T4.3"
    assert refusal(position(tom="1,2"), "T jump base") == "T4.3"


@pytest.mark.parametrize("place", [PLACE_NAMES[0], PLACE_NAMES[-1]])
def test_t4_3_no_jump_from_the_first_or_last_sphere(place: str) -> None:
    state = position(f"AC/AC+@{place}", tom=place)
    with pytest.raises(IllegalActionError, match=f"begins at a complete knot, not at {place}"):
        GAME.apply(state, Action.parse("T jump 0,0"))


def test_t4_3_gates_are_jumped_from_and_to() -> None:
    state = position(fills=around("1,1"), tom="1,1")
    assert legal(state, "jump") == ["2,1", "1,2"]
    assert legal(after(state, "T jump 1,2", "D drift -1,-2"), "drift") == ["2,1", "base"]


def test_t4_3_the_picture_of_the_space_jump() -> None:
    """Tom jumps from a sphere to a control sphere and picks up its counter."""
    state = position(fills=around("0,0", "1,0"), tom="0,0", put=("", "1,0", ""))
    state = after(state, "T jump 1,0")
    assert GAME.view(state).astronauts[0][1:4] == ("1,0", 0, 1)
    assert all(counter.kind == "solar" for counter in GAME.view(state).counters)


def test_t4_4_no_stop_at_a_centre_without_a_sphere() -> None:
    """The picture of the ramification: choose a way on, do not turn back."""
    state = tubes(LINE[0])
    assert legal(state, "drift") == ["0,0", "0,1"]
    assert refusal(state, "T drift 1,0") == "T3.4"


def test_t4_4_a_drift_goes_straight_on_through_a_complete_knot() -> None:
    assert legal(tubes(*LINE), "drift") == ["0,-1", "-1,0", "0,0", "0,1"]


def test_t4_4_no_change_of_direction_at_a_knot() -> None:
    assert legal(tubes(*BEND), "drift") == ["0,0", "0,1"]
    assert refusal(tubes(*BEND), "T drift -1,0") == "T4.1"
    there = after(tubes(*BEND), "T drift 0,0", "D drift -1,-2")
    assert {"-1,0", "-1,1"} <= set(legal(there, "drift"))


def test_t4_4_at_an_energy_sphere_only_straight_on() -> None:
    fills = around("0,0", "1,1", "0,1", "1,0")
    state = position("AB/AC+@0,0>1,1", fills, dave="0,0", tom="0,1", seat="D")
    assert legal(state, "drift") == ["1,1", "0,0>1,1"]
    assert legal(position("AB/AC+@0,0>1,1", fills, tom="0,1"), "drift") == ["0,0>1,1"]
    steering = position("AB/AC+@0,0>1,1", fills, tom="0,1", hands=hands(control=(1, 0)))
    assert legal(steering, "control") == []


def test_t4_4_where_tubes_cross_players_stay_in_their_own() -> None:
    fills = around("0,0", "1,1", "0,1", "1,0")
    state = position("AB/CD@0,0>1,1", fills, tom="0,0", hands=hands(control=(1, 0)))
    assert legal(state, "drift") == ["0,1"]
    assert legal(state, "control") == ["1,0", "1,1"], "with a counter every arm is open"


def test_t4_4_a_way_to_an_incomplete_knot_is_not_possible() -> None:
    """Not even on the way to a complete one."""
    gap = position(fills=around(*NEAR, tubes=" ".join(LINE), but="0,0/0,1/-1,1"), tom="1,0")
    assert "1,0" in GAME.view(gap).complete
    assert legal(gap, "drift") == []


def test_t4_4_the_picture_of_stopping() -> None:
    """Where the way bends the move ends; where it is straight it may go on."""
    knots = (*NEAR, "-2,0", "-2,1", "-1,-1")
    bent = tubes(*LINE, "-1,0/-2,0/-1,-1", knots=knots)
    assert legal(bent, "drift") == ["0,-1", "-1,0", "0,0", "0,1"]
    assert refusal(bent, "T drift -2,0") == "T4.1"
    straight = tubes(*LINE, "-1,0/-2,0/-2,1", knots=knots)
    assert legal(straight, "drift") == ["0,-1", "-2,0", "-1,0", "0,0", "-2,1", "0,1"]


def test_t4_4_through_two_spheres_without_stopping() -> None:
    rhombs = "AC/BD@-2,1>0,0 AC/BD+@0,0>2,-1"
    fills = around("-2,1", "0,0", "2,-1", tubes="2,-1/3,-2/3,-1")
    state = position(rhombs, fills, tom="-2,1")
    assert legal(state, "drift") == ["3,-2", "2,-1", "3,-1", "0,0", "0,0>2,-1"]
    story = events(state, "T drift 3,-2")
    assert story == ["drifted:T:-2,1:3,-2:-2,1|-2,1>0,0|0,0|0,0>2,-1|2,-1|3,-2/2,-1/3,-1|3,-2"]


def test_t4_4_entering_base_or_module_ends_the_move() -> None:
    """From one gate to the other the way leads past the base, never through it."""
    state = position(fills=around("0,2", tubes=TO_GATE), tom="0,2")
    assert events(state, "T drift base")[0] == (
        "drifted:T:0,2:base:0,2|0,2/1,2/0,3|1,2|2,1/1,2/2,2|base"
    )
    assert events(state, "T drift 2,1")[0].endswith("|1,2|2,1/1,2/2,2|2,1")


def test_t4_4_the_start_may_be_passed_again() -> None:
    """A ring of straight ways: round it and out on the other side of the start."""
    ring = "0,0/1,0/0,1 0,0/0,1/-1,1 0,0/-1,1/-1,0 0,0/-1,0/0,-1 0,0/0,-1/1,-1 0,0/1,-1/1,0"
    state = tubes(*ring.split(), tom="0,0", knots=(*NEAR, "1,-1"))
    assert legal(state, "drift") == ["0,-1", "1,-1", "-1,0", "1,0", "-1,1", "0,1"]


@pytest.mark.parametrize("counter", [0, 1])
def test_t4_4_the_arm_into_anothers_station_stays_shut(counter: int) -> None:
    state = position(tom="-2,3", hands=hands(control=(counter, 0)))
    assert legal(state, "drift") == ["-1,3"]
    assert legal(state, "control") == []


def test_t4_5_a_counter_ends_the_drift_and_is_taken() -> None:
    state = tubes(*LINE, put=("0,0", "", ""))
    assert legal(state, "drift") == ["0,0", "0,1"]
    assert refusal(state, "T drift -1,0") == "T4.1"
    story = events(state, "T drift 0,0")
    assert story[1:] == ["took:T:energy:0,0"]
    state = after(state, "T drift 0,0", "D drift -1,-2")
    assert GAME.view(state).astronauts[0].energy == 2
    assert "-1,0" in legal(state, "drift")


@pytest.mark.parametrize(("kind", "points"), [(0, 1), (1, 2), (2, 5)])
def test_t4_5_counters_of_every_kind_are_taken(kind: int, points: int) -> None:
    put = ["", "", ""]
    put[kind] = "0,0"
    state = tubes(*LINE, put=tuple(put))
    before = (GAME.points(state) or {})["T"]
    assert (GAME.points(after(state, "T drift 0,0")) or {})["T"] == before + points


def test_t4_5_the_own_solar_counter_is_taken_on_entering() -> None:
    state = after(position(tom="-3,1"), "T drift module1")
    view = GAME.view(state)
    assert view.astronauts[0].solar == 1
    assert ("solar", "module1", "T") not in view.counters
    state = after(state, "D drift -1,-2", "T drift -3,1", "D drift -2,-1", "T drift module1")
    assert GAME.view(state).astronauts[0].solar == 1, "there was one only"
