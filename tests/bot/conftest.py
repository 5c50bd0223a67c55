"""The stage for tests of the whole bot."""

import asyncio
import logging
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.env import Env

from bot.app.client import Starpost
from bot.app.run import open_database
from bot.app.settings import SETTINGS
from bot.features.halls import service as halls
from bot.interactions import private_cards
from bot.services.vacation import Vacations
from bot.storage import sqlite
from bot.storage.database import Database
from bot.workers.pool import WorkerPool
from tests.support.children import workers_of
from tests.support.computed_once import share_command_payloads, share_statements
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_discord import FakeDiscord, point_at
from tests.support.harness import IDLE_SECONDS, SETTLE_TIMEOUT_SECONDS, Clock, Stage, actor_bot
from tests.support.limits import CheckedLayout
from tests.support.locales import Locales, chosen_locales
from tests.support.matches import MatchFixture
from tests.support.outbox import OutboxFixture
from tests.support.pgbouncer import pooling
from tests.support.postgres import Server, long_waits, served
from tests.support.scans import Scans


def pytest_configure() -> None:
    """Shorten simcord's pauses: it has a parameter for them, which people's clicks do not pass."""
    defaults = Env._settle_internal.__kwdefaults__
    assert defaults
    defaults["idle"] = IDLE_SECONDS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Wait long for a busy machine, and run a test that is slow on PostgreSQL there once.

    `make soak` runs it with all its parameters.
    """
    on_server = set[str]()
    for item in items:
        item.add_marker(pytest.mark.simcord(settle_timeout=SETTLE_TIMEOUT_SECONDS))
        if item.get_closest_marker("slow") and "PostgreSQL" in item.nodeid.partition("[")[2]:
            test = item.nodeid.partition("[")[0]
            if test in on_server:
                item.add_marker(pytest.mark.soak)
            on_server.add(test)


@pytest.fixture
def old_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave private cards as they are, as if their tokens had expired."""
    monkeypatch.setattr(private_cards, "KEPT_SECONDS", -1.0)


@pytest.fixture(scope="session", autouse=True)
def computed_once() -> Iterator[None]:
    """Share among all tests what each bot and each database would compute again."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        share_statements(monkeypatch)
        share_command_payloads(monkeypatch)
        yield


@pytest.fixture(scope="session", autouse=True)
def checked_layouts() -> Iterator[None]:
    """Check the custom_ids of each message that any test builds."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("bot.views.message.Layout", CheckedLayout)
        yield


@pytest.fixture(scope="session")
def scans() -> Iterator[Scans]:
    """Explain each statement that the bot sends to SQLite, once."""
    scans = Scans()
    with pytest.MonkeyPatch.context() as monkeypatch:
        scans.watch(monkeypatch)
        yield scans
    scans.close()


@pytest.fixture(autouse=True)
def no_table_that_grows_is_scanned(scans: Scans) -> Iterator[None]:
    """No statement of the bot takes longer with all that ever happened, see `Scans`."""
    scans.unexpected.clear()
    yield
    assert not scans.unexpected


UNSYNCED = tuple(pragma.replace("synchronous=FULL", "synchronous=OFF") for pragma in sqlite.PRAGMAS)


@pytest.fixture(autouse=True)
def no_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk: these tests cut no power."""
    monkeypatch.setattr(sqlite, "PRAGMAS", UNSYNCED)


@pytest.fixture(autouse=True)
def nothing_goes_wrong_unseen(
    caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> Iterator[None]:
    """What the bot logs as an error is one, unless the test is marked `errors_wanted`."""
    yield
    wrong = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    if not request.node.get_closest_marker("errors_wanted"):
        assert not wrong, [record.getMessage() for record in wrong]


@pytest.fixture(autouse=True)
def no_worker_is_left() -> Iterator[None]:
    """A worker that outlives its test is found as garbage in another one, which then fails."""
    before = workers_of(os.getpid())
    yield
    assert not workers_of(os.getpid()) - before


@pytest.fixture(autouse=True)
def each_turn_is_posted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Players do not watch the board, though the clock stands still; unless marked `watched`."""
    if not request.node.get_closest_marker("watched"):
        monkeypatch.setattr("bot.services.pings.WATCHING_SECONDS", 0.0)


@pytest.fixture
def long_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edit the lists of halls less often, so that simcord does not wait for that in real time."""
    monkeypatch.setattr(halls, "LIST_PAUSE_SECONDS", 2 * SETTLE_TIMEOUT_SECONDS)
    monkeypatch.setattr(halls, "FIRST_LIST_SECONDS", 4 * SETTLE_TIMEOUT_SECONDS)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, where it is installed."""
    with served() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
        yield server


@pytest.fixture(scope="session")
def pooler(postgres: Server) -> Iterator[int]:
    """The port of a PgBouncer in front of the PostgreSQL server, where it is installed."""
    with pooling(postgres) as port:
        if port is None:
            pytest.skip("PgBouncer is not installed (apt-get install pgbouncer)")
        yield port


@pytest.fixture
def own_server(postgres: Server) -> Iterator[Server]:
    """A PostgreSQL server that no other test needs, to be stopped and started."""
    with served() as server:
        assert server
        yield server


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database file, to be copied: that takes a tenth of the migrations' time."""
    path = tmp_path_factory.mktemp("template") / "template.db"

    async def migrate() -> None:
        async with open_database(f"sqlite+aiosqlite:///{path}"):
            pass

    asyncio.run(migrate())
    return path


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.slow)])
def backend(request: pytest.FixtureRequest) -> str:
    """Name the database: `make test` uses PostgreSQL in tests/bot/storage, `make slow` in all."""
    name: str = request.param
    return name


@pytest.fixture
def url(
    backend: str, request: pytest.FixtureRequest, template: Path, tmp_path: Path
) -> Iterator[str]:
    """The address of a new database; each test that asks for it runs on each `backend`."""
    if backend == "SQLite":
        path = shutil.copyfile(template, tmp_path / "test.db")
        yield f"sqlite+aiosqlite:///{path}"
        return
    server: Server = request.getfixturevalue("postgres")
    with long_waits(), server.database() as address:
        yield address


@pytest.fixture
async def database(template: Path, tmp_path: Path) -> AsyncIterator[Database]:
    """A migrated database file."""
    path = shutil.copyfile(template, tmp_path / "stage.db")
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        yield database


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a .env, and an environment without our settings."""
    monkeypatch.chdir(tmp_path)
    for name in SETTINGS:
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


@pytest.fixture
def simcord_bot(database: Database, request: pytest.FixtureRequest) -> Starpost:
    """The bot that simcord's own fixture starts; with one worker if marked `computers`."""
    has_computers = request.node.get_closest_marker("computers")
    return actor_bot(database, workers=WorkerPool(1) if has_computers else None)


@pytest.fixture
async def stage(simcord_env: Any, database: Database) -> AsyncIterator[Stage]:
    """A whole bot on a simulated Discord, with three people and a channel."""
    stage = await Stage(simcord_env, database).without_threads()
    yield stage
    await stage.stop_computers()


@pytest.fixture
def host(stage: Stage) -> Any:
    """A member who may manage the server."""
    role = stage.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    return stage.guild.add_member(stage.env.create_user("host", global_name="Host"), roles=[role])


@pytest.fixture
def locales(monkeypatch: pytest.MonkeyPatch) -> Locales:
    """Number of a user → the language of their Discord; simcord's people all speak English."""
    return chosen_locales(monkeypatch)


@pytest.fixture
async def env(url: str) -> AsyncIterator[MatchFixture]:
    """Two players and the services, on each storage."""
    async with open_database(url) as database:
        yield MatchFixture(database)


@pytest.fixture
def away(env: MatchFixture) -> Vacations:
    """The vacations of the players of `env`."""
    return env.vacations


@pytest.fixture
async def delivery(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DeliveryFixture]:
    """Two players whose outbox is delivered to a fake Discord, on each storage."""
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    async with open_database(url) as database:
        env = MatchFixture(database)
        fake_discord = FakeDiscord(lambda: env.now)
        async with fake_discord.open():
            point_at(fake_discord.port)
            async with discord.Client(intents=discord.Intents.none()) as client:
                await client.login("token")
                yield DeliveryFixture(env, fake_discord, client)


@pytest.fixture
async def outbox_env(url: str) -> AsyncIterator[OutboxFixture]:
    """An empty outbox."""
    async with open_database(url) as database:
        match_id = await MatchFixture(database).ask()
        outbox_env = OutboxFixture(database, match_id)
        await outbox_env.worker.flush()
        outbox_env.sender.delivered.clear()
        outbox_env.sender.busy.clear()
        yield outbox_env


@pytest.fixture
async def fake_discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeDiscord]:
    """A Discord in this process to which clients connect over HTTP and WebSocket."""
    monkeypatch.setattr(discord.http.Route, "BASE", discord.http.Route.BASE)
    gateway = discord.gateway.DiscordWebSocket
    monkeypatch.setattr(gateway, "DEFAULT_GATEWAY", gateway.DEFAULT_GATEWAY)
    fake_discord = FakeDiscord(Clock())
    async with fake_discord.open():
        point_at(fake_discord.port)
        yield fake_discord
