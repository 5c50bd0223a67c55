"""Requests about posts in forums, against a client that only notes them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.discord_errors import ARCHIVED
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, SentCopy
from bot.features.halls.forums import Forums, NewPost, PostTitle
from bot.outbox.refusals import Refusal
from bot.outbox.transport import Transport
from bot.views.message import note
from tests.support.fake_objects import BOT, GUILD
from tests.support.visitors import Server, not_found

FORUM, POST, FIRST_MESSAGE = ChannelId(6), ChannelId(900), 901
"""A forum, a post, and its first message; on Discord the last two have the same ID."""

AUTOMOD = 200000

TITLE = PostTitle("Ada – Bo", "Wormholes", lambda available: list(available.values()))

QUEUED = OutboxMessage(1, MatchId(1), EVERYONE, OutboxKind.START_POST, {}, 2, 0.0, "key")


class Client:
    """A client whose forum has one post."""

    def __init__(self) -> None:
        self.user = SimpleNamespace(id=BOT)
        self.http = self
        self.edits: list[dict[str, Any]] = []
        self.asleep = False
        self.channel: Any = None

    async def fetch_channel(self, number: int) -> Any:
        if number == POST:
            self.asleep = False
            return SimpleNamespace()
        if self.channel is None:
            raise not_found()
        return self.channel

    async def edit_channel(self, _number: int, **fields: Any) -> None:
        if self.asleep:
            response: Any = SimpleNamespace(status=400, reason="")
            raise discord.HTTPException(response, {"code": ARCHIVED, "message": ""})
        self.edits.append(fields)

    async def request(self, _route: Any, **_form: Any) -> Any:
        response: Any = SimpleNamespace(status=400, reason="")
        raise discord.HTTPException(response, {"code": AUTOMOD, "message": ""})

    async def get_active_threads(self, guild_id: GuildId) -> Any:
        assert guild_id == GUILD
        return {"threads": [{"id": str(POST), "owner_id": str(BOT), "parent_id": str(FORUM)}]}

    async def get_public_archived_threads(self, forum_id: int) -> Any:
        assert forum_id == FORUM
        return {"threads": []}


class Messages(Transport):
    """A transport that finds the first message of the post."""

    def __init__(self, client: Any) -> None:
        nothing: Any = None
        self.notes: list[tuple[int, int]] = []
        refusals: Any = SimpleNamespace(note=self.note)
        super().__init__(client, lambda: 0.0, nothing, refusals)

    async def note(self, guild_id: GuildId, refusal: Refusal) -> None:
        self.notes.append((guild_id, refusal.channel_id))

    def channel(self, channel_id: int, _guild_id: int | None) -> Any:
        return SimpleNamespace(id=channel_id)

    async def find_or_none(self, channel: Any, delivery: Any) -> Any:
        assert delivery is QUEUED
        return SimpleNamespace(id=FIRST_MESSAGE) if channel.id == POST else None


@pytest.fixture
def client() -> Any:
    return Client()


@pytest.fixture
def forums(client: Any) -> Forums:
    return Forums(client, Messages(client))


def text_channel() -> Any:
    """Return a channel that is no forum any more."""
    return Server().guild.get_channel(FORUM)


async def test_post_found_is_told_apart_from_its_message(forums: Forums) -> None:
    assert await forums.find(QUEUED, GUILD, FORUM) == SentCopy(None, POST, FIRST_MESSAGE)


@pytest.mark.parametrize("channel", [None, text_channel])
async def test_what_is_no_forum_now_has_no_tags(forums: Forums, client: Any, channel: Any) -> None:
    client.channel = channel and channel()
    assert await forums._tags_now(FORUM, TITLE) == []


@pytest.mark.parametrize("is_blocked", [False, True])
@pytest.mark.parametrize("refused", [[], [7]])
async def test_each_simpler_post_is_tried_once(
    forums: Forums, is_blocked: bool, refused: list[int]
) -> None:
    """The forum has no tags now; a name is replaced only if it may be the reason."""
    first = (TITLE.name, refused)
    tried = await forums._simpler(FORUM, TITLE, first, is_blocked=is_blocked)
    names = [TITLE.name] * bool(refused) + [TITLE.plain_name] * is_blocked
    assert tried == [(name, []) for name in names]


async def test_refused_post_is_noted_for_its_server(client: Any) -> None:
    messages = Messages(client)
    post = NewPost(TITLE, lambda: note("Looking for players"))
    with pytest.raises(discord.HTTPException):
        await Forums(client, messages)._create(QUEUED, GUILD, FORUM, (TITLE.name, []), post.make)
    assert messages.notes == [(GUILD, FORUM)]


async def test_archived_post_is_woken_for_its_name(forums: Forums, client: Any) -> None:
    client.asleep = True
    assert await forums._change(POST, name="Ada – Bo")
    assert client.edits == [{"name": "Ada – Bo"}]
