"""A match can be looked at by those who play in it, and by those who see its channel."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from simcord.enums import ChannelType

from bot.app.registry import HANDLERS
from bot.domain.ids import MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.interactions.match_option import find
from bot.interactions.private_cards import PrivateCards
from bot.interactions.user_limits import UserLimits
from bot.interactions.visibility import sees_channel
from bot.services.challenges import OPEN_SEAT
from bot.services.match_repository import NoMatchError
from bot.services.preferences import Preferences
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import AgreeId, ClaimId, RematchId, SnoozeId
from tests.support.fake_objects import GUILD
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture
from tests.support.visitors import HIDDEN, INSIDER, OPEN, Server, not_found

NO_MATCH = "There's no such match."

COMMANDS = "board replay do draw takeback resign".split()
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
    "move:{match}",
    "nudge:{match}",
    "verify:{match}",
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
    for name in ("board", "replay"):
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


# Without a connection to Discord

PLAYERS_ONLY = (RematchId, ClaimId, SnoozeId, AgreeId)
"""Clicks that show nothing of a match: their services refuse users who do not play in it."""

REQUIRED: dict[str, Any] = {"turn": 0, "notation": "first", "line": "", "verb": "setup"} | {
    "seat": "B",
    "path": "",
}
"""Values of fields in custom_ids; others are numbers."""


def context_of(env: MatchFixture) -> Any:
    """Return a context with which matches are read, and choices made."""
    preferences = Preferences(env.database)
    return SimpleNamespace(
        **vars(env),
        preferences=preferences,
        limits=UserLimits(),
        cards=PrivateCards(AsyncMock(), AsyncMock()),
        clicks=env.match_store.clicks,
        computers=True,
    )


async def unseen_match(env: MatchFixture) -> MatchId:
    """Return a match of Ada and Bo in a channel that Eve cannot see."""
    terms = Terms(game="warp6", guild_id=GUILD, channel_id=HIDDEN)
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    return challenge.match_id


def clicks_on(match_id: MatchId) -> Iterator[CustomId]:
    """Yield a click of each kind that names a match."""
    for kind in HANDLERS.keys() - set(PLAYERS_ONLY):
        fields = inspect.get_annotations(kind)
        if "match_id" in fields:
            required = [name for name in fields if name not in vars(kind)]
            values = {name: REQUIRED.get(name, 1) for name in required}
            yield kind(**values | {"match_id": match_id})


async def test_every_click_on_a_hidden_match_finds_none(env: MatchFixture) -> None:
    context, server, clicks = context_of(env), Server(), [*clicks_on(await unseen_match(env))]
    assert len(clicks) > 30
    for click in clicks:
        with pytest.raises(NoMatchError):
            await HANDLERS[type(click)](context, server.interaction(EVE), click)


async def test_option_that_names_a_hidden_match_finds_none(env: MatchFixture) -> None:
    match_id, context, server = await unseen_match(env), context_of(env), Server()
    with pytest.raises(NoMatchError):
        await find(context, server.interaction(EVE), match_id)
    for user_id in (ADA, BO, INSIDER):
        assert (await find(context, server.interaction(user_id), match_id)).id == match_id


ROOM, TABLE, LOST = 71, 72, 73
"""Threads: of the hidden channel, a private one of the open channel; a channel that is gone."""


async def test_channel_is_seen_as_discord_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    server, gone = Server(), AsyncMock(side_effect=not_found())
    server.add_thread(ROOM, HIDDEN)
    server.add_thread(TABLE, OPEN, private=True)
    monkeypatch.setattr(discord.Guild, "fetch_channel", gone)
    monkeypatch.setattr(discord.Thread, "fetch_member", gone)
    seen_by: dict[int, set[int]] = {EVE: {OPEN}, INSIDER: {OPEN, HIDDEN, ROOM}}
    for user_id, channel_ids in seen_by.items():
        asked = server.interaction(user_id, OPEN)
        for channel_id in (OPEN, HIDDEN, ROOM, TABLE, LOST):
            located: Any = SimpleNamespace(guild_id=GUILD, channel_id=channel_id)
            assert await sees_channel(asked, located) is (channel_id in channel_ids)
            located.guild_id = None  # in a DM of others
            assert not await sees_channel(asked, located)
    located = SimpleNamespace(guild_id=GUILD, channel_id=TABLE)
    assert await sees_channel(server.interaction(EVE, TABLE), located), "they are in it"
    by_dm = server.interaction(EVE, OPEN, guild=None, guild_id=None)
    assert not await sees_channel(by_dm, SimpleNamespace(guild_id=GUILD, channel_id=OPEN))


async def test_private_thread_of_a_hidden_channel_is_hidden_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = Server()
    server.add_thread(TABLE, HIDDEN, private=True)
    monkeypatch.setattr(discord.Thread, "fetch_member", AsyncMock())  # both are its members
    located: Any = SimpleNamespace(guild_id=GUILD, channel_id=TABLE)
    for user_id in (EVE, INSIDER):
        is_seen = await sees_channel(server.interaction(user_id, OPEN), located)
        assert is_seen is (user_id == INSIDER)
