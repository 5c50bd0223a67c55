"""Renderers of small games: one drawing, and sentences for events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import games
from engine.game import Action, AnyGame
from render import for_game
from render.palette import palette
from render.plain import PlainRenderer
from render.png import encode
from render.renderer import DEFAULT_STYLE
from tests.support.announced import Shelf

NAMES = {"L": "Ada", "R": "سلمى"}


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Spoof, installed."""
    Shelf(Path(__file__).parents[1] / "packages", monkeypatch).install()
    return games.get("spoof")


@pytest.fixture
def renderer(game: AnyGame) -> PlainRenderer[Any]:
    """The renderer of Spoof."""
    renderer = for_game("spoof")
    assert isinstance(renderer, PlainRenderer)
    return renderer


def after(game: AnyGame, *lines: str) -> object:
    state = game.start("standard", {})
    for line in lines:
        state, _ = game.apply(state, Action.parse(line))
    return state


def test_story_has_the_sentences_of_events(game: AnyGame, renderer: PlainRenderer[Any]) -> None:
    state = after(game, "L hold 1", "R hold 3", "L guess 4")
    assert renderer.story(game.view(state), NAMES) == (
        "Ada hid coins. سلمى hid coins. Ada guessed 4."
    )


@pytest.mark.parametrize(
    ("lines", "prompt"),
    [
        ((), "Ada and سلمى: hide coins"),
        (("L hold 1", "R hold 3"), "Ada: guess how many there are"),
        (("L resign",), "سلمى wins."),
        (("L draw offer", "R draw accept"), "No player wins."),
    ],
)
def test_prompt_names_who_decides_or_has_won(
    game: AnyGame, renderer: PlainRenderer[Any], lines: tuple[str, ...], prompt: str
) -> None:
    assert renderer.prompt(game.view(after(game, *lines)), NAMES) == prompt


def test_hand_is_for_its_owner_only(game: AnyGame, renderer: PlainRenderer[Any]) -> None:
    state = after(game, "L hold 1")
    hands = [renderer.hand(game.view(state, seat)) for seat in ("L", "R", "")]
    assert hands == ["Your hand: 1", "", ""]


def test_picture_has_the_colours_of_the_theme(game: AnyGame, renderer: PlainRenderer[Any]) -> None:
    view = game.view(after(game, "L hold 1"), "L")
    page = renderer.frame(view, NAMES)
    theme = renderer.themes[DEFAULT_STYLE.theme]
    picture = palette(theme).image(page)
    assert picture.size == renderer.size
    assert {picture.getpixel((0, 0)), picture.getpixel((40, 40))} == {theme.space[0], theme.metal}
    assert renderer.picture(view, NAMES) == encode(page, palette(theme).flat)
