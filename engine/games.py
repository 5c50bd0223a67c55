"""The games that are installed, by name; see `engine.packages`."""

from __future__ import annotations

from functools import cache

from engine import packages
from engine.absent import absent
from engine.game import AnyGame, Game, IllegalActionError
from engine.packages import GamePackage, PackageError


def _load(name: str, package: GamePackage) -> AnyGame:
    """Return the rules of a package.

    Raises:
        PackageError: they have another name.
        Exception: they cannot be imported.
    """
    game: AnyGame = packages.load(package.game, Game)
    if game.name != name:
        raise PackageError(f"its rules are those of a game named {game.name}")
    return game


@cache
def _all() -> dict[str, AnyGame]:
    """Read the games when they are first needed: their modules may import this one."""
    return packages.collect(_load)


def names() -> tuple[str, ...]:
    """Return the names of all games, the default first."""
    return tuple(name for name in _all() if name in packages.installed())


def is_installed(name: str) -> bool:
    """Return whether there is a game of this name."""
    return name in _all() and name in packages.installed()


def get(name: str) -> AnyGame:
    """Return the game of this name, or a stand-in if it is not installed; see `engine.absent`."""
    return _all()[name] if is_installed(name) else absent(name)


def require(name: str) -> AnyGame:
    """Return the game of this name.

    Raises:
        IllegalActionError: it is not installed.
    """
    if not is_installed(name):
        raise IllegalActionError("notation", "There is no game “{game}” here.", game=name)
    return _all()[name]
