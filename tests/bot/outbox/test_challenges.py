"""The messages of challenges against a Discord that refuses and forgets."""

from __future__ import annotations

import pytest

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, DeliveryFixture, accept, ask
from tests.support.fake_objects import GUILD, dm
from tests.support.matches import ADA, BO


async def test_player_who_was_only_challenged_gets_no_dm(delivery: DeliveryFixture) -> None:
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.env.ask()
    await delivery.worker.flush()
    assert len(delivery.fake.texts(dm(ADA))) == 1
    assert not delivery.fake.texts(dm(BO))
    assert await delivery.left() == []


async def test_answer_to_a_deleted_challenge_is_posted(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    delivery.fake.channels[CHANNEL].clear()
    await delivery.env.challenges.decline(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    (answer,) = delivery.fake.texts(CHANNEL)
    assert "declined" in answer
    assert await delivery.left() == []


async def test_challenge_edited_too_often_is_replaced(delivery: DeliveryFixture) -> None:
    delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    delivery.fake.edit_pause = 600.0
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    delivery.fake.worn_out |= delivery.fake.channels[CHANNEL].keys()
    await delivery.env.challenges.decline(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    (answer,) = delivery.fake.texts(CHANNEL)
    assert "declined" in answer
    assert await delivery.left() == []


async def test_challenge_posted_after_it_expired_says_so(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.env.strike("expire", match_id)
    await delivery.worker.flush()
    (message,) = delivery.fake.posted
    assert any("the challenge expired" in mark for mark in message.marks)
    assert await delivery.left() == []


@pytest.mark.parametrize("threads", ["on", "off"])
async def test_match_gets_a_thread_if_the_server_wants_it(
    delivery: DeliveryFixture, threads: str
) -> None:
    delivery.fake.text_channels.add(CHANNEL)
    await Servers(delivery.env.database).choose(GUILD, threads=threads)
    match_id = await ask(delivery)
    await accept(delivery, match_id)
    assert delivery.fake.threads_asked == (threads == "on")
    match = await delivery.env.queries.match(match_id)
    assert match.parent_channel_id == (CHANNEL if threads == "on" else None)
