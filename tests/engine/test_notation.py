"""Typed input: complete, illegal with the rule, ambiguous, or incomplete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import games
from engine.game import Action, AnyGame, Verb
from engine.notation import Ambiguous, Complete, Illegal, Incomplete, Readings, parse
from tests.support.any_game import NAMES
from tests.support.tiers import examples
from tests.support.whole import any_action
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


def begun_by(
    game: AnyGame, actions: Sequence[Action], words: list[str]
) -> list[tuple[Action, tuple[str, ...]]]:
    """Return the actions that begin with these words by looking at each of them."""

    def spelled(verb: Verb, args: Sequence[str]) -> list[str]:
        both = zip_longest(args, verb.parameters[: len(args)])
        return [parameter.spell(arg) if parameter else arg for arg, parameter in both]

    def fits(word: str, typed: str) -> bool:
        if word.endswith("?"):
            return typed.lower().startswith(word[:-1].lower()) and len(typed) >= len(word)
        return typed.lower() == word.lower()

    for first in (0, 1):
        verb_words, args = words[: 1 - first], words[1 - first :]
        typed = {verb.name: [*verb_words, *spelled(verb, args)] for verb in game.verbs}
        completions = [
            (action, full[len(words) :])
            for action in actions
            if len(words) <= len(full := (action.verb, *action.args)[first:])
            and all(map(fits, full, typed[action.verb]))
        ]
        if completions:
            return completions
    return []


def texts(actions: Sequence[Action], random: Random) -> list[list[str]]:
    """Return words of some actions, whole or not, and words that no action has."""
    word_lists: list[list[str]] = [[], ["?"], ["nonsense"], ["a"] * 99]
    for action in random.sample(actions, min(len(actions), 3)):
        words = [action.verb, *action.args]
        beginnings = [words[:end] for end in range(1, len(words) + 1)]
        rests = [words[1:end] for end in range(2, len(words) + 1)]
        filled = [word.replace("?", "1") for word in words]
        longer, wrong = [*words, words[-1]], [*words[:-1], "x"]
        word_lists += [*beginnings, *rests, filled, filled[1:], longer, wrong]
    return [[word.lower() for word in words] for words in word_lists]


@pytest.mark.usefixtures("bids")
@pytest.mark.parametrize("name", NAMES)
@examples(2, 30, 4_000)
@given(seed=st.integers(0, 10**6))
def test_readings_are_those_of_looking_at_each_action(name: str, seed: int) -> None:
    random, game = Random(seed), games.get(name)
    state: Any = game.start(random.choice(game.rules), {})
    for _ in range(random.randrange(60)):
        if not game.pending(state):
            break
        state, _ = game.apply(state, any_action(game, state, random))
    seat = random.choice(list(game.seats({})))
    for actions in (game.plannable(state, seat), game.legal(state)):
        seat_actions = [action for action in actions if action.actor == seat]
        readings = Readings(game, seat_actions)
        for words in texts(seat_actions, random):
            assert readings.begun_by(words) == begun_by(game, seat_actions, words), words
