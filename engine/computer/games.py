"""The games that computer players know, by name; see `engine.packages`."""

from __future__ import annotations

from engine import packages
from engine.computer.support import ComputerSupport
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
