"""Shortcuts are found outside of the event loop, and are those of the game."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.domain.ids import Version
from bot.domain.models import Perspective
from bot.interactions.boards import board
from bot.views.choices import FREE_COMPONENTS, enter_nearest_area, narrow_view, panel
from bot.views.custom_ids import PartId
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
from render.renderer import DEFAULT_STYLE, NUMBERS_PER_ROW, Button, Row, Shortcuts, Style, rows_of
from render.tomtube import shortcuts
from render.tomtube.shortcuts import MAX_TURNS
from tests.support.harness import Stage
from tests.support.tomtube.positions import GAME, laying
from tests.support.wormholes import positions as wormholes

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


def path_to_place() -> str:
    area = enter_nearest_area(VIEW)
    place, *_ = for_game("tomtube").groups(VIEW, narrow_view(VIEW, area).legal)
    return f"{area}/{place.name}"


@pytest.mark.parametrize("path", ["", path_to_place()])
async def test_shortcuts_are_those_of_the_game(path: str) -> None:
    images, style = NotHere(), Style(own_side=True)
    shortcuts = await images.shortcuts(VIEW, path, style)
    assert shortcuts == shortcuts_of(VIEW, path, style)
    assert bool(shortcuts.ghosts) == (not path)
    assert len(images.threads) == 1
    assert threading.current_thread().name not in images.threads
    images.close()


def test_path_leads_to_fewer_choices() -> None:
    renderer, actions = for_game("tomtube"), narrow_view(VIEW, path_to_place()).legal
    assert shortcuts_of(VIEW) == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, "rhomb") == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, path_to_place()) == renderer.shortcuts(VIEW, actions)
    area = enter_nearest_area(VIEW)
    inside = narrow_view(VIEW, area).legal
    assert shortcuts_of(VIEW, area) == renderer.shortcuts(VIEW, inside)
    assert shortcuts_of(VIEW, area).ghosts
    assert narrow_view(VIEW, f"{area}/").legal == inside
    assert shortcuts_of(VIEW, f"{area}/") == shortcuts_of(VIEW, "rhomb/") == Shortcuts()


@pytest.mark.parametrize("game", games.names())
async def test_views_without_many_choices_need_no_work(game: str) -> None:
    start = games.get(game).start(games.get(game).rules[0], {})
    views = [games.get(game).view(start, seat) for seat in games.get(game).seats({})]
    images = NotHere()
    for view in (*views, replace(VIEW, legal=())):
        assert not may_have_shortcuts(view)
        assert await images.shortcuts(view, "", DEFAULT_STYLE) == Shortcuts()
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
    perspective = await deciding(stage)
    message = await board(stage.client.context, perspective, stage.ada.id)
    assert threads
    assert threading.current_thread().name not in threads
    labels = [button.label for button in buttons_of(message)]
    assert labels[0] == "1"
    assert {group.label for group in for_game("tomtube").groups(VIEW, VIEW.legal)} <= {*labels}


@pytest.mark.parametrize("path", ["", enter_nearest_area(VIEW)])
async def test_ghosts_are_drawn_and_described(stage: Stage, path: str) -> None:
    perspective = await deciding(stage)
    message = await board(stage.client.context, perspective, stage.ada.id, path=path)
    (file,) = message.files
    ghosts = shortcuts_of(VIEW, path).ghosts
    picture = for_game("tomtube").picture
    assert file.fp.read() == picture(VIEW, perspective.match.names, ghosts=ghosts)
    assert file.description is not None
    lines = [line.partition(":")[0] for line in file.description.splitlines()]
    assert lines[: len(ghosts)] == [str(number) for number in range(1, len(ghosts) + 1)]
    (gallery,) = [i for i in message.layout.walk_children() if isinstance(i, ui.MediaGallery)]
    assert gallery.items[0].description == file.description


async def test_areas_lead_to_others_and_to_the_names_of_all(stage: Stage) -> None:
    perspective, area = await deciding(stage), enter_nearest_area(VIEW)
    match_id = perspective.match.id
    first = await board(stage.client.context, perspective, stage.ada.id)
    assert str(PartId(match_id, Version(1), area)) in [
        button.custom_id for button in buttons_of(first)
    ]
    second = await board(stage.client.context, perspective, stage.ada.id, path=area)
    (more,) = [button for button in buttons_of(second) if button.label == "More places"]
    assert more.custom_id == str(PartId(match_id, Version(1), f"{area}/"))
    assert back_of(second) == str(PartId(match_id, Version(1), ""))
    third = await board(stage.client.context, perspective, stage.ada.id, path=f"{area}/")
    places = for_game("tomtube").groups(VIEW, narrow_view(VIEW, area).legal)
    offered = {button.custom_id for button in buttons_of(third)}
    assert {
        str(PartId(match_id, Version(1), f"{area}/{place.name}")) for place in places
    } <= offered
    assert back_of(third) == str(PartId(match_id, Version(1), area))
    (file,) = third.files
    marked = narrow_view(VIEW, area)
    assert file.fp.read() == for_game("tomtube").picture(
        VIEW, perspective.match.names, actions=marked.legal
    )


async def test_few_places_are_listed_without_areas(stage: Stage) -> None:
    area = narrow_view(VIEW, enter_nearest_area(VIEW))
    perspective = (await deciding(stage))._replace(view=area)
    first = await board(stage.client.context, perspective, stage.ada.id)
    (more,) = [button for button in buttons_of(first) if button.label == "More places"]
    assert more.custom_id == str(PartId(perspective.match.id, Version(1), "rhomb/"))
    listed = await board(stage.client.context, perspective, stage.ada.id, path="rhomb/")
    places = {group.label for group in for_game("tomtube").groups(area, area.legal)}
    assert places <= {button.label for button in buttons_of(listed)}
    assert back_of(listed) == str(PartId(perspective.match.id, Version(1), ""))


@pytest.mark.parametrize(("room", "fits"), [(29, True), (28, False)])
def test_areas_are_a_step_further_without_room(room: int, fits: bool) -> None:
    rows = shortcuts_of(VIEW).rows
    size = sum(1 + len(row.buttons) + bool(row.heading) for row in rows)
    areas = len(for_game("tomtube").groups(VIEW, VIEW.legal))
    assert size + areas + 2 == 29 <= FREE_COMPONENTS, "a usual message has room for them"
    paths = [
        choice.path
        for row in panel(VIEW, shortcuts=rows, room=room).rows
        for choice in row.choices
        if choice.path
    ]
    assert paths == ([f"rhomb/{area + 1}" for area in range(areas)] if fits else ["rhomb/"])


def test_most_numbers_leave_room_for_all_areas() -> None:
    """A player's board has room for one component less than a usual message."""
    buttons = [Button(action, "1") for action in VIEW.legal[:MAX_TURNS]]
    rows = rows_of(buttons, "Choose a number:", most=NUMBERS_PER_ROW)
    *_, areas, last = panel(VIEW, shortcuts=rows, room=FREE_COMPONENTS - 1).rows
    paths = [choice.path for choice in (*areas.choices, *last.choices)]
    assert paths == [f"rhomb/{area}" for area in range(1, 7)]


@pytest.mark.parametrize("room", [12, 20, 31])
def test_rows_without_room_are_left_out_for_a_way_to_all_places(room: int) -> None:
    path = enter_nearest_area(VIEW)
    rows = shortcuts_of(VIEW, path).rows
    few = panel(VIEW, path, shortcuts=rows, room=room)
    size = sum(1 + len(row.choices) + bool(row.heading) for row in (*few.rows, *few.areas))
    assert size <= room
    assert few.rows[-1].choices[-1].path == f"{path}/"
    assert (len(few.rows) == len(rows) + 1) == (room == 31)
    assert all(row.is_minor for row in few.rows if any(choice.path for choice in row.choices))


async def deciding(stage: Stage) -> Perspective:
    """Return a match in which Tom's player has drawn a rhomb."""
    perspective = await stage.perspective(await stage.begin(game="tomtube"))
    match = replace(perspective.match, decisions={"T": Version(1)})
    return perspective._replace(match=match, seat="T", view=VIEW)


def back_of(message: Message) -> str | None:
    """Where *Back* leads."""
    (back,) = [button for button in buttons_of(message) if button.label == "Back"]
    return back.custom_id


def buttons_of(message: Message) -> list[ui.Button[Any]]:
    return [item for item in message.layout.walk_children() if isinstance(item, ui.Button)]


def test_rows_are_read_as_they_were_written(monkeypatch: pytest.MonkeyPatch) -> None:
    first, more = Action("T", "rhomb", ("a>b",)), Action("T", "tube", ("ü",))
    rows = (
        Row("Heading:", (Button(first, "A → B", more=(more, first)), Button(None, "-", "emoji"))),
        Row("", (Button(Action("T", "pass"), "ok"),), "sign"),
    )
    renderer = for_game("tomtube")
    shortcuts = Shortcuts(rows, (first, more))
    monkeypatch.setattr(type(renderer), "shortcuts", lambda *_: shortcuts)
    assert decoded_shortcuts(encoded_shortcuts(VIEW, "", DEFAULT_STYLE)) == shortcuts


def test_areas_are_public_but_neither_coins_nor_numbered_places() -> None:
    roll = ("* rolloff S5 M5 C0 A0", "O first place")
    view = wormholes.GAME.view(wormholes.after(wormholes.GAME.start("0.6", {}), *roll), "O")
    areas = panel(view)
    assert areas.open
    assert "place/8-9" in [choice.path for row in areas.rows for choice in row.choices]
    assert not panel(view, "place/8-9").open
    assert not panel(VIEW).open, "the public board has no numbers"
