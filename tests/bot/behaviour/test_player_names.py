"""A player who gets another name on a server is called by it after the next click."""

from __future__ import annotations

from typing import Any

import pytest

from bot.services.servers import Servers
from tests.support.driver import by_click
from tests.support.harness import Stage, words


def rename(stage: Stage, actor: Any, name: str) -> None:
    """Give a member another name on the server."""
    stage.env.backend.guilds[stage.guild.id].members[actor.id].nick = name


async def test_board_of_the_next_move_has_the_new_name(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    rename(stage, actor, "Captain\u202e *Nemo*")
    action = (await stage.perspective(match_id, actor)).view.legal[0]
    await by_click(stage, match_id, actor, action)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    assert "Captain \\*Nemo\\*" in words(stage.last())
    assert actor.user.global_name not in words(stage.last())


async def test_looking_at_stored_data_stores_no_name(stage: Stage) -> None:
    match_id = await stage.begin()
    rename(stage, stage.ada, "Nemo")
    await stage.ada.slash(stage.channel, "privacy")
    assert "Ada" in (await stage.client.context.queries.match(match_id)).names.values()
    await stage.ada.slash(stage.channel, "games")
    assert "Nemo" in (await stage.client.context.queries.match(match_id)).names.values()


@pytest.mark.slow
@pytest.mark.parametrize("is_ours", [True, False])
async def test_thread_has_the_names_of_today(stage: Stage, *, is_ours: bool) -> None:
    """Unless a moderator has given it another one."""
    await Servers(stage.database).choose(stage.guild.id, threads="on")
    match_id = await stage.begin()
    (thread,) = stage.channel.threads
    stage.where = thread
    if not is_ours:
        cached: object = stage.client.get_guild(stage.guild.id).get_thread(thread.id)  # type: ignore[union-attr]
        cached.name = "Grand final"  # type: ignore[attr-defined]
    actor = await stage.deciding(match_id)
    rename(stage, actor, "Nemo")
    action = (await stage.perspective(match_id, actor)).view.legal[0]
    await by_click(stage, match_id, actor, action)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    title = next(thread.name for thread in stage.channel.threads)
    assert ("Nemo" in title) == is_ours
