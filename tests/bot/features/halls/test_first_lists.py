"""The list of a hall that is chosen before the first match of its server."""

from __future__ import annotations

import aiohttp
import pytest

from bot.features.halls.audiences import Audiences
from bot.features.halls.first_lists import PAUSE_SECONDS, FirstLists
from bot.features.halls.posts import HallSender
from bot.features.halls.service import Halls
from bot.storage.leases import Leases
from tests.support.deliveries import DeliveryFixture
from tests.support.halls import FAR, HALL, begin, choose, open_hall, said, settle


@pytest.fixture
def lists(delivery: DeliveryFixture) -> FirstLists:
    return lists_of(delivery, "1-1/1")


def lists_of(delivery: DeliveryFixture, process: str) -> FirstLists:
    """Return the job of a process."""
    env, kit = delivery.env, delivery.sender.kit
    halls = Halls(env.database)
    sender = HallSender(
        delivery.client,
        Audiences(delivery.client, kit.guilds),
        kit.guilds,
        halls=halls,
        transport=kit.transport,
        clock=lambda: env.now,
    )
    return FirstLists(halls, sender, Leases(env.database, process, lambda: env.now), kit.clock)


@pytest.mark.parametrize("forum", [False, True])
async def test_empty_list_is_posted_once_and_then_edited(
    delivery: DeliveryFixture, lists: FirstLists, forum: bool
) -> None:
    await open_hall(delivery, forum=forum)
    for _ in range(2):
        await lists.run()
    (where,) = delivery.fake.posts(HALL) if forum else [HALL]
    (text,) = said(delivery, where)
    assert "## Open seats" in text
    assert "None right now." in text
    (message,) = delivery.fake.channels[where]
    assert "seek" in delivery.fake.marks(where, message)
    await begin(delivery)
    await settle(delivery)
    assert "#1" in said(delivery, where)[0]
    assert not await Halls(delivery.env.database).outdated_first_lists()


async def test_list_follows_its_hall_and_is_deleted_with_it(
    delivery: DeliveryFixture, lists: FirstLists
) -> None:
    await open_hall(delivery)
    await lists.run()
    await choose(delivery, FAR)
    await lists.run()
    assert (len(said(delivery, HALL)), len(said(delivery, FAR))) == (0, 1)
    await choose(delivery, 0)
    await lists.run()
    assert said(delivery, FAR) == []
    assert not await Halls(delivery.env.database).outdated_first_lists()


async def test_list_whose_reply_was_lost_is_found(
    delivery: DeliveryFixture, lists: FirstLists
) -> None:
    await open_hall(delivery)
    delivery.fake.lost_replies.add(HALL)
    with pytest.raises(aiohttp.ClientError):
        await lists.run()
    delivery.fake.lost_replies.clear()
    delivery.env.now += 600
    await lists_of(delivery, "1-1/2").run()
    assert len(said(delivery)) == 1
    assert not await Halls(delivery.env.database).outdated_first_lists()


@pytest.mark.parametrize(("forum", "seconds"), [(False, 0), (False, 600), (True, 600)])
async def test_list_not_stored_is_found_by_the_first_match(
    delivery: DeliveryFixture, lists: FirstLists, forum: bool, seconds: float
) -> None:
    await open_hall(delivery, forum=forum)
    delivery.fake.lost_replies.add(HALL)
    with pytest.raises(aiohttp.ClientError):
        await lists.run()
    delivery.fake.lost_replies.clear()
    delivery.env.now += seconds
    await begin(delivery)
    await settle(delivery)
    places = delivery.fake.posts(HALL) if forum else [HALL]
    (text,) = [text for place in places for text in said(delivery, place) if "Open seats" in text]
    assert "#1" in text


async def test_hall_chosen_again_gets_a_list_of_its_own(
    delivery: DeliveryFixture, lists: FirstLists
) -> None:
    await open_hall(delivery)
    await lists.run()
    for channel in (0, HALL):
        delivery.env.now += 10
        await choose(delivery, channel)
        await lists.run()
    first, second = (post for post in delivery.fake.posted if post.channel == HALL)
    assert first.nonce != second.nonce


async def test_refused_list_is_posted_after_a_pause(
    delivery: DeliveryFixture, lists: FirstLists
) -> None:
    await open_hall(delivery)
    delivery.fake.refusals[HALL] = (403, 50013)
    await lists.run()
    delivery.fake.refusals.clear()
    await lists.run()
    assert said(delivery) == []
    delivery.env.now += PAUSE_SECONDS
    await lists.run()
    assert len(said(delivery)) == 1
