"""Steps of lessons and puzzles: within Discord's limits, and every button leads somewhere."""

from __future__ import annotations

import pytest

from bot.features.rules import lesson_views as lessons
from bot.rulebook.book import titles
from bot.rulebook.lessons import attempt, place, steps
from bot.views.choices import enter_nearest_area
from bot.views.images import Drawn
from render.renderer import ORIENTATIONS, Style
from tests.support.limits import check_buttons

BOARDS = [Drawn(b"\x89PNG", Style(orientation=orientation)) for orientation in ORIENTATIONS]
STEPS = [(game, number) for game in titles() for number in range(len(steps(game)))]


@pytest.mark.parametrize(("game", "number"), STEPS)
def test_every_step_keeps_to_the_limits(game: str, number: int) -> None:
    step_place = place(game, number)
    for drawn in BOARDS:
        check_buttons(lessons.lesson(step_place, drawn))
    for action in step_place.view.legal[:: max(1, len(step_place.view.legal) // 20)]:
        tried = attempt(step_place, action.notation)
        assert tried
        check_buttons(lessons.try_result(step_place, tried, BOARDS[0]))
    for action in {action.args[:1]: action for action in step_place.view.legal}.values():
        if len(action.args) > 1:
            path = enter_nearest_area(step_place.view, f"{action.verb} {action.args[0]}")
            check_buttons(lessons.lesson(step_place, BOARDS[0], path=path))
