"""*Check this server* and `starpost doctor` name each permission that is missing, and where."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.app.doctor import diagnose_remotely
from bot.app.invite import PERMISSIONS
from bot.app.run import diagnose_server
from bot.app.settings import SettingsError
from bot.domain.ids import GuildId
from bot.features.servers.diagnosis import GuildSetup, diagnose
from bot.features.servers.views import Diagnosis
from bot.interactions.permissions import PLAY_PERMISSIONS, THREAD_PERMISSIONS
from bot.services.servers import Servers
from tests.support.command import TOKEN, run
from tests.support.fake_discord import FakeDiscord
from tests.support.harness import Stage, words
from tests.support.server_panel import check_server


def forbid(stage: Stage, name: str, *permissions: str) -> Any:
    """A channel in which the bot may not do this."""
    denied = discord.PermissionOverwrite(**dict.fromkeys(permissions, False))
    return stage.guild.create_text_channel(name, overwrites={stage.client.user: denied})


async def ask(stage: Stage, host: Any, channel: Any = None) -> list[str]:
    answer = await check_server(stage, host, channel)
    assert answer.response.ephemeral
    heading, *lines, one_channel = words(answer.response).splitlines()
    assert "My setup on this server" in heading
    assert one_channel == "Check only one channel …"
    return [line.replace("\\", "") for line in lines]


async def test_who_no_longer_manages_the_server_checks_nothing(stage: Stage, host: Any) -> None:
    panel = await host.slash(stage.channel, "server")
    checked = await stage.click(host, panel.response, "doctor")
    stage.env.backend.guilds[stage.guild.id].members[host.id].role_ids.clear()
    answer = await stage.click(host, panel.response, "doctor")
    assert "Only members who can manage" in words(answer.response)
    one = await host.select(checked.response, [stage.channel], custom_id="doctor")
    assert "Only members who can manage" in words(one.response)


async def test_where_nothing_is_wrong_it_says_so(stage: Stage, host: Any) -> None:
    assert await ask(stage, host) == ["All commands are registered.", "#games: everything works."]


async def test_it_names_what_is_missing_and_where(stage: Stage, host: Any) -> None:
    await Servers(stage.database).choose(stage.guild.id, threads="on")
    forbid(stage, "quiet", "attach_files", "read_message_history")
    forbid(stage, "flat", "create_public_threads")
    lines = await ask(stage, host)
    assert (
        "#quiet: matches can't be played here; I need Attach Files, Read Message History." in lines
    )
    flat = "#flat: matches stay in the channel; for threads I need Create Public Threads."
    assert flat in lines
    assert "#games: everything works." in lines


async def test_threads_that_no_server_wants_are_not_missed(stage: Stage, host: Any) -> None:
    forbid(stage, "flat", "create_public_threads")
    assert "#flat: everything works." in await ask(stage, host)


async def test_only_the_chosen_channels_are_looked_at(stage: Stage, host: Any) -> None:
    arena = stage.guild.create_text_channel("arena")
    await Servers(stage.database).choose(stage.guild.id, channels=[arena.id])
    assert await ask(stage, host) == ["All commands are registered.", "#arena: everything works."]
    lines = await ask(stage, host, channel=stage.channel)
    assert lines == ["All commands are registered.", "#games: everything works."]


async def test_a_choice_of_channels_that_are_gone_is_noticed(stage: Stage, host: Any) -> None:
    await Servers(stage.database).choose(stage.guild.id, channels=[10**18])
    assert (await ask(stage, host))[1] == "There is no channel where matches may start."


async def test_a_large_server_is_described_in_part(stage: Stage, host: Any) -> None:
    for number in range(40):
        forbid(stage, f"channel-{number}", *PLAY_PERMISSIONS)
    lines = await ask(stage, host)
    assert len(lines) == 1 + 25 + 1
    assert lines[-1].startswith("16 more channels")


async def test_commands_that_discord_does_not_have_are_named(stage: Stage, host: Any) -> None:
    payload: Any = stage.client.tree.get_command("replay")
    stage.client.tree.remove_command("replay")
    await stage.client.tree.sync()
    stage.client.tree.add_command(payload)
    assert "These commands are not registered with Discord: /replay." in await ask(stage, host)


async def test_from_outside_it_sees_the_same(stage: Stage) -> None:
    forbid(stage, "quiet", "view_channel")
    diagnosis = await diagnose_remotely(stage.client, stage.guild.id, None)
    assert "#quiet: matches can't be played here; I need View Channel." in diagnosis.lines
    assert "#games: everything works." in diagnosis.lines
    assert not diagnosis.healthy
    diagnosis = await diagnose_remotely(stage.client, stage.guild.id, stage.channel.id)
    assert diagnosis == Diagnosis(
        ["All commands are registered.", "#games: everything works."], True
    )


@pytest.mark.parametrize(("status", "words"), [(403, "403"), (429, "Too many requests")])
async def test_refused_login_is_one_line(
    fake_discord: FakeDiscord, status: int, words: str
) -> None:
    fake_discord.login_refusals = [status]
    async with asyncio.timeout(30):  # the 429 lasts an hour
        with pytest.raises(SettingsError, match=f"cannot be reached: {words}"):
            await diagnose_server("token", GuildId(5), None)


async def test_a_server_without_the_bot_is_one_line(stage: Stage) -> None:
    diagnosis = await diagnose_remotely(stage.client, GuildId(10**18), None)
    assert diagnosis == Diagnosis(
        ["I'm not on this server; `starpost invite` prints the invitation link."], False
    )


def test_before_the_first_start_there_are_no_commands() -> None:
    guild = SimpleNamespace(threads=[])
    me: Any = SimpleNamespace(guild=guild, is_timed_out=lambda: False)
    assert (
        diagnose(GuildSetup(me, [], (), ()))
        .lines[0]
        .startswith("No commands are registered with Discord")
    )


def test_it_looks_for_all_that_the_invitation_asks_for() -> None:
    assert set(PLAY_PERMISSIONS) | set(THREAD_PERMISSIONS) == set(PERMISSIONS)


def test_the_command_without_a_token_is_one_line(tmp_path: Path) -> None:
    result = run(tmp_path, "doctor", "5")
    assert result.returncode == 78
    assert result.stderr.count("\n") == 1
    assert TOKEN not in result.stderr
