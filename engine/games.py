"""The registry: the only place where the games are named."""

from __future__ import annotations

from engine.game import AnyGame, IllegalActionError
from engine.tomtube.game import TomTube
from engine.warp6.game import Warp6
from engine.wormholes.game import Wormholes

_GAMES: dict[str, AnyGame] = {game.name: game for game in (Wormholes(), Warp6(), TomTube())}


def names() -> tuple[str, ...]:
    """Return the names of all games, the default first."""
    return tuple(_GAMES)


def get(name: str) -> AnyGame:
    """Return the game of this name.

    Raises:
        IllegalActionError: there is no such game.
    """
    game = _GAMES.get(name)
    if game is None:
        raise IllegalActionError("notation", "There is no game “{game}” here.", game=name)
    return game
