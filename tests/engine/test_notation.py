"""Typed input: complete, illegal with the rule, ambiguous, or what is missing."""

from __future__ import annotations

import pytest

from engine.notation import Ambiguous, Complete, Illegal, Incomplete, parse
from tests.support.wormholes.positions import GAME, after, position


@pytest.mark.parametrize("text", ["move S N", "s n", "MOVE s n", " S  N "])
def test_the_verb_may_be_left_out_and_case_does_not_matter(text: str) -> None:
    reading = parse(GAME, position({"S": "f8"}, dice="S1 M-"), "O", text)
    assert isinstance(reading, Complete)
    assert str(reading.action) == "O move S N"


@pytest.mark.parametrize("text", ["S N move", "s n MOVE"])
def test_the_verb_may_come_last(text: str) -> None:
    state = position({"S": "f8"}, dice="S1 M-")
    reading = parse(GAME, state, "O", text)
    assert isinstance(reading, Complete)
    assert str(reading.action) == "O move S N"
    refused = parse(GAME, state, "O", "S E move")
    assert isinstance(refused, Illegal)
    assert refused.error.rule == "W4.2"
    assert parse(GAME, state, "O", "S move") == parse(GAME, state, "O", "move S")


def test_what_is_missing_comes_with_the_legal_completions() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S1 M1")
    assert parse(GAME, state, "O", "") == Incomplete(("move",))
    assert parse(GAME, state, "O", "move") == Incomplete(("S", "M"))
    ways = parse(GAME, state, "O", "S")
    assert isinstance(ways, Incomplete)
    assert "N" in ways.words


@pytest.mark.parametrize(
    ("text", "rule"),
    [("move S E", "W4.2"), ("c n", "notation"), ("hello", "notation"), ("place S4 e9", "W3.3")],
)
def test_the_rules_say_why_not(text: str, rule: str) -> None:
    reading = parse(GAME, position({"S": "f8"}, dice="S5 M-"), "O", text)
    assert isinstance(reading, Illegal)
    assert reading.error.rule == rule


def test_out_of_turn_is_illegal() -> None:
    reading = parse(GAME, position({"S": "f8"}, dice="S1 M-"), "D", "move C S")
    assert isinstance(reading, Illegal)
    assert reading.error.rule == "W4.1"


def test_decisions_out_of_turn_are_read() -> None:
    state = after(position({"S": "f8", "C": "f9"}, {"g10": "S1"}, "S1 M-"),
                  "O move S N", "O send C g10")  # fmt: skip
    assert parse(GAME, state, "D", "jump C") == Incomplete(("N", "S"))


def test_a_reading_is_never_ambiguous_in_wormholes() -> None:
    state = position({"S": "f8", "M": "e8"}, dice="S1 M1")
    assert not isinstance(parse(GAME, state, "O", "S N"), Ambiguous)
