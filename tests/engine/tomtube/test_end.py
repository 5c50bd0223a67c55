"""T5: the end and the points."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import IllegalActionError
from engine.tomtube.state import State
from tests.support.tomtube.positions import (
    GAME,
    after,
    around,
    bits,
    events,
    filled,
    hands,
    legal,
    node,
    position,
    refusal,
)

PAIR = ("0,0/1,0/0,1", "0,0/0,1/-1,1")
"""Room for one rhomb, in the middle."""

DAVES_SOLARS = 1 << node("module1", "D") | 1 << node("module2", "D")


def counting(**fields: Any) -> State:
    """Tom has both solar counters and drifts home; Dave's turns are counted."""
    usual: dict[str, Any] = {"solar": (2, 0), "solars": DAVES_SOLARS, "tom": "1,2", "dave": "-2,-1"}
    return after(position(**usual | fields), "T drift base")


def without_room(**fields: Any) -> State:
    """No rhomb can be placed any more; no astronaut is home."""
    usual: dict[str, Any] = {"fills": filled(), "tom": "1,2", "dave": "-2,-1"}
    return position(**usual | fields)


def lost(**fields: Any) -> State:
    """Dave will stand in the middle of blank tiles; Tom goes from gate to gate."""
    return without_room(dave="-1,0", **fields)


def test_t5_1_home_with_both_solar_counters_begins_the_count() -> None:
    state = counting()
    assert state.story[-1].kind == "home"
    assert GAME.view(state).faster == "T"
    assert GAME.pending(state) == "D"
    assert not GAME.result(state)


def test_t5_1_the_bonus_is_one_point_a_turn_the_last_included() -> None:
    state = counting()
    before = (GAME.points(state) or {})["T"]
    state = after(state, "D drift -1,-2")
    assert GAME.pending(state) == "D", "the other one plays alone"
    state = after(state, "D drift -2,-1", "D drift base")
    assert GAME.result(state) == "T points"
    assert GAME.view(state).bonus == 3
    assert (GAME.points(state) or {})["T"] == before + 3


def test_t5_1_daves_bonus_is_daves() -> None:
    state = position(tom="2,1", dave="-2,-1", seat="D", solar=(0, 2), solars=0)
    state = after(state, "D drift base", "T drift base")
    assert GAME.result(state) == "D points"
    assert GAME.points(state) == {"T": 1, "D": 1 + 10 + 1}


def test_t5_1_who_comes_home_second_begins_no_count() -> None:
    state = after(counting(solar=(2, 2), solars=0), "D drift base")
    assert GAME.result(state) == "T points"
    points = GAME.points(state) or {}
    assert points["T"] == points["D"] + 1


def test_t5_1_the_slower_one_places_no_more() -> None:
    state = counting()
    assert "build" not in legal(state)
    assert refusal(state, "D build") == "T5.1"


def test_t5_1_own_modules_may_be_entered_but_their_counters_stay() -> None:
    state = counting(dave="-2,3", fills=around("-2,2", "-2,1", "-2,0"), hands=hands((1, 4)))
    state = after(state, "D drift module1")
    view = GAME.view(state)
    assert view.astronauts[1][1] == "module1"
    assert view.astronauts[1].solar == 0
    assert ("solar", "module1", "D") in view.counters
    assert legal(state, "drift") == ["-2,3", "-1,3"]


def test_t5_1_collecting_spending_and_exchange_go_on() -> None:
    near = around("-2,0", "-1,-1")
    state = counting(fills=near, put=("-2,0", "", ""), hands=hands((1, 1), (0, 0), (0, 1)))
    assert "exchange" in legal(state)
    state = after(state, "D exchange", "D jump -2,0")
    assert GAME.view(state).astronauts[1][1:5] == ("-2,0", 3, 1, 0)
    assert GAME.view(state).bonus == 1, "the exchange is no turn"


def test_t5_1_who_is_home_already_gives_no_bonus() -> None:
    state = counting(dave="base")
    assert GAME.result(state) == "T points"
    assert GAME.points(state) == {"T": 11, "D": 1}


def test_t5_1_both_solar_counters_are_needed() -> None:
    state = after(position(solar=(1, 0), tom="1,2", dave="-2,-1"), "T drift base")
    assert GAME.view(state).faster == ""
    assert "build" in legal(state)


def test_t5_1_room_for_a_rhomb_is_needed() -> None:
    state = counting(fills=filled(PAIR[0]))
    assert GAME.result(state) == "T points"
    assert GAME.view(state).bonus == 0
    with_room = counting(fills=filled(*PAIR))
    assert GAME.view(with_room).faster == "T"


def test_t5_1_taker_of_the_last_solar_counter_goes_home_first() -> None:
    state = position(solar=(1, 0), solars=bits("module1"), tom="-3,1", dave="-2,-1")
    assert GAME.view(after(state, "T drift module1")).faster == ""


def test_t5_2_without_room_coming_home_ends_the_game_at_once() -> None:
    state = after(without_room(), "T drift base")
    assert GAME.result(state) == "- points"


def test_t5_2_standing_in_the_base_is_enough() -> None:
    state = position(fills=filled(*PAIR), tom="1,2", dave="base")
    state = after(state, "T build", "* draw AB/AB", "T rhomb 1,0>-1,1")
    assert GAME.result(state).endswith(" points")


def test_t5_2_is_tested_after_every_turn_of_either() -> None:
    state = after(without_room(dave="base"), "T drift 2,1")
    assert GAME.result(state) == "- points"


def test_t5_2_with_room_nothing_ends() -> None:
    assert not GAME.result(after(position(), "T drift 1,2"))


def test_t5_3_who_cannot_come_home_ends_the_game() -> None:
    state = lost(hands=hands((1, 0)))
    assert events(state, "T drift 2,1")[1:] == ["stranded:D", "ended:T:stranded"]
    assert GAME.result(after(state, "T drift 2,1")) == "T stranded"


def test_t5_3_both_may_be_stranded() -> None:
    state = lost(tom="1,0", hands=hands((1, 0)))
    assert events(state, "T jump 2,0")[2:] == ["stranded:T", "stranded:D", "ended:-:stranded"]


@pytest.mark.parametrize(
    ("energy", "control", "alien", "home"),
    [(1, 0, 0, False), (2, 0, 0, True), (0, 3, 0, False), (0, 0, 1, True)],
)
def test_t5_3_counters_in_hand_pay_the_way(
    energy: int, control: int, alien: int, home: bool
) -> None:
    """From -1,0 two jumps lead to a gate of Dave's base; an alien counter is worth two energy."""
    hand = hands((1, energy), (0, control), (0, alien))
    assert (GAME.result(after(lost(hands=hand), "T drift 2,1")) == "") == home


@pytest.mark.parametrize(
    ("put", "home"),
    [
        (("-1,-1", "", ""), True),
        (("-2,0", "", ""), True),
        (("0,0", "", ""), False),
        (("0,0 0,-1 -1,-1", "", ""), True),
        (("0,0", "-1,-1", ""), False),
        (("", "", "-2,1"), True),
        (("", "", "0,0"), False),
    ],
)
def test_t5_3_counters_on_the_board_pay_it_too(put: tuple[str, str, str], home: bool) -> None:
    state = lost(hands=hands((1, 1)), put=put)
    assert (GAME.result(after(state, "T drift 2,1")) == "") == home


def test_t5_3_an_alien_counter_is_always_worth_its_exchange() -> None:
    state = lost(hands=hands((1, 0), (0, 0), (0, 1)), supply=(0, 0, 5))
    assert not GAME.result(after(state, "T drift 2,1"))


def test_t5_3_the_other_astronaut_does_not_stand_in_the_way() -> None:
    fills = filled(dave="0,0/-1,0/0,-1 -1,0/-2,0/-1,-1 -1,-1/-2,-1/-1,-2")
    state = position(fills=fills, tom="-1,1", dave="0,0", hands=hands((9, 0)))
    state = after(state, "T jump -1,0")
    assert not GAME.result(state)
    assert legal(state) == ["drift 0,-1"]


def test_t5_3_control_drifts_count() -> None:
    """Three bent tubes of Tom's lead home."""
    fills = filled(tubes="0,0/-1,0/0,-1 -1,0/-2,0/-1,-1 -1,-1/-2,-1/-1,-2")
    for control, home in ((0, False), (2, False), (3, True)):
        state = position(fills=fills, tom="1,2", dave="0,0", hands=hands((1, 0), (0, control)))
        assert (GAME.result(after(state, "T drift 2,1")) == "") == home, control


def test_t5_3_stranding_is_tested_only_without_room() -> None:
    state = position(fills=filled(*PAIR), tom="1,2", dave="-1,0", hands=hands((1, 0)))
    assert not GAME.result(after(state, "T drift 2,1"))


def test_t5_3_and_when_the_count_begins() -> None:
    state = counting(dave="0,0", fills=around("0,0"), hands=hands((1, 1)))
    assert GAME.result(state) == "T stranded"
    assert GAME.view(state).bonus == 0
    assert [event.kind for event in state.story[-2:]] == ["stranded", "ended"]


def count_of_two_jumps(**fields: Any) -> State:
    """Dave needs two jumps, -2,0 and -2,-1, and has as many energy counters."""
    fields = {"fills": around("-2,1", "-2,0"), "dave": "-2,1", "hands": hands((1, 2))} | fields
    return counting(**fields)


def test_t5_3_in_the_count_a_jump_that_strands_is_not_legal() -> None:
    state = count_of_two_jumps()
    assert legal(state) == ["jump -2,0"]
    assert refusal(state, "D jump -3,1") == "T5.3"
    richer = count_of_two_jumps(hands=hands((1, 3)))
    assert legal(richer) == ["jump -2,0", "jump -3,1", "jump -3,2"]
    before = count_of_two_jumps(solar=(1, 0))
    assert "jump -3,1" in legal(before), "only in the count"


def test_t5_3_in_the_count_a_counter_where_a_jump_ends_helps() -> None:
    """From -1,1 it is three jumps home; one of the two energy counters is left after the jump."""
    fills = around("-2,1", "-2,0", "-1,1")
    for put, helps in ((("-1,1", "", ""), False), (("", "", "-1,1"), True)):
        state = count_of_two_jumps(fills=fills, put=put)
        assert ("jump -1,1" in legal(state)) == helps


def test_t5_3_in_the_count_a_stranding_control_drift_is_illegal() -> None:
    fills = around("-2,1", "-2,0", "-1,1", tubes="-2,1/-1,1/-2,2")
    state = count_of_two_jumps(fills=fills, hands=hands((1, 2), (0, 1)))
    assert "control -1,1" not in legal(state)
    assert refusal(state, "D control -1,1") == "T5.3"
    richer = count_of_two_jumps(fills=fills, hands=hands((1, 4), (0, 1)))
    assert "control -1,1" in legal(richer)


def test_t5_3_in_the_count_who_has_no_legal_action_is_stranded() -> None:
    """The alien counter would pay the way, but the supply has no energy to give for it."""
    state = count_of_two_jumps(hands=hands((1, 0), (0, 0), (0, 1)), supply=(1, 8, 5))
    assert GAME.result(state) == "T stranded"
    assert state.bonus == 0
    enough = count_of_two_jumps(hands=hands((1, 0), (0, 0), (0, 1)), supply=(2, 8, 5))
    assert legal(enough) == ["exchange"]


def test_t5_3_stranding_in_the_count_takes_the_bonus_away() -> None:
    """After the jump there is one energy counter in the supply, and an exchange needs two."""
    state = count_of_two_jumps(hands=hands((1, 1), (0, 0), (0, 1)), supply=(0, 8, 5))
    story = events(state, "D jump -2,0")
    assert story[-2:] == ["stranded:D", "ended:T:stranded"]
    state = after(state, "D jump -2,0")
    assert (GAME.result(state), GAME.view(state).bonus) == ("T stranded", 0)


def test_t5_4_thirty_turns_without_progress_end_the_game() -> None:
    state = position(tom="1,2", dave="-2,-1", quiet=28)
    state = after(state, "T drift 2,1")
    assert not GAME.result(state)
    state = after(state, "D drift -1,-2")
    assert GAME.result(state) == "- points"


def test_t5_4_a_placing_or_a_counter_taken_starts_anew() -> None:
    state = after(position(quiet=29), "T build", "* draw AB/AB", "T rhomb 0,0>1,1")
    assert GAME.view(state).quiet == 0
    state = after(position(tom="-3,1", quiet=29), "T drift module1")
    assert GAME.view(state).quiet == 0


def test_t5_4_an_exchange_is_no_progress() -> None:
    state = position(tom="1,2", quiet=29, hands=hands((1, 1), (0, 0), (1, 0)))
    assert GAME.result(after(state, "T exchange", "T drift 2,1")) == "T points"


def test_t5_4_in_the_count_the_turns_are_counted_from_its_start() -> None:
    state = counting(quiet=29)
    assert GAME.view(state).quiet == 0
    for turn in range(30):
        assert not GAME.result(state)
        state = after(state, "D drift -2,-1" if turn % 2 else "D drift -1,-2")
    assert GAME.result(state) == "T points"
    assert GAME.view(state).bonus == 30, "the bonus stands"


def test_t5_5_the_example_of_33_points() -> None:
    """5 energy, 3 control, 1 alien, 2 solar counters; Dave needs 7 turns."""
    state = counting(hands=hands((5, 1), (3, 0), (1, 0)))
    for end in ("-1,-2", "-2,-1") * 3:
        state = after(state, f"D drift {end}")
    state = after(state, "D drift base")
    assert GAME.view(state).bonus == 7
    assert (GAME.points(state) or {})["T"] == 33
    assert GAME.result(state) == "T points"


def test_t5_5_equal_points_are_a_draw() -> None:
    assert GAME.result(after(without_room(), "T drift base")) == "- points"
    richer = after(without_room(hands=hands((1, 2))), "T drift base")
    assert GAME.result(richer) == "D points"


def test_t5_6_launch_energy_comes_out_of_the_supply() -> None:
    state = GAME.start("standard", {"launch_T": "2", "launch_D": "6"})
    view = GAME.view(state)
    assert [astronaut.energy for astronaut in view.astronauts] == [3, 7]
    assert view.supply == (24 - 10, 8, 6)
    assert view.options == (("launch_D", "6"), ("launch_T", "2"))


@pytest.mark.parametrize(
    ("rules", "options"),
    [("long", {}), ("standard", {"launch_T": "7"}), ("standard", {"launch_X": "1"})],
)
def test_t5_6_other_rules_and_options_are_refused(rules: str, options: dict[str, str]) -> None:
    with pytest.raises(IllegalActionError) as caught:
        GAME.start(rules, options)
    assert caught.value.rule == "T5.6"


def test_t5_6_basic_has_energy_and_solar_counters_only() -> None:
    assert GAME.start("basic", {}).supply == (22, 0, 0)
    state = position(fills=filled(*PAIR), rules="basic", tom="1,2", dave="-2,-1")
    state = after(state, "T build", "* draw AB/AB+", "T rhomb 1,0>-1,1")
    assert {counter.kind for counter in GAME.view(state).counters} == {"energy", "solar"}


def test_t5_7_the_start_player_is_drawn_by_lot() -> None:
    start = GAME.start("standard", {})
    assert legal(start) == ["first ?"]
    for seat in "TD":
        assert GAME.pending(after(start, f"* first {seat}")) == seat
    assert refusal(start, "* first X") == "T5.7"
    assert refusal(start, "* first TD") == "T5.7"


def test_t5_7_resigning_gives_the_match_to_the_other() -> None:
    assert GAME.result(after(position(), "D resign")) == "T resign"
    assert GAME.result(after(position(), "T flag")) == "D time"
    assert refusal(position(), "T leave") == "T5.7"
    assert refusal(after(position(), "T build"), "T resign") == "T5.7"


def test_t5_7_a_draw_is_agreed() -> None:
    offered = after(position(), "T draw offer")
    assert GAME.result(after(offered, "D draw accept")) == "- agreed"
    assert not GAME.result(after(offered, "D draw decline"))
    assert after(offered, "T build").offer == "T", "the one who offered may play on"
    assert after(offered, "T drift 1,2", "D drift -1,-2").offer == ""


def test_t5_7_an_abandoned_match_has_no_points() -> None:
    state = after(position(), "D abandon")
    assert GAME.result(state) == "- abandoned"
    assert GAME.points(state) is None
    assert refusal(position(), "D abandon now") == "notation"


def test_t5_8_the_count_comes_before_standing_in_the_base() -> None:
    """Coming home with room left begins the count, even where no room would end the game."""
    assert not GAME.result(counting(fills=filled(*PAIR)))


def test_t5_8_home_without_room_comes_before_stranding() -> None:
    assert GAME.result(after(lost(hands=hands((1, 0))), "T drift base")) == "T points"


def test_t5_8_stranding_comes_before_the_thirty_turns() -> None:
    state = lost(hands=hands((1, 0)), quiet=29)
    assert GAME.result(after(state, "T drift 2,1")) == "T stranded"


def test_after_the_end_nothing_is_legal() -> None:
    state = after(position(), "D resign")
    assert GAME.legal(state) == ()
    assert GAME.pending(state) == ""
    assert refusal(state, "T build") == "T5"
    assert refusal(state, "T resign") == "T5.7"
