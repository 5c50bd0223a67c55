"""W9: worlds that fit a view are all equally likely, counted against enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.wormholes.pieces import COIN_AT, VALUE_UP
from engine.wormholes.resampling import draw_table
from engine.wormholes.state import State
from tests.support.chi_square import chi_square
from tests.support.wormholes.games import random_match
from tests.support.wormholes.positions import GAME

SAMPLES_PER_WORLD = 40


def tables(rows: tuple[tuple[int, int], ...], columns: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Enumerate all tables with these sums, in the simplest way."""
    fillings = [
        [sum(bits) for bits in combinations([1 << c for c in range(4) if mask >> c & 1], count)]
        for mask, count in rows
    ]
    return {
        table
        for table in product(*fillings)
        if all(sum(row >> c & 1 for row in table) == n for c, n in enumerate(columns))
    }


@st.composite
def sums(
    draw: st.DrawFn,
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Sums of rows and columns which at least one table has."""
    masks = [draw(st.integers(0, 15)) for _ in range(draw(st.integers(1, 4)))]
    table = [mask & draw(st.integers(0, 15)) for mask in masks]
    rows = tuple((mask, row.bit_count()) for mask, row in zip(masks, table, strict=True))
    return rows, tuple(sum(row >> c & 1 for row in table) for c in range(4))


@given(sums=sums(), seed=st.integers(0, 10**6))
def test_each_number_drawn_gives_another_table(
    sums: tuple[tuple[tuple[int, int], ...], tuple[int, ...]], seed: int
) -> None:
    rows, columns = sums
    every = tables(rows, columns)
    drawn = set()
    for number in range(len(every)):
        asked: list[int] = []

        def draw(n: int, number: int = number, asked: list[int] = asked) -> int:
            asked.append(n)
            return number

        drawn.add(tuple(draw_table(rows, columns, draw)))
        assert asked == [len(every)]
    assert drawn == every


def test_sums_of_no_table_are_refused() -> None:
    with pytest.raises(ValueError, match="no table"):
        draw_table(((15, 1),), (1, 1, 0, 0), Random(0).randrange)


def up_sets(state: State) -> set[frozenset[int]]:
    """Enumerate from the public view which coins may lie value up."""
    view = GAME.view(state)
    turned = {event.facts[0] + event.facts[1] for event in state.story if event.kind == "turned"}
    names = [suit + value for suit in "SMCA" for value in "012345"]
    up = [sum(c.value == value and c.up == "value" for c in view.coins) for value in "012345"]
    suits = [sum(c.suit == suit and c.up == "value" for c in view.coins) for suit in "SMCA"]
    assert not any(suits)  # the public never sees the suit of a coin that lies value up
    down = [sum(c.suit == suit and c.up == "suit" for c in view.coins) for suit in "SMCA"]
    fixed = {COIN_AT[at] for at in state.board if at in VALUE_UP and names[COIN_AT[at]] in turned}
    barred = {i for i, name in enumerate(names) if name in turned} - fixed
    layouts = set()
    for rows in product(*(combinations(range(4), count) for count in up)):
        coins = frozenset(6 * suit + value for value, row in enumerate(rows) for suit in row)
        fits = all(6 - sum(c // 6 == s for c in coins) == n for s, n in enumerate(down))
        if fits and fixed <= coins and not barred & coins:
            layouts.add(coins)
    return layouts


def few_turned() -> State:
    """Return the first position of a random match with 5 to 60 sets of coins that may be up."""
    for seed in range(100):
        for limit in range(40, 90, 7):
            state, _ = random_match("0.6", seed, limit=limit)
            if not state.hand and 5 <= len(up_sets(state)) <= 60:
                return state
    raise AssertionError


@pytest.mark.slow
def test_w9_1_sets_of_coins_that_lie_value_up_are_equally_likely() -> None:
    state = few_turned()
    every, random = up_sets(state), Random(5)
    counts: Counter[object] = Counter()
    for _ in range(SAMPLES_PER_WORLD * len(every)):
        world = GAME.resample_view(state, "", random.randrange)
        counts[frozenset(COIN_AT[at] for at in world.board if at in VALUE_UP)] += 1
    assert set(counts) == every
    assert chi_square(counts, len(every)) < 4


@pytest.mark.slow
def test_w9_1_hidden_values_are_equally_likely_in_set_up() -> None:
    state, _ = random_match("0.6", 3, limit=9)
    spaces = [space for space, at in enumerate(state.board) if at in "ABCDEF"]
    assert 2 <= len(spaces) <= 4
    every = set(permutations("ABCDEF", len(spaces)))
    counts: Counter[object] = Counter()
    random = Random(5)
    for _ in range(SAMPLES_PER_WORLD * len(every)):
        world = GAME.resample_view(state, "D", random.randrange)
        counts[tuple(world.board[space] for space in spaces)] += 1
    assert set(counts) == every
    assert chi_square(counts, len(every)) < 4
