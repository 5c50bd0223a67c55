"""The story of a choice that the bot has made for a player says that it was the only one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import render
from bot.i18n import catalogue
from engine import games
from engine.game import Event
from render.i18n import using
from render.narration import only_move

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


def story(game: str, *forced: int, language: str = "en") -> str:
    """The story in which these events were forced."""
    rules: Any = games.get(game)
    view = rules.view(rules.start(rules.rules[0], {}))
    events = tuple(Event(kind, tuple(facts)) for kind, *facts in STORIES[game])
    view = replace(view, story=events, forced=tuple(forced))
    with using(catalogue(language)):
        text: str = render.for_game(game).story(view, NAMES)
    return text


ONLY = " (the only move)"

WARP6 = "Ada: ■A went from 9 to 6{}, warped to 1, rerolled: 2. Ada: ▲A changed from 1 to 2{}."


@pytest.mark.parametrize(
    ("game", "forced", "words"),
    [
        ("wormholes", 2, f"Ada rolled: Suns 3, Moons 1. Suns j1 → g1. Moons j2 → i2{ONLY}."),
        ("warp6", 0, WARP6.format(ONLY, "")),
        ("warp6", 3, WARP6.format("", ONLY)),
        ("tomtube", 0, f"Ada drifted from the base to c6{ONLY}. Ada took one energy counter."),
    ],
)
def test_story_says_what_was_the_only_move(game: str, forced: int, words: str) -> None:
    assert story(game, forced) == words
    plain = story(game)
    assert plain == words.replace(ONLY, "")
    assert "(einzig möglicher Zug)" in story(game, forced, language="de")
    assert "einzig" not in story(game, language="de")


def test_full_stop_stays_at_the_end() -> None:
    assert only_move("Suns j1 → g1.") == "Suns j1 → g1 (the only move)."
    assert only_move("a went to 5") == "a went to 5 (the only move)"
