"""Threads of matches: created if Discord answers soon, and never at the cost of the board."""

from __future__ import annotations

import asyncio

import pytest

from bot.discord_errors import HAS_THREAD
from bot.outbox.threads import THREAD_ATTEMPTS, start_thread
from bot.services.outbox import EVERYONE, OutboxKind, OutboxMessage
from bot.services.servers import Servers
from tests.support.deliveries import CHANNEL, DeliveryFixture, accept, ask
from tests.support.fake_objects import GUILD


@pytest.mark.parametrize("failures", [THREAD_ATTEMPTS - 1, THREAD_ATTEMPTS])
async def test_thread_is_tried_several_times(delivery: DeliveryFixture, failures: int) -> None:
    delivery.fake.text_channels.add(CHANNEL)
    await Servers(delivery.env.database).choose(GUILD, threads="on")
    match_id = await ask(delivery)
    delivery.fake.resets_thread_requests = True
    await accept(delivery, match_id)
    for _ in range(failures - 1):
        assert ("start_thread", "waiting") in await delivery.left()
        assert not delivery.moments(match_id)
        delivery.env.now += 300.0
        await delivery.worker.flush()
    delivery.fake.resets_thread_requests = False
    delivery.env.now += 300.0
    await delivery.worker.flush()
    match = await delivery.env.queries.match(match_id)
    is_late = failures == THREAD_ATTEMPTS
    assert match.parent_channel_id == (None if is_late else CHANNEL)
    assert delivery.moments(match_id, match.channel_id) == ["1"]
    assert await delivery.left() == []


@pytest.mark.parametrize("answer", ["reset", "none", "refused", "created", "exists"])
async def test_start_of_a_thread_returns_whether_it_exists(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    match_id = await ask(delivery)
    match = await delivery.env.queries.match(match_id)
    if answer == "none":
        monkeypatch.setattr("bot.outbox.threads.THREAD_TIMEOUT_SECONDS", 0.01)
        delivery.fake.thread_gate = asyncio.Event()
    delivery.fake.resets_thread_requests = answer == "reset"
    message_id = max(delivery.fake.channels[CHANNEL])
    code = {"refused": 50013, "exists": HAS_THREAD}.get(answer)
    delivery.fake.thread_refusal = None if code is None else (400, code)
    kind, tries = OutboxKind.START_THREAD, THREAD_ATTEMPTS
    queued = OutboxMessage(1, match_id, EVERYONE, kind, {}, tries, delivery.env.now, "key")
    exists = await start_thread(delivery.client, queued, match, message_id)
    assert exists == (answer in {"created", "exists"})
