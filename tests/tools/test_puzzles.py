"""Puzzles of lessons are what the program that found them says, and it finds more."""

from __future__ import annotations

import tomllib
from itertools import islice
from random import Random

import pytest

from bot.rulebook.lessons import place, steps
from engine import games
from engine.computer.situation import SCALE
from tests.support.tiers import sampled
from tools.puzzles import MIN_LEAD, Puzzle, changed, chosen, judge_position, puzzles, written

PUZZLES = {game: [step for step in steps(game) if step.values] for game in games.names()}


@sampled(1, 5, 5)
@pytest.mark.parametrize("game", games.names())
def test_puzzles_of_lessons_are_rated_again_as_they_were(game: str, samples: int) -> None:
    known = PUZZLES[game]
    assert changed(game, Random(1).sample(known, min(samples, len(known)))) == []


def test_puzzle_with_another_value_is_noticed() -> None:
    step = PUZZLES["warp6"][0]
    (best, value), *others = step.values
    (found,) = changed("warp6", [step._replace(values=((best, value + 1), *others))])
    assert isinstance(found, Puzzle)
    assert tuple(found.values.items()) == step.values


def test_position_that_is_no_puzzle_any_more_is_noticed() -> None:
    step = place("warp6", 1).step._replace(values=(("move b8a", 60), ("move b6a", 40)))
    assert changed("warp6", [step]) == [step.title]


@pytest.mark.parametrize("game", games.names())
def test_best_choice_of_a_puzzle_leads_clearly(game: str) -> None:
    for step in PUZZLES[game]:
        (_, best), (_, second), *_others = step.values
        assert (best - second) * SCALE >= (MIN_LEAD - SCALE // 100) * 100


@pytest.mark.slow
def test_found_puzzles_are_written_as_lessons_read_them() -> None:
    game = games.get("warp6")
    (found,) = islice(chosen(puzzles(game, 1), 6), 1)
    (read,) = tomllib.loads(written(found))["puzzles"]
    assert read["values"] == found.values
    again = judge_position(game, read["position"], read["seat"])
    assert again == found
