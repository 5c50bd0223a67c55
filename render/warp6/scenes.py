"""The pictures of Warp 6 in the gallery."""

from __future__ import annotations

from engine.game import PUBLIC
from render.renderer import Style
from render.scenes import GameGallery, Scene

GALLERY = GameGallery(
    scenes=(
        Scene("chain", 36, PUBLIC, Style(), "Warp 6: a die falls through six rings in one turn"),
        Scene("chain", 41, "Y", Style("light"), "Where each die would end, and by which warps"),
        Scene("chain", 35, PUBLIC, Style(), "The chain of warps from a space", "110"),
        Scene(
            "three", 62, PUBLIC, Style("contrast", "portrait"), "Three players, in high contrast"
        ),
        Scene("chain", 145, PUBLIC, Style("light", "portrait"), "The end of a race"),
    ),
    simulated=Scene("chain", 41, "Y", Style(), "Warp 6"),
    animated="chain",
)
"""See `render.gallery`."""
