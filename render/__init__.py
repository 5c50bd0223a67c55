"""Views as pictures, alt texts and text boards; nothing here ever sees a state."""

from __future__ import annotations

from typing import Any

from render.renderer import Renderer
from render.tomtube import TomTubeRenderer
from render.warp6 import Warp6Renderer
from render.wormholes import WormholesRenderer

_RENDERERS: dict[str, Renderer[Any]] = {
    "wormholes": WormholesRenderer(),
    "warp6": Warp6Renderer(),
    "tomtube": TomTubeRenderer(),
}


def for_game(name: str) -> Renderer[Any]:
    """Return the renderer of a game.

    Raises:
        KeyError: this game has none.
    """
    return _RENDERERS[name]
