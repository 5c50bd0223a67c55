"""Which messages of cups are due, and how each is marked."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxStatus
from bot.features.cups.due_posts import CUP_POSTS_DUE, CupPosts, announcement_of, post_of
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Actor
from bot.storage.due import Conditions
from bot.storage.schema import cups, outbox
from tests.support.cups import CHANNEL, ORGANISER, CupFixture
from tests.support.matches import MatchFixture


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def due(env: MatchFixture) -> list[int]:
    """The cups with something to post; the condition of the job says the same."""
    cup_ids = [due_cup.cup.row.id for due_cup in await CupPosts(env.database).due()]
    assert await Conditions(env.database, [CUP_POSTS_DUE]).read(env.now) == [bool(cup_ids)]
    return cup_ids


@pytest.mark.parametrize(
    ("status", "announcements"),
    [
        (CupStatus.SIGN_UP, 0),
        (CupStatus.RUNNING, 1),
        (CupStatus.FINISHED, 2),
        (CupStatus.CANCELLED, 2),
    ],
)
async def test_changes_and_announcements_are_due(
    cup: CupFixture, env: MatchFixture, status: CupStatus, announcements: int
) -> None:
    other, cup_id = await cup.create(0), await cup.create(1)
    async with env.database.write() as connection:
        await connection.execute(update(cups).where(cups.c.id == cup_id).values(status=status))
    posts, version = CupPosts(env.database), (await cup.get(cup_id)).row.version
    await posts.announced(cup_id, announcements)
    assert await due(env) == [other, cup_id], "two new cups"
    await posts.shown(other, (await cup.get(other)).row.version)
    await posts.shown(cup_id, version - 1)
    assert await due(env) == [cup_id]
    await posts.shown(cup_id, version)
    assert await due(env) == []
    for number in range(announcements):
        await posts.announced(cup_id, number)
        assert await due(env) == [cup_id]


async def test_messages_of_a_cup_are_told_apart(cup: CupFixture) -> None:
    first, second = [await cup.get(await cup.create(0)) for _ in range(2)]
    messages = [
        message
        for cup_state in (first, second)
        for message in (
            post_of(cup_state),
            announcement_of(cup_state, 1),
            announcement_of(cup_state, 2),
        )
    ]
    assert len({message.mark for message in messages}) == 6
    assert all(isinstance(message.mark, int) for message in messages)
    nonces = [
        message.nonce(ChannelId(channel))
        for message in messages
        for channel in (CHANNEL, CHANNEL + 1)
    ]
    assert len(set(nonces)) == 12
    reloaded = await cup.get(first.row.id)
    assert post_of(reloaded) == post_of(first), "the same when it is tried again"


async def test_messages_are_due_since_what_they_announce(
    cup: CupFixture, env: MatchFixture
) -> None:
    created = env.now
    cup_id, unstarted = await cup.create(3), await cup.create(3)
    env.now = started = created + 10
    await cup.start(cup_id)
    env.now = ended = created + 20
    for cancelled in (cup_id, unstarted):
        await cup.cups.cancel(next(env.ids), cancelled, Actor(ORGANISER))

    async def since(number: int) -> list[float]:
        cup_state = await cup.get(number)
        messages = (
            post_of(cup_state),
            announcement_of(cup_state, 1),
            announcement_of(cup_state, 2),
        )
        return [message.first_attempt_at for message in messages]

    assert await since(cup_id) == [created, started, ended]
    assert await since(unstarted) == [created, created, ended]


async def test_only_messages_that_wait_hold_up_the_end(cup: CupFixture, env: MatchFixture) -> None:
    cup_state, posts = await cup.get(await cup.begun(3)), CupPosts(env.database)
    assert await posts.has_waiting_messages(cup_state)
    async with env.database.write() as connection:
        await connection.execute(update(outbox).values(status=OutboxStatus.FAILED))
    assert not await posts.has_waiting_messages(cup_state)


async def test_a_posted_message_belongs_to_one_cup(cup: CupFixture, env: MatchFixture) -> None:
    first, second = await cup.create(0), await cup.create(0)
    await CupPosts(env.database).posted(first, 77)
    assert [(await cup.get(cup_id)).row.message_id for cup_id in (first, second)] == [77, None]
