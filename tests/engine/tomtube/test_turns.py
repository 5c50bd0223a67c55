"""T3: a turn is a placing or a move."""

from __future__ import annotations

from typing import Any

from engine.tomtube.state import NONE, State
from tests.support.tomtube.positions import (
    GAME,
    after,
    around,
    events,
    filled,
    hands,
    laying,
    legal,
    position,
    refusal,
)

ROW = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0")
"""Three triangles in a row around a knot: a rhomb on two of them isolates the third."""

FAN = (*ROW, "0,0/-1,0/0,-1", "0,0/0,-1/1,-1")
"""One more than a rhomb and one that is isolated beside it can take."""

SPHERE = "AB/BD+@-3,1>-4,0"
"""A sphere whose arms lead to -3,0 (both), to a gate (Tom) and to the rim (Dave)."""


def nearly_full(*free: str, tile: str = "AB/AB", **fields: Any) -> State:
    """Only these triangles are free, and a tile has been drawn; both are near home."""
    fields = {"tom": "1,2", "dave": "-2,-1"} | fields
    return laying("", tile, fills=filled(*free), **fields)


def blocked(sphere: str = SPHERE, **fields: Any) -> State:
    """No room. Dave is on an energy sphere; Tom can jump before its only door."""
    near = around("-3,0", dave="-3,0/-2,-1/-2,0")
    all_toms = filled().replace("-@", "T@").split()
    away = [word for word in all_toms if "-3,0" not in word[2:].split("/")]
    return position(
        sphere,
        " ".join([*near.split(), *away]),
        tom="-2,0",
        dave=sphere.partition("@")[2],
        **fields,
    )


def test_t3_1_to_place_is_said_before_the_draw() -> None:
    state = position()
    assert legal(state)[0] == "build"
    assert refusal(state, "T rhomb 0,0>1,1") == "T3.1"
    state = after(state, "T build")
    assert refusal(state, "T drift 1,2") == "T3.1"
    state = after(state, "* draw AB/AB")
    assert GAME.pending(state) == "T"
    assert {action.verb for action in GAME.legal(state)} == {"rhomb"}
    assert refusal(state, "T drift 1,2") == "T3.4"


def test_t3_1_a_rhomb_lies_on_two_free_neighbouring_triangles() -> None:
    state = laying("AB/AB@0,0>1,1", "AC/AC+")
    places = legal(state, "rhomb")
    assert len(places) == 102 - 5
    assert "-2,1>-1,2" in places
    assert refusal(state, "T rhomb 0,0>1,1") == "T3.1"
    assert refusal(state, "T rhomb 1,0>-1,1") == "T3.1"
    assert refusal(state, "T rhomb 0,0>1,0") == "T3.1"
    assert refusal(state, "T rhomb here") == "T3.1"


def test_t3_1_after_the_rhomb_it_is_the_other_players_turn() -> None:
    state = after(laying("", "AB/AB"), "T rhomb 0,0>1,1")
    assert GAME.pending(state) == "D"
    assert legal(state)[0] == "build"


def test_t3_1_without_room_no_player_can_place() -> None:
    state = position(fills=filled(ROW[0]), tom="1,2", dave="-2,-1")
    assert "build" not in legal(state)
    assert refusal(state, "T build") == "T3.1"


def test_t3_2_who_isolates_a_triangle_fills_it() -> None:
    state = after(nearly_full(*ROW), "T rhomb 1,0>-1,1")
    assert GAME.pending(state) == "T"
    name = "-1,0/0,0/-1,1"
    assert legal(state) == [f"tube {name}", f"blank {name}"]
    assert refusal(state, f"T pass {name}") == "T3.2"
    assert GAME.view(after(state, f"T blank {name}")).astronauts[0].blanks == 2
    state = after(state, f"T tube {name}")
    assert GAME.view(state).astronauts[0].tubes == 5
    assert GAME.view(state).triangles[-1] == (name, "T")
    assert GAME.pending(state) == "D"


def test_t3_2_a_triangle_is_named_by_its_knots_in_any_order() -> None:
    state = after(nearly_full(*ROW), "T rhomb 1,0>-1,1")
    assert after(state, "T blank 0,0/-1,1/-1,0") == after(state, "T blank -1,0/0,0/-1,1")


def test_t3_2_only_isolated_triangles_are_filled() -> None:
    state = after(nearly_full(*ROW, "0,-3/1,-3/1,-4"), "T rhomb 1,0>-1,1")
    for name in ("0,0/1,0/0,1", "9,9/1,0/0,1", "0,0/1,0", "-1,0/0,0/-1,1/0,0"):
        assert refusal(state, f"T tube {name}") == "T3.2"


def test_t3_2_the_picture_of_one_rhomb_and_two_triangles() -> None:
    free = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/1,0/1,-1")
    state = after(nearly_full(*free), "T rhomb 1,0>-1,1")
    assert len(legal(state)) == 4
    state = after(state, "T tube 0,0/1,0/1,-1")
    assert legal(state) == ["tube -1,0/0,0/-1,1", "blank -1,0/0,0/-1,1"]
    state = after(state, "T blank -1,0/0,0/-1,1")
    assert GAME.pending(state) == "D"
    assert not legal(state, "tube")


def test_t3_2_with_one_kind_left_the_only_choice_is_a_line() -> None:
    state = after(nearly_full(*ROW, tubes=(0, 6)), "T rhomb 1,0>-1,1")
    assert legal(state) == ["blank -1,0/0,0/-1,1"]
    assert refusal(state, "T tube -1,0/0,0/-1,1") == "T3.2"
    state = after(nearly_full(*ROW, blanks=(0, 3)), "T rhomb 1,0>-1,1")
    assert legal(state) == ["tube -1,0/0,0/-1,1"]
    assert refusal(state, "T blank -1,0/0,0/-1,1") == "T3.2"


def test_t3_2_who_has_none_left_is_helped_by_the_other_player() -> None:
    state = after(nearly_full(*ROW, tubes=(0, 6), blanks=(0, 3)), "T rhomb 1,0>-1,1")
    assert GAME.pending(state) == "D"
    name = "-1,0/0,0/-1,1"
    assert legal(state) == [f"tube {name}", f"blank {name}", f"pass {name}"]
    assert refusal(state, f"T tube {name}") == "T3"
    filled_in = after(state, f"D tube {name}")
    assert GAME.view(filled_in).triangles[-1] == (name, "D")
    assert GAME.view(filled_in).astronauts[1].tubes == 5
    assert GAME.pending(filled_in) == "D", "the turn goes on to the other player"


def test_t3_2_the_other_player_may_decline_in_any_order() -> None:
    free = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/1,0/1,-1")
    state = after(nearly_full(*free, tubes=(1, 1), blanks=(0, 0)), "T rhomb 1,0>-1,1")
    state = after(state, "T tube -1,0/0,0/-1,1")
    assert GAME.pending(state) == "D"
    assert legal(state) == ["tube 1,-1/0,0/1,0", "pass 1,-1/0,0/1,0"]
    assert ("1,-1/0,0/1,0", ".") in GAME.view(after(state, "D pass 1,-1/0,0/1,0")).triangles


def test_t3_2_a_triangle_left_empty_stays_so() -> None:
    elsewhere = ("0,-3/1,-3/0,-2", "1,-3/0,-2/1,-2")
    state = nearly_full(*ROW, *elsewhere, tubes=(0, 1), blanks=(0, 0))
    state = after(state, "T rhomb 1,0>-1,1", "D pass -1,0/0,0/-1,1", "D build", "* draw AB/CD")
    assert legal(state, "rhomb") == ["0,-3>1,-2", "1,-2>0,-3"]
    state = after(state, "D rhomb 0,-3>1,-2")
    assert (state.phase, GAME.pending(state)) == ("turn", "T"), "nothing is asked about it again"
    assert ("-1,0/0,0/-1,1", ".") in GAME.view(state).triangles
    assert "0,0" not in GAME.view(state).complete


def test_t3_2_no_player_has_any_left() -> None:
    state = nearly_full(*ROW, tubes=(0, 0), blanks=(0, 0))
    story = events(state, "T rhomb 1,0>-1,1")
    assert "empty:-1,0/0,0/-1,1" in story
    state = after(state, "T rhomb 1,0>-1,1")
    assert (state.phase, GAME.pending(state)) == ("turn", "D")
    assert "0,0" not in GAME.view(state).complete


def test_t3_2_the_helper_runs_out_in_the_middle() -> None:
    free = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0", "0,0/1,0/1,-1")
    state = nearly_full(*free, tubes=(0, 1), blanks=(0, 0))
    state = after(state, "T rhomb 1,0>-1,1", "D tube -1,0/0,0/-1,1")
    assert state.phase == "turn"
    assert ("1,-1/0,0/1,0", ".") in GAME.view(state).triangles


def test_t3_2_first_players_triangle_is_not_declined_later() -> None:
    """Filling comes before help: no player helps while the placing one has triangles."""
    state = after(nearly_full(*ROW, tubes=(1, 6), blanks=(0, 3)), "T rhomb 1,0>-1,1")
    assert legal(state) == ["tube -1,0/0,0/-1,1"]


def counters(state: State) -> dict[str, str]:
    """Kind by place of the counters that are not solar ones."""
    return {
        counter.place: counter.kind
        for counter in GAME.view(state).counters
        if counter.kind != "solar"
    }


def test_t3_3_picture_of_energy_control_and_alien_counter() -> None:
    state = nearly_full(*ROW[:2], tile="AB/AB+")
    story = events(state, "T rhomb 1,0>-1,1")
    assert [event for event in story if event.startswith("put")] == [
        "put:energy:1,0>-1,1",
        "put:control:0,0",
        "put:control:1,0",
        "put:alien:-1,1",
        "put:alien:0,1",
    ]


def test_t3_3_two_mouths_give_no_counter() -> None:
    fills = filled(*ROW[:2], tubes="1,0/2,0/1,1")
    state = laying("", "AC/AC", fills=fills, tom="1,2", dave="-2,-1")
    state = after(state, "T rhomb 1,0>-1,1")
    assert counters(state) == {"0,0": "alien", "0,1": "alien", "-1,1": "control"}


def test_t3_3_the_arms_of_one_rhomb_at_a_knot_are_one_mouth() -> None:
    state = after(nearly_full(*ROW[:2], tile="AC/AC"), "T rhomb 1,0>-1,1")
    assert counters(state)["1,0"] == "control"


def test_t3_3_an_incomplete_knot_gets_nothing() -> None:
    state = after(nearly_full(*FAN, tile="AB/AB"), "T rhomb 1,0>-1,1")
    assert "0,0" not in counters(state)
    assert counters(state)["1,0"] == "control"


def test_t3_3_a_triangle_completes_knots_too() -> None:
    state = after(nearly_full(*ROW, tile="BD/BD"), "T rhomb 1,0>-1,1", "T tube -1,0/0,0/-1,1")
    assert counters(state) == {
        "0,1": "control", "1,0": "alien", "-1,1": "control", "-1,0": "control",
    }  # fmt: skip
    assert "0,0" not in counters(state), "two mouths"


def test_t3_3_gates_never_get_a_counter() -> None:
    free = ("-2,-1/-1,-1/-2,0", "-2,-1/-1,-1/-1,-2")
    state = laying("", "AB/AB", fills=filled(*free), tom="1,2", dave="3,-2")
    state = after(state, "T rhomb -1,-2>-2,0")
    assert not {"-2,-1", "-1,-2"} & counters(state).keys()
    assert counters(state)["-2,0"] in ("control", "alien")


def test_t3_3_with_the_supply_empty_nothing_is_put_now_or_later() -> None:
    state = nearly_full(*ROW[:2], *FAN[3:], tile="AB/AB+", supply=(1, 1, 0))
    state = after(state, "T rhomb 1,0>-1,1")
    assert counters(state) == {"1,0>-1,1": "energy", "1,0": "control"}
    empty = nearly_full(*ROW[:2], tile="AB/AB+", supply=(0, 0, 0))
    assert counters(after(empty, "T rhomb 1,0>-1,1")) == {}


def test_t3_3_the_last_control_counter_goes_to_the_first_knot() -> None:
    state = after(nearly_full(*ROW[:2], supply=(22, 1, 1)), "T rhomb 1,0>-1,1")
    assert counters(state) == {"0,0": "control", "-1,1": "alien"}


def test_t3_3_a_knot_that_was_complete_before_gets_nothing_later() -> None:
    """The supply was empty then; counters that came back to it do not change that."""
    state = nearly_full(*ROW[:2], *FAN[3:], supply=(22, 0, 0), hands=hands((1, 1), (4, 4)))
    state = after(state, "T rhomb 1,0>-1,1")
    assert counters(state) == {}
    draft = state.draft()
    draft.supply = (22, 8, 6)
    state = after(draft.freeze(), "D build", "* draw AB/CD", "D rhomb -1,0>1,-1")
    assert counters(state).keys() <= {"-1,0", "0,-1", "1,-1", "0,0"}


def test_t3_4_a_move_ends_on_another_node() -> None:
    state = position(fills=around("0,0", "1,0", "0,1", tubes="0,0/1,0/0,1"), tom="0,0")
    assert "0,0" not in legal(state, "drift")
    assert refusal(state, "T drift 0,0") == "T3.4"
    assert refusal(state, "T jump 0,0") == "T3.4"


def test_t3_5_who_has_no_legal_action_misses_the_turn() -> None:
    state = blocked(hands=hands((2, 0)))
    story = events(state, "T jump -3,0")
    assert story[-1] == "missed:D"
    state = after(state, "T jump -3,0")
    assert GAME.pending(state) == "T"
    assert GAME.view(state).turn == 3


def test_t5_4_a_missed_turn_is_one_without_progress() -> None:
    state = blocked(hands=hands((2, 0)))
    assert state.quiet == 0
    state = after(state, "T jump -3,0")
    assert [event.kind for event in state.story][-1] == "missed"
    assert state.quiet == 2


def test_t3_5_who_can_only_exchange_must() -> None:
    state = blocked("BD/BD+@-4,0>-3,1", hands=hands((2, 0), (0, 0), (0, 1)))
    state = after(state, "T jump -3,0")
    assert GAME.pending(state) == "D"
    assert legal(state) == ["exchange"]
    assert events(state, "D exchange") == ["exchanged:D", "missed:D"]


def test_t3_5_the_game_ends_without_bonus_when_neither_can_act() -> None:
    able = blocked(hands=hands((1, 0), (1, 0)))
    assert GAME.pending(after(able, "T jump -3,0")) == "T", "Tom has a control counter"
    state = after(blocked(hands=hands((1, 0))), "T jump -3,0")
    assert GAME.result(state) == "- points"
    assert state.bonus == 0


def test_t3_6_alien_counter_is_worth_one_control_two_energy() -> None:
    state = position(hands=hands((1, 1), (0, 0), (2, 0)))
    assert legal(state, "exchange") == [""]
    state = after(state, "T exchange")
    assert GAME.view(state).astronauts[0][2:5] == (3, 1, 1)
    assert GAME.view(state).supply == (20, 7, 5)
    assert GAME.pending(state) == "T"
    state = after(state, "T exchange")
    assert GAME.view(state).astronauts[0][2:5] == (5, 2, 0)
    assert refusal(state, "T exchange") == "T3.6"
    assert GAME.pending(after(state, "T drift 1,2")) == "D"


def test_t3_6_only_in_the_own_turn_and_not_after_build() -> None:
    state = position(hands=hands((1, 1), (0, 0), (1, 1)))
    assert refusal(state, "D exchange") == "T3"
    state = after(state, "T build", "* draw AB/AB")
    assert refusal(state, "T exchange") == "T3.6"
    assert "exchange" not in {action.verb for action in GAME.legal(state)}


def test_t3_6_the_supply_must_have_what_it_gives() -> None:
    for supply in ((1, 8, 4), (2, 0, 4)):
        state = position(hands=hands((1, 1), (0, 0), (1, 0)), supply=supply)
        assert legal(state, "exchange") == []
        assert refusal(state, "T exchange") == "T3.6"
    enough = position(hands=hands((1, 1), (0, 0), (1, 0)), supply=(2, 1, 4))
    assert legal(enough, "exchange") == [""]


def test_t5_1_nothing_is_planned_to_be_built_in_the_count() -> None:
    building = {"build", "rhomb", "tube", "blank", "pass"}
    for faster, planned in ((NONE, building), (0, set[str]())):
        actions = GAME.plannable(position(seat="D", faster=faster), "D")
        assert {action.verb for action in actions} & building == planned
