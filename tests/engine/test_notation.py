"""Typed input: complete, illegal with the rule, ambiguous, or what is missing."""

from __future__ import annotations

import pytest

from engine.notation import Ambiguous, Complete, Illegal, Missing, read
from tests.support.wormholes.positions import GAME, after, position


@pytest.mark.parametrize("text", ["move S N", "s n", "MOVE s n", " S  N "])
def test_the_verb_may_be_left_out_and_case_does_not_matter(text: str) -> None:
    reading = read(GAME, position({"S": "f8"}, dice="S1 M-"), "O", text)
    assert isinstance(reading, Complete)
    assert str(reading.action) == "O move S N"


def test_what_is_missing_comes_with_the_legal_completions() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S1 M1")
    assert read(GAME, state, "O", "") == Missing(("move",))
    assert read(GAME, state, "O", "move") == Missing(("S", "M"))
    ways = read(GAME, state, "O", "S")
    assert isinstance(ways, Missing)
    assert "N" in ways.words


@pytest.mark.parametrize(
    ("text", "rule"),
    [("move S E", "W4.2"), ("c n", "notation"), ("hello", "notation"), ("place S4 e9", "W3.3")],
)
def test_the_rules_say_why_not(text: str, rule: str) -> None:
    reading = read(GAME, position({"S": "f8"}, dice="S5 M-"), "O", text)
    assert isinstance(reading, Illegal)
    assert reading.refused.rule == rule


def test_out_of_turn_is_illegal() -> None:
    reading = read(GAME, position({"S": "f8"}, dice="S1 M-"), "D", "move C S")
    assert isinstance(reading, Illegal)
    assert reading.refused.rule == "W4.1"


def test_decisions_out_of_turn_are_read() -> None:
    state = after(position({"S": "f8", "C": "f9"}, {"g10": "S1"}, "S1 M-"),
                  "O move S N", "O send C g10")  # fmt: skip
    assert read(GAME, state, "D", "jump C") == Missing(("N", "S"))


def test_a_reading_is_never_ambiguous_in_wormholes() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S1 M1")
    assert not isinstance(read(GAME, state, "O", "S N"), Ambiguous)
