"""Shortcuts are found outside of the event loop, and are those of the game."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from discord import ui

from bot.domain.ids import Version
from bot.domain.models import Perspective
from bot.interactions.boards import board
from bot.views.choices import FREE_COMPONENTS, ChoiceRow, leads_somewhere, narrow_view, panel
from bot.views.custom_ids import ActId, PartId
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
from engine.game import Action, View
from engine.tomtube.state import State
from render import for_game
from render.renderer import DEFAULT_STYLE, Button, Row, Shortcuts, Style
from render.tomtube import shortcuts
from tests.support.harness import Stage
from tests.support.tomtube.games import bare, greedy, isolating, match
from tests.support.tomtube.positions import GAME, laying, with_triangles
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


SECTION = f"rhomb/{for_game('tomtube').groups(VIEW, VIEW.legal)[2].name}"


@pytest.mark.parametrize("path", ["", SECTION])
async def test_shortcuts_are_those_of_the_game(path: str) -> None:
    images, style = NotHere(), Style(own_side=True)
    shortcuts = await images.shortcuts(VIEW, path, style)
    assert shortcuts == shortcuts_of(VIEW, path, style)
    assert shortcuts.ghosts
    assert len(images.threads) == 1
    assert threading.current_thread().name not in images.threads
    images.close()


def test_path_leads_to_fewer_choices() -> None:
    renderer, actions = for_game("tomtube"), narrow_view(VIEW, SECTION).legal
    assert shortcuts_of(VIEW) == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, "rhomb") == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, "rhomb/") == renderer.shortcuts(VIEW, VIEW.legal)
    assert shortcuts_of(VIEW, SECTION) == renderer.shortcuts(VIEW, actions)
    assert len(shortcuts_of(VIEW, SECTION).ghosts) == len(actions)


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


@pytest.mark.parametrize("path", ["", SECTION])
async def test_ghosts_are_drawn_and_described(stage: Stage, path: str) -> None:
    perspective = await deciding(stage)
    message = await board(stage.client.context, perspective, stage.ada.id, path=path)
    (file,) = message.files
    ghosts = shortcuts_of(VIEW, path).ghosts
    picture = for_game("tomtube").picture
    marked = narrow_view(VIEW, path) if path else VIEW
    assert file.fp.read() == picture(marked, perspective.match.names, ghosts=ghosts)
    assert file.description is not None
    lines = [line.partition(":")[0] for line in file.description.splitlines()]
    assert lines[: len(ghosts)] == [*for_game(VIEW.game).ghost_numbers(ghosts)]
    (gallery,) = [i for i in message.layout.walk_children() if isinstance(i, ui.MediaGallery)]
    assert gallery.items[0].description == file.description


async def test_sections_lead_to_their_numbers_and_back(stage: Stage) -> None:
    perspective = await deciding(stage)
    match_id = perspective.match.id
    first = await board(stage.client.context, perspective, stage.ada.id)
    sections = for_game("tomtube").groups(VIEW, VIEW.legal)
    further = {button.label: button.custom_id for button in buttons_of(first)}
    for section in sections:
        path = f"rhomb/{section.name}"
        assert further[section.label] == str(PartId(match_id, Version(1), path))
    second = await board(stage.client.context, perspective, stage.ada.id, path=SECTION)
    assert back_of(second) == str(PartId(match_id, Version(1), ""))
    offered = {button.custom_id for button in buttons_of(second)}
    placings = narrow_view(VIEW, SECTION).legal
    assert {str(ActId(match_id, Version(1), action.notation)) for action in placings} <= offered


async def test_path_of_an_earlier_version_leads_to_all_choices(stage: Stage) -> None:
    """Its areas had numbers, and their places names."""
    perspective = await deciding(stage)
    for path in ("rhomb/3", "rhomb/3/3a", "rhomb/9", "place S3"):
        assert not leads_somewhere(VIEW, path)
    for path in ("rhomb", "rhomb/", SECTION):
        assert leads_somewhere(VIEW, path)
    plain = await board(stage.client.context, perspective, stage.ada.id)
    again = await board(stage.client.context, perspective, stage.ada.id, path="rhomb/")
    numbers = [button.custom_id for button in buttons_of(again)]
    assert {button.custom_id for button in buttons_of(plain)} <= {*numbers}


def size_of(rows: Sequence[ChoiceRow]) -> int:
    """Components of rows: each with its buttons, and its heading if it has one."""
    lines = [len(row.choices) for row in rows]
    return sum(1 + length for length in lines if length) + sum(bool(row.heading) for row in rows)


def clicks_of_builds(view: View) -> dict[frozenset[Action], int]:
    """Return every turn with the drawn rhomb, with the fewest clicks that it takes.

    Those are *Build*, and what a player's board shows then; a list takes two.
    """
    clicks: dict[frozenset[Action], int] = {}
    steps = [("", 2)]
    while steps:
        path, count = steps.pop(0)
        rows = shortcuts_of(view, path).rows
        choices = panel(view, path, shortcuts=rows, room=FREE_COMPONENTS - 1)
        assert size_of((*choices.rows, *choices.areas)) <= FREE_COMPONENTS - 1
        lines = [(c.line, count) for row in choices.rows for c in row.choices if c.line]
        lines += [(line, count + 1) for menu in choices.menus for line, _ in menu.entries]
        for line, spent in lines:
            turn = frozenset(Action.parse(f"T {part}") for part in line.split("; "))
            clicks[turn] = min(spent, clicks.get(turn, spent))
        steps += [(c.path, count + 1) for row in choices.rows for c in row.choices if c.path]
    return clicks


def builds(choose: Any, seed: int) -> Iterator[tuple[State, View]]:
    """The positions of a match in which Tom's player has drawn a rhomb."""
    state = GAME.start("standard", {})
    for action in match(choose, seed)[1]:
        state, _ = GAME.apply(state, action)
        if state.phase == "rhomb" and GAME.pending(state) == "T":
            yield state, GAME.view(state, "T")


def every_turn(state: State, *done: Action) -> set[frozenset[Action]]:
    """Return every way to fill what a placed rhomb isolates, in whatever order."""
    if state.phase != "fill":
        return {frozenset(done)}
    ways = [every_turn(GAME.apply(state, a)[0], *done, a) for a in GAME.legal(state)]
    return set().union(*ways)


def assert_three_clicks(state: State, view: View) -> Counter[int]:
    clicks = clicks_of_builds(view)
    whole = {
        turn for action in view.legal for turn in every_turn(GAME.apply(state, action)[0], action)
    }
    assert whole <= clicks.keys()
    assert all(len(turn) == 1 for turn in clicks.keys() - whole), "filled in the next step"
    counts = [clicks[turn] for turn in whole]
    assert max(counts) <= 3
    return Counter(counts)


def test_any_build_takes_at_most_three_clicks() -> None:
    state = laying("", "AB/CD")
    assert assert_three_clicks(state, GAME.view(state, "T"))[2] >= 8
    late = [*builds(bare, 7)][-4:]
    assert any(len(turn) > 2 for _, view in late for turn in clicks_of_builds(view))
    for state, view in late:
        assert_three_clicks(state, view)
        few = with_triangles(state, tubes=(1, 1), blanks=(0, 0))
        assert_three_clicks(few, GAME.view(few, "T"))


@pytest.mark.slow
@pytest.mark.parametrize("choose", [greedy, isolating, bare])
def test_any_build_of_a_match_takes_at_most_three_clicks(choose: Any) -> None:
    counts: Counter[int] = Counter()
    for seed in range(3):
        for state, view in builds(choose, seed):
            counts += assert_three_clicks(state, view)
    assert counts.keys() == {2, 3}


def test_turns_without_room_become_a_list() -> None:
    """A request of the opponent's needs room, too."""
    rows = shortcuts_of(VIEW, SECTION).rows
    whole = panel(VIEW, SECTION, shortcuts=rows).rows
    buttons = [choice for row in whole for choice in row.choices]
    for room in (14, 20, FREE_COMPONENTS):
        few = panel(VIEW, SECTION, shortcuts=rows, room=room)
        assert size_of(few.rows) + 2 * len(few.menus) <= room
        lines = [choice.line for row in few.rows for choice in row.choices]
        lines += [line for menu in few.menus for line, _ in menu.entries]
        assert lines == [choice.line for choice in buttons]
        assert bool(few.menus) == (room < FREE_COMPONENTS)


@pytest.mark.parametrize("room", [20, 25, 31])
def test_numbers_without_room_are_left_out_beside_sections(room: int) -> None:
    rows = shortcuts_of(VIEW).rows
    few = panel(VIEW, shortcuts=rows, room=room)
    assert size_of(few.rows) <= room
    further = [choice.path for row in few.rows for choice in row.choices if choice.path]
    assert len(further) == len(for_game("tomtube").groups(VIEW, VIEW.legal))
    assert not few.menus
    assert all(row.is_minor for row in few.rows if any(choice.path for choice in row.choices))
    assert (len(few.rows) == len(rows) + 3) == (room == 31)


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
