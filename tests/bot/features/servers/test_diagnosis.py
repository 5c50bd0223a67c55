"""The problems of a whole server, and the settings that name channels and roles."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import discord
import pytest

from bot.domain.ids import ChannelId
from bot.features.servers import views as servers
from bot.features.servers.diagnosis import MAX_ACTIVE_THREADS, GuildSetup, diagnose
from bot.features.servers.views import MAX_PROBLEMS, Diagnosis
from bot.interactions.server_options import Finding
from bot.outbox.refusals import Refusal
from bot.services.servers import ServerSettings
from tests.support.harness import walk
from tests.support.limits import check_limits, components

CHANNEL, ROLE, GONE = ChannelId(5), 7, ChannelId(9)

ALL_WORKS = "#games: everything works."


def channel(kind: type[Any] = discord.TextChannel, *denied: str) -> Any:
    allowed = discord.Permissions.all()
    allowed.update(**dict.fromkeys(denied, False))
    place = Mock(spec=kind, id=CHANNEL)
    place.name, place.guild = "games", Mock(spec=discord.Guild)
    place.permissions_for.side_effect = lambda target: (
        allowed if isinstance(target, discord.Member) else discord.Permissions.all()
    )
    return place


def diagnosis(*places: Any, active: int = 0, timed_out: bool = False, **fields: Any) -> Diagnosis:
    """Return the diagnosis of a server with a channel and a role."""
    channels = places or (channel(),)
    guild = Mock(spec=discord.Guild, threads=[None] * active)
    by_id = {place.id: place for place in channels}
    guild.get_channel.side_effect = by_id.get
    guild.get_channel_or_thread.side_effect = by_id.get
    guild.get_role.side_effect = {ROLE: Mock(spec=discord.Role, mentionable=True)}.get
    me = Mock(spec=discord.Member, guild=guild)
    me.is_timed_out.return_value = timed_out
    return diagnose(GuildSetup(me, channels, (), None, **fields))


def test_server_without_problems_is_healthy() -> None:
    assert diagnosis() == Diagnosis([ALL_WORKS], healthy=True)


def test_timed_out_bot_says_so() -> None:
    report = diagnosis(timed_out=True)
    assert "I'm timed out" in report.problems[0]
    assert not report.healthy


@pytest.mark.parametrize(
    ("count", "full"), [(MAX_ACTIVE_THREADS - 1, False), (MAX_ACTIVE_THREADS, True)]
)
def test_server_full_of_threads_is_named(count: int, full: bool) -> None:
    report = diagnosis(active=count)
    assert any(f"{count} active threads" in problem for problem in report.problems) == full
    assert report.healthy


@pytest.mark.parametrize("code", [200000, 200001, 240000])
def test_refusal_by_automod_names_its_settings(code: int) -> None:
    (problem,) = diagnosis(refusal=Refusal(CHANNEL, code, 0.0)).problems
    assert "AutoMod blocked a message of mine in #games" in problem
    assert "let its rules ignore my role" in problem


def test_other_refusal_names_its_code_and_channel() -> None:
    (problem,) = diagnosis(refusal=Refusal(CHANNEL, 50035, 0.0)).problems
    assert "in #games (code 50035); please tell my host" in problem
    (problem,) = diagnosis(refusal=Refusal(GONE, 50035, 0.0)).problems
    assert "a channel that I can't see" in problem


def test_deleted_channels_and_roles_of_settings_are_named() -> None:
    report = diagnosis(settings=ServerSettings(channels=(CHANNEL, GONE), role=GONE))
    deleted, role = report.problems
    assert deleted.startswith("1 of the channels where matches may start was deleted")
    assert "no one can; choose another one with `/server`" in role
    assert not report.healthy
    assert diagnosis(settings=ServerSettings(channels=(CHANNEL,), role=ROLE)).healthy


@pytest.mark.parametrize(
    ("kind", "denied", "threads", "problems", "healthy"),
    [
        (discord.TextChannel, (), True, 0, True),
        (discord.TextChannel, ("create_public_threads",), True, 1, True),
        (discord.TextChannel, ("create_public_threads",), False, 0, True),
        (discord.TextChannel, ("send_messages",), True, 1, False),
        (discord.VoiceChannel, (), True, 0, True),
    ],
)
def test_problems_are_those_lines_that_can_be_mended(
    kind: type[Any], denied: tuple[str, ...], threads: bool, problems: int, healthy: bool
) -> None:
    report = diagnosis(channel(kind, *denied), threads=threads)
    assert len(report.lines) == 1
    assert (len(report.problems), report.healthy) == (problems, healthy)


def test_findings_of_features_are_named() -> None:
    findings = [Finding("One works.", problem=False), Finding("One fails.")]
    report = diagnosis(findings=findings)
    assert report.lines == [ALL_WORKS, "One works.", "One fails."]
    assert report.problems == ("One fails.",)
    assert report.healthy
    assert not diagnosis(findings=[Finding("None can play.", fatal=True)]).healthy


@pytest.mark.parametrize("count", [0, 1, MAX_PROBLEMS, MAX_PROBLEMS + 1, MAX_PROBLEMS + 40])
def test_settings_show_the_first_problems(count: int) -> None:
    problems = [f"Problem *{number}*" + "x" * 300 for number in range(count)]
    message = servers.server((), (), problems)
    check_limits(message)
    text = "\n".join(component.get("content", "") for component in walk(components(message)))
    assert ("This doesn't work yet" in text) == bool(count)
    assert text.count("Problem \\*") == min(count, MAX_PROBLEMS)
    assert ("*Check this server* shows" in text) == (count > MAX_PROBLEMS)
    if count > MAX_PROBLEMS:
        assert f"- {count - MAX_PROBLEMS} more" in text
