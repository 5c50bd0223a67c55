"""The entries behind "/" are few; the rest is reached by clicks."""

from __future__ import annotations

from discord.app_commands import Group

from tests.support.harness import Actor

MOST_OF_A_GAME = 4
"""Typed verbs of each game."""


async def test_each_game_has_at_most_four_commands(simcord_bot: Actor) -> None:
    groups = {
        entry.name: {command.name for command in entry.commands}
        for entry in simcord_bot.tree.get_commands()
        if isinstance(entry, Group)
    }
    assert groups["wormholes"] == {"place", "move", "jump", "send"}
    assert groups["warp6"] == {"move", "up", "down", "warps"}
    assert groups["tomtube"] == {"build", "rhomb", "drift", "jump"}
    assert all(
        0 < len(groups[name]) <= MOST_OF_A_GAME for name in ("wormholes", "warp6", "tomtube")
    )
