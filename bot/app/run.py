"""Start and stop the bot on Discord."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import chain, repeat

import discord
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from bot.app import gateway, invite
from bot.app.background import BackgroundJob
from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.doctor import diagnose_remotely
from bot.app.drawing import drawing_pool
from bot.app.heartbeat import Job
from bot.app.refusals import sentence_of
from bot.app.registry import features_named
from bot.app.remote import UNAVAILABLE, logged_in
from bot.app.service_manager import supervised
from bot.app.settings import Settings, SettingsError, backups_of
from bot.domain.ids import ChannelId, GuildId
from bot.features.servers.views import Diagnosis
from bot.storage.backup import Backups, drop_replaced
from bot.storage.database import Database
from bot.storage.factory import connect
from bot.storage.file_systems import unsafe_text
from bot.storage.migrate import upgrade
from bot.version import version
from bot.workers.pool import WorkerPool

log = logging.getLogger(__name__)

LOGIN_RETRY_SECONDS = (2, 5, 15, 60)
"""Seconds between login attempts; the last one is repeated."""

GARBAGE_THRESHOLDS = 5_000, 10, 200
"""Number of new objects until Python collects garbage, as a click makes thousands; of collections
until one looks at older objects too, which are up to 50,000 and block the event loop meanwhile; and
of those until one looks at all, as caches have many."""


@asynccontextmanager
async def open_database(
    url: str, backups: Backups | None = None, ready: Callable[[], None] = lambda: None
) -> AsyncIterator[Database]:
    """Open a database and migrate it.

    Args:
        backups: folder for the backup before a migration; by default beside the database.
        ready: called once the database is open, before migrations.

    Raises:
        InUseError: another process has it.
        DatabaseError: it is damaged, newer than this program, or gone.
    """
    database = connect(url)
    try:
        await upgrade(database, backups, ready)
        yield database
    finally:
        await database.close()


def run(settings: Settings) -> None:
    """Run `serve` in a fast event loop."""
    gc.freeze()  # else the first collection would look at all modules before the bot connects
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    gc.enable()
    with asyncio.Runner(loop_factory=_event_loop) as runner:
        runner.run(serve(settings))


def _event_loop() -> asyncio.AbstractEventLoop:
    """Return uvloop's event loop, which is faster; Windows has only asyncio's."""
    if sys.platform == "win32":
        return asyncio.new_event_loop()
    import uvloop  # noqa: PLC0415 - not available on Windows

    return uvloop.new_event_loop()


async def serve(settings: Settings) -> None:
    """Run the bot until a signal stops it.

    Raises:
        SettingsError: there is no token, or Discord does not accept it.
        InUseError: another process has the database.
    """
    token = settings.token()
    backups = backups_of(settings) if settings.on_file else None

    def log_startup() -> None:
        log.info("%s", startup_line(settings, token))
        for hint in settings.hints:
            log.warning("settings: %s", hint)
        if settings.on_file and (text := unsafe_text(settings.database_file.absolute().parent)):
            log.warning("database: %s", text)

    async with (
        open_database(settings.database_url, backups, log_startup) as database,
        _shard_lease(settings, database),
        _client(settings, database, backups) as client,
        _health_server(client, settings.metrics_at, backups),
        gateway.watch_gateway(client.gateway),
        supervised(),
    ):
        stopped = asyncio.create_task(_wait_for_signal(), name="stop")
        running = asyncio.create_task(_connect_with_retries(client, token), name="starpost")
        await asyncio.wait({stopped, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            stopped.cancel()
        else:
            log.info("%s: stopping", stopped.result())
            await client.close()
            running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    log.info("stopped")


async def diagnose_server(token: str, guild_id: GuildId, channel_id: ChannelId | None) -> Diagnosis:
    """Look at a server without connecting, see `bot.app.doctor.diagnose_remotely`.

    Raises:
        SettingsError: Discord does not accept the token, or cannot be reached.
    """
    async with logged_in(token) as client:
        return await diagnose_remotely(client, guild_id, channel_id)


def startup_line(settings: Settings, token: str) -> str:
    """Return version, database, shards and invitation link in one line.

    Args:
        settings: the host's own.
        token: the bot's; only Discord can say whether it is one, so an odd one is tried as well.
    """
    database = make_url(settings.database_url).render_as_string(hide_password=True)
    shards = "1 shard" if settings.shard_count == 1 else f"shards {settings.shards.name}"
    try:
        way = f"invite it with {invite.link(invite.application_id(token))}"
    except SettingsError:
        way = "the token has an unusual format"
    return f"Starpost {version()}, database {database}, {shards}, {way}"


@asynccontextmanager
async def _shard_lease(settings: Settings, database: Database) -> AsyncIterator[None]:
    """Lease the shards, so that no other process serves them, inside the block.

    A file needs no more than the lock beside it.
    """
    if settings.on_file:
        yield
        return
    from bot.storage.presence import present  # noqa: PLC0415 - most do without

    async with present(database.url, settings.shards):
        yield


@asynccontextmanager
async def _health_server(
    client: Starpost, address: tuple[str, int] | None, backups: Backups | None
) -> AsyncIterator[None]:
    """Serve the monitoring endpoints, inside the block; see `bot.app.health`."""
    if address is None:
        yield
        return
    from bot.app.health import health_server  # noqa: PLC0415 - most do without a web server

    async with health_server(client, address, backups):
        yield


def _client(settings: Settings, database: Database, backups: Backups | None) -> Starpost:
    jobs = _background_jobs(settings, database, backups)
    return Starpost(
        database,
        deployment=Deployment(
            background_jobs=jobs,
            contact=settings.contact,
            workers=WorkerPool(settings.computer_workers),
            drawing=drawing_pool(settings.drawing_workers),
            shards=settings.shards,
            features=features_named(settings.features),
        ),
    )


def _background_jobs(settings: Settings, database: Database, backups: Backups | None) -> list[Job]:
    """Return the jobs that run at each heartbeat."""

    async def touch_heartbeat() -> None:
        database.touch_heartbeat()

    async def tidy() -> None:
        if settings.on_file:
            drop_replaced(settings.database_file)

    jobs: list[Job] = [touch_heartbeat, tidy]
    if settings.backup_folder and backups:
        jobs.append(BackgroundJob("the daily backup", backups.daily).start)
    return jobs


async def _wait_for_signal() -> str:
    """Wait for SIGINT or SIGTERM, and return its name."""
    loop = asyncio.get_running_loop()
    received: asyncio.Future[str] = loop.create_future()

    def receive(name: str) -> None:
        if not received.done():
            received.set_result(name)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, receive, number.name)
    return await received


async def _drop_session(client: Starpost) -> None:
    """Close the HTTP session of the last login: the next login opens another one."""
    await client.http.close()
    client.http.connector = discord.utils.MISSING


async def _connect_with_retries(client: Starpost, token: str) -> None:
    """Log in, retrying until it works, and stay connected.

    Raises:
        SettingsError: Discord refuses the token, the shards or this version.
    """
    try:
        await _log_in(client, token)
        await _stay_connected(client)
    except discord.ClientException as error:
        if sentence := sentence_of(error):
            raise SettingsError(sentence) from None
        raise


async def _log_in(client: Starpost, token: str) -> None:
    """Log in, retrying until it works.

    Raises:
        LoginFailure: Discord does not accept the token.
    """
    for pause in chain(LOGIN_RETRY_SECONDS, repeat(LOGIN_RETRY_SECONDS[-1])):
        await _drop_session(client)
        try:
            await client.login(token)
        except UNAVAILABLE as error:
            client.gateway.outage.begin(str(error) or type(error).__name__)
            await asyncio.sleep(pause)
        except SQLAlchemyError as error:
            log.warning("the database does not answer; retry in %d s: %s", pause, error)
            await asyncio.sleep(pause)
        else:
            return


async def _stay_connected(client: Starpost) -> None:
    """Connect, and stay connected until the client is closed.

    Raises:
        ClientException: Discord refuses the connection for good.
    """
    freezing = asyncio.create_task(_freeze_when_ready(client), name="freeze")
    try:
        await client.connect()
    finally:
        freezing.cancel()


async def _freeze_when_ready(client: discord.Client) -> None:
    """Leave servers and code out of garbage collections.

    With 1,000 servers, a full one would stop the event loop for 0.2 s. There is none before either:
    it stopped the loop for 0.1 s, and found a hundred objects.
    """
    await client.wait_until_ready()
    gc.freeze()
