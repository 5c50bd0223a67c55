"""Install a game of the tests for a test, beside those that are installed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import render
from engine import games, packages
from engine.computer import games as computers
from engine.computer.support import ComputerSupport
from engine.game import AnyGame
from engine.packages import CONTRACT, OUR_DISTRIBUTION, GamePackage
from render.renderer import Renderer


def install(
    patch: pytest.MonkeyPatch,
    game: AnyGame,
    renderer: Renderer[Any] | None = None,
    support: ComputerSupport | None = None,
    **parts: Any,
) -> None:
    """Install a game, or replace it.

    Args:
        patch: removes it at the end of the test.
        support: what computer players know of it.
        parts: its files; see `GamePackage`.
    """
    package = GamePackage(contract=CONTRACT, game="-", renderer="-", **parts)  # is here already
    if support:
        package = replace(package, computer="-")
        patch.setitem(computers.COMPUTER_SUPPORT, game.name, support)
    if renderer:
        patch.setitem(render._all(), game.name, renderer)
    patch.setitem(packages._packages().installed, game.name, package)
    patch.setitem(packages._packages().distributions, game.name, OUR_DISTRIBUTION)
    patch.setitem(games._all(), game.name, game)
