"""An outage is two lines of log, a gauge that goes to 0 and comes back, and a 503."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import aiohttp
import discord
import pytest
from prometheus_client import REGISTRY

from bot.app.client import Starpost
from bot.app.gateway import CHECK_SECONDS, Gateway
from bot.app.gateway import watch_gateway as gateway_watched
from bot.app.health import health_server
from bot.app.run import _connect_with_retries, open_database
from bot.logs import set_up_logs
from bot.outages import Outage
from bot.shards import Shards
from bot.storage.database import Database
from tests.support.fake_discord import FakeDiscord, until
from tests.support.harness import Clock, Stage, words
from tests.support.postgres import TEMPLATE, Server
from tests.support.write_failures import choose, quota


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What a host reads, at the default level."""
    root, bot_logger = logging.getLogger(), logging.getLogger("bot")
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    set_up_logs("INFO", "text", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    bot_logger.setLevel(logging.NOTSET)


def trouble(written: io.StringIO) -> list[str]:
    """The lines of log above INFO, but for those about simcord's clock."""
    lines = written.getvalue().splitlines()
    return [line for line in lines if " INFO " not in line and "clock was set" not in line]


class Pages:
    """The pages of a bot."""

    def __init__(self, port: int, session: aiohttp.ClientSession) -> None:
        self._address = f"http://127.0.0.1:{port}"
        self._session = session

    async def ready(self) -> int:
        """The status of `/readyz`."""
        async with self._session.get(f"{self._address}/readyz") as answer:
            return answer.status

    async def gauge(self, name: str, **labels: str) -> float | None:
        """The value of a gauge after `/metrics` was asked for."""
        async with self._session.get(f"{self._address}/metrics") as answer:
            await answer.read()
        return REGISTRY.get_sample_value(f"starpost_{name}", labels)


@pytest.fixture
async def pages(stage: Stage) -> AsyncIterator[Pages]:
    address = ("127.0.0.1", 0)
    async with health_server(stage.client, address) as port, aiohttp.ClientSession() as session:
        yield Pages(port, session)


@pytest.mark.slow
class TestPostgresAway:
    """The server is stopped and started."""

    @pytest.fixture
    async def database(self, own_server: Server) -> AsyncIterator[Database]:
        async with open_database(own_server.url(TEMPLATE)) as database:
            yield database

    async def test_outage_is_two_lines_and_a_gauge(
        self, stage: Stage, own_server: Server, pages: Pages, written: io.StringIO
    ) -> None:
        match_id = await stage.begin()
        board = stage.last()
        assert await pages.ready() == 200
        own_server.stop()
        for _ in range(10):
            answer = await stage.ada.slash(stage.channel, "board")
            assert "database is unavailable" in words(answer.response)
        await stage.env.advance_time(120)
        assert await pages.ready() == 503
        assert await pages.gauge("database_up") == await pages.gauge("ready") == 0
        own_server.start()
        await stage.env.advance_time(60)
        assert await pages.ready() == 200
        assert await pages.gauge("database_up") == await pages.gauge("ready") == 1
        assert "Done" in await choose(stage, match_id)
        assert board
        away, back = trouble(written)
        assert "The database unreachable since 20" in away
        assert "The database back after" in back


@pytest.mark.slow
async def test_full_disk_is_two_lines_and_a_gauge(
    stage: Stage,
    database: Database,
    pages: Pages,
    written: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match_id = await stage.begin()
    monkeypatch.setattr(database.unwritable, "_settle", 0.0)
    async with quota(database):
        while "Done" in (text := await choose(stage, match_id)):
            pass
        assert "disk seems to be full" in text
        assert await pages.gauge("database_writable") == await pages.gauge("ready") == 0
        assert await pages.gauge("database_up") == 1
        assert await pages.ready() == 503
    assert "Done" in await choose(stage, match_id)
    assert await pages.gauge("database_writable") == await pages.gauge("ready") == 1
    free = await pages.gauge("disk_free_bytes")
    assert free
    assert free > 0
    away, back = trouble(written)
    assert "The database not writable since" in away
    assert "full" in away
    assert "The database back after" in back
    reason = {"part": "interaction", "reason": "disk full"}
    assert REGISTRY.get_sample_value("starpost_failures_total", reason)


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.backoff.ExponentialBackoff, "delay", lambda _: 0.02)
    monkeypatch.setattr("bot.app.gateway.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("bot.app.gateway.CHECK_SECONDS", 0.02)


@pytest.mark.slow
@pytest.mark.usefixtures("short_waits")
@pytest.mark.errors_wanted  # discord.py's tracebacks, which a host does not get to see
async def test_lost_gateway_is_two_lines_and_a_gauge(
    tmp_path: Path, fake_discord: FakeDiscord, written: io.StringIO
) -> None:
    async with (
        open_database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}") as database,
        Starpost(database, Clock()) as client,
        health_server(client, ("127.0.0.1", 0)) as port,
        gateway_watched(client.gateway),
        aiohttp.ClientSession() as session,
    ):
        pages = Pages(port, session)
        running = asyncio.create_task(_connect_with_retries(client, "token"))
        await until(lambda: client.is_ready() or running.done())
        assert await pages.ready() == 200
        assert await pages.gauge("gateway_up", shard="0") == 1
        await fake_discord.leave()
        await until(client.gateway.outage.lasts)
        await until(lambda: fake_discord.faults.get("gateway refused", 0) >= 3)
        assert await pages.ready() == 503
        assert await pages.gauge("gateway_up", shard="0") == 0
        assert await pages.gauge("ready") == 0
        fake_discord.is_unreachable = False
        await until(lambda: not client.gateway.outage.lasts())
        assert await pages.ready() == 200
        assert await pages.gauge("gateway_up", shard="0") == 1
        await client.close()
        await running
    away, back = trouble(written)
    assert "Discord unreachable since 20" in away
    assert "shard 0" in away
    assert "Discord back after" in back


@pytest.mark.slow
@pytest.mark.usefixtures("short_waits")
async def test_login_outage_is_two_lines(
    tmp_path: Path, fake_discord: FakeDiscord, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.run.LOGIN_RETRY_SECONDS", (0, 0))
    fake_discord.login_refusals = [503] * 5
    async with (
        open_database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}") as database,
        Starpost(database, Clock()) as client,
        gateway_watched(client.gateway),
    ):
        running = asyncio.create_task(_connect_with_retries(client, "token"))
        await until(lambda: "back after" in written.getvalue() or running.done())
        await client.close()
        await running
    assert len(trouble(written)) == 2


class Silent(discord.gateway.KeepAliveHandler):
    """discord.py's thread that keeps a connection alive, without the thread."""

    def __init__(self) -> None:
        self.interval = 41.25
        self._last_recv = 0.0


def test_silent_connection_counts_as_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = discord.AutoShardedClient(
        intents=discord.Intents.none(), shard_count=2, shard_ids=[0, 1]
    )
    gateway = Gateway(client, Shards(2, (0, 1)))
    for shard in (0, 1):
        gateway.connected(shard)
    alive = Silent()
    socket = type("Socket", (), {"_keep_alive": alive})
    info = type("Info", (), {"_parent": type("Parent", (), {"ws": socket})})
    monkeypatch.setattr(client, "get_shard", lambda shard: info if shard else None)
    monkeypatch.setattr("bot.app.gateway.time.perf_counter", lambda: 60.0)
    assert gateway.missing() == {}
    monkeypatch.setattr("bot.app.gateway.time.perf_counter", lambda: 62.0)
    assert gateway.missing() == {1: 62.0}
    assert gateway.is_up(0)
    assert not gateway.is_up(1)


def test_short_reconnect_is_no_outage() -> None:
    clock = Clock()
    client = discord.AutoShardedClient(intents=discord.Intents.none(), shard_count=1, shard_ids=[0])
    gateway = Gateway(client, Shards(), clock)
    gateway.connected(0)
    gateway.disconnected(0)
    clock.now += CHECK_SECONDS
    gateway.check()
    assert not gateway.outage.lasts()
    assert not gateway.is_up(0)
    clock.now += 5
    gateway.check()
    assert gateway.outage.lasts()
    gateway.connected(0)
    assert not gateway.outage.lasts()


def test_work_begun_before_an_outage_does_not_end_it(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage("It", clock=lambda: 0.0, monotonic=clock)
    outage.begin("first line\nsecond line")
    outage.begin("again")
    outage.end(begun=clock.now - 1)
    assert outage.lasts()
    clock.now += 7
    outage.end(begun=clock.now - 1)
    assert not outage.lasts()
    assert [record.getMessage() for record in caplog.records] == [
        "It unreachable since 1970-01-01T00:00:00Z: first line",
        "It back after 7 s",
    ]
