"""One process does the work that is shared by all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.identify import IDENTIFY_SECONDS
from bot.app.request_rate import REQUESTS_PER_SECOND
from bot.app.run import open_database
from bot.shards import Shards
from bot.storage.database import Database
from tests.support.fake_discord import FakeDiscord, until
from tests.support.harness import Clock


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    async with open_database(url) as database:
        yield database


@asynccontextmanager
async def processes(database: Database, count: int) -> AsyncIterator[list[Starpost]]:
    """Clients that have logged in at the same time, each with a shard of its own."""
    async with AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                Starpost(database, Clock(), deployment=Deployment(shards=Shards(count, (n,))))
            )
            for n in range(count)
        ]
        await asyncio.gather(*(client.login("token") for client in clients))
        yield clients


@pytest.mark.slow
async def test_commands_are_registered_with_discord_once(
    database: Database, fake_discord: FakeDiscord
) -> None:
    for _ in range(2):  # the second time as after a restart
        async with processes(database, 4) as clients:
            await until(lambda: any(client.runtime.command_sync.done for client in clients))
            for client in clients:
                await client.runtime.command_sync.run()
                assert client.runtime.command_sync.done
            assert fake_discord.synced == 1


async def test_shards_of_all_processes_take_turns(
    database: Database, fake_discord: FakeDiscord
) -> None:
    async with processes(database, 2) as (first, second):
        await first.before_identify_hook(0, initial=True)
        assert await second.leases.turn("identify:0", IDENTIFY_SECONDS) == IDENTIFY_SECONDS
        identify = asyncio.create_task(second.before_identify_hook(1, initial=True))
        done, _ = await asyncio.wait({identify}, timeout=0.1)
        assert not done
        identify.cancel()


@pytest.mark.slow
async def test_each_process_makes_its_share_of_the_requests(
    database: Database, fake_discord: FakeDiscord
) -> None:
    async with processes(database, 4) as clients:
        for client in clients:
            times = client.request_rate._passed
            assert times.maxlen == REQUESTS_PER_SECOND // 4
            assert len(times) >= 3  # who it is, about the application, and the limits
