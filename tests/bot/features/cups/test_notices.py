"""Organisers learn that Discord refuses the messages of their cup, once and by DM."""

from __future__ import annotations

import discord
import pytest
from sqlalchemy import update

from bot.domain.ids import DELETED_USER_ID
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Actor
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import cups
from tests.support.cups import CHANNEL, ORGANISER, PostFixture, user
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_objects import dm

AUTOMOD, FORBIDDEN, GONE, OUTAGE = (400, 200000), (403, 50013), (404, 10003), (503, 0)


@pytest.fixture
def posts(delivery: DeliveryFixture) -> PostFixture:
    return PostFixture(delivery)


def notices(posts: PostFixture) -> list[str]:
    """What the organiser has been told."""
    return posts.fake.texts(dm(ORGANISER))


@pytest.mark.parametrize("refusal", [AUTOMOD, FORBIDDEN, GONE])
async def test_organiser_learns_of_a_refused_post(
    posts: PostFixture, refusal: tuple[int, int]
) -> None:
    await posts.cup.create(1)
    posts.fake.refusals[CHANNEL] = refusal
    await posts.sender.run()
    (text,) = notices(posts)
    assert text.startswith(f"**Spring**: Discord refused my message in <#{CHANNEL}>")
    assert "`/cup status`" in text
    (message,) = posts.fake.channels[dm(ORGANISER)].values()
    flags = discord.MessageFlags._from_value(message["flags"])
    assert not flags.suppress_notifications
    assert not await posts.sender._posts.due()


async def test_organiser_learns_it_once_from_all_processes(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(1)
    refusals = (AUTOMOD, AUTOMOD, FORBIDDEN, None, AUTOMOD)
    for number, refusal in enumerate(refusals, 2):
        posts.fake.refusals = {CHANNEL: refusal} if refusal else {}
        posts.env.now += 3600
        await posts.cup.join(cup_id, user(number))
        await posts.process("1" if number % 2 else "2").run()
        posts.env.now += 3600
    assert len(notices(posts)) == 1
    assert "Players (5 of 16)" in posts.said()[0], "as long as nothing was refused"


async def test_other_cups_of_the_organiser_are_told_apart(posts: PostFixture) -> None:
    posts.fake.refusals[CHANNEL] = AUTOMOD
    for _ in range(2):
        await posts.cup.create(1)
        await posts.sender.run()
    assert len(notices(posts)) == 2


async def test_organiser_learns_of_a_refused_announcement(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(3)
    await posts.sender.run()
    assert not notices(posts)
    await posts.cup.cups.cancel(900, cup_id, Actor(ORGANISER))
    posts.fake.refusals[CHANNEL] = AUTOMOD
    await posts.sender.run()
    assert (await posts.cup.get(cup_id)).row.status == CupStatus.CANCELLED
    assert len(notices(posts)) == 1


async def test_organiser_who_accepts_no_dm_holds_nothing_up(posts: PostFixture) -> None:
    await posts.cup.create(1)
    posts.fake.refusals |= {CHANNEL: AUTOMOD, dm(ORGANISER): (403, 50007)}
    await posts.sender.run()
    assert not notices(posts)
    assert not await posts.sender._posts.due()


async def test_notice_is_sent_after_an_outage(posts: PostFixture) -> None:
    await posts.cup.create(1)
    posts.fake.refusals |= {CHANNEL: AUTOMOD, dm(ORGANISER): OUTAGE}
    with pytest.raises(discord.HTTPException):
        await posts.sender.run()
    assert await posts.sender._posts.due()
    del posts.fake.refusals[dm(ORGANISER)]
    await posts.sender.run()
    assert len(notices(posts)) == 1
    assert not await posts.sender._posts.due()


async def test_organiser_without_data_gets_no_dm(posts: PostFixture) -> None:
    await posts.cup.create(1)
    async with posts.env.database.write() as connection:
        await connection.execute(update(cups).values(organiser_id=DELETED_USER_ID))
    posts.fake.refusals[CHANNEL] = AUTOMOD
    await posts.sender.run()
    assert not await posts.sender._posts.due()
    assert not [channel for channel, log in posts.fake.channels.items() if log]


async def test_notice_is_in_the_language_of_the_organiser(posts: PostFixture) -> None:
    await posts.cup.create(1)
    await Preferences(posts.env.database).set(ORGANISER, PreferenceKey.LANGUAGE, "de")
    posts.fake.refusals[CHANNEL] = AUTOMOD
    await posts.sender.run()
    assert "Discord hat" in notices(posts)[0]
