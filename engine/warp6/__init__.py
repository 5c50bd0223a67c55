"""Warp 6, a race of dice into the wormhole: the game of docs/rules/warp6.md (X1–X5)."""

from __future__ import annotations

from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract=1,
    game="engine.warp6.game:Warp6",
    renderer="render.warp6:Warp6Renderer",
    computer="engine.computer.warp6.support:SUPPORT",
    texts="bot.rulebook:texts/{language}/warp6.md",
    diagrams="bot.rulebook:prepared/diagrams/warp6.toml",
    lesson="bot.rulebook:prepared/lessons/warp6.toml",
    positions="bot.rulebook:prepared/positions/warp6.toml",
    anchors="bot.domain:anchors.toml",
    gallery="render.warp6.scenes:GALLERY",
    openspiel="engine.warp6.openspiel:SUPPORT",
    place=2,
)
"""See `engine.packages`."""
