"""The hall of a server: its list, its posts, and the call of its role."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.services.halls import LIST_PAUSE_SECONDS
from tests.support.harness import Stage, ids, words


@pytest.fixture
def host(stage: Stage) -> Any:
    """A member who may manage the server."""
    role = stage.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    return stage.guild.add_member(stage.env.create_user("host", global_name="Host"), roles=[role])


async def choose(stage: Stage, host: Any, name: str, values: list[Any]) -> str:
    """Choose a setting in `/server`; return the answer."""
    panel = await host.slash(stage.channel, "server")
    return words((await host.select(panel.response, values, custom_id=f"server:{name}")).response)


async def settle(stage: Stage, seconds: float = LIST_PAUSE_SECONDS + 1) -> None:
    """Let time pass until the hall is up to date."""
    await stage.spend(seconds)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def text_hall(stage: Stage, host: Any, **permissions: Any) -> Any:
    """A text channel that is the hall."""
    hall = stage.guild.create_text_channel("hall", **permissions)
    await choose(stage, host, "hall", [hall])
    return hall


def listed(place: Any) -> str:
    """What the only message of a hall says."""
    (message,) = place.history()
    return words(message)


async def test_list_shows_open_seats_and_running_matches(stage: Stage, host: Any) -> None:
    hall = await text_hall(stage, host)
    match_id = await stage.begin()
    await settle(stage)
    first = listed(hall)
    assert f"Wormholes #{match_id}" in first
    assert "Turn: " in first
    assert f"(<t:{int(stage.clock.now) - 31}:R>)" in first
    assert "None right now; `/play` without" in first
    await stage.ada.slash(stage.channel, "play", game="Warp 6")
    await settle(stage)
    assert "Warp 6 #2" in listed(hall)
    assert "accept:2" in ids(hall.history()[0])
    await stage.click(stage.eve, hall.history()[0], "accept:2")
    await settle(stage)
    assert "accept:2" not in ids(hall.history()[0])
    assert listed(hall).count("Turn: ") == 2
