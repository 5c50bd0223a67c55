"""Shortcuts are found outside of the event loop, and are those of the game."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.interactions.boards import board
from bot.views.choices import enter_nearest_area, panel, suggested
from bot.views.images import BoardImages
from bot.views.message import Message
from bot.views.shortcuts import (
    decoded_shortcuts,
    encoded_shortcuts,
    may_have_shortcuts,
    shortcuts_of,
)
from engine import games
from engine.computer.tomtube.placing import whole_turns
from engine.game import Action
from render import for_game
from render.renderer import DEFAULT_STYLE, Button, Row, Style
from render.tomtube import shortcuts
from tests.support.harness import Stage
from tests.support.tomtube.positions import GAME, laying

VIEW = GAME.view(laying("", "AB/CD"), "T")


class NotHere(BoardImages):
    """Notes in which threads work is done."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[str] = []

    async def draw(self, work: Any, **options: Any) -> bytes:
        def noted() -> bytes:
            self.threads.append(threading.current_thread().name)
            result: bytes = work()
            return result

        return await super().draw(noted, **options)


async def test_shortcuts_are_those_of_the_game() -> None:
    images, style = NotHere(), Style(own_side=True)
    rows = await images.shortcuts(VIEW, "", style)
    assert rows == shortcuts_of(VIEW, "", style)
    assert any(row.buttons for row in rows)
    assert len(images.threads) == 1
    assert threading.current_thread().name not in images.threads
    images.close()


def test_path_leads_to_fewer_choices() -> None:
    path, renderer = enter_nearest_area(VIEW), for_game("tomtube")
    assert path
    assert shortcuts_of(VIEW) == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, path) == ()
    assert shortcuts_of(VIEW, "rhomb") == (), "all places were asked for"
    assert shortcuts_of(VIEW) != ()


def test_shortcuts_are_drawn_at_the_first_step_alone() -> None:
    rows = shortcuts_of(VIEW)
    firsts = tuple(button.action for row in rows for button in row.buttons)
    assert suggested(VIEW, "", rows) == firsts
    assert suggested(VIEW, "rhomb/1", rows) == ()
    one_place = replace(VIEW, legal=VIEW.legal[:1])
    assert suggested(one_place, "", rows) == (), "only how to fill is left to choose"
    assert suggested(VIEW, "", ()) == ()


def test_more_places_lead_to_areas() -> None:
    rows = shortcuts_of(VIEW)
    first = panel(VIEW, "", shortcuts=rows)
    labels = [choice.label for row in first.rows for choice in row.choices]
    assert labels == ["1", "2", "3", "4", "5", "More places"]
    (more,) = [choice for row in first.rows for choice in row.choices if choice.path]
    assert more.path == "rhomb"
    areas = panel(VIEW, more.path, shortcuts=shortcuts_of(VIEW, more.path))
    paths = [choice.path for row in areas.rows for choice in row.choices]
    assert paths == [f"rhomb/{number}" for number in range(1, 7)]
    assert areas.back == ""
    assert first.back is None


@pytest.mark.parametrize("game", games.names())
async def test_views_without_many_choices_need_no_work(game: str) -> None:
    start = games.get(game).start(games.get(game).rules[0], {})
    views = [games.get(game).view(start, seat) for seat in games.get(game).seats({})]
    images = NotHere()
    for view in (*views, replace(VIEW, legal=())):
        assert not may_have_shortcuts(view)
        assert await images.shortcuts(view, "", DEFAULT_STYLE) == ()
    assert not images.threads
    images.close()


async def test_board_shows_shortcuts_found_outside_of_the_loop(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def noted(*args: Any) -> Any:
        threads.append(threading.current_thread().name)
        return whole_turns(*args)

    monkeypatch.setattr(shortcuts, "whole_turns", noted)
    shortcuts._turns.cache_clear()
    match_id = await stage.begin(game="tomtube")
    perspective = await stage.perspective(match_id)
    perspective = perspective._replace(seat="T", view=VIEW)
    match = replace(perspective.match, decisions={"T": 1})
    context = stage.client.context
    message = await board(context, perspective._replace(match=match), stage.ada.id)
    assert threads
    assert threading.current_thread().name not in threads
    labels = {button.label for row in shortcuts_of(VIEW) for button in row.buttons}
    assert len(labels) == shortcuts.MAX_SUGGESTED
    assert labels <= {button.label for button in buttons_of(message)}


def buttons_of(message: Message) -> list[ui.Button[Any]]:
    return [item for item in message.layout.walk_children() if isinstance(item, ui.Button)]


def test_rows_are_read_as_they_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first, more = Action("T", "rhomb", ("a>b",)), Action("T", "tube", ("ü",))
    rows = (
        Row("Heading:", (Button(first, "A → B", more=(more, first)), Button(None, "-", "emoji"))),
        Row("", (Button(Action("T", "pass"), "ok"),), "sign"),
    )
    renderer = for_game("tomtube")
    monkeypatch.setattr(type(renderer), "shortcuts", lambda *_: rows)
    assert decoded_shortcuts(encoded_shortcuts(VIEW, "", DEFAULT_STYLE)) == rows
