"""Views as pictures, alt texts and text boards; nothing here ever sees a state."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine import packages
from engine.packages import GamePackage
from render.absent import AbsentRenderer
from render.renderer import Renderer

__all__ = ["for_game"]


def _load(_name: str, package: GamePackage) -> Renderer[Any]:
    """Return the renderer of a package.

    Raises:
        PackageError: it names something else.
        Exception: it cannot be imported.
    """
    renderer: Renderer[Any] = packages.load(package.renderer, Renderer)
    return renderer


@cache
def _all() -> dict[str, Renderer[Any]]:
    """Read the renderers when they are first needed: their modules import from here."""
    return packages.collect(_load)


_ABSENT = AbsentRenderer()


def for_game(name: str) -> Renderer[Any]:
    """Return the renderer of a game, or a stand-in if it is not installed; see `render.absent`."""
    return _all().get(name, _ABSENT) if name in packages.installed() else _ABSENT
