"""The hall of a server, from `/server` to a click on its list."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import MatchId
from bot.features.halls import service as halls
from bot.features.halls.checks import MAX_TAGS
from bot.features.halls.service import hall_role_of
from bot.services.servers import Servers
from tests.support.harness import Stage, ids, play, words
from tests.support.server_panel import check_server

pytestmark = pytest.mark.usefixtures("long_pauses")


async def choose(stage: Stage, host: Any, name: str, values: list[Any]) -> str:
    """Choose a setting in `/server`; return the answer."""
    panel = await host.slash(stage.channel, "server")
    return words((await host.select(panel.response, values, custom_id=f"server:{name}")).response)


async def settle(stage: Stage) -> None:
    """Let time pass until the hall is up to date."""
    await stage.spend(halls.LIST_PAUSE_SECONDS + 1)
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def doctor(stage: Stage, host: Any) -> str:
    return words((await check_server(stage, host)).response).replace("\\", "")


def forbid(stage: Stage, *permissions: str) -> Any:
    """A channel in which the bot may not do this."""
    denied = discord.PermissionOverwrite(**dict.fromkeys(permissions, False))
    return stage.guild.create_text_channel("hall", overwrites={stage.client.user: denied})


@pytest.mark.slow
async def test_open_seat_is_taken_by_a_click_on_the_list(stage: Stage, host: Any) -> None:
    hall = stage.guild.create_text_channel("hall")
    await choose(stage, host, "channels", [stage.channel])
    await choose(stage, host, "hall", [hall])
    await play(stage.ada, stage.channel)
    await settle(stage)
    (posted_list,) = hall.history()
    assert "Wormholes #1" in words(posted_list)
    assert "Looking for players; expires <t:" in words(posted_list)
    await stage.click(stage.bo, posted_list, "accept:1")
    assert (await stage.client.context.queries.match(MatchId(1))).status == "running"
    await settle(stage)
    (posted_list,) = hall.history()
    assert ids(posted_list) == ["seek"]
    assert "Turn: " in words(posted_list)


@pytest.mark.slow
async def test_matches_may_start_in_the_hall_as_well(stage: Stage, host: Any) -> None:
    hall, other = (stage.guild.create_text_channel(name) for name in ("hall", "other"))
    await choose(stage, host, "channels", [stage.channel])
    await choose(stage, host, "hall", [hall])
    assert "matches start in" in words((await play(stage.ada, other)).response)
    await play(stage.ada, hall)
    assert (await stage.client.context.queries.match(MatchId(1))).channel_id == hall.id


async def test_hall_without_permissions_is_refused(stage: Stage, host: Any) -> None:
    hall = forbid(stage, "send_messages", "read_message_history")
    answer = await choose(stage, host, "hall", [hall])
    assert f"<#{hall.id}> can't be the hall yet" in answer
    assert "Send Messages, Read Message History" in answer
    assert "hall" not in (await Servers(stage.database).settings(stage.guild.id)).stored


async def test_role_that_cannot_be_mentioned_is_refused(stage: Stage, host: Any) -> None:
    guild: Any = stage.client.get_guild(stage.guild.id)
    del guild.me._roles[:]  # the bot has only the permissions of all members
    role = stage.guild.create_role("Pilots")
    answer = await choose(stage, host, "hall_role", [role])
    assert f"I can't ping <@&{role.id}>" in answer
    called = stage.guild.create_role("Players", mentionable=True)
    await choose(stage, host, "hall_role", [called])
    assert hall_role_of(await Servers(stage.database).settings(stage.guild.id)) == called.id


async def test_role_that_the_host_cannot_mention_is_refused(stage: Stage, host: Any) -> None:
    role = stage.guild.create_role("Pilots")
    answer = await choose(stage, host, "hall_role", [role])
    assert f"You can't mention <@&{role.id}> yourself" in answer
    assert not hall_role_of(await Servers(stage.database).settings(stage.guild.id))
    backend = stage.env.backend
    (role_id,) = backend.guilds[stage.guild.id].members[host.id].role_ids
    mentions = discord.Permissions(manage_guild=True, mention_everyone=True)
    backend.edit_role(stage.guild.id, role_id, {"permissions": mentions.value})
    await choose(stage, host, "hall_role", [role])
    assert hall_role_of(await Servers(stage.database).settings(stage.guild.id)) == role.id


@pytest.mark.parametrize("name", ["hall", "daily"])
async def test_channel_where_the_host_cannot_write_is_refused(
    stage: Stage, host: Any, name: str
) -> None:
    closed = discord.PermissionOverwrite(send_messages=False)
    channel = stage.guild.create_text_channel("staff", overwrites={host: closed})
    answer = await choose(stage, host, name, [channel])
    assert f"You can't write in <#{channel.id}> yourself" in answer
    settings = await Servers(stage.database).settings(stage.guild.id)
    assert name not in settings.stored
    assert "You can't write" not in await choose(stage, host, name, [stage.channel])


@pytest.mark.slow
async def test_doctor_names_what_the_hall_lacks(stage: Stage, host: Any) -> None:
    assert "hall" not in await doctor(stage, host)
    hall = forbid(stage, "view_channel")
    await Servers(stage.database).choose(stage.guild.id, hall=hall.id)
    assert "#hall: there is no list in the hall; I need View Channel." in await doctor(stage, host)
    await Servers(stage.database).choose(stage.guild.id, hall=stage.channel.id, hall_role=5)
    assert "The role that I ping in the hall was deleted." in await doctor(stage, host)
    await Servers(stage.database).choose(stage.guild.id, hall_role=0)
    assert "#games: the hall works." in await doctor(stage, host)
    await Servers(stage.database).choose(stage.guild.id, hall=5)
    assert "The hall was deleted" in await doctor(stage, host)


def give_tags(stage: Stage, forum: Any, names: list[str]) -> None:
    plain = {"moderated": False, "emoji_id": None, "emoji_name": None}
    tags = [{"id": str(number), "name": name} | plain for number, name in enumerate(names, 1)]
    stage.env.backend.edit_channel(forum.id, {"available_tags": tags})


async def test_doctor_says_that_a_forum_is_full_of_tags(stage: Stage, host: Any) -> None:
    stage.leave_threads_as_they_are()
    forum = stage.guild.create_forum_channel("matches")
    give_tags(stage, forum, [*map(str, range(MAX_TAGS - 1)), "Warp 6"])
    await choose(stage, host, "hall", [forum])
    full = "delete some tags (a forum can have 20) and add “Wormholes”"
    assert full in await doctor(stage, host)


async def test_doctor_names_the_tags_that_a_forum_lacks(stage: Stage, host: Any) -> None:
    stage.leave_threads_as_they_are()
    forum = stage.guild.create_forum_channel("matches")
    give_tags(stage, forum, ["WARP 6", "finished"])
    await choose(stage, host, "hall", [forum])
    report = await doctor(stage, host)
    assert "for tags on the posts of matches, add “Wormholes”, “Tom Tube” and “Open seat”" in report


@pytest.mark.slow
async def test_match_is_played_in_its_post(stage: Stage, host: Any) -> None:
    stage.leave_threads_as_they_are()
    forum = stage.guild.create_forum_channel("matches")
    await choose(stage, host, "hall", [forum])
    await choose(stage, host, "threads", ["on"])
    match_id = await stage.begin()
    *_, post = sorted(forum.threads, key=lambda thread: thread.id)
    match = await stage.client.context.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (post.id, stage.channel.id)
    assert any(custom_id.startswith("hand:") for custom_id in ids(stage.last(post)))
    assert f"the match has started in <#{post.id}>" in words(stage.last())
    await settle(stage)
    card = post.history()[0]
    assert "Turn: " in words(card)
    assert len(forum.threads) == 2  # its own, and the list


@pytest.mark.slow
async def test_hidden_channel_is_in_no_hall_and_no_log(
    stage: Stage, host: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The hall never names a match, or a player of one, in a channel that some cannot see."""
    hall = stage.guild.create_text_channel("hall")
    await choose(stage, host, "hall", [hall])
    everyone = stage.guild.default_role
    secret = stage.guild.create_text_channel(
        "secret",
        overwrites={
            everyone: discord.PermissionOverwrite(view_channel=False),
            **{
                member: discord.PermissionOverwrite(view_channel=True)
                for member in (stage.ada, stage.bo, stage.client.user)
            },
        },
    )
    await settle(stage)
    before = len(stage.env.http_requests)
    with caplog.at_level(logging.INFO):
        await stage.begin(secret)
        await play(stage.ada, secret)
        await settle(stage)
    bodies = [
        str(request.json)
        for request in stage.env.http_requests[before:]
        if str(hall.id) in request.path
    ]
    assert bodies
    assert not any(name in text for text in bodies for name in ("Ada", "Bo", "#1", "#2"))
    assert not any(str(hall.id) in message for message in caplog.messages)


@pytest.mark.slow
async def test_match_in_a_private_thread_is_in_no_hall(stage: Stage, host: Any) -> None:
    hall = stage.guild.create_text_channel("hall")
    await choose(stage, host, "hall", [hall])
    channel: Any = stage.client.get_channel(stage.channel.id)
    kind = discord.ChannelType.private_thread
    secret = await channel.create_thread(name="A secret place", type=kind)
    for user in (stage.ada, stage.bo):
        await secret.add_user(discord.Object(user.id))
    await stage.env.settle()
    (thread,) = stage.channel.threads
    await stage.begin(thread)
    await stage.begin()
    await settle(stage)
    (posted_list,) = hall.history()
    assert "#2" in words(posted_list)
    assert "#1" not in words(posted_list)


@pytest.mark.slow
async def test_other_permissions_update_the_list(stage: Stage, host: Any) -> None:
    hall = stage.guild.create_text_channel("hall")
    await choose(stage, host, "hall", [hall])
    await stage.begin()
    await settle(stage)
    guild = SimpleNamespace(id=stage.guild.id)
    closed: Any = SimpleNamespace(guild=guild, overwrites={1: 2}, permissions=1)
    opened: Any = SimpleNamespace(guild=guild, overwrites={}, permissions=2)
    for event in ("guild_channel_update", "guild_role_update"):
        for before, count in ((opened, 0), (closed, 1)):
            await settle(stage)
            requests = len(stage.env.http_requests)
            running = asyncio.all_tasks()
            stage.client.dispatch(event, before, opened)
            await asyncio.gather(*(asyncio.all_tasks() - running))
            await settle(stage)
            edits = [request.method for request in stage.env.http_requests[requests:]]
            assert edits.count("PATCH") == count
