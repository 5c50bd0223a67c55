"""The games that computer players know, by name; see `engine.packages`."""

from __future__ import annotations

from engine import packages
from engine.computer.situation import PlayerError
from engine.computer.support import ComputerSupport
from engine.game import AnyGame
from engine.packages import GamePackage


def _load(_name: str, package: GamePackage) -> ComputerSupport | None:
    """Return the functions and figures of a package; None if it has no computer players.

    Raises:
        PackageError: the package names something else.
        Exception: it cannot be imported.
    """
    if not package.computer:
        return None
    support: ComputerSupport = packages.load(package.computer, ComputerSupport)
    return support


COMPUTER_SUPPORT: dict[str, ComputerSupport] = {
    name: support for name, support in packages.collect(_load).items() if support
}
"""By name of the game."""


def support_of(game: AnyGame) -> ComputerSupport:
    """Return the functions and figures of a game.

    Raises:
        PlayerError: it has no computer players.
    """
    support = COMPUTER_SUPPORT.get(game.name)
    if support is None:
        raise PlayerError(f"{game.title} has no computer players.")
    return support
