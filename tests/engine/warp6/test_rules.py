"""The numbered rules of Warp 6, X1–X5 (what a secret set-up hides is in test_knowledge.py)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from engine.game import IllegalActionError
from engine.warp6.board import ENDS, OUTERMOST, POLAR, RING, SPOKES, WARP
from engine.warp6.pieces import KITS
from engine.warp6.state import State
from tests.support.warp6.positions import (
    FORMS,
    GAME,
    HIGH,
    HIGHS,
    LOW,
    LOWS,
    after,
    events,
    legal,
    numbered,
    placing,
    position,
    refusal,
    rolled,
    secretly,
    shows,
    start,
    where,
)

# X1 Board


def test_x1_1_outermost_of_126_spaces_is_126_from_the_centre() -> None:
    assert OUTERMOST == 126
    assert len(WARP) == len(RING) == len(POLAR) == 127
    assert where(after(position("b8a5@40"), "B move b8a"), "b8a") == 35


def test_x1_2_ring_ends() -> None:
    assert ENDS == (0, 6, 18, 36, 60, 90, 126)


def test_x1_2_ring_r_has_6r_spaces() -> None:
    assert Counter(RING[1:]) == {ring: 6 * ring for ring in range(1, 7)}
    assert [RING[space] for space in (1, 6, 7, 18, 19, 36, 37, 60, 61, 90, 91, 126)] == [
        1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "chain",
    [
        "91-61-37-19-7-1-0", "97-66-41-22-9-2-0", "103-71-45-25-11-3-0", "109-76-49-28-13-4-0",
        "115-81-53-31-15-5-0", "121-86-57-34-17-6-0",
    ],
)  # fmt: skip
def test_x1_3_spokes_are_full_chains(chain: str) -> None:
    spaces = [int(space) for space in chain.split("-")]
    assert spaces[0] in SPOKES
    assert [WARP[space] for space in spaces[:-1]] == spaces[1:]


def test_x1_3_dotted_lines_lead_one_ring_in() -> None:
    assert all(RING[WARP[space]] == RING[space] - 1 for space in range(1, 127))


def test_x1_3_in_degrees_of_the_dotted_lines() -> None:
    targets = Counter(WARP[1:])
    assert targets[0] == 6
    assert Counter(targets[space] for space in range(1, 91)) == {1: 60, 2: 30}


def test_x1_4_the_spiral_winds_in_smoothly() -> None:
    radius = [u for u, _ in POLAR]
    assert radius[126] == 6
    assert all(0 < inner < outer for inner, outer in pairwise(radius[1:]))
    assert all(RING[space] - 1 < radius[space] <= RING[space] for space in range(1, 127))


def test_x1_4_spokes_are_straight() -> None:
    for sector, space in enumerate(SPOKES):
        on_spoke = space
        while on_spoke:
            assert POLAR[on_spoke][1] == -33 - 60 * sector
            on_spoke = WARP[on_spoke]


# X2 Dice


def test_x2_1_two_players_have_nine_dice_each() -> None:
    names = "b8a b8b b6a b6b b6c b4a b4b b4c b4d y8a y8b y6a y6b y6c y4a y4b y4c y4d"
    assert " ".join(KITS[2].names) == names
    assert KITS[2].faces == (8, 8, 6, 6, 6, 4, 4, 4, 4) * 2
    assert GAME.seats({}) == "BY"


def test_x2_1_three_players_have_six_dice_each() -> None:
    names = "b8a b6a b6b b4a b4b b4c y8a y6a y6b y4a y4b y4c w8a w6a w6b w4a w4b w4c"
    assert " ".join(KITS[3].names) == names
    assert KITS[3].faces == (8, 6, 6, 4, 4, 4) * 3
    assert GAME.seats({"seats": "3"}) == "BYW"


def test_x2_1_the_left_neighbour_of_the_last_seat_is_black() -> None:
    state = position(seat="W", seats=3)
    assert GAME.pending(state) == "W"
    assert GAME.pending(after(state, "W up w8a")) == "B"


def test_x2_2_all_dice_are_rolled_at_once() -> None:
    black, yellow = (form.split(" ", 2)[2] for form in FORMS[2])
    assert legal(start()) == [f"* roll {black} {yellow}"]
    assert black == "b8a? b8b? b6a? b6b? b6c? b4a? b4b? b4c? b4d?"
    assert refusal(start(), "* roll b8a5") == "X2.2"
    assert refusal(start(), numbered(legal(start())[0], LOW + "921111111")) == "X2.2"
    assert refusal(start(), numbered(legal(start())[0], LOW + "820111111")) == "X2.2"


@pytest.mark.parametrize(
    ("black", "yellow", "starts"),
    [
        ("811111111", "766664444", "B"),  # the single highest number, not the sum
        ("811111111", "281111111", "Y"),  # the next highest one decides
        ("841111113", "811111144", "Y"),
        ("842222211", "812224211", "B"),
        ("111164431", "611114441", "Y"),  # numbers only, not the kinds of dice
    ],
)
def test_x2_2_highest_numbers_are_compared_in_order(black: str, yellow: str, starts: str) -> None:
    assert GAME.pending(rolled(black, yellow)) == starts


def test_x2_2_a_complete_tie_rolls_all_dice_again() -> None:
    state = rolled(HIGH, "281111111")
    assert legal(state) == legal(start())
    assert state.spaces == start().spaces
    state = after(state, numbered(legal(state)[0], LOW + HIGH))
    assert GAME.pending(state) == "Y"
    assert (shows(state, "b8a"), shows(state, "y8a")) == (6, 8)


def test_x2_2_only_those_tied_for_first_roll_again() -> None:
    state = rolled(HIGHS, LOWS, "812111")
    assert legal(state) == ["* roll b8a? b6a? b6b? b4a? b4b? b4c? w8a? w6a? w6b? w4a? w4b? w4c?"]
    state = after(state, numbered(legal(state)[0], "211111" + "311111"))
    assert GAME.pending(state) == "W", "yellow is higher now, but was not tied"
    assert (shows(state, "b8a"), shows(state, "y8a"), shows(state, "w8a")) == (2, 6, 3)


def test_x2_2_a_tie_of_three_can_become_one_of_two() -> None:
    state = rolled(HIGHS, HIGHS, HIGHS)
    state = after(state, numbered(legal(state)[0], LOWS + HIGHS + HIGHS))
    assert legal(state) == ["* roll y8a? y6a? y6b? y4a? y4b? y4c? w8a? w6a? w6b? w4a? w4b? w4c?"]
    assert GAME.pending(after(state, numbered(legal(state)[0], LOWS + LOWS))) == "*"


def test_x2_2_a_tie_behind_the_first_is_none() -> None:
    assert GAME.pending(rolled(LOWS, LOWS, HIGHS)) == "W"


def test_x2_2_a_tie_is_told_with_its_seats() -> None:
    assert str(rolled(HIGHS, LOWS, "812111").story[-1]) == "tied:BW"


def test_x2_2_seats_go_on_to_the_left_of_the_first() -> None:
    state = rolled(LOWS, LOWS, HIGHS)
    order = ""
    for _ in range(4):
        order += GAME.pending(state)
        state = after(state, legal(state)[0])
    assert order == "WBYW"


def test_x2_3_dice_go_onto_the_next_free_space_from_126_down() -> None:
    state = after(rolled(HIGHS, LOWS, LOWS), "B place b8a", "Y place y8a", "W place w4c")
    assert [where(state, name) for name in ("b8a", "y8a", "w4c", "b6a")] == [126, 125, 124, -1]
    assert legal(state) == [f"B place {name}" for name in ("b6a", "b6b", "b4a", "b4b", "b4c")]
    assert shows(state, "b8a") == 8, "the number rolled stays"


@pytest.mark.parametrize("hands", [(LOW, HIGH), (LOWS, HIGHS, LOWS)])
def test_x2_3_last_die_is_placed_and_first_to_place_moves_first(
    hands: tuple[str, ...],
) -> None:
    state = placing(rolled(*hands), until=1)
    assert len(legal(state)) == 1
    assert GAME.pending(state) != "Y"
    state = placing(state)
    assert sorted(state.spaces) == list(range(109, 127))
    assert state.phase == "play"
    assert state.number == 1
    assert GAME.pending(state) == "Y"


def test_x2_3_dice_that_show_the_same_are_different_choices() -> None:
    assert len(legal(rolled("811111111", LOW))) == 9


def test_x2_3_what_cannot_be_placed() -> None:
    state = after(rolled(HIGH, LOW), "B place b8a")
    assert refusal(state, "Y place b8b") == "X2.3"
    assert refusal(state, "Y place y9a") == "X2.3"
    assert refusal(state, "B place b8b") == "X2.3"
    assert refusal(after(state, "Y place y8a"), "B place b8a") == "X2.3"
    assert refusal(placing(state), "B place b8a") == "X2.3"


def test_x2_4_every_seat_sets_its_dice_in_any_order() -> None:
    state = start(3, "secret")
    assert GAME.pending(state) == "BYW"
    assert legal(state) == FORMS[3]
    state = after(state, numbered(FORMS[3][2], LOWS))
    assert GAME.pending(state) == "BY"
    assert legal(state) == FORMS[3][:2]
    state = after(state, numbered(FORMS[3][0], LOWS), numbered(FORMS[3][1], HIGHS))
    assert GAME.pending(state) == "Y"
    assert shows(state, "y8a") == 8


def test_x2_4_a_setting_stands() -> None:
    state = after(start(2, "secret"), numbered(FORMS[2][0], LOW))
    assert refusal(state, numbered(FORMS[2][0], HIGH)) == "X2.4"


@pytest.mark.parametrize(
    "line",
    [
        "B set b8a9 b8b1 b6a1 b6b1 b6c1 b4a1 b4b1 b4c1 b4d1",
        "B set b8a8 b8b1 b6a7 b6b1 b6c1 b4a1 b4b1 b4c1 b4d1",
        "B set b8a8 b8b1 b6a1 b6b1 b6c1 b4a0 b4b1 b4c1 b4d1",
        "B set b8a8 b8b1 b6a1 b6b1 b6c1 b4a5 b4b1 b4c1 b4d1",
        "B set b8a8 b8b1 b6a1 b6b1 b6c1 b4a1 b4b1 b4c1",
        "B set b8b8 b8a1 b6a1 b6b1 b6c1 b4a1 b4b1 b4c1 b4d1",
        "B set y8a8 y8b1 y6a1 y6b1 y6c1 y4a1 y4b1 y4c1 y4d1",
        "B set ?",
        "B set",
        "B set b8a? b8b? b6a? b6b? b6c? b4a? b4b? b4c? b4d?",
        "B set b8a² b8b1 b6a1 b6b1 b6c1 b4a1 b4b1 b4c1 b4d1",
    ],
)
def test_x2_4_any_face_of_every_own_die_and_nothing_else(line: str) -> None:
    assert refusal(start(2, "secret"), line) == "X2.4"


def test_x2_4_a_complete_tie_for_first_is_decided_by_lot() -> None:
    state = secretly(HIGHS, LOWS, "812111")
    assert legal(state) == ["* lot ?"]
    assert GAME.pending(state) == "*"
    assert refusal(state, "* lot Y") == "X2.4"
    assert refusal(state, "* lot ?") == "X2.4"
    assert refusal(state, "* lot B W") == "X2.4"
    assert refusal(state, "B up b8a") == "X2.4", "the lot comes first"
    assert events(state, "* lot W") == ["lot:W", "starts:W"]
    assert GAME.pending(after(state, "* lot W")) == "W"
    assert GAME.pending(after(state, "* lot B")) == "B"
    drawn = {str(GAME.chance(state, Random(seed).randrange)) for seed in range(20)}
    assert drawn == {"* lot B", "* lot W"}


def test_x2_4_without_a_tie_the_highest_starts() -> None:
    assert GAME.pending(secretly(LOW, HIGH)) == "Y"
    assert GAME.pending(secretly(LOWS, LOWS, HIGHS)) == "W"


def test_x2_4_after_it_the_game_is_the_same() -> None:
    state = placing(secretly(LOW, HIGH))
    assert GAME.pending(state) == "Y"
    assert state.numbers == tuple(map(int, LOW + HIGH))


def test_x2_4_rolled_dice_are_not_set_and_set_dice_not_rolled() -> None:
    assert refusal(start(), numbered(FORMS[2][0], LOW)) == "X2.2", "the dice come first"
    assert refusal(rolled(HIGH, LOW), numbered(FORMS[2][0], LOW)) == "X2.4"
    assert refusal(start(), "* lot B") == "X2.4", "a tie of rolled dice is rolled again"


def test_x2_4_the_seats_of_the_lot_are_named() -> None:
    with pytest.raises(IllegalActionError, match=r"Black and White\.$"):
        after(secretly(HIGHS, LOWS, "812111"), "* lot Y")


# X3 Turn


def test_x3_each_die_can_move_and_go_up_or_down() -> None:
    state = position("b8a3@100 b8b8@99 b6a1@98 b6b2@0")
    names = ("b6c", "b4a", "b4b", "b4c", "b4d")
    assert legal(state) == [
        "B move b8a", "B up b8a", "B down b8a",
        "B move b8b", "B down b8b",
        "B move b6a", "B up b6a",
        *(f"B {verb} {name}" for name in names for verb in ("move", "up")),
    ]  # fmt: skip


def test_x3_exactly_one_thing_a_turn() -> None:
    for line in ("B move b8a", "B up b8a", "B down b8a"):
        state = after(position("b8a3@60"), line)
        assert GAME.pending(state) == "Y"
        assert refusal(state, "B move b8b") == "X3"


def test_x3_1_a_die_moves_as_many_spaces_as_it_shows() -> None:
    state = position("w8a4@12 b4a2@110", seat="W", seats=3)
    state = after(state, "W move w8a")
    assert where(state, "w8a") == 8, "the white D8 on the second ring moves four"
    assert where(after(state, "B move b4a"), "b4a") == 108, "the black D4 outside moves two"


def test_x3_1_the_number_stays_after_a_move() -> None:
    state = after(position("b8a4@60"), "B move b8a")
    assert shows(state, "b8a") == 4
    assert GAME.pending(state) == "Y"


def test_x3_1_passing_dice_has_no_effect() -> None:
    state = position("b8a4@60 y8a1@59 y8b1@58 b6a1@57")
    assert events(state, "B move b8a") == ["moved:b8a:60:56"]


def test_x3_1_only_own_dice_on_the_board_move() -> None:
    state = position("b8a4@0")
    assert refusal(state, "B move b8a") == "X3.1"
    assert refusal(state, "B move y8a") == "X3.1"
    assert refusal(state, "B move b9a") == "X3.1"
    assert refusal(state, "Y move y8a") == "X3"


@pytest.mark.parametrize(("line", "number"), [("B up b6a", 3), ("B down b6a", 1)])
def test_x3_2_a_two_becomes_a_three_or_a_one(line: str, number: int) -> None:
    state = after(position("b6a2@50"), line)
    assert shows(state, "b6a") == number
    assert where(state, "b6a") == 50
    assert GAME.pending(state) == "Y"


@pytest.mark.parametrize("die", ["b8a8", "b6a6", "b4a4"])
def test_x3_2_there_is_no_wrapping(die: str) -> None:
    state = position(f"{die}@50")
    assert refusal(state, f"B up {die[:3]}") == "X3.2"
    assert refusal(position(f"{die[:3]}1@50"), f"B down {die[:3]}") == "X3.2"


def test_x3_2_only_own_dice_on_the_board_change() -> None:
    state = position("b8a4@0")
    assert refusal(state, "B up b8a") == "X3.2"
    assert refusal(state, "B down y8a") == "X3.2"


def test_x3_3_passing_is_not_allowed() -> None:
    assert refusal(position(), "B pass") == "notation"
    assert all(line.split()[1] in ("move", "up", "down") for line in legal(position()))


def changes(state: State, count: int) -> State:
    """Have each player change a D8 up and down until there are `count` changes."""
    for _ in range(count):
        seat = GAME.pending(state)
        name = f"{seat.lower()}8a"
        verb = "up" if shows(state, name) == 1 else "down"
        state = after(state, f"{seat} {verb} {name}")
    return state


@pytest.mark.parametrize("seats", [2, 3])
def test_x3_4_after_60_changes_in_a_row_only_a_move_is_legal(seats: int) -> None:
    state = changes(position(seats=seats), 59)
    assert {line.split()[1] for line in legal(state)} > {"move"}
    state = changes(state, 1)
    seat = GAME.pending(state)
    name = seat.lower()
    assert {line.split()[1] for line in legal(state)} == {"move"}
    assert len(legal(state)) == KITS[seats].dice_per_seat
    assert refusal(state, f"{seat} up {name}4a") == "X3.4"
    state = after(state, f"{seat} move {name}4a")
    if state.phase == "reroll":
        state = after(state, f"* reroll {name}4a 1")
    assert {line.split()[1] for line in legal(state)} > {"move"}
    assert state.changes == 0


def test_x3_4_a_move_restarts_the_count() -> None:
    state = changes(position("b4a1@70"), 40)
    state = changes(after(state, "B move b4a"), 59)
    assert {line.split()[1] for line in legal(state)} > {"move"}


def test_x3_4_leaving_neither_counts_nor_restarts_it() -> None:
    state = changes(position(seats=3), 30)
    state = changes(after(state, "B leave"), 29)
    assert {line.split()[1] for line in legal(state)} > {"move"}
    state = changes(state, 1)
    assert {line.split()[1] for line in legal(state)} == {"move"}


# X4 Warping


def test_x4_1_a_die_on_an_occupied_space_warps_one_ring_in() -> None:
    state = position("w4a2@63 b8a5@61", seat="W", seats=3)
    assert events(state, "W move w4a") == ["moved:w4a:63:61", "warped:w4a:61:37"]
    state = after(state, "W move w4a")
    assert where(state, "w4a") == 37
    assert where(state, "b8a") == 61, "the die standing there is not affected"
    assert shows(state, "b8a") == 5


def test_x4_1_a_chain_of_warps_ends_on_a_free_space() -> None:
    state = position("b8a2@93 y8a1@91 w8a1@61 b6a1@37", seats=3)
    assert events(state, "B move b8a") == [
        "moved:b8a:93:91", "warped:b8a:91:61", "warped:b8a:61:37", "warped:b8a:37:19",
    ]  # fmt: skip
    assert legal(after(state, "B move b8a")) == ["* reroll b8a ?"]
    state = after(state, "B move b8a", "* reroll b8a 7")
    assert (where(state, "b8a"), shows(state, "b8a")) == (19, 7)


def test_x4_1_own_dice_serve_as_well_as_others() -> None:
    state = after(position("b8a2@93 b8b1@91"), "B move b8a")
    assert where(state, "b8a") == 61


def test_x4_1_dice_off_the_board_block_no_die() -> None:
    state = position("b8a2@3 b8b1@0 y8a1@0")
    assert events(state, "B move b8a") == ["moved:b8a:3:1"]


def test_x4_2_a_warped_die_is_rolled_once_where_it_rests() -> None:
    state = after(position("b4a2@93 y8a1@91"), "B move b4a")
    assert GAME.pending(state) == "*"
    assert legal(state) == ["* reroll b4a ?"]
    assert refusal(state, "* reroll b4a 5") == "X4.2"
    assert refusal(state, "* reroll b4b 1") == "X4.2"
    assert refusal(state, "* reroll b4a") == "X4.2"
    assert refusal(state, "Y move y8a") == "X4.2"
    state = after(state, "* reroll b4a 4")
    assert (where(state, "b4a"), shows(state, "b4a")) == (61, 4)
    assert GAME.pending(state) == "Y"


def test_x4_2_the_new_roll_can_show_each_face() -> None:
    state = after(position("b4a2@93 y8a1@91"), "B move b4a")
    drawn = {str(GAME.chance(state, Random(seed).randrange)) for seed in range(50)}
    assert drawn == {f"* reroll b4a {number}" for number in range(1, 5)}


def test_x4_2_a_die_that_warps_off_the_board_is_not_rolled() -> None:
    state = position("w8a3@22 b8a1@19 b6a1@7 y8a1@1", seat="W", seats=3)
    assert events(state, "W move w8a") == [
        "moved:w8a:22:19", "warped:w8a:19:7", "warped:w8a:7:1", "warped:w8a:1:0", "off:w8a",
    ]  # fmt: skip
    state = after(state, "W move w8a")
    assert where(state, "w8a") == 0
    assert GAME.pending(state) == "B"


@pytest.mark.parametrize("space", [1, 3, 4])
def test_x4_3_no_exact_count_is_needed(space: int) -> None:
    state = position(f"w4a4@{space}", seat="W", seats=3)
    assert events(state, "W move w4a") == [f"moved:w4a:{space}:0", "off:w4a"]
    assert where(after(state, "W move w4a"), "w4a") == 0


# X5 End and series

FIVE_OFF = "b8a1@0 b8b1@0 b6a1@0 b6b1@0 b6c1@0"


def test_x5_1_six_dice_off_the_board_win_for_two() -> None:
    state = position(f"{FIVE_OFF} b4a4@4")
    assert state.result == ""
    assert GAME.points(state) is None
    state = after(state, "B move b4a")
    assert state.result == "B dice"
    assert GAME.pending(state) == ""
    assert legal(state) == []
    assert refusal(state, "Y move y8a") == "X5.1"


def test_x5_1_five_of_two_players_are_not_enough() -> None:
    state = after(position("b8a1@0 b8b1@0 b6a1@0 b6b1@0 b4a4@4"), "B move b4a")
    assert state.result == ""


def test_x5_1_four_dice_off_the_board_win_for_three() -> None:
    state = position("y8a1@0 y6a1@0 y4a2@2", seat="Y", seats=3)
    state = after(state, "Y move y4a")
    assert state.result == ""
    state = after(position("y8a1@0 y6a1@0 y6b1@0 y4a2@2", seat="Y", seats=3), "Y move y4a")
    assert state.result == "Y dice"


def test_x5_1_a_win_by_warp_needs_no_roll() -> None:
    state = after(position(f"{FIVE_OFF} b4a1@2 y8a1@1"), "B move b4a")
    assert state.result == "B dice"


def test_x5_2_the_example_of_three_players() -> None:
    state = position(
        "b8a1@0 b6a1@0 b6b1@0 b4a1@1"
        " y8a1@0 y6a1@0 y6b1@0 y4a1@50 y4b1@70"
        " w8a1@0 w6a1@0 w6b1@5 w4a1@15 w4b1@100",
        seats=3,
    )
    state = after(state, "B move b4a")
    assert GAME.points(state) == {"B": 0, "Y": 4, "W": 1 + 2}


def test_x5_2_a_loser_counts_the_missing_dice_that_are_nearest() -> None:
    state = position(f"{FIVE_OFF} b4a1@1 y8a1@0 y8b1@0 y6a1@0 y6b1@0 y6c1@61 y4a1@36 y4b1@37")
    assert GAME.points(after(state, "B move b4a")) == {"B": 0, "Y": 3 + 4}


def test_x5_2_all_missing_dice_count() -> None:
    state = after(position(f"{FIVE_OFF} b4a1@1"), "B move b4a")
    assert GAME.points(state) == {"B": 0, "Y": 6 * 6}


def test_x5_2_who_resigns_or_loses_on_time_scores_as_a_loser() -> None:
    state = position("b8a1@0 b8b1@0 b6a1@0 b6b1@0 b4a4@4 y8a1@1")
    assert GAME.points(after(state, "B resign")) == {"B": 1 + 6, "Y": 0}
    assert GAME.points(after(state, "Y flag")) == {"B": 0, "Y": 1 + 5 * 6}


def test_x5_2_in_a_drawn_match_all_players_score() -> None:
    state = after(position("b8a1@0 y8a1@1"), "B draw offer", "Y draw accept")
    assert GAME.points(state) == {"B": 5 * 6, "Y": 1 + 5 * 6}


def test_x5_2_a_die_never_placed_counts_as_ring_6() -> None:
    state = after(rolled(HIGH, LOW), "B place b8a", "B resign")
    assert GAME.points(state) == {"B": 36, "Y": 0}
    state = after(start(3, "secret"), "Y leave", "W flag")
    assert GAME.points(state) == {"B": 0, "Y": 24, "W": 24}


def test_x5_2_a_seat_that_left_scores_by_its_dice_at_the_end() -> None:
    state = position("b8a1@0 b6a1@0 b6b1@0 b4a1@1 y8a1@1 y6a1@8 y6b1@0", seats=3)
    state = after(state, "Y leave", "B move b4a")
    assert state.result == "B dice"
    assert GAME.points(state) == {"B": 0, "Y": 1 + 2 + 6, "W": 24}


def test_x5_3_two_players_resign() -> None:
    assert after(position(), "B resign").result == "Y resign"
    assert after(position(), "Y resign").result == "B resign", "on turn or not"
    assert after(position(), "B flag").result == "Y time"
    assert refusal(position(), "B leave") == "X5.3"
    assert after(start(2, "secret"), "Y resign").result == "B resign"


def test_x5_3_not_while_dice_roll_or_after_the_end() -> None:
    assert refusal(start(), "B resign") == "X5.3"
    assert refusal(after(position(), "B resign"), "Y resign") == "X5.3"
    assert refusal(secretly(HIGH, HIGH), "B draw offer") == "X5.3"


def test_x5_3_with_three_leave_replaces_resign() -> None:
    state = position("b8a1@30", seats=3)
    assert refusal(state, "B resign") == "X5.3"
    assert events(state, "B leave") == ["left:B:left"]
    state = after(state, "B leave")
    assert state.result == ""
    assert GAME.pending(state) == "Y", "its pending turn goes to the left"
    assert where(state, "b8a") == 30, "its dice stay"
    state = after(state, "Y up y8a", "W up w8a")
    assert GAME.pending(state) == "Y", "it has no turns any more"
    assert refusal(state, "B move b8a") == "X5.3"
    assert refusal(state, "B leave") == "X5.3"
    assert refusal(state, "B draw offer") == "X5.3"


def test_x5_3_leaving_out_of_turn_keeps_the_turn() -> None:
    state = after(position(seats=3), "Y leave")
    assert GAME.pending(state) == "B"
    assert GAME.pending(after(state, "B up b8a")) == "W"
    assert refusal(state, "Y up y8a") == "X5.3"
    state = after(rolled(HIGHS, LOWS, LOWS), "B place b8a", "B leave")
    assert GAME.pending(state) == "Y"


def test_x5_3_dice_of_a_seat_that_left_are_still_warped_from() -> None:
    state = after(position("b8a1@61 y8a2@63", seats=3), "B leave", "Y move y8a")
    assert where(state, "y8a") == 37


def test_x5_3_lost_time_counts_as_leaving() -> None:
    state = after(position(seats=3), "B flag")
    assert state.result == ""
    assert GAME.pending(state) == "Y"


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        (("B leave", "Y leave"), "W left"),
        (("W flag", "Y leave"), "B left"),
        (("Y leave", "B flag"), "W time"),
    ],
)
def test_x5_3_the_last_seat_remaining_wins(lines: tuple[str, ...], result: str) -> None:
    state = after(position(seats=3), *lines)
    assert state.result == result
    assert GAME.pending(state) == ""


def test_x5_3_the_target_stays_four() -> None:
    state = position("y8a1@0 y6a1@0 y6b1@0 y4a2@2", seats=3)
    assert after(state, "B leave", "Y move y4a").result == "Y dice"


def test_x5_3_dice_not_yet_placed_are_out_of_play() -> None:
    state = after(rolled(HIGHS, LOWS, LOWS), "B place b8a", "Y leave")
    assert GAME.pending(state) == "W"
    assert shows(state, "y8a") == 0
    state = after(state, "W place w8a")
    assert (where(state, "b8a"), where(state, "w8a")) == (126, 125)
    assert GAME.pending(state) == "B"
    state = placing(state)
    assert sorted(space for space in state.spaces if space > 0) == list(range(115, 127))
    assert GAME.pending(state) == "B"


def test_x5_3_leaving_can_end_the_set_up() -> None:
    state = placing(rolled(HIGHS, LOWS, LOWS), until=1)
    assert GAME.pending(state) == "W"
    state = after(state, "W leave")
    assert state.phase == "play"
    assert GAME.pending(state) == "B"
    assert state.spaces.count(-2) == 1


def test_x5_3_first_placer_who_left_is_followed_by_the_next() -> None:
    for until in (18, 17, 15, 2):
        state = placing(placing(rolled(LOWS, HIGHS, LOWS), until=until))
        assert GAME.pending(state) == "Y"
        state = after(placing(rolled(LOWS, HIGHS, LOWS), until=until), "Y leave")
        assert GAME.pending(placing(state)) == "W"


def test_x5_3_leaving_a_secret_set_up() -> None:
    state = after(start(3, "secret"), numbered(FORMS[3][0], HIGHS), "B leave")
    assert GAME.pending(state) == "YW"
    state = after(state, numbered(FORMS[3][2], LOWS))
    state = after(state, numbered(FORMS[3][1], LOWS))
    assert legal(state) == ["* lot ?"], "the tie is between those still in"
    assert refusal(state, "* lot B") == "X2.4"
    state = after(state, "* lot W")
    assert GAME.pending(placing(state)) == "W"
    assert refusal(state, numbered(FORMS[3][0], HIGHS)) == "X5.3"


def test_x5_3_leaving_can_end_the_waiting_for_a_secret_set_up() -> None:
    state = after(start(3, "secret"), numbered(FORMS[3][0], LOWS), numbered(FORMS[3][2], HIGHS))
    assert GAME.pending(state) == "Y"
    assert events(state, "Y leave") == [
        "left:Y:left", "revealed:B:621111", "revealed:W:821111", "starts:W",
    ]  # fmt: skip
    state = after(state, "Y leave")
    assert GAME.pending(state) == "W"
    assert GAME.pending(after(state, "W place w8a")) == "B"


def test_x5_3_a_draw_of_three_needs_all() -> None:
    state = after(position(seats=3), "W draw offer")
    assert refusal(state, "B draw offer") == "X5.3"
    assert refusal(state, "W draw accept") == "X5.3"
    state = after(state, "Y draw accept")
    assert state.result == ""
    assert state.offer == "WY"
    assert refusal(state, "Y draw accept") == "X5.3"
    assert after(state, "B draw accept").result == "- agreed"


def test_x5_3_an_abandoned_match_has_no_points() -> None:
    for seats in (2, 3):
        state = after(position(seats=seats), "Y abandon")
        assert state.result == "- abandoned"
        assert GAME.points(state) is None
    state = after(position(seats=3), "W leave")
    assert refusal(state, "W abandon") == "X5.3"
    assert after(state, "B abandon").result == "- abandoned"


def test_x5_3_one_who_declines_ends_the_offer() -> None:
    state = after(position(seats=3), "W draw offer", "Y draw accept", "B draw decline")
    assert state.offer == ""
    assert refusal(state, "B draw accept") == "X5.3"
    assert after(state, "Y draw offer").offer == "Y"


def test_x5_3_an_offer_ends_when_an_unanswering_seat_plays() -> None:
    state = after(position(seats=3), "W draw offer", "Y draw accept", "B up b8a")
    assert state.offer == ""
    state = after(position(seats=3), "W draw offer", "B draw accept", "B up b8a")
    assert state.offer == "WB"
    assert after(state, "Y up y8a").offer == ""
    state = after(start(3, "secret"), "W draw offer", numbered(FORMS[3][0], LOWS))
    assert state.offer == ""


@pytest.mark.parametrize("line", ["B leave", "Y flag", "W leave"])
def test_x5_3_an_offer_ends_when_a_seat_leaves(line: str) -> None:
    state = after(position(seats=3), "W draw offer", "Y draw accept", line)
    assert state.offer == ""
    assert state.result == ""


def test_x5_3_after_one_left_two_agree_on_a_draw() -> None:
    state = after(position(seats=3), "B leave", "W draw offer", "Y draw accept")
    assert state.result == "- agreed"
    assert GAME.points(state) == {"B": 24, "Y": 24, "W": 24}


# Stories, and lines that mean nothing


def test_the_story_shows_the_last_turn_until_something_is_done() -> None:
    state = after(position("b8a2@93 y8a1@91"), "B move b8a", "* reroll b8a 7")
    kinds = ["moved", "warped", "rerolled"]
    assert [event.kind for event in state.story] == kinds
    state = after(state, "Y draw offer")
    assert [event.kind for event in state.story] == kinds
    state = after(state, "Y up y8b")
    assert [str(event) for event in state.story] == ["changed:y8b:1:2"]


def test_the_story_of_the_roll_has_every_hand_and_who_starts() -> None:
    assert [str(event) for event in rolled(HIGH, LOW).story] == [
        f"rolled:B:{HIGH}", f"rolled:Y:{LOW}", "starts:B",
    ]  # fmt: skip


def test_every_event_is_of_a_kind_that_the_game_names() -> None:
    state = after(position("b8a2@93 y8a1@91"), "B move b8a", "* reroll b8a 7")
    for event in (*state.story, *rolled(HIGH, LOW).story):
        assert len(event.facts) == len(GAME.events[event.kind])


@pytest.mark.parametrize(
    "line",
    ["B move", "B move b8a b8b", "B fly b8a", "X move b8a", "BY move b8a", "B draw",
     "B draw maybe", "B resign now", "X resign"],
)  # fmt: skip
def test_unknown_lines_are_refused_in_words(line: str) -> None:
    assert refusal(position(), line) in ("notation", "X5.3")


def test_x3_chance_line_out_of_turn_is_refused() -> None:
    assert refusal(position(), "* reroll b8a 1") == "X3"
