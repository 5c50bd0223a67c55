"""Tom Tube: two astronauts build a space station; the game of docs/rules/tomtube.md (T1–T5)."""

from __future__ import annotations

from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract=1,
    game="engine.tomtube.game:TomTube",
    renderer="render.tomtube:TomTubeRenderer",
    computer="engine.computer.tomtube.support:SUPPORT",
    texts="bot.rulebook:texts/{language}/tomtube.md",
    diagrams="bot.rulebook:prepared/diagrams/tomtube.toml",
    lesson="bot.rulebook:prepared/lessons/tomtube.toml",
    positions="bot.rulebook:prepared/positions/tomtube.toml",
    anchors="bot.domain:anchors.toml",
    gallery="render.tomtube.scenes:GALLERY",
    openspiel="engine.tomtube.openspiel:SUPPORT",
    place=3,
)
"""See `engine.packages`."""
