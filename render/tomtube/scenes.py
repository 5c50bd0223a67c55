"""The pictures of Tom Tube in the gallery."""

from __future__ import annotations

from engine.game import PUBLIC
from render.renderer import Style
from render.scenes import GameGallery, Scene

GALLERY = GameGallery(
    scenes=(
        Scene(
            "tubes",
            62,
            PUBLIC,
            Style(),
            "Tom Tube: the path of an astronaut, and what it collected",
        ),
        Scene(
            "tubes",
            82,
            "D",
            Style("light", "portrait"),
            "Numbered places for the rhomb, and below them how it can lie",
        ),
        Scene("tubes", 143, "T", Style("contrast"), "Where an astronaut can go, and at what price"),
        Scene("tubes", 148, PUBLIC, Style(orientation="portrait"), "The end of a station"),
    ),
    simulated=Scene("tubes", 143, "T", Style(), "Tom Tube"),
    animated="tubes",
)
"""See `render.gallery`."""
