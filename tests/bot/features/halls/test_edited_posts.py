"""Edits of a match's post when the match changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.domain.ids import ChannelId
from bot.domain.outbox import (
    FORUM_POST,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
)
from bot.outbox.worker import RetryLaterError
from bot.services.deliveries import Deliveries, DeliverySnapshot, MessageState
from tests.support import fake_objects
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.halls import FAR, HALL, begin, open_hall, posts_of

THREAD = ChannelId(900)

COPY = SentCopy(None, THREAD, THREAD)


class Edits:
    """Edits of a post, which all succeed unless `fails`."""

    def __init__(self, delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.posts = posts_of(delivery)
        self.elsewhere: list[bool] = []
        self.renamed: list[int] = []
        self.fails = False
        self.may_have_post = False

        async def edit(_delivery: DeliverySnapshot, _kind: PostedKind, make: Any) -> list[SentCopy]:
            self.elsewhere.append(make.keywords["elsewhere"])
            return [] if self.fails else [COPY]

        async def rename(post_id: int, _forum: Any, _title: Any) -> None:
            self.renamed.append(post_id)

        async def may_have_post(_match_id: int) -> bool:
            return self.may_have_post

        monkeypatch.setattr(self.posts._destinations, "edit", edit)
        monkeypatch.setattr(self.posts, "_forums", SimpleNamespace(rename=rename))
        monkeypatch.setattr(self.posts._halls, "may_have_post", may_have_post)


@pytest.fixture
def edits(delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch) -> Edits:
    delivery.fake.threads[THREAD] = fake_objects.thread(THREAD, str(HALL), GUILD)
    return Edits(delivery, monkeypatch)


async def update_of(
    delivery: DeliveryFixture, channel: int = CHANNEL, *, stage_shown: int | None = None
) -> tuple[OutboxMessage, DeliverySnapshot]:
    """Return an update of the post of a match; it shows this stage, or that of now."""
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery, channel)
    kind, now = OutboxKind.UPDATE_POST, delivery.env.now
    queued = OutboxMessage(1, match_id, FORUM_POST, kind, {}, 1, now, "key")
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    stage = read.match.stage if stage_shown is None else stage_shown
    posted: Any = read.posted
    posted[PostedKind.POST] = MessageState((COPY,), stage)
    return queued, read


@pytest.mark.parametrize(
    ("channel", "hidden", "elsewhere"),
    [(CHANNEL, 0, False), (FAR, 0, False), (FAR, FAR, True), (CHANNEL, FAR, False)],
)
async def test_post_shows_no_match_that_some_of_its_readers_miss(
    delivery: DeliveryFixture, edits: Edits, channel: int, hidden: int, elsewhere: bool
) -> None:
    queued, read = await update_of(delivery, channel)
    delivery.fake.hidden |= {hidden: {333}} if hidden else {}
    await edits.posts.update(queued, read)
    assert edits.elsewhere == [elsewhere]


async def test_match_in_its_post_is_never_elsewhere(
    delivery: DeliveryFixture, edits: Edits
) -> None:
    """Its channel cannot be looked up if the post was made private."""
    delivery.fake.threads[THREAD]["type"] = 12
    queued, read = await update_of(delivery, THREAD)
    await edits.posts.update(queued, read)
    assert edits.elsewhere == [False]


@pytest.mark.parametrize("is_same", [True, False])
async def test_post_is_renamed_once_for_each_stage(
    delivery: DeliveryFixture, edits: Edits, is_same: bool
) -> None:
    queued, read = await update_of(delivery, stage_shown=None if is_same else -1)
    posted = await edits.posts.update(queued, read)
    assert posted == SentMessage(PostedKind.POST, read.match.stage, (COPY,))
    assert edits.renamed == [] if is_same else [THREAD]


async def test_post_that_cannot_be_edited_is_tried_at_the_next_change(
    delivery: DeliveryFixture, edits: Edits
) -> None:
    queued, read = await update_of(delivery, stage_shown=-1)
    edits.fails = True
    assert await edits.posts.update(queued, read) is None
    assert not edits.renamed


@pytest.mark.parametrize("may_come", [False, True])
async def test_update_waits_for_a_post_that_is_being_created(
    delivery: DeliveryFixture, edits: Edits, may_come: bool
) -> None:
    queued, read = await update_of(delivery)
    posted: Any = read.posted
    posted[PostedKind.POST] = MessageState()
    edits.may_have_post = may_come
    if may_come:
        with pytest.raises(RetryLaterError):
            await edits.posts.update(queued, read)
    else:
        assert await edits.posts.update(queued, read) is None
    assert not edits.elsewhere
