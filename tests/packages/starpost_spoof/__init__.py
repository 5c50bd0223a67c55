"""Spoof, a guessing game with coins in closed hands, as a package for Starpost."""

from __future__ import annotations

from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract=1,
    game="starpost_spoof.rules:Spoof",
    renderer="starpost_spoof.drawn:SpoofRenderer",
    computer="starpost_spoof.computer:SUPPORT",
    texts="starpost_spoof:texts/{language}.md",
)
"""See `engine.packages`."""
