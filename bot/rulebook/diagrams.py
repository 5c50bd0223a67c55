"""The pictures in the rules: prepared positions, drawn by the game's own renderer, and cut out."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from bot.i18n import catalogue, current_language, sides
from bot.rulebook.book import Diagram, read, titles
from engine import games, packages
from render import for_game, pictures
from render.i18n import using
from render.renderer import Style

UPRIGHT = "portrait"
"""Orientation of diagrams, so that words such as *left* hold for every reader; covers have none."""


def draw(game: str, name: str, theme: str) -> bytes:
    """Return a diagram as a PNG.

    Args:
        name: the diagram's name in the file of the game's package.
        theme: theme from `render.themes`.

    Raises:
        LookupError: there is no such diagram.
    """
    return _draw(game, name, theme, current_language())


@cache
def _draw(game: str, name: str, theme: str, language: str) -> bytes:
    prepared = _prepared(game)[name]
    rules = games.get(game)
    view = rules.view(rules.load(prepared["position"]), prepared["seat"])
    marked = [
        action
        for action in view.legal
        if any(fnmatchcase(action.notation, pattern) for pattern in prepared["marks"])
    ]
    style = Style(theme, prepared.get("orientation", UPRIGHT))
    with using(catalogue(language)):
        drawn = for_game(game).picture(view, sides(game), style, marked)
    return pictures.cut(drawn, tuple(prepared["box"]))


def draw_cover(game: str, name: str, theme: str) -> bytes:
    """Return the cover of a game as a PNG: a diagram below the game's title; see `draw`."""
    return _titled(draw(game, name, theme), game, theme)


@cache
def _titled(diagram: bytes, game: str, theme: str) -> bytes:
    return pictures.cover(diagram, games.get(game).title, for_game(game).themes[theme])


def cover(game: str) -> Diagram | None:
    """Return the diagram of a game as a whole, in the current language; None if it has none."""
    return read(game, current_language()).sections[0].diagram if game in titles() else None


def names(game: str) -> tuple[str, ...]:
    """Return the names of a game's diagrams."""
    return tuple(_prepared(game))


@cache
def _prepared(game: str) -> dict[str, Any]:
    file = packages.file_of(game, "diagrams")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file else {}
