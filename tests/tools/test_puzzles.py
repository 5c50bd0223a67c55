"""Puzzles of lessons are what the program that found them says, and it finds more."""

from __future__ import annotations

import tomllib
from itertools import islice
from random import Random

import pytest

from bot.rulebook.lessons import place, steps
from bot.rulebook.positions import pool_of
from engine import games
from engine.computer.situation import SCALE
from tests.support.tiers import sampled
from tools.puzzles import (
    MIN_LEAD,
    Puzzle,
    changed,
    chosen,
    for_pool,
    judge_position,
    puzzles,
    written,
)

TWO_CHOICES = (
    "0.6;1;jump;1;29;e4,c18,b18,i2;....d.k.R.....I.S........v........q.W...a....L..e.O.U."
    "....n.B......x.c..G.......tF...JmP.h..;0;a9349d;1,1;3;12;0;0;2;-1;moved:A:h2:i2 turn"
    "ed:M:4:i2:A:value stuck:A moved:C:a17:b18 turned:M:1:b18:C:value;0;;"
)
"""A jump of Wormholes in one of two directions, decided by D."""

PUZZLES = {game: [step for step in steps(game) if step.values] for game in games.names()}


@sampled(1, 5, 5)
@pytest.mark.parametrize("game", games.names())
def test_puzzles_of_lessons_are_rated_again_as_they_were(game: str, samples: int) -> None:
    lessons = PUZZLES[game]
    assert changed(game, Random(1).sample(lessons, min(samples, len(lessons)))) == []


@sampled(1, 3, 20)
@pytest.mark.parametrize("game", games.names())
def test_positions_of_the_day_are_rated_again_as_they_were(game: str, samples: int) -> None:
    steps = [puzzle.step for puzzle in pool_of(game)]
    assert changed(game, Random(2).sample(steps, min(samples, len(steps)))) == []


def test_pool_has_no_puzzle_of_a_lesson_nor_of_two_choices() -> None:
    game, (pooled, *_) = games.get("warp6"), pool_of("warp6")
    taught, other = PUZZLES["warp6"][0], pooled.step
    candidates = [
        Puzzle(step.seat, step.position, dict(step.values), ()) for step in (taught, other)
    ]
    assert list(for_pool(game, iter(candidates))) == candidates[1:]
    two = Puzzle("D", TWO_CHOICES, {}, ())
    assert list(for_pool(games.get("wormholes"), iter([two]))) == []


def test_puzzle_with_another_value_is_noticed() -> None:
    step = PUZZLES["warp6"][0]
    (best, value), *others = step.values
    (puzzle,) = changed("warp6", [step._replace(values=((best, value + 1), *others))])
    assert isinstance(puzzle, Puzzle)
    assert tuple(puzzle.values.items()) == step.values


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
    (puzzle,) = islice(chosen(puzzles(game, 1), 6), 1)
    (read,) = tomllib.loads(written(puzzle))["puzzles"]
    assert read["values"] == puzzle.values
    again = judge_position(game, read["position"], read["seat"])
    assert again == puzzle
