"""Messages of the position of the day: within Discord's limits, and every button leads on."""

from __future__ import annotations

import pytest
from discord import ui

from bot.domain.ids import ChannelId, GuildId
from bot.features.daily import views
from bot.features.daily.service import DailyPosition, Shares
from bot.rulebook.lessons import Place, attempt, hint
from bot.rulebook.positions import key_of, pool, pool_of
from bot.views.choices import enter_nearest_area
from bot.views.images import Drawn
from bot.views.message import Message
from engine import games
from render.renderer import ORIENTATIONS, Style
from tests.support.limits import check_buttons

BOARDS = [Drawn(b"\x89PNG", Style(orientation=orientation)) for orientation in ORIENTATIONS]

ROW = DailyPosition(2**50, GuildId(1), ChannelId(2), 20_000, "0" * 16, "open", 0.0, 1.8e9, 3, "key")

EVERY = [pytest.param(place, id=f"{place.game} {key_of(place)}") for place in pool()]


@pytest.mark.parametrize("place", EVERY)
def test_choices_keep_to_the_limits(place: Place) -> None:
    view, (answer, _value), *_rest = place.view, *place.step.values
    check_buttons(views.question(ROW, place, BOARDS[0]))
    for drawn in BOARDS:
        path = enter_nearest_area(view)
        check_buttons(views.choosing(ROW, place, drawn, answer=answer, path=path))
    for action in {action.args[:1]: action for action in view.legal}.values():
        if len(action.args) > 1:
            path = enter_nearest_area(view, f"{action.verb} {action.args[0]}")
            check_buttons(views.choosing(ROW, place, BOARDS[0], path=path))


def told(message: Message) -> str:
    """All text of a message."""
    children = message.layout.walk_children()
    return "\n".join(child.content for child in children if isinstance(child, ui.TextDisplay))


@pytest.mark.parametrize("game", games.names())
def test_solution_names_the_best_choice_and_few_others(game: str) -> None:
    place = pool_of(game)[0]
    best, lines = hint(place), [action.notation for action in place.view.legal]
    others = [line for line in lines if line != best[0].notation]
    counts = ((best[0].notation, 9), *((line, 1) for line in (others * 7)[:7]))
    message = views.solution(ROW, place, Shares(counts), best, BOARDS[0])
    check_buttons(message)
    assert "**9 of 16** found it." in told(message)
    assert told(message).count("1 × ") == views.MAX_OTHERS
    assert " · 2 more" in told(message)


@pytest.mark.parametrize("game", games.names())
def test_own_answer_tells_its_cost(game: str) -> None:
    place = pool_of(game)[0]
    best, (line, value) = hint(place), place.step.values[1]
    message = views.compared_answer(ROW, place, attempt(place, line), best, BOARDS[0])
    check_buttons(message)
    assert f"win about {value} of 100 matches" in told(message)
    right = views.compared_answer(ROW, place, attempt(place, best[0].notation), best, BOARDS[0])
    assert "You found it!" in told(right)


def test_line_that_is_no_longer_legal_is_shown_as_it_is() -> None:
    place = pool_of("warp6")[0]
    message = views.answered(ROW, place, "warp drive", BOARDS[0], 1)
    assert "**warp drive**" in told(message)
