"""The registry: the only place where the games are named."""

from __future__ import annotations

from engine.game import AnyGame, IllegalActionError
from engine.tomtube.game import TomTube
from engine.warp6.game import Warp6
from engine.wormholes.game import Wormholes

_GAMES: dict[str, AnyGame] = {game.name: game for game in (Wormholes(), Warp6(), TomTube())}


def names() -> tuple[str, ...]:
    """The games that can be played; the first is the default."""
    return tuple(_GAMES)


def get(name: str) -> AnyGame:
    """The game of this name.

    Raises:
        IllegalActionError: there is none.
    """
    game = _GAMES.get(name)
    if game is None:
        raise IllegalActionError("notation", "There is no game “{game}” here.", game=name)
    return game
