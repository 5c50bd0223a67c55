"""The games that are installed, by name; see `engine.packages`."""

from __future__ import annotations

from engine import packages
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
        raise PackageError(f"the game's name is {game.name}")
    return game


_GAMES: dict[str, AnyGame] = packages.collect(_load)


def names() -> tuple[str, ...]:
    """Return the names of all games, the default first."""
    return tuple(name for name in _GAMES if name in packages.installed())


def get(name: str) -> AnyGame:
    """Return the game of this name.

    Raises:
        IllegalActionError: there is no such game.
    """
    game = _GAMES.get(name) if name in packages.installed() else None
    if game is None:
        raise IllegalActionError("notation", "There is no game “{game}” here.", game=name)
    return game
