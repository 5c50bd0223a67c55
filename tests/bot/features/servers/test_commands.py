"""Options of a server, and their effects on `/play`."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, MatchId
from bot.services.servers import ServerSettings
from tests.support.harness import Stage, ids, play, walk, words
from tests.support.limits import check_limits, components
from tests.support.matches import ListingQueries
from tests.support.server_panel import check_server, server_panel


async def choose(stage: Stage, host: Any, name: str, values: list[Any]) -> None:
    panel = await host.slash(stage.channel, "server")
    assert panel.ephemeral
    result = await host.select(panel.response, values, custom_id=f"server:{name}")
    assert result.acknowledged


async def refused(stage: Stage, actor: Any, channel: Any = None, **options: Any) -> str:
    """Why `/play` does not work; nothing may have changed."""
    answer = await play(actor, channel or stage.channel, **options)
    assert answer.ephemeral
    assert not await ListingQueries(stage.database).list_for(actor.id, "challenge")
    return words(answer.response)


async def test_only_who_manages_the_server_sees_the_command(stage: Stage, host: Any) -> None:
    assert "server" in host.available_commands(stage.channel)
    assert "server" not in stage.ada.available_commands(stage.channel)


async def test_who_may_not_manage_the_server_any_more_changes_nothing(
    stage: Stage, host: Any
) -> None:
    panel = await host.slash(stage.channel, "server")
    stage.env.backend.guilds[stage.guild.id].members[host.id].role_ids.clear()
    answer = await host.select(panel.response, ["off"], custom_id="server:threads")
    assert "Only members who can manage" in words(answer.response)


def test_clock_that_is_no_longer_offered_is_not_selected() -> None:
    parts = walk(components(server_panel(ServerSettings(clock="9d"))))
    clocks = next(part for part in parts if part.get("custom_id") == "server:clock")
    assert not any(option.get("default") for option in clocks["options"])


@pytest.mark.slow
async def test_matches_begin_only_in_chosen_channels_and_their_threads(
    stage: Stage, host: Any
) -> None:
    other = stage.guild.create_text_channel("arena")
    await choose(stage, host, "channels", [other])
    refusal = await refused(stage, stage.ada, opponent=stage.bo)
    assert f"start in <#{other.id}>" in refusal
    arena: Any = stage.client.get_channel(other.id)
    await arena.create_thread(name="inside", type=discord.ChannelType.public_thread)
    (thread,) = other.threads
    await play(stage.ada, thread, opponent=stage.bo)
    assert (await stage.client.context.queries.match(MatchId(1))).channel_id == thread.id
    await choose(stage, host, "channels", [])
    await stage.begin()


@pytest.mark.slow
async def test_only_members_of_the_chosen_role_play(stage: Stage, host: Any) -> None:
    role = stage.guild.create_role("Pilots")
    cora = stage.guild.add_member(stage.env.create_user("cora", global_name="Cora"), roles=[role])
    dan = stage.guild.add_member(stage.env.create_user("dan", global_name="Dan"), roles=[role])
    await choose(stage, host, "role", [role])
    assert f"<@&{role.id}>" in await refused(stage, stage.ada, opponent=cora)
    refusal = await refused(stage, cora, opponent=stage.bo)
    assert f"<@{stage.bo.id}> would need it" in refusal
    await play(cora, stage.channel)
    too_late = await stage.click(stage.bo, stage.last(), "accept:")
    assert "would need it" in words(too_late.response)
    await stage.click(dan, stage.last(), "accept:")
    assert (await stage.client.context.queries.match(MatchId(1))).status == "running"


@pytest.mark.slow
async def test_the_servers_clock_is_for_those_who_choose_none(stage: Stage, host: Any) -> None:
    await choose(stage, host, "clock", ["3 days per turn"])
    await stage.challenge(clock=None)
    await stage.challenge(clock="no clock")
    assert (await stage.client.context.queries.match(MatchId(1))).clock == "3d"
    assert (await stage.client.context.queries.match(MatchId(2))).clock == ""


async def test_threads_are_a_choice_and_the_panel_shows_it(stage: Stage, host: Any) -> None:
    assert not (await stage.client.context.servers.settings(stage.guild.id)).threads
    await choose(stage, host, "threads", ["on"])
    assert (await stage.client.context.servers.settings(stage.guild.id)).threads
    panel = await host.slash(stage.channel, "server")
    names = {*ServerSettings._fields, "hall", "hall_role", "daily"} - {"stored"}
    assert {f"server:{name}" for name in names} | {"ranks", "doctor"} == set(ids(panel.response))


def test_the_panel_keeps_to_the_limits() -> None:
    many = tuple(map(ChannelId, range(10**18, 10**18 + 25)))
    for settings in (ServerSettings(), ServerSettings(many, 10**18, "7d+1d", threads=False)):
        check_limits(server_panel(settings))


async def test_settings_name_what_does_not_work(stage: Stage, host: Any) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    stage.guild.create_text_channel("quiet", overwrites={stage.client.user: denied})
    panel = await host.slash(stage.channel, "server")
    assert "matches can't be played here; I need Send Messages" in words(panel.response)
    reply = await host.select(panel.response, [stage.channel], custom_id="server:channels")
    assert "This doesn't work yet" not in words(reply.response)


@pytest.mark.parametrize("kind", ["voice", "stage", "forum", "news"])
async def test_doctor_checks_a_channel_of_any_kind(stage: Stage, host: Any, kind: str) -> None:
    create = f"create_{kind}_channel"
    channel = getattr(stage.guild, create)("lounge")
    answer = await check_server(stage, host, channel)
    assert "lounge" in words(answer.response)
    assert "everything works" in words(answer.response) or "matches stay" in words(answer.response)


async def test_doctor_refuses_a_category(stage: Stage, host: Any) -> None:
    category = stage.guild.create_category("Rooms")
    answer = await check_server(stage, host, category)
    assert "choose one of its channels" in words(answer.response)


async def test_doctor_names_a_message_that_was_refused(stage: Stage, host: Any) -> None:
    path = f"/channels/{stage.channel.id}/messages"
    stage.env.inject_error("POST", path, status=400, code=200000, times=None)
    await play(stage.ada, stage.channel, opponent=stage.bo)
    await stage.env.settle()
    answer = await check_server(stage, host)
    assert "AutoMod blocked a message of mine in \\#games" in words(answer.response)
    panel = await host.slash(stage.channel, "server")
    assert "AutoMod blocked a message" in words(panel.response)
