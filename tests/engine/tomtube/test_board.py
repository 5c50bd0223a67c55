"""T1 and T2: the board and the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from itertools import product

import pytest

from engine.game import Action
from engine.tomtube.board import board_of, fill_of, rhomb_code, rhomb_of
from engine.tomtube.lattice import (
    AROUND,
    FORKS,
    GATES,
    KNOT_NAMES,
    KNOTS,
    MIDDLES,
    NEIGHBOURS,
    PAIRS,
    PLACE_INDEX,
    PLACES,
    SPACE,
    TRIANGLE_NAMES,
    TRIANGLES,
    members,
)
from engine.tomtube.state import State
from engine.tomtube.tables import PATTERNS, SAME_TURNED, STATIONS
from engine.tomtube.tiles import BLANK, TILE_INDEX, TILES, rhomb_mouths
from tests.support.tomtube.games import Choice, any_of, isolating, match
from tests.support.tomtube.positions import (
    GAME,
    after,
    around,
    filled,
    hands,
    laying,
    legal,
    position,
    refusal,
)

HALF_TURN = str.maketrans("ABCD", "CDAB")


def half_turned(pattern: str) -> str:
    """A pattern as it reads after a half turn of its tile."""
    return "/".join("".join(sorted(pair.translate(HALF_TURN))) for pair in pattern.split("/"))


def xy(place: tuple[int, int]) -> tuple[float, float]:
    """Where a knot is drawn: (1, 0) to the right, (0, 1) to the upper right."""
    q, r = place
    return q + r / 2, r * 3**0.5 / 2


def test_t1_1_the_lattice_has_61_knots_and_96_triangles() -> None:
    assert len(KNOTS) == 61
    assert sum(None not in around for around in NEIGHBOURS) == 37
    assert len(TRIANGLES) == 96


def test_t1_1_knots_are_ordered_by_r_then_q() -> None:
    assert sorted(KNOTS, key=lambda knot: (knot[1], knot[0])) == list(KNOTS)


def test_t1_1_directions_go_counterclockwise() -> None:
    ends = [KNOTS[end] for end in NEIGHBOURS[KNOT_NAMES.index("0,0")] if end is not None]
    assert ends == [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    for (x, y), (u, v) in zip(map(xy, ends), map(xy, ends[1:]), strict=False):
        assert x * v - y * u > 0


def test_t1_2_stations_take_18_triangles_and_leave_78() -> None:
    assert SPACE.bit_count() == 78
    upright = [min(knots) + 1 in knots for knots in TRIANGLES]
    assert sum(SPACE >> triangle & upright[triangle] for triangle in range(96)) == 39


def test_t1_2_no_rhomb_touches_the_middle_of_a_side() -> None:
    assert not any(corner.knot in MIDDLES for place in PLACES for corner in place)


def test_t1_3_a_half_turn_swaps_the_players() -> None:
    for number, station in enumerate(STATIONS):
        other = STATIONS[(number + 3) % 6]
        assert other.middle == (-station.middle[0], -station.middle[1])
        assert {(-q, -r) for q, r in station.gates} == set(other.gates)
        assert (other.owner, other.is_base) == (1 - station.owner, station.is_base)


def test_t1_3_each_player_has_a_base_and_two_modules() -> None:
    assert [station.owner for station in STATIONS] == [0, 1, 0, 1, 0, 1]
    assert [number for number, station in enumerate(STATIONS) if station.is_base] == [0, 3]


def test_t1_4_the_gates_are_complete_from_the_start() -> None:
    assert set(GAME.view(position()).complete) == {KNOT_NAMES[gate] for gate in GATES}
    assert len(GATES) == 12


def test_t1_5_the_printed_fork_joins_base_and_gates() -> None:
    assert legal(position(), "drift") == ["2,1", "1,2"]
    assert legal(position(seat="D"), "drift") == ["-1,-2", "-2,-1"]


def test_t1_5_both_cross_from_gate_to_gate_only_owners_enter() -> None:
    assert legal(position(tom="2,1"), "drift") == ["1,2", "base"]
    assert legal(position(dave="2,1", seat="D"), "drift") == ["1,2"]


def test_t1_6_artwork_of_a_station_takes_no_tile_or_tube() -> None:
    assert sum(any(knot in MIDDLES for knot in knots) for knots in TRIANGLES) == 18
    assert refusal(laying("", "AB/AB"), "T rhomb 1,2>3,1") == "T3.1"
    fork = TRIANGLE_NAMES[FORKS[0]]
    assert refusal(position(phase="fill"), f"T tube {fork}") == "T3.2"


def test_t1_7_rim_knots_are_never_complete() -> None:
    complete = GAME.view(position(fills=filled())).complete
    inner = [
        name for name, around in zip(KNOT_NAMES, NEIGHBOURS, strict=True) if None not in around
    ]
    assert sorted(complete) == sorted(inner)
    assert len(AROUND) == 37 - 12


def test_t2_1_what_there_is_at_the_start() -> None:
    view = GAME.view(after(GAME.start("standard", {}), "* first T"))
    for astronaut in view.astronauts:
        assert astronaut.place == "base"
        assert (astronaut.energy, astronaut.control, astronaut.alien) == (1, 0, 0)
        assert (astronaut.solar, astronaut.tubes, astronaut.blanks) == (0, 6, 3)
    assert view.supply == (22, 8, 6)
    assert len(view.stack) == 40
    assert [(counter.kind, counter.place, counter.seat) for counter in view.counters] == [
        ("solar", "module1", "T"),
        ("solar", "module2", "T"),
        ("solar", "module1", "D"),
        ("solar", "module2", "D"),
    ]


def test_t2_2_the_twenty_patterns_are_all_under_a_half_turn() -> None:
    pairs = ("AB", "AC", "AD", "BC", "BD", "CD")
    every = {frozenset((f"{t}/{d}", half_turned(f"{t}/{d}"))) for t, d in product(pairs, pairs)}
    assert len(every) == len(PATTERNS) == 20
    assert {frozenset((pattern, half_turned(pattern))) for pattern in PATTERNS} == every
    assert {pattern for pattern in PATTERNS if half_turned(pattern) == pattern} == SAME_TURNED


def test_t2_2_corners_run_clockwise_with_a_and_c_acute() -> None:
    for place in PLACES:
        a, b, c, d = (xy(KNOTS[corner.knot]) for corner in place)
        turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        assert turn < 0, "clockwise"
        assert (a[0] - c[0]) ** 2 + (a[1] - c[1]) ** 2 == pytest.approx(3)
        assert (b[0] - d[0]) ** 2 + (b[1] - d[1]) ** 2 == pytest.approx(1)


def test_t2_2_b_is_on_the_left_from_a_to_c() -> None:
    corners = PLACES[PLACE_INDEX["1,0>0,2"]]
    assert [KNOT_NAMES[corner.knot] for corner in corners] == ["1,0", "0,1", "0,2", "1,1"]


def test_t2_2_a_rhomb_has_two_orientations_or_one_if_symmetric() -> None:
    assert len(legal(laying("", "AB/AB+"))) == 2 * len(PAIRS)
    for pattern in PATTERNS:
        turned = 1 if pattern in SAME_TURNED else 2
        assert len(legal(laying("", pattern))) == turned * len(PAIRS)


def test_t2_2_the_one_orientation_is_written_with_a_before_c() -> None:
    state = laying("", "AC/BD")
    places = legal(state, "rhomb")
    assert "0,0>1,1" in places
    assert "1,1>0,0" not in places
    assert refusal(state, "T rhomb 1,1>0,0") == "T2.2"


def test_t2_2_turning_a_tile_turns_its_tubes() -> None:
    tile = TILE_INDEX["AB/AB"]
    mouths = [
        {KNOT_NAMES[knot] for knot in rhomb_mouths(tile, PLACE_INDEX[place])}
        for place in ("0,0>1,1", "1,1>0,0")
    ]
    assert mouths == [{"0,0", "0,1"}, {"1,1", "1,0"}]


def test_t2_3_each_pattern_comes_with_and_without_energy() -> None:
    assert len(TILES) == len(set(TILES)) == 40
    assert set(TILES) == {pattern + sphere for pattern in PATTERNS for sphere in ("", "+")}


def test_t2_3_an_arm_of_both_is_neutral_and_one_mouth() -> None:
    board = board_of((rhomb_code(TILE_INDEX["AB/AC"], PLACE_INDEX["0,0>1,1"]),), ())
    assert {KNOT_NAMES[knot] for knot in members(board.touched)} == {"0,0", "0,1", "1,1"}
    assert not board.crossed


def test_t2_3_the_neutral_arm_is_free_for_both() -> None:
    board = ("AB/AC@0,0>1,1", around("0,0", "0,1", "1,1"))
    assert legal(position(*board, tom="0,0"), "drift") == ["0,1"]
    assert legal(position(*board, dave="0,0", seat="D"), "drift") == ["1,1"]


def test_t2_4_a_tube_triangle_joins_its_corners_for_its_owner() -> None:
    fills = around("0,0", "1,0", "0,1", tubes="0,0/1,0/0,1")
    assert legal(position(fills=fills, tom="0,0"), "drift") == ["1,0", "0,1"]
    assert legal(position(fills=fills, dave="0,0", seat="D"), "drift") == []
    with_control = position(fills=fills, dave="0,0", seat="D", hands=hands(control=(0, 1)))
    assert legal(with_control, "control") == ["1,0", "0,1"]


def test_t2_5_the_order_of_the_stack_is_chance() -> None:
    state = after(position(), "T build")
    assert GAME.pending(state) == "*"
    assert legal(state) == ["draw ?"]
    drawn = {str(GAME.chance(state, partial(min, number))) for number in range(40)}
    assert drawn == {f"* draw {tile}" for tile in TILES}


def test_t2_5_a_rhomb_is_drawn_once() -> None:
    state = after(position("AB/CD+@0,0>1,1"), "T build")
    assert refusal(state, "* draw AB/CD+") == "T2.5"
    assert refusal(state, "* draw AB/DC") == "T2.2"
    assert GAME.view(after(state, "* draw AB/CD")).drawn == "AB/CD"


@pytest.mark.parametrize("choose", [isolating, any_of])
def test_t3_boards_that_grew_are_those_of_their_tiles(choose: Choice) -> None:
    """Each tile changes the last board; reading a position begins with the empty one."""
    for state in states(match(choose, 5)[1]):
        board, scratch = state.board, board_of(state.rhombs, state.fills)
        for field in fields(board):
            if not field.compare:
                continue
            assert getattr(board, field.name) == getattr(scratch, field.name), field.name


def test_t3_boards_are_as_the_rules_define_them() -> None:
    for state in states(match(isolating, 5)[1]):
        board = state.board
        covered = {triangle for pair in board.places for triangle in PAIRS[pair]}
        covered |= {fill_of(code)[0] for code in state.fills}
        free = {triangle for triangle in range(96) if SPACE >> triangle & 1} - covered
        rooms = [pair for pair, triangles in enumerate(PAIRS) if free.issuperset(triangles)]
        assert members(board.free) == sorted(free)
        assert members(board.room) == rooms
        beside = {triangle for pair in rooms for triangle in PAIRS[pair]}
        assert members(board.isolated) == sorted(free - beside)
        complete = [knot for knot in AROUND if not free & set(members(AROUND[knot]))]
        assert members(board.complete) == sorted([*GATES, *complete])
        mouths = [knot for code in state.rhombs for knot in rhomb_mouths(*rhomb_of(code))]
        tubes = [triangle for triangle, filling in map(fill_of, state.fills) if filling != BLANK]
        mouths += [knot for triangle in tubes for knot in TRIANGLES[triangle]]
        counts = [mouths.count(knot) for knot in range(len(KNOTS))]
        assert members(board.touched) == [knot for knot, count in enumerate(counts) if count >= 1]
        assert members(board.crossed) == [knot for knot, count in enumerate(counts) if count >= 2]


def states(actions: tuple[Action, ...]) -> Iterator[State]:
    """The positions after each of these actions."""
    state = GAME.start("standard", {})
    for action in actions:
        state, _ = GAME.apply(state, action)
        yield state
