"""Every setting of a channel or a forum works, or is named with what to change."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.interactions import channel_checks as checks
from bot.interactions.permissions import (
    PLAY_PERMISSIONS,
    THREAD_PERMISSIONS,
)
from tests.support.guilds import EVERYTHING, channel, me, without


def problems(place: Any) -> list[str]:
    return list(checks.place_problems(place, me()))


TEXT_SETTINGS: dict[str, dict[str, Any]] = {
    "slow mode": {"slowmode_delay": 21_600},
    "age-restricted": {"nsfw": True},
    "announcements": {"type": discord.ChannelType.news},
    "shortest default of auto-archiving": {"default_auto_archive_duration": 60},
    "slow threads": {"default_thread_slowmode_delay": 21_600},
}


@pytest.mark.parametrize("setting", TEXT_SETTINGS)
def test_settings_of_a_text_channel_prevent_nothing(setting: str) -> None:
    """Discord lets bots post in spite of them; threads ask for an archiving of their own."""
    place = channel(**TEXT_SETTINGS[setting])
    assert problems(place) == []
    assert checks.thread_problem(place, me()) == ""


@pytest.mark.parametrize(("name", "words"), PLAY_PERMISSIONS.items())
def test_each_missing_permission_is_named(name: str, words: str) -> None:
    (problem,) = problems(channel(bot=without(name)))
    assert problem == f"#games: matches can't be played here; I need {words}."


def test_hidden_channel_names_only_that() -> None:
    (problem,) = problems(channel(bot=discord.Permissions.none()))
    assert problem.endswith("I need View Channel.")


@pytest.mark.parametrize(("name", "words"), THREAD_PERMISSIONS.items())
def test_each_missing_permission_for_threads_is_named(name: str, words: str) -> None:
    place = channel(bot=without(name))
    assert problems(place) == []
    assert checks.thread_problem(place, me()).endswith(f"for threads I need {words}.")


@pytest.mark.parametrize("kind", [discord.VoiceChannel, discord.StageChannel])
def test_text_of_a_voice_channel_needs_to_connect(kind: type[Any]) -> None:
    (problem,) = problems(channel(kind, bot=without("connect")))
    assert problem.endswith("I need Connect.")
    assert problems(channel(kind)) == []
    assert "threads are for text channels" in checks.thread_problem(channel(kind), me())
    assert problems(channel(bot=without("connect"))) == []


@pytest.mark.parametrize("kind", [discord.ForumChannel, discord.Thread])
def test_posts_need_other_permissions_than_channels(kind: type[Any]) -> None:
    place = channel(kind, bot=without("send_messages"), locked=False)
    assert problems(place) == []
    place = channel(kind, bot=without("send_messages_in_threads"), locked=False)
    assert problems(place)[0].endswith("I need Send Messages in Threads.")


@pytest.mark.parametrize(
    ("locked", "permissions", "is_named"),
    [
        (True, without("manage_threads"), True),
        (True, EVERYTHING, False),
        (False, without("manage_threads"), False),
    ],
)
def test_locked_thread_is_named_unless_the_bot_may_write(
    locked: bool, permissions: discord.Permissions, is_named: bool
) -> None:
    place = channel(discord.Thread, bot=permissions, locked=locked, parent=channel())
    faults = problems(place)
    assert bool(faults) == is_named
    assert all("unlock it, or give me Manage Threads and Posts" in fault for fault in faults)


@pytest.mark.parametrize(
    ("members", "is_named"),
    [
        (without("use_application_commands"), True),
        (without("use_application_commands", "view_channel"), False),
        (EVERYTHING, False),
    ],
)
def test_channel_without_commands_is_named(members: discord.Permissions, is_named: bool) -> None:
    for place in (
        channel(members=members),
        channel(discord.Thread, locked=False, parent=channel(members=members)),
    ):
        faults = problems(place)
        assert bool(faults) == is_named
        assert all("allow Use Application Commands" in fault for fault in faults)
