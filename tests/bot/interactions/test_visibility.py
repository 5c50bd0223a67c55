"""A match can be looked at by those who play in it, and by those who see its channel."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.enums import ChannelType

from bot.domain.ids import MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from tests.support.harness import Stage, words

NO_MATCH = "There's no such match."

COMMANDS = "board replay verify do draw takeback resign coins move-here".split()
"""Commands that name a match."""

PRESSED = (
    "overlay:{match}",
    "since:{match}",
    "text:{match}:0",
    "menu:{match}",
    "hand:{match}",
    "replay:{match}:0",
    "film:{match}",
    "part:{match}:1:",
    "form:{match}:1:setup",
    "filled:{match}:1:setup",
    "accept:{match}",
    "decline:{match}",
    "resign:{match}",
    "resign:{match}:1",
    "draw:{match}:1",
    "rematch:{match}",
    "claim:{match}:O",
    "agree:{match}:1",
    "snooze:{match}",
    "standin:{match}:O",
    "back:{match}",
    "hint:{match}",
    "computer:{match}",
    "more:{match}",
    "dice:{match}",
    "act:{match}:1:first place",
)
"""Components that name a match."""


def forbidden(stage: Stage, *people: Any) -> dict[Any, discord.PermissionOverwrite]:
    """Overwrites that hide a channel from everyone but these members and the bot."""
    visible = discord.PermissionOverwrite(view_channel=True)
    hidden = discord.PermissionOverwrite(view_channel=False)
    overwrites = {stage.guild.default_role: hidden, stage.client.user: visible}
    return {**overwrites, **dict.fromkeys(people, visible)}


@pytest.fixture
async def secret(stage: Stage) -> int:
    """The number of a match in a channel that Eve cannot see."""
    room = stage.guild.create_text_channel(
        "secret", overwrites=forbidden(stage, stage.ada, stage.bo)
    )
    stage.where = room
    match_id = await stage.begin(room)
    await stage.env.settle()
    return match_id


async def hide(stage: Stage, channel: Any) -> None:
    """Let no member see a channel any more."""
    cached: Any = stage.client.get_channel(channel.id)
    visible = discord.PermissionOverwrite(view_channel=True, manage_channels=True)
    hidden = discord.PermissionOverwrite(view_channel=False)
    await cached.edit(overwrites={cached.guild.default_role: hidden, cached.guild.me: visible})
    await stage.env.settle()


async def finish(stage: Stage, match_id: MatchId) -> None:
    """End a match."""
    confirmation = await stage.ada.slash(stage.where, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")


async def forge(stage: Stage, actor: Any, custom_id: str) -> Any:
    """Click a button that no message has: gives the answer's words."""
    settings = await actor.slash(stage.channel, "settings")
    stored_message = stage.env.backend.get_message(stage.channel.id, settings.response.id)
    stored_message.components = [
        {"type": 1, "components": [{"type": 2, "style": 2, "label": "x", "custom_id": custom_id}]}
    ]
    stored_message.flags &= ~(1 << 15)
    result = await actor.click(settings.response, custom_id=custom_id)
    return words(result.response) if result.response else ""


@pytest.mark.slow
async def test_command_on_a_hidden_match_finds_none(stage: Stage, secret: int) -> None:
    for over in (False, True):
        for name in COMMANDS:
            answer = await stage.eve.slash(stage.channel, name, match=secret)
            assert words(answer.response) == NO_MATCH, (name, over)
        if not over:
            await finish(stage, MatchId(secret))


@pytest.mark.slow
async def test_click_on_a_hidden_match_answers_as_if_none(stage: Stage, secret: int) -> None:
    for custom_id in PRESSED:
        answers = [
            await forge(stage, stage.eve, custom_id.format(match=match_id))
            for match_id in (secret, 999)
        ]
        assert answers[0] == answers[1], custom_id
        assert answers[0] in (NO_MATCH, "You're not playing in this match."), custom_id


@pytest.mark.slow
async def test_action_list_of_a_hidden_match_is_empty(stage: Stage, secret: int) -> None:
    assert not await stage.eve.autocomplete(stage.channel, "do", "action", "", match=secret)
    actor = await stage.deciding(MatchId(secret))
    assert await actor.autocomplete(stage.channel, "do", "action", "", match=secret)


@pytest.mark.slow
async def test_players_see_their_match_from_anywhere(stage: Stage, secret: int) -> None:
    await finish(stage, MatchId(secret))
    await hide(stage, stage.where)
    other = stage.guild.create_text_channel("other")
    for name in ("board", "replay", "verify"):
        answer = await stage.bo.slash(other, name, match=secret)
        assert NO_MATCH not in words(answer.response)


@pytest.mark.slow
async def test_member_who_sees_the_channel_sees_the_match(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("other")
    for where in (stage.channel, other):
        answer = await stage.eve.slash(where, "board", match=match_id)
        assert [a.filename for a in answer.response.attachments] == ["board.png"]


@pytest.mark.slow
async def test_permission_taken_away_hides_the_match(stage: Stage) -> None:
    match_id = await stage.begin()
    other = stage.guild.create_text_channel("other")
    await hide(stage, stage.channel)
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert words(answer.response) == NO_MATCH


async def thread_match(stage: Stage, kind: int) -> tuple[Any, int]:
    """A thread of this kind in the channel, without Eve, and a match of Ada's in it."""
    thread = stage.env.backend.create_thread(
        stage.channel.id, "table", stage.ada.id, type=kind, broadcast=True
    )
    await stage.env.settle()
    terms = Terms(game="wormholes", guild_id=stage.guild.id, channel_id=thread.id)
    players = [Player(stage.ada.id, "Ada"), OPEN_SEAT]
    outcome = await stage.client.context.challenges.challenge(7, terms, players)
    await stage.client.context.challenges.accept(8, outcome.match_id, stage.bo.id, "Bo")
    return thread, outcome.match_id


@pytest.mark.slow
async def test_match_in_a_public_thread_follows_its_channel(stage: Stage) -> None:
    _, match_id = await thread_match(stage, ChannelType.PUBLIC_THREAD)
    other = stage.guild.create_text_channel("other")
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert [a.filename for a in answer.response.attachments] == ["board.png"]


async def test_match_in_an_archived_thread_stays_visible(stage: Stage) -> None:
    thread, match_id = await thread_match(stage, ChannelType.PUBLIC_THREAD)
    guild: Any = stage.client.get_guild(stage.guild.id)
    guild._remove_thread(guild.get_thread(thread.id))  # as discord.py does when it is archived
    other = stage.guild.create_text_channel("other")
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert [a.filename for a in answer.response.attachments] == ["board.png"]


async def test_match_in_a_thread_of_a_hidden_channel_is_not_shown(stage: Stage) -> None:
    _, match_id = await thread_match(stage, ChannelType.PUBLIC_THREAD)
    other = stage.guild.create_text_channel("other")
    guild: Any = stage.client.get_guild(stage.guild.id)
    guild._remove_channel(stage.channel)  # as if the bot had lost *View Channel*
    stage.env.inject_error("GET", f"/channels/{stage.channel.id}", status=403, code=50001)
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert words(answer.response) == NO_MATCH


@pytest.mark.slow
async def test_match_in_a_private_thread_is_for_its_members(stage: Stage) -> None:
    thread, match_id = await thread_match(stage, ChannelType.PRIVATE_THREAD)
    other = stage.guild.create_text_channel("other")
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert words(answer.response) == NO_MATCH
    thread.thread_members[stage.eve.id] = stage.env.backend.now_iso()
    answer = await stage.eve.slash(other, "board", match=match_id)
    assert [a.filename for a in answer.response.attachments] == ["board.png"]


@pytest.mark.slow
async def test_match_in_a_private_thread_is_for_moderators(stage: Stage) -> None:
    _, match_id = await thread_match(stage, ChannelType.PRIVATE_THREAD)
    role = stage.guild.create_role("Mod", permissions=discord.Permissions(manage_threads=True))
    mod = stage.guild.add_member(stage.env.create_user("mod"), roles=[role])
    other = stage.guild.create_text_channel("other")
    answer = await mod.slash(other, "board", match=match_id)
    assert [a.filename for a in answer.response.attachments] == ["board.png"]


@pytest.mark.slow
async def test_match_in_a_deleted_channel_is_for_its_players(stage: Stage, secret: int) -> None:
    stage.env.backend.delete_channel(stage.where.id)
    await stage.env.settle()
    answer = await stage.eve.slash(stage.channel, "board", match=secret)
    assert words(answer.response) == NO_MATCH
    answer = await stage.ada.slash(stage.channel, "board", match=secret)
    assert "board.png" in [a.filename for a in answer.response.attachments]
