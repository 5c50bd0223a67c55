"""Warp 6 in words, made from views only."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import render
from engine.game import CHANCE, Event
from engine.warp6.state import State
from engine.warp6.view import Warp6View
from render.renderer import MAX_ALT_CHARACTERS
from render.warp6.terms import spoken
from tests.support.tiers import examples
from tests.support.warp6.games import SETUPS, match_with_endings
from tests.support.warp6.positions import (
    FORMS,
    GAME,
    HIGH,
    HIGHS,
    LOW,
    LOWS,
    after,
    numbered,
    placing,
    position,
    rolled,
    secretly,
    start,
)
from tests.support.warp6.states import SEATS, secret_states

BOARD = render.for_game("warp6")
NAMES = {"B": "Ada", "Y": "Bo", "W": "Cy"}
LONGEST = dict.fromkeys("BYW", "W" * 32)
"""Discord's longest names."""


def labels(state: State) -> list[str]:
    view = GAME.view(state, GAME.pending(state))
    return [BOARD.label(view, action) for action in view.legal]


def story(state: State) -> str:
    return BOARD.story(GAME.view(state), NAMES)


def prompt(state: State) -> str:
    return BOARD.prompt(GAME.view(state), NAMES)


@pytest.mark.parametrize(
    ("dice", "label"),
    [
        ("b6a4@109", "■A → 105"),
        ("b6a4@109 y8a1@105", "■A → 72, 1 warp, reroll"),
        ("b6a4@95 y8a1@91 b8a1@61", "■A → 37, 2 warps, reroll"),
        ("b6a4@4", "■A → off"),
        ("b6a4@3", "■A → off"),
        ("b6a4@11 y8a1@7 y8b1@1", "■A → off, 2 warps"),
        ("b6a1@2 y8a1@1", "■A → off, 1 warp"),
    ],
)
def test_a_move_is_labelled_with_where_the_die_would_end(dice: str, label: str) -> None:
    assert label in labels(position(dice))


@pytest.mark.parametrize("seed", range(5))
def test_a_label_says_what_the_rules_will_do(seed: int) -> None:
    random = Random(seed)
    state = placing(rolled(HIGHS, LOWS, LOWS))
    for _ in range(150):
        if GAME.pending(state) == CHANCE:
            state, _ = GAME.apply(state, GAME.chance(state, random.randrange))
            continue
        if not GAME.pending(state):
            break
        view = GAME.view(state, GAME.pending(state))
        action = random.choice(view.legal)
        label = BOARD.label(view, action)
        state, events = GAME.apply(state, action)
        ends = [event.facts[-1] for event in events if event.kind in ("moved", "warped")]
        if ends:
            assert label.partition(",")[0].endswith("→ off" if ends[-1] == "0" else f"→ {ends[-1]}")
            assert ("reroll" in label) == (GAME.pending(state) == CHANCE)
            assert (f"{len(ends) - 1} warp" in label) == (len(ends) > 1)
            assert len(label) <= 34


def test_changes_and_placings_are_labelled_by_number_and_space() -> None:
    assert "Raise ◆A to 6, on 50" in labels(position("b8a5@50"))
    assert "Lower ◆A to 4, on 50" in labels(position("b8a5@50"))
    assert labels(rolled(HIGH, LOW))[:2] == ["Place ◆A, showing 8", "Place ◆B, showing 2"]
    view = GAME.view(start(2, "secret"), "B")
    assert [BOARD.label(view, action) for action in view.legal] == ["Set your dice"]
    filled = GAME.fill(view.legal[0], lambda faces: faces - 1)
    assert BOARD.label(view, filled) == "Set: ◆A 8, ◆B 8, ■A 6, ■B 6, ■C 6, ▲A 4, ▲B 4, ▲C 4, ▲D 4"
    assert BOARD.blank(view.legal[0], 1) == "◆B"


def test_a_chain_of_warps_is_one_sentence() -> None:
    state = position("b8a2@93 y8a1@91 y6a1@61")
    state = after(state, "B move b8a", "* reroll b8a 7")
    assert story(state) == "Ada: ◆A went from 93 to 91, warped to 61, warped to 37, rerolled: 7."
    state = after(position("b8a2@9 y8a1@7 y6a1@1"), "B move b8a")
    assert story(state) == "Ada: ◆A went from 9 to 7, warped to 1, warped off the board."
    gone = after(position("b8a5@3"), "B move b8a")
    assert story(gone) == "Ada: ◆A went from 3 off the board."


def test_the_story_of_changes_and_of_the_set_up() -> None:
    assert story(after(position("b8a5@50"), "B up b8a")) == "Ada: ◆A changed from 5 to 6."
    assert story(after(rolled(HIGH, LOW), "B place b8b")) == "Ada: ◆B was placed on 126."
    assert story(rolled("821111", "632144", "611111")) == "Ada goes first."
    tied = rolled("821111", "832144", "611111")
    assert story(tied) == "Bo goes first (the highest numbers are equal: 8; then 4 beats 2)."
    assert story(rolled(HIGH, HIGH)).endswith("A complete tie between Ada and Bo.")
    assert story(after(secretly(HIGH, HIGH), "* lot Y")).endswith(
        "The random draw picked Bo. Bo goes first."
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (start(), "The dice are rolling."),
        (secretly(HIGH, HIGH), "A random draw decides who starts."),
        (start(3, "secret"), "Ada, Bo and Cy: set your dice in secret"),
        (rolled(HIGH, LOW), "Ada: place a die on 126"),
        (position(seat="Y"), "Bo: move a die, or change its number by one"),
        (
            position(changes=60),
            "Ada: move a die (after 60 changes in a row nothing else is allowed)",
        ),
        (after(position("b8a2@93 y8a1@91"), "B move b8a"), "Ada: ◆A is rolled again."),
        (
            after(position(), "B resign"),
            (
                "Bo wins by resignation. Penalty points (rings from the wormhole for each die "
                "still needed; the fewest are best): Ada 36, Bo 0."
            ),
        ),
        (
            after(position(), "B draw offer", "Y draw accept"),
            (
                "The players agreed on a draw. Penalty points (rings from the wormhole for each "
                "die still needed; the fewest are best): Ada 36, Bo 36."
            ),
        ),
        (after(position(), "B abandon"), "The match was ended without a result."),
        (
            after(position(seats=3), "B leave", "Y leave"),
            (
                "Cy wins as the last one in the race. "
                "Penalty points (rings from the wormhole for each die still needed; the fewest are "
                "best): Ada 24, Bo 24, Cy 0."
            ),
        ),
        (
            after(position("b8a1@0 b8b1@0 b6a1@0 b6b1@0 b6c1@0 b4a4@4"), "B move b4a"),
            "Ada wins 6–0! Bo needed 6 more dice, together 36 rings from the wormhole.",
        ),
        (
            after(
                position(
                    "b8a1@0 b8b1@0 b6a1@0 b6b1@0 b6c1@0 b4a4@4 "
                    "y8a1@0 y8b1@0 y6a1@0 y6b1@0 y6c1@0 y4a1@3"
                ),
                "B move b4a",
            ),
            "Ada wins 6–5! Bo needed 1 more die, 1 ring from the wormhole.",
        ),
    ],
)
def test_the_prompt_says_who_decides_what_or_how_it_ended(state: State, words: str) -> None:
    assert prompt(state) == words


def test_the_text_board_has_every_die_and_where_it_would_go() -> None:
    state = position("b8a3@94 b4a2@0 y8a8@126", seats=3, changes=4, number=9)
    lines = BOARD.text_board(GAME.view(state), NAMES).split("\n")
    assert lines[0] == "Turn 9."
    assert lines[1].startswith("Ada (Black), 1 of 4 off the board: diamond A 3 on 94 (to 91); ")
    assert lines[1].endswith("; off the board: triangle A.")
    assert "diamond A 8 on 126 (to 118, warps to 83)" in lines[2]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (0, "Turn 9."),
        (49, "Turn 9."),
        (50, "Turn 9. After 10 more changes of a number, a die has to move."),
        (59, "Turn 9. After 1 more change of a number, a die has to move."),
        (60, "Turn 9."),  # the decision says so
    ],
)
def test_text_board_warns_of_the_last_changes(changes: int, words: str) -> None:
    state = position("b8a3@94", changes=changes, number=9)
    assert BOARD.text_board(GAME.view(state), NAMES).split("\n")[0] == words


def test_the_text_board_shows_hands_and_who_left() -> None:
    state = after(rolled(HIGHS, LOWS, LOWS), "B place b8a", "Y leave")
    lines = BOARD.text_board(GAME.view(state), NAMES).split("\n")
    assert lines[0] == "Setup; the next free space is 125."
    assert lines[1].endswith(
        "in hand: square A 2, square B 1, triangle A 1, triangle B 1, triangle C 1."
    )
    assert lines[2] == (
        "Bo (Yellow, has left), 0 of 4 off the board: out of play: diamond A, square A, square B, "
        "triangle A, triangle B, triangle C."
    )


def test_the_alt_text_begins_with_what_changed() -> None:
    state = after(position("b8a5@50"), "B up b8a")
    assert BOARD.alt_text(GAME.view(state), NAMES).startswith(
        "Ada: diamond A changed from 5 to 6.\nBo: "
    )


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "setup"), SETUPS)
@pytest.mark.parametrize("seed", range(3))
def test_words_for_every_position_of_a_match(seats: str, setup: str, seed: int) -> None:
    _, actions = match_with_endings(seats, setup, seed)
    state = GAME.start("standard", {"seats": seats, "setup": setup})
    for action in actions:
        state, _ = GAME.apply(state, action)
        view = GAME.view(state, GAME.pending(state)[:1].strip(CHANCE))
        assert BOARD.prompt(view, NAMES).strip()
        alt = BOARD.alt_text(view, LONGEST)
        assert len(alt) <= MAX_ALT_CHARACTERS
        assert not alt.endswith("…")
        words = [BOARD.label(view, action) for action in view.legal]
        assert all(0 < len(label) <= 80 for label in words)
        assert len(set(words)) == len(words), "each choice has a label of its own"
        board = BOARD.text_board(view, NAMES)
        assert all(
            f"{spoken(d.name)} {d.number} on {d.space}" in board for d in view.dice if d.space
        )


def everything(view: Warp6View) -> tuple[object, ...]:
    """All words that are made from a view."""
    return (
        BOARD.prompt(view, NAMES),
        BOARD.alt_text(view, NAMES),
        BOARD.text_board(view, NAMES),
        BOARD.hand(view),
        BOARD.rows(view, view.legal),
    )


@examples(40, 80, 2000)
@given(state=secret_states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_x2_4_no_word_reveals_what_others_have_set(state: State, seat: str, seed: int) -> None:
    other = GAME.resample_view(state, seat, Random(seed).randrange)
    assert everything(GAME.view(state, seat)) == everything(GAME.view(other, seat))


def test_x2_4_the_own_setting_is_shown_to_its_seat_only() -> None:
    state = after(start(2, "secret"), numbered(FORMS[2][0], HIGH))
    assert BOARD.hand(GAME.view(state, "B")).startswith("You have set ◆A 8, ◆B 2, ■A 1, ")
    assert BOARD.hand(GAME.view(state, "Y")) == BOARD.hand(GAME.view(state)) == ""
    assert "diamond A 8" in BOARD.text_board(GAME.view(state, "B"), NAMES)
    assert "diamond A 8" not in BOARD.text_board(GAME.view(state, "Y"), NAMES)
    assert BOARD.hand(GAME.view(rolled(HIGH, LOW), "B")) == "", "everybody sees it"


def test_every_kind_of_event_is_described() -> None:
    view = GAME.view(position())
    for kind, facts in GAME.events.items():
        if kind in ("offered", "accepted", "ended"):
            continue  # an offer is no part of a turn's story, and the prompt tells the end
        values = {
            "seats": "BY",
            "winner": "B",
            "reason": "left",
            "numbers": HIGH,
            "seat": "B",
            "die": "b8a",
        }
        view_with_event = replace(
            view, story=(Event(kind, tuple(values.get(f, "1") for f in facts)),)
        )
        text = BOARD.story(view_with_event, NAMES)
        assert text.endswith(".") if kind not in ("revealed", "rolled") else not text


def test_a_set_up_is_told_in_one_sentence() -> None:
    state, views = rolled(HIGH, LOW), [GAME.view(rolled(HIGH, LOW))]
    for _ in range(5):
        state = after(state, f"{GAME.pending(state)} {GAME.legal(state)[0].notation}")
        views.append(GAME.view(state))
    assert BOARD.setup_story(views, NAMES) == "Ada goes first. Dice placed: Ada 3, Bo 2."
    assert BOARD.setup_story(views[:1], NAMES) == "Ada goes first."
    views[-1] = replace(views[-1], turn=1)
    assert BOARD.setup_story(views, NAMES) == "Ada goes first. All dice are on the board."


def test_declined_draw_is_told() -> None:
    state = after(position(), "B draw offer", "Y draw decline")
    assert "Bo declined the draw." in BOARD.story(GAME.view(state), NAMES)


def test_result_is_told_once_in_the_alt_text() -> None:
    state = after(position(), "B resign")
    view = GAME.view(state)
    ended = replace(view, story=(*view.story, Event("ended", ("Y", "resign"))))
    assert BOARD.alt_text(ended, NAMES).count("Bo wins") == 1


def test_text_board_explains_its_names_of_dice() -> None:
    note = (
        "Diamonds have eight faces, squares six, triangles four. Diamond A is ◆A on the picture "
        "and the buttons; where you type a move, write diamond A or 8a."
    )
    assert BOARD.text_board(GAME.view(position()), NAMES).endswith(f"\n{note}")
    assert note not in BOARD.alt_text(GAME.view(position()), NAMES)
