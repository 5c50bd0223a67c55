"""The pictures of Wormholes in the gallery."""

from __future__ import annotations

from engine.game import PUBLIC
from render.renderer import Style
from render.scenes import GameGallery, Scene

GALLERY = GameGallery(
    scenes=(
        Scene(
            "cascade", 103, PUBLIC, Style(), "A turn as a story: moves, wormholes, a ship sent away"
        ),
        Scene(
            "memory",
            11,
            "O",
            Style(),
            "Placing coins: areas to choose from, and the own values",
        ),
        Scene(
            "memory",
            121,
            "O",
            Style("light"),
            "Where each ship can go, and in which direction",
        ),
        Scene(
            "memory",
            63,
            "D",
            Style(orientation="portrait", own_side=True),
            "Portrait, from the player's own side, with notes of every coin seen",
        ),
        Scene(
            "cascade", 128, "O", Style("contrast"), "High contrast: where to send the other ship?"
        ),
        Scene(
            "cascade", 131, PUBLIC, Style("light", "portrait"), "The end: everything is revealed"
        ),
    ),
    simulated=Scene("cascade", 103, PUBLIC, Style(), "Wormholes"),
    animated="cascade",
)
"""See `render.gallery`."""
