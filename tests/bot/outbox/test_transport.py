"""Messages are recognised by their mark and author; pauses are those that Discord asks for."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from multidict import CIMultiDict

from bot.outbox.transport import UNAUTHORIZED_PAUSE_SECONDS, pause
from bot.services.outbox import PostedKind
from tests.support.deliveries import CHANNEL, DeliveryFixture, posted, race
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import PERSON
from tests.support.pings import called, hand_over


class Refusal:
    """As much of an HTTP answer as discord.py's exceptions read."""

    reason = "refused"

    def __init__(self, status: int, **headers: str) -> None:
        self.status, self.headers = status, CIMultiDict(headers)


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (503, {}, 0.0),
        (503, {"Retry-After": "120"}, 120.0),
        (503, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.0),
        (401, {"Retry-After": "1"}, UNAUTHORIZED_PAUSE_SECONDS),
    ],
)
def test_pause_is_that_of_the_answer(status: int, headers: dict[str, str], seconds: float) -> None:
    answer: Any = Refusal(status, **headers)
    assert pause(discord.HTTPException(answer, None)) == seconds


async def test_message_of_another_author_is_not_taken_for_the_own(
    delivery: DeliveryFixture,
) -> None:
    match_id = await race(delivery)
    await delivery.play(match_id)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    copied = max(delivery.fake.channels[CHANNEL])
    delivery.fake.channels[CHANNEL][copied]["author"] = PERSON
    delivery.env.now += 300.0
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert max(delivery.fake.channels[CHANNEL]) > copied


@pytest.mark.parametrize(
    ("status", "code", "is_kept"), [(404, 10008, False), (403, 50013, True), (204, 0, False)]
)
async def test_ping_is_remembered_until_it_is_gone(
    delivery: DeliveryFixture, status: int, code: int, is_kept: bool
) -> None:
    match_id, user = await called(delivery)
    await delivery.worker.flush()
    ping = max(delivery.fake.channels[CHANNEL])
    if code:
        delivery.fake.edit_refusals[ping] = (status, code)
    assert await hand_over(delivery, match_id) != user
    await delivery.worker.flush()
    stored = await posted(delivery.env.database, match_id, PostedKind.PING)
    assert bool(stored.copies) == is_kept
