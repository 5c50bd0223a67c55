"""The numbered rules of Wormholes, W1–W8 (W9 is in test_knowledge.py)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.wormholes.board import BASES, ENDS, INDEX, SPACES, XY
from tests.support.wormholes.positions import (
    GAME,
    after,
    events,
    legal,
    placed,
    position,
    refusal,
    told,
    where,
)


def test_w1_1_galaxy_has_92_spaces_and_a_half_turn_symmetry() -> None:
    assert len(SPACES) == 92
    assert {(11 - x, 19 - y) for x, y in XY} == set(XY)


def test_w1_1_each_tile_row_has_its_columns() -> None:
    row = {y: "".join(name[0] for name in SPACES if int(name[1:]) == y) for y in range(1, 19)}
    assert row[1] == row[2] == "ghij"
    assert row[8] == "abcdef"
    assert row[11] == row[12] == "efghij"
    assert row[17] == row[18] == "abcd"


def test_w1_2_bases_are_the_ends_of_the_arms() -> None:
    assert [{SPACES[space] for space in base} for base in BASES] == [{"j1", "j2"}, {"a17", "a18"}]


def test_w1_3_ships_start_on_their_own_bases() -> None:
    assert where(GAME.start("0.6", {})) == {"S": "j1", "M": "j2", "C": "a17", "A": "a18"}


def test_w1_4_north_is_one_row_more_and_east_one_column_more() -> None:
    assert SPACES[ENDS[1][INDEX["e8"]]["N"]] == "e9"
    assert SPACES[ENDS[1][INDEX["e8"]]["E"]] == "f8"


@pytest.mark.parametrize(
    ("coin", "ways"), [("S1", "N S"), ("M1", "E W"), ("C1", "SE NW"), ("A1", "NE SW")]
)
def test_w2_1_each_suit_jumps_along_its_axis(coin: str, ways: str) -> None:
    state = after(position({"S": "f9"}, {"f10": coin}, "S1 M-"), "O move S N")
    assert legal(state) == [f"O jump S {way}" for way in ways.split()]


def test_w2_2_each_player_has_twelve_coins() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place")
    coins = {line.split()[2] for line in legal(state)}
    assert coins == {suit + value for suit in "SM" for value in "012345"}


def test_w2_2_a_die_moves_the_ship_of_its_suit() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S2 M3")
    assert where(after(state, "O move S N"))["S"] == "f10"
    assert where(after(state, "O move M N"))["M"] == "e11"


def test_w2_3_a_coin_shows_the_side_that_is_up() -> None:
    view = GAME.view(position(coins={"f8": "S3", "e8": "M4*"}), "O")
    assert [(coin.up, coin.suit, coin.value) for coin in view.coins] == [
        ("value", "?", "4"),
        ("suit", "S", "?"),
    ]


def test_w3_2_higher_sum_of_both_dice_chooses() -> None:
    start = GAME.start("0.6", {})
    assert legal(start) == ["* rolloff S? M? C? A?"]
    assert legal(after(start, "* rolloff S5 M0 C3 A3")) == ["D first move", "D first place"]
    assert GAME.pending(after(start, "* rolloff S5 M2 C3 A3")) == "O"


def test_w3_2_a_tie_is_rolled_again() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M0 C3 A2")
    assert GAME.pending(state) == "*"
    assert GAME.pending(after(state, "* rolloff S0 M0 C0 A1")) == "D"


def test_w3_2_impossible_rolls_are_refused() -> None:
    start = GAME.start("0.6", {})
    assert refusal(start, "* rolloff S6 M0 C0 A0") == "W3.2"
    assert refusal(start, "* rolloff M0 S0 C0 A0") == "W3.2"


def test_w3_2_the_choice_is_to_place_or_to_move_first() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0")
    assert refusal(state, "O first pass") == "W3.2"


@pytest.mark.parametrize(("choice", "places"), [("place", "O"), ("move", "D")])
def test_w3_2_the_other_player_gets_the_other(choice: str, places: str) -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", f"O first {choice}")
    assert GAME.pending(state) == places


def test_w3_3_players_take_turns_placing() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place", "O place S4 e9")
    assert GAME.pending(state) == "D"
    assert GAME.pending(after(state, "D place C4 e10")) == "O"


@pytest.mark.parametrize("space", ["j1", "j2", "a17", "a18", "e9", "a1", "z9"])
def test_w3_3_no_coin_on_bases_coins_or_void(space: str) -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place", "O place S4 e9")
    assert refusal(state, f"D place C4 {space}") == "W3.3"


@pytest.mark.parametrize("coin", ["S4", "M0", "C9", "X1"])
def test_w3_3_only_own_coins_in_hand(coin: str) -> None:
    state = after(
        GAME.start("0.6", {}), "* rolloff S0 M0 C5 A5", "D first move", "O place S4 e9",
        "D place C4 e10",
    )  # fmt: skip
    line = f"O place {coin} e11" if coin != "M0" else "O place C0 e11"
    assert refusal(state, line) == "W3.3"


def test_w3_3_there_are_24_placements() -> None:
    state = placed()
    assert state.hand == 0
    assert sum(letter != "." for letter in state.board) == 24


@pytest.mark.parametrize("first", ["O", "D"])
def test_w3_5_who_did_not_place_first_moves_first(first: str) -> None:
    state = placed(first=first)
    assert GAME.pending(state) == "*"
    assert "OD"[state.turn] != first


def test_w4_1_both_dice_are_used_in_the_order_the_player_likes() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S2 M3")
    assert {line.split()[2] for line in legal(state)} == {"S", "M"}
    after(state, "O move M N", "O move S N")
    after(state, "O move S N", "O move M N")


def test_w4_1_a_die_is_used_once() -> None:
    state = after(position({"S": "f8", "M": "e8"}, dice="S2 M3"), "O move S N")
    assert refusal(state, "O move S S") == "W4.1"


def test_w4_1_no_player_uses_dice_of_another_or_out_of_turn() -> None:
    state = position(dice="S2 M3")
    assert refusal(state, "D move C S") == "W4.1"
    assert refusal(state, "O move C S") == "W4.1"


def test_w4_2_a_ship_goes_exactly_as_far_as_its_die() -> None:
    assert where(after(position({"S": "f8"}, dice="S3 M-"), "O move S NE"))["S"] == "i11"


def test_w4_2_no_way_leaves_the_board_or_crosses_the_void() -> None:
    assert refusal(position({"S": "f8"}, dice="S5 M-"), "O move S E") == "W4.2"
    assert "N" not in ENDS[3][INDEX["h6"]], "h7 and h8 lie outside: no short cut"
    assert refusal(position({"S": "f8"}, dice="S1 M-"), "O move S UP") == "W4.2"


def test_w4_3_what_is_jumped_over_is_not_affected() -> None:
    state = position({"S": "f8", "C": "f9"}, {"f10": "S2"}, "S3 M-")
    new = after(state, "O move S N")
    assert where(new)["C"] == "f9"
    assert new.board == state.board


def test_w4_4_own_other_ship_is_off_the_board_for_landing_only() -> None:
    state = position({"S": "f8", "M": "f10"}, dice="S2 M-")
    assert refusal(state, "O move S N") == "W4.4"
    assert "O move S N" not in legal(state)
    passing = position({"S": "f8", "M": "f9"}, dice="S2 M-")
    assert where(after(passing, "O move S N"))["S"] == "f10"


def test_w4_5_a_die_without_a_move_waits_and_is_looked_at_again() -> None:
    state = position({"S": "j1", "M": "h3"}, dice="S2 M1")
    assert "O move S NW" not in legal(state)
    state = after(state, "O move M N")
    assert "O move S NW" in legal(state)


def test_w4_5_a_die_lapses_when_no_unused_die_has_a_move() -> None:
    state = position({"S": "j2", "M": "f8"}, dice="S5 M1")
    assert not any(line.startswith("O move S") for line in legal(state))
    assert "lapsed:S:5" in events(state, "O move M N")
    assert GAME.pending(after(state, "O move M N")) == "*"


def test_w4_6_a_null_does_not_move() -> None:
    assert refusal(position({"S": "f8", "M": "e8"}, dice="S0 M1"), "O move S N") == "W4.6"


def test_w4_6_a_null_on_a_coin_must_activate_it() -> None:
    state = position({"S": "f8"}, {"f8": "S2"}, "S0 M-")
    assert legal(state) == ["O null S"]
    assert legal(after(state, "O null S")) == ["O jump S N", "O jump S S"]


def test_w4_6_a_null_without_a_coin_waits_and_lapses() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S0 M1")
    assert refusal(state, "O null S") == "W4.6"
    assert refusal(state, "O null M") == "W4.6"
    assert "lapsed:S:0" in events(state, "O move M N")


def test_w4_6_a_null_never_sends_away() -> None:
    state = position({"S": "f8", "C": "f8"}, {"f8": "S0"}, "S0 M-")
    new = after(state, "O null S")
    assert new.phase != "send"
    assert where(new)["C"] == "f8"


def test_w4_7_the_turn_passes_after_both_dice() -> None:
    state = after(position({"S": "f8", "M": "e8"}, dice="S1 M1"), "O move S N", "O move M N")
    assert legal(state) == ["* roll C? A?"]
    assert state.number == 2


def test_w4_8_a_turn_without_a_use_passes_and_is_reported() -> None:
    state = position()
    assert "passed:O:stuck" in events(state, "* roll S0 M0")
    both_lost = position(seat="D", dice="C1 A-", owes=3, ships={"C": "f8"})
    assert "passed:O:lost" in events(both_lost, "D move C N")
    assert legal(after(both_lost, "D move C N")) == ["* roll C? A?"]


def test_w5_1_landing_by_die_activates_landing_by_jump_does_not() -> None:
    state = position({"S": "f8"}, {"f9": "S2", "f11": "S1"}, "S1 M-")
    state = after(state, "O move S N", "O jump S N")
    assert where(state)["S"] == "f11"
    assert [event.facts[2] for event in told(state, "turned")] == ["f9"]


def test_w5_2_the_coin_is_turned_each_time_even_without_effect() -> None:
    state = position({"S": "f8", "M": "j2"}, {"f9": "M5"}, "S1 M-")
    told_now = events(state, "O move S N")
    assert "turned:M:5:f9:S:value" in told_now
    assert "stuck:S" in told_now
    again = position({"S": "f8"}, {"f9": "M5*"}, "S1 M-")
    assert "turned:M:5:f9:S:suit" in events(again, "O move S N")


def test_w5_3_an_only_direction_is_taken_without_asking() -> None:
    state = position({"S": "g2"}, {"g1": "S1"}, "S1 M-")
    assert "jumped:S:g1:g2" in events(state, "O move S S")


def test_w5_3_own_ship_at_one_end_leaves_the_other() -> None:
    state = position({"S": "f8", "M": "f10"}, {"f9": "S1"}, "S1 M-")
    assert "jumped:S:f9:f8" in events(state, "O move S N")


def test_w5_3_owner_chooses_direction_also_in_the_opponents_turn() -> None:
    state = position({"S": "f8", "C": "f9"}, {"g10": "S1"}, "S1 M-")
    state = after(state, "O move S N", "O send C g10")
    assert GAME.pending(state) == "D"
    assert legal(state) == ["D jump C N", "D jump C S"]
    assert refusal(state, "O jump C N") == "W4.1"
    assert refusal(state, "D jump C E") == "W5.3"
    assert refusal(state, "D jump A N") == "W5.3"


def test_w5_4_null_coin_is_a_black_hole() -> None:
    state = position({"S": "f8"}, {"f9": "S0"}, "S1 M-")
    assert "hole:S" in events(state, "O move S N")


def test_w5_5_a_ship_activates_one_coin_in_any_players_turn() -> None:
    state = position({"S": "f8", "M": "h9", "C": "f9"}, {"g10": "S1", "g12": "M2"}, "S1 M1")
    state = after(state, "O move S N", "O send C g10", "D jump C S")  # Crowns used a coin: g9
    assert where(state)["C"] == "g9"
    board = state.board
    state = after(state, "O move M W", "O send C g12")
    assert state.board == board, "not turned, not shown"


def test_w5_5_a_move_after_an_activation_turns_no_coin() -> None:
    suns = position({"S": "f8"}, {"f9": "S2"}, "S1 M-", activated=1)
    moons = position({"M": "f8"}, {"f9": "S2"}, "S- M1", activated=2)
    for state, ship in ((suns, "S"), (moons, "M")):
        moved = after(state, f"O move {ship} N")
        assert where(moved)[ship] == "f9"
        assert moved.board == state.board


def test_w5_5_a_null_after_an_activation_cannot_be_used() -> None:
    state = position({"S": "f8"}, {"f8": "S2"}, "S0 M-", activated=1)
    assert refusal(state, "O null S") == "W5.5"
    state = position({"M": "f8"}, {"f8": "S2"}, "S- M0", activated=2)
    assert refusal(state, "O null M") == "W5.5"


def test_w5_5_a_null_after_an_activation_lapses() -> None:
    suns = position({"S": "f8", "M": "h9"}, {"f8": "S2"}, "S0 M1", activated=1)
    moons = position({"M": "f8", "S": "h9"}, {"f8": "S2"}, "S1 M0", activated=2)
    assert after(suns, "O move M N").phase == after(moons, "O move S N").phase == "roll"
    assert "lapsed:S:0" in events(suns, "O move M N")


def test_w6_1_a_ship_in_a_black_hole_gets_no_die_next_turn() -> None:
    state = position({"S": "f8", "M": "e8", "C": "e15"}, {"f9": "S0"}, "S1 M1")
    state = after(state, "O move S N", "O move M N", "* roll C1 A0", "D move C N")
    assert legal(state) == ["* roll S- M?"]
    assert refusal(state, "* roll S1 M1") == "W4.1"


def test_w6_2_null_after_the_lost_turn_activates_the_hole() -> None:
    state = position({"S": "f9"}, {"f9": "S0*"}, "S0 M-")
    state = after(state, "O null S")
    assert state.owes == 1


def test_w6_3_a_die_already_rolled_is_still_used() -> None:
    state = position({"S": "f8", "M": "e8"}, {"f9": "S0"}, "S1 M1")
    assert any(line.startswith("O move M") for line in legal(after(state, "O move S N")))


def test_w6_3_a_hole_met_in_the_paying_turn_costs_the_next() -> None:
    state = position({"C": "f9", "S": "f8"}, {"g10": "C0"}, "S1 M-", owes=0)
    state = after(state, "O move S N", "O send C g10")
    assert legal(state) == ["* roll C- A?"], "Crowns pay in their owner's next turn"
    assert state.owes == 0


def test_w6_3_lost_turn_stays_with_the_ship_without_adding_up() -> None:
    state = position({"C": "f9", "S": "f8"}, {"g10": "C0"}, "S1 M-", owes=0b0100)
    moved = after(state, "O move S N", "O send C e9")
    assert legal(moved) == ["* roll C- A?"]
    twice = after(state, "O move S N", "O send C g10")
    assert legal(twice) == ["* roll C- A?"]
    assert twice.owes == 0


@pytest.mark.parametrize("space", ["a17", "j2", "g10", "e9"])
def test_w7_1_a_ship_may_be_sent_to_any_space_without_a_ship(space: str) -> None:
    ships = {"S": "f8", "C": "f9", "M": "h1"}
    state = after(position(ships, {"g10": "C0"}, "S1 M-"), "O move S N")
    assert f"O send C {space}" in legal(state)
    assert where(after(state, f"O send C {space}"))["C"] == space


@pytest.mark.parametrize("space", ["h1", "a18", "f9", "a1"])
def test_w7_1_never_where_a_ship_of_either_player_stands(space: str) -> None:
    state = after(position({"S": "f8", "C": "f9", "M": "h1"}, dice="S1 M-"), "O move S N")
    assert f"O send C {space}" not in legal(state)
    assert refusal(state, f"O send C {space}") == "W7.1"
    assert len(legal(state)) == 1 + 92 - 3


def test_w7_1_declining_leaves_both_on_the_space() -> None:
    state = after(position({"S": "f8", "C": "f9"}, dice="S1 M-"), "O move S N", "O keep C")
    assert where(state)["S"] == where(state)["C"] == "f9"
    assert refusal(after(position({"S": "f8", "C": "f9"}, dice="S1 M-"), "O move S N"),
                   "O keep A") == "W7.1"  # fmt: skip


def test_w7_2_first_the_sending_and_all_it_causes_then_the_coin() -> None:
    coins = {"f9": "S0", "g10": "S1"}
    state = after(position({"S": "f8", "C": "f9"}, coins, "S1 M-"), "O move S N")
    assert state.owes == 0
    state = after(state, "O send C g10", "D jump C N")
    assert [event.facts[2] for event in told(state, "turned")] == ["g10", "f9"]


def test_w7_2_a_ship_sent_away_meanwhile_does_not_activate() -> None:
    coins = {"f9": "S0", "f11": "S2"}
    state = after(position({"S": "f8", "C": "f9"}, coins, "S1 M-"), "O move S N", "O send C f11")
    state = after(state, "D jump C S")  # back onto Suns at f9
    assert legal(state)[0] == "D keep S"
    state = after(state, "D send S e12")
    assert [event.facts[2] for event in told(state, "turned")] == ["f11"]
    assert state.owes == 0


def test_w7_2_ship_that_still_stands_there_activates() -> None:
    state = after(position({"S": "f8", "C": "f9"}, {"f9": "S2"}, "S1 M-"), "O move S N")
    assert legal(after(state, "O keep C")) == ["O jump S N", "O jump S S"]


def test_w7_2a_ships_that_share_a_space_do_not_send() -> None:
    state = position({"S": "f8", "M": "e8", "C": "f8"}, dice="S1 M1")
    assert after(state, "O move M N").phase == "act"


def test_w7_3_landing_by_jump_only_sends() -> None:
    coins = {"f9": "S2", "f11": "S0"}
    state = position({"S": "f8", "C": "f11"}, coins, "S1 M-")
    state = after(state, "O move S N", "O jump S N")
    assert state.phase == "send"
    state = after(state, "O keep C")
    assert state.owes == 0


def test_w7_4_a_sent_ship_may_send_in_turn_and_w5_5_bounds_it() -> None:
    coins = {"g10": "S2", "d9": "M1"}
    ships = {"S": "f8", "C": "f9", "M": "g12"}
    state = after(position(ships, coins, "S1 M-"), "O move S N", "O send C g10")
    assert GAME.pending(state) == "D"
    assert "D send M d9" in legal(state)
    state = after(state, "D send M d9")
    assert legal(state) == ["O jump M E", "O jump M W"]


def test_w7_5_being_sent_onto_a_base_is_not_landing() -> None:
    state = after(position({"S": "f8", "C": "f9"}, dice="S1 M-"), "O move S N", "O send C j1")
    assert state.result == ""


def test_w8_1_landing_by_die_wins_at_once() -> None:
    state = after(position({"S": "b17", "M": "e8"}, dice="S1 M1"), "O move S W")
    assert state.result == "O base"
    assert legal(state) == []
    assert GAME.pending(state) == ""
    assert refusal(state, "O move M N") == "W8.1"


def test_w8_1_landing_by_jump_wins_in_the_other_players_turn() -> None:
    state = position({"S": "f8", "C": "f9"}, {"h1": "M2"}, "S1 M-")
    state = after(state, "O move S N", "O send C h1")
    assert state.result == "D base", "the only legal way of the jump leads onto j1"


def test_w8_1_a_win_leaves_the_rest_unsettled() -> None:
    state = after(position({"S": "b17", "C": "a17", "M": "e8"}, dice="S1 M1"), "O move S W")
    assert state.phase == "over"


def test_w8_2_long_game_needs_both_ships() -> None:
    fields: dict[str, Any] = {"rules": "0.6-long"}
    ships = {"S": "b17", "M": "b18", "C": "f8", "A": "e8"}
    state = after(position(ships, dice="S1 M1", **fields), "O move S W")
    assert state.result == ""
    assert after(state, "O move M W").result == "O base"
    ships = {"C": "j2", "A": "i1", "S": "f8", "M": "e8"}
    state = position(ships, seat="D", dice="C- A1", rules="0.6-long", landed=4)
    assert after(state, "D move A E").result == "D base"


def test_w8_2_a_landed_ship_says_whether_it_rolls() -> None:
    ships = {"S": "a17", "C": "f8", "A": "e8"}
    state = position(ships, seat="D", dice="C1 A-", rules="0.6-long", landed=1)
    state = after(state, "D move C N")
    assert legal(state) == ["O rolls S", "O skips S"]
    assert legal(after(state, "O rolls S")) == ["* roll S? M?"]
    assert legal(after(state, "O skips S")) == ["* roll S- M?"]
    assert refusal(state, "O skips M") == "W8.2"
    ships = {"C": "j1", "S": "f8", "M": "e8"}
    state = position(ships, dice="S1 M-", rules="0.6-long", landed=4)
    assert legal(after(state, "O move S N")) == ["D rolls C", "D skips C"]


def test_w8_2_ship_sent_there_or_losing_the_turn_does_not_win() -> None:
    ships = {"S": "a17", "C": "f8", "A": "e8"}
    fields: dict[str, Any] = {"seat": "D", "dice": "C1 A-", "rules": "0.6-long"}
    assert legal(after(position(ships, **fields, landed=0), "D move C N")) == ["* roll S? M?"]
    lost = position(ships, **fields, landed=1, owes=1)
    assert legal(after(lost, "D move C N")) == ["* roll S- M?"]


@pytest.mark.parametrize(("landed", "owes", "suit"), [(1, 2, "S"), (2, 1, "M")])
def test_w8_2_a_turn_without_dice_passes(landed: int, owes: int, suit: str) -> None:
    ships = {suit: "a17", "C": "f8", "A": "e8"}
    fields: dict[str, Any] = {"dice": "C1 A-", "rules": "0.6-long", "landed": landed, "owes": owes}
    state = after(position(ships, seat="D", **fields), "D move C N")
    assert "passed:O:lost" in events(state, f"O skips {suit}")


def test_w8_2_ships_of_the_other_player_are_not_asked_about() -> None:
    ships = {"S": "f10", "C": "j1", "A": "e8"}
    state = position(ships, seat="D", dice="C- A1", rules="0.6-long", landed=4)
    assert legal(after(state, "D move A N")) == ["* roll S? M?"]


def test_w8_2_leaving_the_base_undoes_the_landing() -> None:
    ships = {"S": "a17", "C": "f8", "A": "e8"}
    state = position(ships, dice="S1 M-", rules="0.6-long", landed=1)
    assert after(state, "O move S E").landed == 0
    ships = {"M": "a17", "C": "f8", "A": "e8"}
    state = position(ships, dice="S- M1", rules="0.6-long", landed=2)
    assert after(state, "O move M E").landed == 0


def test_w8_2_being_sent_away_undoes_the_landing() -> None:
    ships = {"S": "a17", "C": "b17", "A": "e8"}
    state = position(ships, seat="D", dice="C1 A-", rules="0.6-long", landed=1)
    assert after(state, "D move C W", "D send S a18").landed == 0


def test_w8_3_in_0_5_2_no_player_is_asked() -> None:
    ships = {"S": "a17", "C": "f8", "A": "e8"}
    state = position(ships, seat="D", dice="C1 A-", rules="0.5.2", landed=1)
    assert legal(after(state, "D move C N")) == ["* roll S? M?"]


def test_w8_4_resigning_is_possible_in_any_pending_decision() -> None:
    state = position(dice="S1 M1")
    assert after(state, "D resign").result == "O resign"
    assert after(state, "O flag").result == "D time"
    assert refusal(position(), "O resign") == "W8.4", "not while dice are pending"
    assert refusal(after(state, "D resign"), "O resign") == "W8.4"


def test_w8_4_a_match_of_two_is_not_left_but_resigned() -> None:
    assert refusal(position(dice="S1 M1"), "O leave") == "W8.4"


def test_w8_4_only_one_seat_at_a_time_resigns() -> None:
    assert refusal(position(dice="S1 M1"), "OD resign") == "W8.4"


def test_w8_4_a_draw_needs_both() -> None:
    state = after(position(dice="S1 M1"), "D draw offer")
    assert refusal(state, "D draw accept") == "W8.4"
    assert refusal(state, "O draw offer") == "W8.4"
    assert after(state, "O draw accept").result == "- agreed"
    assert after(state, "O draw decline").offer == ""


def test_w8_4_a_match_can_end_without_a_result() -> None:
    state = after(position(dice="S1 M1"), "O abandon")
    assert state.result == "- abandoned"
    assert refusal(state, "D abandon") == "W8.4"


def test_w8_4_an_offer_ends_when_the_other_plays_on() -> None:
    ships = {"S": "f8", "M": "e8"}
    by_other = after(position(ships, dice="S1 M1"), "D draw offer", "O move S N")
    assert by_other.offer == ""
    by_self = after(position(ships, dice="S1 M1"), "O draw offer", "O move S N")
    assert by_self.offer == "O"


def test_lists_before_a_roll_show_who_gets_a_die() -> None:
    assert legal(position()) == ["* roll S? M?"]


@pytest.mark.parametrize(
    "line", ["O move S", "O fly S N", "X move S N", "O draw", "O draw maybe", "O resign now"]
)
def test_unknown_lines_are_refused_in_words(line: str) -> None:
    assert refusal(position(dice="S1 M1"), line) in ("notation", "W4.1", "W8.4")
