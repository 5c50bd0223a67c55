"""A post that an earlier attempt may have created is deleted where it would show too much."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.domain.ids import ChannelId, GuildId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentCopy
from bot.features.halls.forum_posts import UNKNOWN_STAGE, ForumThreads
from bot.services.deliveries import Deliveries, DeliverySnapshot, MessageState
from tests.support import fake_objects
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.halls import FAR, HALL, begin, choose, open_hall, posts_of
from tests.support.matches import BO

POST, FIRST_MESSAGE = ChannelId(900), 901
"""A post, and its first message; on Discord they have the same ID."""

THREAD = ChannelId(902)
"""A thread that players have chosen for their match."""


class Forum:
    """The forum of a server, with one post or none; see `bot.features.halls.forums.Forums`."""

    def __init__(self, *, has_post: bool = True) -> None:
        self.copy = SentCopy(None, POST, FIRST_MESSAGE)
        self.has_post = has_post
        self.deleted: list[int] = []
        self.error: discord.HTTPException | None = None

    async def find(
        self, _queued: OutboxMessage, guild_id: GuildId, forum_id: int
    ) -> SentCopy | None:
        assert (guild_id, forum_id) == (GUILD, HALL)
        return self.copy if self.has_post else None

    async def create(
        self, _queued: OutboxMessage, guild_id: GuildId, forum: Any, _post: Any
    ) -> SentCopy:
        assert (guild_id, forum.id) == (GUILD, HALL)
        if self.error:
            raise self.error
        return self.copy

    async def delete(self, post_id: int) -> bool:
        self.deleted.append(post_id)
        return True


def posts_in(delivery: DeliveryFixture, forum: Forum) -> ForumThreads:
    """Return a `ForumThreads` for the posts in this forum."""
    posts = posts_of(delivery)
    there: Any = forum
    posts._forums = there
    return posts


async def attempt(
    delivery: DeliveryFixture, kind: OutboxKind, attempts: int, *, stored: bool = False
) -> tuple[OutboxMessage, DeliverySnapshot]:
    """Return an attempt to create the post of the only match."""
    (row,) = await delivery.env.queued(kind=OutboxKind.START_THREAD)
    now = delivery.env.now
    queued = OutboxMessage(row.id, row.match_id, EVERYONE, kind, {}, attempts, now, row.key)
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    if stored:
        read.posted[PostedKind.POST] = MessageState((SentCopy(None, POST, FIRST_MESSAGE),), 0)  # type: ignore[index]
    return queued, read


@pytest.mark.parametrize(
    ("attempts", "post", "deleted"),
    [
        (1, "unconfirmed", []),
        (2, "unconfirmed", [POST]),
        (3, "unconfirmed", [POST]),
        (2, "none", []),
        (2, "stored", []),
    ],
)
@pytest.mark.parametrize("kind", [OutboxKind.START_POST, OutboxKind.START_THREAD])
async def test_unconfirmed_post_of_a_hidden_match_is_deleted(
    delivery: DeliveryFixture, kind: OutboxKind, attempts: int, post: str, deleted: list[int]
) -> None:
    """A member sees the forum, but not the channel of the match; or a player sees no forum."""
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery, FAR)
    is_start = kind == OutboxKind.START_POST
    delivery.fake.hidden[FAR if is_start else HALL] = {333 if is_start else BO}
    forum = Forum(has_post=post != "none")
    posts = posts_in(delivery, forum)
    queued, read = await attempt(delivery, kind, attempts, stored=post == "stored")
    if is_start:
        assert await posts.start(queued, read) is None
    else:
        assert await posts.enter(queued, read) == (False, None)
    assert forum.deleted == deleted
    match = await delivery.env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (FAR, None)


@pytest.mark.parametrize("reason", ["threads", "left", "thread"])
async def test_unconfirmed_post_that_a_match_may_not_enter_is_deleted(
    delivery: DeliveryFixture, reason: str
) -> None:
    """The server has no threads now, a player has left it, or the match is in another thread."""
    await open_hall(delivery, forum=True, threads="off" if reason == "threads" else "on")
    delivery.fake.threads[THREAD] = fake_objects.thread(THREAD, str(CHANNEL), GUILD)
    place = THREAD if reason == "thread" else CHANNEL
    match_id = await begin(delivery, place)
    delivery.fake.left |= {BO} if reason == "left" else set()
    forum = Forum()
    queued, read = await attempt(delivery, OutboxKind.START_THREAD, 2)
    assert await posts_in(delivery, forum).enter(queued, read) == (False, None)
    assert forum.deleted == [POST]
    assert (await delivery.env.queries.match(match_id)).channel_id == place


async def test_no_post_is_searched_in_a_channel_that_is_no_forum(
    delivery: DeliveryFixture,
) -> None:
    await open_hall(delivery, forum=True)
    await begin(delivery)
    await choose(delivery, FAR)
    forum = Forum()
    posts = posts_in(delivery, forum)
    queued, read = await attempt(delivery, OutboxKind.START_THREAD, 2)
    assert await posts.enter(queued, read) == (False, None)
    assert await posts.start(queued, read) is None
    assert forum.deleted == []


@pytest.mark.parametrize("attempts", [1, 2])
@pytest.mark.parametrize("stored", [False, True])
async def test_match_enters_its_post(
    delivery: DeliveryFixture, attempts: int, stored: bool
) -> None:
    """What a post shows is unknown if an earlier attempt may have created it."""
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    forum = Forum()
    queued, read = await attempt(delivery, OutboxKind.START_THREAD, attempts, stored=stored)
    entered, posted = await posts_in(delivery, forum).enter(queued, read)
    assert entered
    if stored:
        assert posted is None
    else:
        assert posted
        assert posted.revision == (read.match.stage if attempts == 1 else UNKNOWN_STAGE)
        assert list(posted.copies) == [forum.copy]
    match = await delivery.env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (POST, CHANNEL)
    assert forum.deleted == []


@pytest.mark.parametrize("status", [400, 403, 404, 503])
async def test_only_a_refused_post_is_given_up(delivery: DeliveryFixture, status: int) -> None:
    await open_hall(delivery, forum=True)
    await begin(delivery)
    forum = Forum()
    answer: Any = SimpleNamespace(status=status, reason="no")
    forum.error = discord.HTTPException(answer, None)
    posts = posts_in(delivery, forum)
    queued, read = await attempt(delivery, OutboxKind.START_THREAD, 1)
    if status == 503:
        with pytest.raises(discord.HTTPException):
            await posts.enter(queued, read)
    else:
        assert await posts.enter(queued, read) == (False, None)
    assert (await delivery.env.queries.match(queued.match_id)).channel_id == CHANNEL
