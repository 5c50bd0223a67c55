"""One name for a die of Warp 6, wherever it is named: its shape and its letter."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import render
from engine.game import CHANCE, Action
from engine.warp6.view import Warp6View
from render.i18n import english
from render.warp6 import marks, words
from render.warp6.terms import SHAPE_NAMES, SHAPES, sign, spoken
from tests.support.tiers import sampled
from tests.support.warp6.games import SETUPS, random_match
from tests.support.warp6.positions import GAME, after

BOARD = render.for_game("warp6")
NAMES = {"B": "Ada", "Y": "Bo", "W": "Cy"}

NAME = re.compile(rf"[{''.join(SHAPES.values())}](?![A-D](?!\w))|\b[byw]?[468][a-d]\b")
"""A shape without a letter after it, or one with more; a die of the notation."""


def drawn_names(view: Warp6View, action: Action) -> Iterator[str]:
    """All texts of an action that stand beside a picture: signs, buttons, hints, plans."""
    if action.verb == "move":
        (names,) = marks.ends_of(view, [action]).values()
        yield from names
    yield words.short_label(view, action)
    yield BOARD.label(view, action)
    yield BOARD.drawn_label(view, action, NAMES)
    yield BOARD.planned(view, action)
    choice = BOARD.describe_choice(view, action, NAMES)
    yield from choice
    yield BOARD.done(view, action)
    yield BOARD.name(action.args[0][1:])
    yield BOARD.name(action.args[0], NAMES)


@sampled(4, 30, 300)
@pytest.mark.parametrize(("seats", "setup"), SETUPS)
def test_a_die_has_one_name_in_pictures_and_texts(seats: str, setup: str, samples: int) -> None:
    named = 0
    for seed in range(samples):
        state = random_match(seats, setup, seed, limit=6 + 13 * seed % 90)[0]
        if not (seat := GAME.pending(state)) or seat == CHANCE or state.phase == "set":
            continue
        view = GAME.view(state, seat)
        for action in view.legal:
            die = action.args[0]
            for text in drawn_names(view, action):
                assert sign(die) in text, text
                assert not NAME.search(text), text
            moved = after(state, str(action))
            assert sign(die) in BOARD.story(GAME.view(moved), NAMES)
            assert f": {spoken(die)} " in BOARD.spoken_story(GAME.view(moved), NAMES)
            named += 1
        for text in (BOARD.alt_text(view, NAMES), BOARD.text_board(view, NAMES)):
            board = text.removesuffix(words.DICE_NOTE)
            assert not NAME.search(board), text
            assert all(spoken(name) in board for name, *_ in view.dice)
    assert named > 2 * samples


def test_words_of_a_die_are_its_shape_and_letter() -> None:
    for faces, shape in SHAPES.items():
        (first, *_) = english(SHAPE_NAMES[faces]).split(",")
        assert (sign(f"y{faces}c"), spoken(f"y{faces}c")) == (f"{shape}C", f"{first} C")


@pytest.mark.parametrize("typed", ["◆B", "◆ b", "diamond B", "Rhombus b", "8b", "8B"])
def test_each_name_of_a_die_can_be_typed_in_plans(typed: str) -> None:
    assert BOARD.notation("Y", f"move {typed} or move 6a").lower() == "move y8b or move y6a"


def test_the_button_of_a_die_to_place_can_be_typed() -> None:
    assert BOARD.notation("Y", "◆A 5\n■B 2") == "y8a\ny6b"
    assert BOARD.notation("Y", "move ◆A 5") == "move y8a 5"
