"""Tom Tube in words, made from views only: enough to play by ear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import Action
from engine.tomtube.lattice import TRIANGLE_NAMES
from engine.tomtube.state import State
from engine.tomtube.view import Rhomb, TomTubeView
from render.renderer import MAX_ALT_CHARACTERS
from render.tomtube import buttons, story, vocabulary, words
from render.tomtube.cut_off import cut_off
from render.tomtube.terms import LONG_TURNS, place_name
from tests.support.tiers import sampled
from tests.support.tomtube.games import Choice, any_of, bare, greedy, isolating, match
from tests.support.tomtube.positions import (
    GAME,
    after,
    around,
    filled,
    hands,
    laying,
    position,
)

NAMES = {"T": "Ada", "D": "Bo"}
LONGEST = dict.fromkeys("TD", "W" * 32)
"""Discord's longest names."""

MESSAGE, TWO_MESSAGES = 3800, 7000
"""Characters: a board is cut at its lines into as many messages as it needs."""

ROW = ("0,0/1,0/0,1", "0,0/0,1/-1,1", "0,0/-1,1/-1,0")
LONG_ROW = (*ROW, "0,0/-1,0/0,-1")
IN_THE_MIDDLE = "T rhomb 0,1>-1,0"


def seen(state: State, seat: str | None = None) -> tuple[str, str, str, list[str]]:
    """Text board, story, prompt and labels, for who has to decide unless told."""
    view = GAME.view(state, GAME.pending(state).strip("*") if seat is None else seat)
    labels = [words.label(view, action) for action in view.legal]
    return (
        words.text_board(view, NAMES),
        story.story(view, NAMES),
        words.prompt(view, NAMES),
        labels,
    )


@pytest.mark.first(test=1)
@sampled(1, 3, 30)
@pytest.mark.parametrize("choose", [any_of, greedy, isolating, bare])
def test_words_for_every_position_of_a_match(choose: Choice, samples: int) -> None:
    for seed in range(samples):
        state = GAME.start("standard", {})
        for action in match(choose, seed)[1]:
            state, _ = GAME.apply(state, action)
            view = GAME.view(state, GAME.pending(state).strip("*"))
            board, story, prompt, labels = seen(state)
            assert len(set(labels)) == len(labels), "each choice has a label of its own"
            assert all(0 < len(label) <= 80 for label in labels)
            assert prompt.endswith(".")
            assert len(board) <= TWO_MESSAGES
            assert all(len(line) <= MESSAGE for line in board.split("\n"))
            alt = words.alt_text(view, LONGEST)
            assert len(alt) <= MAX_ALT_CHARACTERS
            assert not alt.endswith("…")
            assert "{" not in board + story + prompt
            for place in (
                *(astronaut.place for astronaut in view.astronauts),
                *(rhomb.place for rhomb in view.rhombs),
                *(triangle.place for triangle in view.triangles),
                *(counter.place for counter in view.counters),
                *(view.complete if view.turn else ()),
            ):
                assert place_name(place).removeprefix("the ") in board


def test_the_board_of_the_start() -> None:
    board, story, prompt, labels = seen(after(GAME.start("standard", {}), "* first T"))
    assert board.splitlines()[:5] == [
        "Turn 1.",
        "Ada (Tom) at the base: 1 point; counters: 1 energy; triangles: 6 tube, 3 blank.",
        "Bo (Dave) at the base: 1 point; counters: 1 energy; triangles: 6 tube, 3 blank.",
        "You can build.",
        "You can drift to: d7; c6.",
    ]
    assert "Ada, base: c6 and d7" in board
    assert "Solar counters of Bo: module 1; module 2." in board
    assert "Supply: 22 energy, 8 control, 6 alien; 40 rhombs face down." in board
    assert story == "Ada goes first (random draw)."
    assert prompt == "Ada: build, or move."
    assert labels == [
        "Build",
        "d7: drift to a gate of your base, 1 away",
        "c6: drift to a gate of your base, 1 away",
    ]


def test_the_public_sees_no_choices() -> None:
    assert "You can" not in seen(position(), "")[0]
    assert "You can" not in seen(position(), "D")[0]


def test_a_rhomb_is_told_by_what_its_tubes_join() -> None:
    state = position("AB/CD+@0,0>1,1 AC/AC@-2,1>0,0")
    board = seen(state)[0]
    assert "e5-d6 with energy sphere, Tom e5-d5, Dave d6-e6" in board
    assert "d3-e5, Tom and Dave d3-e5" in board


def test_drawn_rhomb_and_its_places_are_described() -> None:
    board, story, prompt, labels = seen(laying("", "AB/CD+"))
    assert "Tom's tube joins A and B, Dave's C and D; an energy sphere in the middle" in board
    assert "You can place the rhomb in 204 ways." in board
    assert not story
    assert prompt == "Ada: place the drawn rhomb."
    assert any(label.startswith("1: you e5-d5, Dave d6-e6 (") for label in labels)


def test_isolated_triangles_are_asked_for() -> None:
    state = laying("", "AB/AB", fills=filled(*ROW), tom="1,2", dave="-2,-1", tubes=(1, 1))
    board, _, prompt, labels = seen(after(state, "T rhomb 1,0>-1,1"))
    assert "To be filled: e4-e5-d4." in board
    assert prompt == "Ada: fill triangle a, cut off by the rhomb, with tubes or a blank."
    assert labels == ["a: tubes", "a: blank"]
    view = GAME.view(after(laying("", "AB/AB", fills=filled(*LONG_ROW)), IN_THE_MIDDLE), "T")
    for phase, sentence in (
        ("fill", "Ada: fill triangles a and b, cut off by the rhomb, with tubes or a blank."),
        ("help", "Ada: fill triangles a and b or leave them empty; Ada has no triangle left."),
    ):
        assert words.prompt(replace(view, phase=phase), NAMES) == sentence


def test_triangle_keeps_its_letter_until_all_are_filled() -> None:
    state = laying("", "AB/AB", fills=filled(*LONG_ROW))
    view = GAME.view(state, "T")
    marks = cut_off(view, view.legal)
    assert [*marks] == ["a", "b"]
    state = after(state, IN_THE_MIDDLE)
    assert shown(state) == ["a: tubes", "a: blank", "b: tubes", "b: blank"]
    for first, other in ("ab", "ba"):
        rest = after(state, f"T tube {TRIANGLE_NAMES[marks[first]]}")
        assert shown(rest) == [f"{other}: tubes", f"{other}: blank"]


def shown(state: State) -> list[str]:
    """The buttons of Tom's player."""
    view = GAME.view(state, "T")
    return [button.label for row in buttons.rows(view, view.legal) for button in row.buttons]


def test_the_helper_is_asked_by_name() -> None:
    none = {"tubes": (0, 1), "blanks": (0, 0)}
    state = laying("", "AB/AB", fills=filled(*ROW), tom="1,2", dave="-2,-1", **none)
    _, _, prompt, labels = seen(after(state, "T rhomb 1,0>-1,1"))
    assert prompt == ("Bo: fill triangle a or leave it empty; Ada has no triangle left.")
    assert labels[-1] == "a: leave empty"
    view = GAME.view(after(state, "T rhomb 1,0>-1,1"), "D")
    assert [words.done(view, action) for action in view.legal] == [
        "triangle a filled with tubes",
        "triangle a left empty",
    ]


def test_moves_are_told_with_their_way_and_what_they_take() -> None:
    line = "0,0/1,0/0,1 0,0/-1,0/0,-1"
    fills = around("0,0", "1,0", "0,1", "-1,0", "0,-1", tubes=line)
    state = position(fills=fills, tom="1,0", put=("-1,0", "", ""))
    assert "e4: drift to a knot, 2 away, takes energy (+1)" in seen(state)[3]
    story = seen(after(state, "T drift -1,0"))[1]
    assert story == "Ada drifted from e6 to e4 via e5. Ada took one energy counter."


def test_paying_and_the_end_are_told() -> None:
    state = position(fills=filled(), tom="1,2", dave="-1,0", hands=hands((1, 0)))
    last = after(state, "T jump 2,1")
    _, story, prompt, labels = seen(last)
    assert story == (
        "Ada spent one energy counter. Ada jumped from c6 to d7."
        " Bo is lost in space: no way leads home. Ada's points: none. Bo's points: none."
    )
    assert prompt == "The match is a draw, 0 to 0 points, as an astronaut can't get home."
    assert labels == []


def test_the_count_is_told() -> None:
    state = position(tom="1,2", dave="-2,-1", solar=(2, 0))
    state = after(state, "T drift base", "D drift -1,-2")
    board, _, prompt, _ = seen(state)
    assert "Ada is home, with a bonus of 1 so far." in board
    assert prompt == "Bo: get home; every turn is a point for Ada."


def test_end_of_the_count_says_what_the_points_are_for() -> None:
    counters = hands((3, 0), (0, 2), (1, 0))
    state = position(tom="1,2", dave="-2,-1", hands=counters, solar=(2, 0))
    state = after(state, "T drift base", "D drift -1,-2", "D drift base")
    _, text, prompt, _ = seen(state)
    assert prompt == "Ada wins, 20 to 4 points."
    assert text.endswith(
        " Bo is home too: the match is over. Ada's points: energy 3, alien 5, solar 10, bonus 2."
        " Bo's points: control 4."
    )


def test_end_without_a_bonus_says_why() -> None:
    view = GAME.view(position(quiet=30))
    view = replace(view, result="- points", pending="", phase="over")
    text = story.story(view, NAMES)
    assert text.startswith("30 turns without progress: the match is over. Ada's points: energy 1.")
    assert words.prompt(view, NAMES) == "The match is a draw, 1 to 1 points."
    assert "over" not in story.story(replace(view, quiet=29), NAMES)
    assert "points" not in story.story(replace(view, result="T resign"), NAMES)


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        ("D resign", "Ada wins by resignation. Points: 1 to 1."),
        ("T flag", "Bo wins on time. Points: 1 to 1."),
    ],
)
def test_other_ends(line: str, prompt: str) -> None:
    assert seen(after(position(), line))[2] == prompt


def test_an_agreed_draw() -> None:
    state = after(position(), "T draw offer", "D draw accept")
    assert seen(state)[2] == "The players agreed on a draw. Points: 1 to 1."


def test_the_thirty_turns_are_announced_in_time() -> None:
    assert "progress" not in seen(position(quiet=19))[0]
    assert "20 turns without progress; 30 end the match." in seen(position(quiet=20))[0]


def test_a_player_called_like_the_astronaut_is_named_once() -> None:
    view = GAME.view(position())
    board = words.text_board(view, {"T": "Tom", "D": "Dave"})
    assert "\nTom at the base" in board
    assert words.label(view, Action("T", "exchange")) == "Exchange an alien counter"


def test_full_board_is_announced_and_build_not_offered() -> None:
    fills = filled("0,0/1,0/0,1", "1,0/0,1/1,1")
    state = position(fills=fills, tom="1,2", dave="-2,-1")
    assert seen(state)[2] == "Ada: build, or move."
    state = after(state, "T build")
    tile = next(iter(GAME.view(state).stack))
    state = after(state, f"* draw {tile}")
    place = GAME.legal(state)[0].args[0]
    state = after(state, f"T rhomb {place}")
    _, story, prompt, _ = seen(state)
    assert story.endswith("No rhomb fits any more: the match ends when an astronaut gets home.")
    assert prompt == "Bo: move; the match ends when an astronaut gets home."
    assert all(action.verb != "build" for action in GAME.view(state, "D").legal)


def test_declined_draw_is_told() -> None:
    state = after(position(), "T draw offer", "D draw decline")
    assert "Bo declined the draw." in seen(state)[1]


def test_result_is_told_once_in_the_alt_text() -> None:
    state = position(fills=filled(), tom="1,2", dave="-1,0", hands=hands((1, 0)))
    view = GAME.view(after(state, "T jump 2,1"))
    assert words.alt_text(view, NAMES).count("The match is a draw") == 1


def test_first_alt_texts_say_what_parts_of_rings_are() -> None:
    sentence = "Parts of rings at the corners of tiles: unfinished knots."
    view = GAME.view(position("AC/AD@1,2>2,0"))
    assert sentence in words.alt_text(replace(view, turn=LONG_TURNS), NAMES)
    assert sentence not in words.alt_text(replace(view, turn=LONG_TURNS + 1), NAMES)
    empty = replace(view, rhombs=(), turn=LONG_TURNS)
    assert sentence not in words.alt_text(empty, NAMES), "there are no tiles yet"


def test_a_rhomb_that_is_placed_is_named_by_its_place() -> None:
    view, build = GAME.view(laying("", "AB/CD"), "T"), Action("T", "build")
    for action in view.legal:
        assert words.done(view, action) == f"rhomb placed at {place_name(action.args[0])}"
    assert words.done(view, build) == words.label(view, build) == "Build"


def test_move_that_is_made_is_named_by_its_place() -> None:
    view = GAME.view(position(tom="1,2"), "T")
    moves = [action for action in view.legal if action.args]
    assert [words.done(view, action) for action in moves] == [
        "Drift to d7",
        "Drift to the base",
        "Pay energy, jump to d7",
    ]


def test_a_rhomb_to_place_is_named_by_its_tips_only() -> None:
    """No picture shows the mark of its place, which players may type nevertheless."""
    view, labels = GAME.view(laying("", "AB/CD"), "T"), set()
    for action in view.legal:
        label = words.label(view, action)
        assert label.endswith(f"({place_name(action.args[0])})")
        assert words.mark(view, action) not in label
        assert ("sign", words.mark(view, action)) in {*vocabulary.traits(view, action)}
        labels.add(label)
    assert len(labels) == len(view.legal)


def test_end_without_a_bonus_says_who_is_home() -> None:
    full = position(fills=filled(), tom="1,2", dave="-2,-1")
    over = GAME.view(after(full, "T drift base"))
    assert "No rhomb fits any more, and Ada is home" in story.story(over, NAMES)
    with_bonus = position(solar=(2, 0), tom="1,2", dave="base")
    assert "No rhomb fits" not in story.story(GAME.view(after(with_bonus, "T drift base")), NAMES)


def test_placed_rhomb_with_its_sphere_is_one_sentence() -> None:
    state = after(position(), "T build", "* draw AB/AC+", "T rhomb 4,-3>3,-4")
    tips = place_name("4,-3>3,-4")
    sentences = story.story(GAME.view(state), NAMES)
    assert sentences == f"Ada placed a rhomb with an energy sphere at {tips}."


def test_numbered_places_are_read_out_in_sentences() -> None:
    view = GAME.view(laying("", "AB/CD"), "T")
    placing = next(action for action in view.legal if action.args == ("0,1>-1,3",))
    toms, daves = words.tubes(Rhomb("0,1>-1,3", "AB/CD"))
    sentence = f"d5-b4 joins {toms} for you, {daves} for Dave."
    assert words.ghost_label(view, placing) == sentence
    drift = GAME.view(position(tom="1,2"), "T").legal[1]
    assert words.ghost_label(view, drift) == words.label(view, drift)


def turns_alone(*lines: str, counters: str = "") -> list[TomTubeView]:
    """The view of each turn after Tom got home."""
    states = [position(seat="D", faster=0, put=(counters, "", ""))]
    for line in lines:
        states.append(after(states[-1], line))
    return [GAME.view(state) for state in states]


def test_turns_alone_are_told_with_the_counters_taken() -> None:
    views = turns_alone("D drift -1,-2", "D drift -2,-1", "D drift base", counters="-1,-2")
    summary = "Bo played 3 turns alone, each a bonus point for Ada. Counters taken: energy 1."
    assert story.run_story(views, NAMES) == summary


def test_turns_alone_without_a_counter_are_told() -> None:
    views = turns_alone("D drift -1,-2", "D drift base")
    summary = "Bo played 2 turns alone, each a bonus point for Ada."
    assert story.run_story(views, NAMES) == summary
    assert story.run_story(views[:-1], NAMES) == "", "one turn is no series"
    assert story.run_story([GAME.view(position())] * 9, NAMES) == ""
