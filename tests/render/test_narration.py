"""The story of a choice that the bot has made for a player says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import render
from bot.i18n import catalogue
from engine import games
from engine.game import Event
from render.i18n import using
from render.narration import marked

NAMES = dict.fromkeys("ODTBYW", "Ada")

STORIES = {
    "wormholes": (("rolled", "S3", "M1"), ("moved", "S", "j1", "g1"), ("moved", "M", "j2", "i2")),
    "warp6": (
        ("moved", "b6a", "9", "6"),
        ("warped", "b6a", "6", "1"),
        ("rerolled", "b6a", "2"),
        ("changed", "y4a", "1", "2"),
    ),
    "tomtube": (("drifted", "T", "base", "1,2", "base|1,2"), ("took", "T", "energy", "1,2")),
}


def view_of(game: str, **marks: tuple[int, ...]) -> Any:
    """A view whose story has marks at some places."""
    rules: Any = games.get(game)
    view = rules.view(rules.start(rules.rules[0], {}))
    events = tuple(Event(kind, tuple(facts)) for kind, *facts in STORIES[game])
    return replace(view, story=events, **marks)


def story(game: str, language: str = "en", **marks: Any) -> str:
    """The story with these marks."""
    view = view_of(game, **marks)
    with using(catalogue(language)):
        text: str = render.for_game(game).story(view, NAMES)
    return text


MARKS = {
    "forced": (" (the only move)", " (einzig möglicher Zug)"),
    "foreseen": (" (foreseen in a plan)", " (im Plan vorhergesehen)"),
}

WARP6 = "Ada: ■A went from 9 to 6{}, warped to 1, rerolled: 2. Ada: ▲A changed from 1 to 2{}."


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(
    ("game", "place", "words"),
    [
        ("wormholes", 2, "Ada rolled: Suns 3, Moons 1. Suns j1 → g1. Moons j2 → i2{}."),
        ("warp6", 0, WARP6.format("{}", "")),
        ("warp6", 3, WARP6.format("", "{}")),
        ("tomtube", 0, "Ada drifted from the base to c6{}. Ada took one energy counter."),
    ],
)
def test_story_says_why_the_bot_moved(game: str, place: int, words: str, mark: str) -> None:
    english, german = MARKS[mark]
    marks: dict[str, Any] = {mark: (place,)}
    assert story(game, **marks) == words.format(english)
    assert story(game) == words.format("")
    assert german in story(game, "de", **marks)
    assert german not in story(game, "de")


def test_full_stop_stays_at_the_end() -> None:
    view = view_of("wormholes", forced=(1,), foreseen=(2,))
    for place, end in enumerate(("", " (the only move)", " (foreseen in a plan)")):
        assert marked("Suns j1 → g1.", view, place) == f"Suns j1 → g1{end}."
        assert marked("a went to 5", view, place) == f"a went to 5{end}"
