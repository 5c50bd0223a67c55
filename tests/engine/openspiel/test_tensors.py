"""Tensors have what a seat sees and remembers, and no more."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE
from engine.openspiel import tensors
from engine.openspiel.position import Position, Terms, terms_of
from tests.support.spiel import TERMS, at_random, chosen

Tensor = Callable[[Position, str], Mapping[str, Sequence[float]]]

COUNTS = (1, 12, 47)

LEFT_OUT = frozenset(
    "story turn result points rules options most_changes target offer departed".split()
)
"""Fields of views that tensors leave out: they follow from others, never change, or end a match."""


def observed(position: Position, seat: str) -> Mapping[str, Sequence[float]]:
    return position.observed(seat)


def recalled(position: Position, seat: str) -> Mapping[str, Sequence[float]]:
    return position.recalled(seat)


def leaks(tensor: Tensor, terms: Terms, count: int) -> bool:
    """Return whether a tensor differs between positions that its seat cannot distinguish."""
    position, random = at_random(terms, count), Random(1)
    for seat in terms.seats:
        worlds = [position.world(seat, random.randrange) for _ in range(3)]
        if any(tensor(world, seat) != tensor(position, seat) for world in worlds):
            return True
    return False


@pytest.mark.parametrize("terms", TERMS, ids=str)
@pytest.mark.parametrize("tensor", [observed, recalled])
def test_secrets_are_in_no_tensor(terms: Terms, tensor: Tensor) -> None:
    assert not any(leaks(tensor, terms, count) for count in COUNTS)


@pytest.mark.parametrize("options", [{"placing": "secret"}, {"placing": "random"}])
def test_a_planted_leak_is_found(options: dict[str, str]) -> None:
    terms = terms_of("wormholes", options=options)

    def of_the_other_seat(position: Position, seat: str) -> Mapping[str, Sequence[float]]:
        (other,) = set(terms.seats) - {seat}
        return position.observed(other)

    def of_all_lines(position: Position, seat: str) -> Mapping[str, Sequence[float]]:
        return {"record": tensors.recollection("\n".join(map(str, position.actions)), 512)}

    for leak in (of_the_other_seat, of_all_lines):
        assert any(leaks(leak, terms, count) for count in COUNTS)


def test_values_of_a_secret_setup_are_in_tensors_of_one_seat() -> None:
    terms = terms_of("warp6", options={"setup": "secret"})
    one, two = (terms.start().after(terms.numbers[value]) for value in "12")
    for tensor in (observed, recalled):
        assert tensor(one, "B") != tensor(two, "B")
        assert tensor(one, "Y") == tensor(two, "Y")


def seen(position: Position, seat: str) -> str:
    """Return the facts of a view that tensors have; the order of lists means nothing."""
    fields = json.loads(position.observation(seat))
    facts = {name: value for name, value in fields.items() if name not in LEFT_OUT}
    listed = {
        name: sorted(map(str, value)) if isinstance(value, list) and name != "off" else value
        for name, value in facts.items()
    }
    return json.dumps(listed, sort_keys=True)


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_all_that_a_view_shows_is_in_the_tensor(terms: Terms) -> None:
    random, position, seat = Random(6), terms.start(), terms.seats[0]
    tensor_of: dict[str, set[tuple[float, ...]]] = defaultdict(set)
    view_of: dict[tuple[float, ...], set[str]] = defaultdict(set)
    for _ in range(60):
        if position.pending not in ("", CHANCE):
            numbers = tuple(number for part in position.observed(seat).values() for number in part)
            tensor_of[seen(position, seat)].add(numbers)
            view_of[numbers].add(seen(position, seat))
        if position.pending:
            position = position.after(chosen(position, random))
    assert len(view_of) > 12
    assert {len(views) for views in view_of.values()} == {1}
    assert {len(numbers) for numbers in tensor_of.values()} == {1}


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_shapes_never_change_and_numbers_are_from_0_to_1(terms: Terms) -> None:
    start = {name: len(part) for name, part in recalled(terms.start(), "").items()}
    assert start["record"] == terms.recall * tensors.WORD_BITS
    for count in COUNTS:
        position = at_random(terms, count)
        for seat in terms.seats:
            parts = recalled(position, seat)
            assert {name: len(part) for name, part in parts.items()} == start
            assert all(0 <= number <= 1 for part in parts.values() for number in part)


def test_latest_words_come_first_and_old_ones_leave() -> None:
    def code(text: str) -> list[int]:
        return tensors.words([text], 1)

    missing = [0] * tensors.WORD_BITS
    information = "* first O\nO move"
    four = tensors.recollection(information, 4)
    assert four == [*code("\n"), *code("move"), *code("O"), *code("\n")]
    assert tensors.recollection(information, 8)[-2 * tensors.WORD_BITS :] == [*code("*"), *missing]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_no_two_words_of_a_game_have_the_same_code(terms: Terms) -> None:
    words = {word for notation in terms.notations for word in notation.split(" ")}
    random, position = Random(7), terms.start()
    while position.pending and len(position.actions) < 200:
        position = position.after(chosen(position, random))
    texts: list[Any] = [position.information(seat).split() for seat in terms.seats]
    words |= {word for text in texts for word in text} | {tensors.LINE_END}
    assert len({tuple(tensors.words([word], 1)) for word in words}) == len(words)
