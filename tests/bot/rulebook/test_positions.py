"""Positions of the day: each is a puzzle that can be shown, and all come before any comes again."""

from __future__ import annotations

import pytest

from bot.i18n import sides
from bot.rulebook.lessons import Place, attempt, hint, steps
from bot.rulebook.positions import find, key_of, of_day, pool, pool_of
from engine import games
from render import for_game
from tests.support.tiers import sampled
from tools.puzzles import MIN_CHOICES

MIN_LEAD_PERCENT = 15

EVERY = [pytest.param(place, id=f"{place.game} {key_of(place)}") for place in pool()]


@pytest.mark.parametrize("place", EVERY)
def test_position_is_a_decision_of_its_player(place: Place) -> None:
    rules, step = games.get(place.game), place.step
    assert rules.dump(rules.load(step.position)) == step.position
    assert place.view.pending == step.seat == place.view.seat
    assert step.position not in {step_of_lesson.position for step_of_lesson in steps(place.game)}
    assert for_game(place.game).alt_text(place.view, sides(place.game))


@pytest.mark.parametrize("place", EVERY)
def test_best_choice_leads_all_other_legal_ones(place: Place) -> None:
    lines = {action.notation for action in place.view.legal}
    (best, value), (_, second), *_others = place.step.values
    assert {line for line, _ in place.step.values} <= lines
    assert len(lines) >= MIN_CHOICES
    assert value - second >= MIN_LEAD_PERCENT
    assert [v for _, v in place.step.values] == sorted((v for _, v in place.step.values))[::-1]
    assert place.step.answers[0].accept == best


@sampled(3, 100, 100)
@pytest.mark.parametrize("game", games.names())
def test_solution_has_a_reason(game: str, samples: int) -> None:
    for place in pool_of(game)[:samples]:
        action, reasons = hint(place)
        tried = attempt(place, action.notation)
        assert reasons
        assert tried
        assert tried.right
        assert tried.value == place.step.values[0][1]


def test_every_position_comes_once_before_any_comes_again() -> None:
    first = 20_000
    days = range(first, first + len(pool()))
    assert {of_day(day) for day in days} == set(pool())
    assert of_day(first + len(pool())) == of_day(first)


@pytest.mark.parametrize("game", games.names())
def test_games_take_turns(game: str) -> None:
    """No game waits for much longer than twice its share."""
    places = [number for number, place in enumerate(pool()) if place.game == game]
    gaps = [b - a for a, b in zip(places, [*places[1:], places[0] + len(pool())], strict=True)]
    assert max(gaps) <= 2 * len(pool()) / len(places) + 1


def test_position_is_found_by_its_key() -> None:
    assert all(find(key_of(place)) is place for place in pool())
    assert find("0" * 16) is None


def test_a_game_without_a_pool_has_no_positions() -> None:
    assert pool_of("chess") == ()
