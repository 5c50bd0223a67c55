"""Wormholes, for the piecepack: the game of docs/rules/wormholes.md (W1–W9)."""

from __future__ import annotations

from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract=1,
    game="engine.wormholes.game:Wormholes",
    renderer="render.wormholes:WormholesRenderer",
    computer="engine.computer.wormholes.support:SUPPORT",
    texts="bot.rulebook:texts/{language}/wormholes.md",
    diagrams="bot.rulebook:prepared/diagrams/wormholes.toml",
    lesson="bot.rulebook:prepared/lessons/wormholes.toml",
    positions="bot.rulebook:prepared/positions/wormholes.toml",
    anchors="bot.domain:anchors.toml",
    gallery="render.wormholes.scenes:GALLERY",
    openspiel="engine.wormholes.openspiel:SUPPORT",
    place=1,
)
"""See `engine.packages`."""
