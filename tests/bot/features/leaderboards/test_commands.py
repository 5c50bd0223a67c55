"""Leaderboards as members of a server see them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.schema import rated_results
from tests.support.harness import Stage, ids, words

pytestmark = pytest.mark.slow


async def rate(stage: Stage, *actors: Any) -> None:
    """Give players ratings in Warp 6 for two: the first the highest."""
    for number, actor in enumerate(actors, 1):
        match_id = await stage.begin(game="warp6")
        row = {"match_id": match_id, "seat": "B", "number": number, "pool": "warp6/2"}
        row |= {"user_id": actor.id, "rank": 0, "ended_at": stage.clock.now}
        row |= {"mu": 2000 - 100 * number, "sigma": 60.0}
        async with stage.database.write() as connection:
            await connection.execute(insert(rated_results).values(row))


async def board(stage: Stage, actor: Any, where: Any = None) -> Any:
    answer = await actor.slash(where or stage.channel, "leaderboard")
    assert answer.response.ephemeral
    return answer.response


async def list_me(stage: Stage, *actors: Any) -> None:
    for actor in actors:
        await stage.click(actor, await board(stage, actor), "listme:1:")


async def test_players_list_themselves_and_leave(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada, stage.bo)
    first = await board(stage, stage.ada)
    assert "Warp 6 for 2" in words(first)
    assert "No one is listed here yet." in words(first)
    listed = await stage.click(stage.ada, first, "listme:1:")
    assert "1\\. **Ada**: **1720** (1 result" in words(listed.response)
    assert "Your place: **1**" in words(listed.response)
    seen = words(await board(stage, stage.bo))
    assert "1\\. Ada: **1720**" in seen
    assert "Your place" not in seen
    reply = await stage.click(stage.ada, listed.response, "listme:0:")
    assert "No one is listed here yet." in words(reply.response)


async def test_other_pools_are_chosen_from_the_list(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada)
    await list_me(stage, stage.ada)
    message = await board(stage, stage.ada)
    (custom_id,) = [custom_id for custom_id in ids(message) if custom_id == "leaders:0:"]
    other = await stage.ada.select(message, ["tomtube/2"], custom_id=custom_id)
    assert "Leaderboard of this server: Tom Tube" in words(other.response)
    assert "You are listed, but have no result here" in words(other.response)


async def test_members_who_left_are_no_longer_listed(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada, stage.bo)
    await list_me(stage, stage.ada, stage.bo)
    assert "Ada" in words(await board(stage, stage.eve))
    stage.guild.remove_member(stage.ada)
    await stage.spend(MEMBERSHIP_SECONDS + 1)
    text = words(await board(stage, stage.eve))
    assert "Ada" not in text
    assert "1\\. Bo: **1620**" in text


async def test_unchecked_players_are_left_out(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada)
    await list_me(stage, stage.ada)
    await stage.spend(MEMBERSHIP_SECONDS + 1)
    path = f"/guilds/{stage.guild.id}/members/{stage.ada.id}"
    stage.env.inject_error("GET", path, status=403, code=50001, times=None)
    text = words(await board(stage, stage.eve))
    assert "Ada" not in text
    assert "1 player is left out" in text


async def test_answers_of_discord_are_kept_for_a_while(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada)
    await list_me(stage, stage.ada)
    path = f"/guilds/{stage.guild.id}/members/{stage.ada.id}"
    stage.env.inject_error("GET", path, status=403, code=50001, times=None)
    await stage.spend(MEMBERSHIP_SECONDS - 1)
    assert "Ada" in words(await board(stage, stage.eve))
