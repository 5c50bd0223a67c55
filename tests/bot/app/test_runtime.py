"""A start while nothing can be stored: the bot connects, and continues its work when it can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.health import _why_not_ready
from bot.app.run import _connect_with_retries
from bot.domain.ids import MatchId
from bot.domain.steady_clock import SteadyClock
from bot.feature import Feature, ScheduledJob
from bot.services.heartbeats import Heartbeats
from bot.shards import Shards
from bot.storage.database import Database
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts, outbox, seats
from bot.storage.sqlite import SQLite
from tests.support import fake_objects
from tests.support.fake_discord import FakeDiscord, until
from tests.support.harness import Clock
from tests.support.machines import Machine, one_process
from tests.support.matches import ADA, MatchFixture, begun
from tests.support.privacy import privacy_of
from tests.support.write_failures import read_only
from tests.verification.kills.payloads import Person, Place, click, said

HOURS = 3 * 3600.0


class Start:
    """A bot that is started three hours after its last heartbeat, with a message to send."""

    def __init__(self, database: Database) -> None:
        self.machine = Machine(database)
        self.early_runs = 0
        self.client = Starpost(
            database,
            SteadyClock(lambda: self.machine.wall, lambda: self.machine.elapsed),
            deployment=Deployment(background_jobs=[self._early]),
        )

    async def _early(self) -> None:
        self.early_runs += 1

    async def beat(self) -> None:
        """Let the heartbeat run all due jobs."""
        heartbeat = self.client.runtime.heartbeat
        await heartbeat.beat.coro(heartbeat)


async def waiting(database: Database) -> int:
    """How many messages are still to be sent."""
    async with database.read() as connection:
        return len((await connection.execute(select(outbox.c.id))).all())


async def started_at(database: Database) -> float:
    """When the only clock that runs began to."""
    runs = select(seats.c.clock_started_at).where(seats.c.clock_started_at.is_not(None))
    async with database.read() as connection:
        return float((await connection.execute(runs)).scalar_one())


def is_begun(client: Starpost) -> bool:
    return client.runtime.has_begun


async def nudge(fake_discord: FakeDiscord, match_id: MatchId) -> str:
    """Have Ada nudge the other player of a match; return the answer."""
    place = Place(fake_objects.GUILD, 5)
    payload = click(99, Person(ADA, "Ada"), place, f"nudge:{match_id}")
    assert await fake_discord.interact(payload)
    return said(await fake_discord.answer(99))


@asynccontextmanager
async def connected(client: Starpost) -> AsyncIterator[None]:
    """Connect a client, and close it at the end."""
    async with asyncio.timeout(60), client:
        running = asyncio.create_task(_connect_with_retries(client, "token"))
        yield
        await client.close()
        await running


@pytest.mark.slow
async def test_bot_started_on_a_full_disk_connects_and_begins_later(
    database: SQLite, fake_discord: FakeDiscord
) -> None:
    machine, process = await one_process(database)
    match_id = await begun(process.env, "7d")
    last, messages = machine.wall, await waiting(database)
    start = Start(database)
    client = start.client
    start.machine.pass_time(0, jump=HOURS)
    async with connected(client):
        async with read_only(database):
            await until(lambda: client.is_ready() and start.early_runs > 0)
            client.runtime.heartbeat.beat.cancel()  # from here on it beats when it is told to
            for _ in range(2):
                start.machine.pass_time(15)
                await start.beat()
            assert client.context.clock() == last, "no time counts"
            assert is_begun(client) is False
            assert "disk seems to be full" in await nudge(fake_discord, match_id)
            assert _why_not_ready(client, database=True) == "the database is not writable"
        assert (await waiting(database), fake_discord.synced) == (messages, 0)
        await start.beat()
        assert is_begun(client)
        assert client.context.clock() == start.machine.wall
        assert await started_at(database) == start.machine.wall
        await until(lambda: fake_discord.synced > 0)
        await client.runtime.outbox.flush()
        assert await waiting(database) == 0
        assert _why_not_ready(client, database=True) in ("", "the database is not writable")


@pytest.mark.slow
async def test_message_queued_before_the_bot_has_begun_waits(
    database: SQLite, fake_discord: FakeDiscord
) -> None:
    """There may be players to delete again first, or leases to release."""
    start = Start(database)
    async with connected(start.client):
        async with read_only(database):
            await until(start.client.is_ready)
            start.client.runtime.heartbeat.beat.cancel()
        env = MatchFixture(database, clock=start.client.context.clock)
        await privacy_of(env).erase(ADA)
        await env.begin()
        await asyncio.sleep(0)
        assert not fake_discord.posted
        await start.client.runtime.stop(_nothing, deliver=True)
        assert not fake_discord.posted


async def _nothing() -> None:
    pass


async def test_start_fails_while_the_database_does_not_answer(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Starpost(database)

    async def fail() -> None:
        raise SQLAlchemyError

    monkeypatch.setattr(client.runtime, "_first_steps", [fail])
    with pytest.raises(SQLAlchemyError):
        await client.runtime.start()
    assert not client.runtime.heartbeat.beat.is_running()


async def test_deletions_are_finished_before_anything_is_sent(database: Database) -> None:
    steps = [step.__qualname__ for step in Starpost(database).runtime._first_steps]
    assert steps == [
        "Heartbeats.record",
        "Privacy.resume",
        "Privacy.erase_again",
        "Computers.resume",
        "OutboxWorker.resume",
        "Runtime._listen",
    ]


async def test_each_first_step_is_taken_once(database: Database) -> None:
    client, taken = Starpost(database), list[str]()

    async def first() -> None:
        taken.append("first")

    async def second() -> None:
        taken.append("second")
        if taken.count("second") == 1:
            raise SQLAlchemyError

    client.runtime._first_steps[:] = [first, second]
    with pytest.raises(SQLAlchemyError):
        await client.runtime._begin()
    await client.runtime._begin()
    assert taken == ["first", "second", "second"]


@pytest.mark.parametrize(
    ("shards", "beats", "stands_at"),
    [
        ((0,), {}, None),
        ((0,), {"2:0": 500.0, "2:1": 400.0, "any": 600.0}, 500.0),
        ((0, 1), {"2:0": 500.0, "2:1": 400.0, "any": 600.0}, 400.0),
        ((0,), {"1:0": 450.0, "any": 600.0}, 450.0),
    ],
)
async def test_clock_stands_at_the_last_heartbeat_of_its_shards(
    database: Database, shards: tuple[int, ...], beats: dict[str, float], stands_at: float | None
) -> None:
    async with database.write() as connection:
        for name, at in beats.items():
            row = {"name": f"{HEARTBEAT}:{name}", "value": repr(at)}
            await connection.execute(facts.insert().values(row))
    clock = SteadyClock(lambda: 1000.0, lambda: 7.0)
    await Heartbeats(database, clock, Shards(2, shards)).stand_still()
    assert clock() == (1000.0 if stands_at is None else stands_at)


async def test_jobs_of_features_are_closed_before_replies_end(database: Database) -> None:
    events: list[str] = []

    async def event(name: str) -> None:
        events.append(name)

    job = ScheduledJob("waiting", partial(event, "run"), close=partial(event, "closed"))
    feature = Feature("extra", jobs=lambda _delivery: [job])
    async with Starpost(database, Clock(), deployment=Deployment(features=[feature])) as client:
        await client.runtime.stop(partial(event, "drained"), deliver=False)
    assert events[:2] == ["closed", "drained"]
