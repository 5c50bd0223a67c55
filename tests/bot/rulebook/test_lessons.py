"""Guided matches: each step can be solved, and says something to everything that is legal."""

from __future__ import annotations

import pytest

from bot.rulebook.book import game_of
from bot.rulebook.lessons import attempt, hint, lesson, place, steps
from engine import games
from engine.game import IllegalActionError

EVERY = [(game, number) for game in games.names() for number in range(len(steps(game)))]

PUZZLES = [each for each in EVERY if place(*each).step.values]


@pytest.mark.parametrize("game", games.names())
def test_every_game_is_taught(game: str) -> None:
    found = lesson(game)
    assert 3 <= found.puzzles <= 5
    assert 5 <= len(found.steps) - found.puzzles <= 9
    assert found.aim.startswith("Win by ")
    assert 3 <= len(found.advice) <= 5
    assert not any(step.values for step in found.steps[: -found.puzzles])


def test_a_game_without_a_lesson_has_no_steps() -> None:
    assert not steps("chess")
    with pytest.raises(LookupError):
        place("wormholes", len(steps("wormholes")))


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_a_step_is_a_decision_of_its_player_about_a_rule(game: str, number: int) -> None:
    here = place(game, number)
    rules = games.get(game)
    assert rules.dump(rules.load(here.step.position)) == here.step.position
    assert here.view.pending == here.step.seat == here.view.seat
    assert game_of(here.step.rule) == game
    assert here.step.title
    assert here.step.text


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_every_legal_choice_gets_an_answer_and_some_lead_on(game: str, number: int) -> None:
    here = place(game, number)
    tried = [attempt(here, action.notation) for action in here.view.legal]
    assert all(each and (each.said or here.step.values) for each in tried)
    assert any(each and each.right for each in tried)


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_every_answer_is_given_to_some_choice(game: str, number: int) -> None:
    here = place(game, number)
    tried = [attempt(here, action.notation) for action in here.view.legal]
    said = {each.said for each in tried if each}
    assert said >= {answer.text for answer in here.step.answers}


def test_what_is_not_legal_is_refused_with_its_rule() -> None:
    with pytest.raises(IllegalActionError) as refused:
        attempt(place("wormholes", 0), "place S3 a17")
    assert refused.value.rule == "W3.3"


def test_the_beginning_of_a_choice_is_no_choice() -> None:
    assert attempt(place("wormholes", 0), "place S3") is None


def test_the_last_step_before_the_puzzles_wins() -> None:
    last = place("wormholes", len(steps("wormholes")) - lesson("wormholes").puzzles - 1)
    tried = attempt(last, "move S NW")
    assert tried
    assert tried.right
    assert tried.view.result == "O base"
    assert last.ends_part


def test_after_the_last_puzzle_comes_the_first_step() -> None:
    last = place("wormholes", len(steps("wormholes")) - 1)
    assert last.ends_part
    assert last.after == 0


@pytest.mark.parametrize(("game", "number"), PUZZLES)
def test_only_the_best_choice_of_a_puzzle_is_right(game: str, number: int) -> None:
    here = place(game, number)
    values = dict(here.step.values)
    assert [*values.values()] == sorted(values.values(), reverse=True)
    tried = [attempt(here, action.notation) for action in here.view.legal]
    right = [each for each in tried if each and each.right]
    assert [each.action.notation for each in right] == [next(iter(values))]
    assert right[0].reasons
    assert {each.action.notation: each.value for each in tried if each and each.value} == values


@pytest.mark.parametrize(("game", "number"), EVERY)
def test_hint_is_a_right_choice_with_a_reason(game: str, number: int) -> None:
    here = place(game, number)
    action, reasons = hint(here)
    result = attempt(here, action.notation)
    assert result
    assert result.right
    assert reasons
