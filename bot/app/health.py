"""The monitoring endpoints `/livez`, `/readyz` and `/metrics`, if a setting has their address."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.domain.models import MatchStatus
from bot.domain.outbox import OutboxStatus
from bot.storage.backup import Backups
from bot.storage.file_lock import HEARTBEAT_MAX_AGE_SECONDS
from bot.storage.schema import matches, outbox, timers

if TYPE_CHECKING:
    from bot.app.client import Starpost

log = logging.getLogger(__name__)

SAMPLE_SECONDS = 0.5
"""Interval between two samples of the lag of the event loop."""

QUERY_SECONDS = 3.0
"""Timeout of a query, below the timeouts of Prometheus and Kubernetes."""

PORT_RETRY_SECONDS = 30.0
"""Interval between two attempts to bind a port in use."""


@asynccontextmanager
async def health_server(
    client: Starpost, address: tuple[str, int], backups: Backups | None = None
) -> AsyncIterator[int]:
    """Serve the pages, inside the block; retry a port in use until it is free.

    Args:
        address: host and port; with port 0 any free one is taken.
        backups: the database's backups, if it is a file.

    Yields:
        The port; 0 if it is taken.
    """
    runner = web.AppRunner(_pages(client, backups), access_log=None)
    await runner.setup()
    tasks = [asyncio.create_task(_sample_loop_lag(), name="loop lag")]
    if error := await _listen(runner, address):
        log.warning(
            "METRICS_ADDRESS: %s:%d cannot be used, retry every %.0f s: %s",
            *address,
            PORT_RETRY_SECONDS,
            error,
        )
        tasks.append(asyncio.create_task(_keep_trying(runner, address), name="metrics port"))
    try:
        yield runner.addresses[0][1] if runner.addresses else 0
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await runner.cleanup()


async def _listen(runner: web.AppRunner, address: tuple[str, int]) -> str:
    """Open the port; return why that is impossible, or an empty string."""
    try:
        await web.TCPSite(runner, *address).start()
    except OSError as error:
        return error.strerror or str(error)
    return ""


async def _keep_trying(runner: web.AppRunner, address: tuple[str, int]) -> None:
    while True:
        await asyncio.sleep(PORT_RETRY_SECONDS)
        if not await _listen(runner, address):
            log.info("METRICS_ADDRESS: %s:%d is free now", *address)
            return


def _pages(client: Starpost, backups: Backups | None) -> web.Application:
    started_at = time.monotonic()

    async def live(_: web.Request) -> web.Response:
        return _verdict("" if _is_alive(client) else "no heartbeat for a minute")

    async def ready(_: web.Request) -> web.Response:
        return _verdict(_why_not_ready(client, database=await _works(_probe(client))))

    async def metrics_page(_: web.Request) -> web.Response:
        database = await _works(_query_gauges(client))
        if not database:  # better no value than the last good one
            for gauge in (metrics.MATCHES, metrics.OUTBOX_AGE, metrics.TIMERS_OVERDUE):
                gauge.set(math.nan)
            metrics.OUTBOX.clear()
        metrics.DATABASE.set(database)
        metrics.READY.set(not _why_not_ready(client, database=database))
        _update_local_gauges(client)
        if backups:
            age = await asyncio.to_thread(backups.age)
            metrics.BACKUP_AGE.set(time.monotonic() - started_at if age is None else age)
        else:
            metrics.BACKUP_AGE.set(math.nan)
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.router.add_get("/livez", live)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", metrics_page)
    return app


def _verdict(fault: str) -> web.Response:
    return web.Response(text=f"{fault or 'ok'}\n", status=503 if fault else 200)


def _is_alive(client: Starpost) -> bool:
    """Return whether the bot waits for its first connection, or has a recent heartbeat."""
    return (
        client.runtime.heartbeat.last is None
        or time.perf_counter() - client.runtime.heartbeat.last < HEARTBEAT_MAX_AGE_SECONDS
    )


def _why_not_ready(client: Starpost, *, database: bool) -> str:
    """Return the reason that the bot cannot play, or an empty string.

    Args:
        database: whether the database answers.
    """
    if client.stopping:
        return "shutting down"
    if not client.is_ready():
        return "not connected to Discord"
    if lost_shards := client.gateway.missing():
        return f"not connected to Discord: shard {','.join(map(str, sorted(lost_shards)))}"
    if not database:
        return "the database does not answer"
    if client.database.unwritable.lasts():
        return "the database is not writable"
    return ""


async def _works(query: Awaitable[None]) -> bool:
    """Return whether the database answers a query in time."""
    try:
        async with asyncio.timeout(QUERY_SECONDS):
            await query
    except (SQLAlchemyError, TimeoutError):
        return False
    return True


async def _probe(client: Starpost) -> None:
    async with client.database.read() as connection:
        await connection.execute(select(func.count()).select_from(outbox))


async def _query_gauges(client: Starpost) -> None:
    """Read the state of the database."""
    since = func.min(func.coalesce(outbox.c.first_attempt_at, outbox.c.next_attempt_at))
    async with client.database.read() as connection:
        queued = select(outbox.c.status, func.count(), since).group_by(outbox.c.status)
        by_status = {status: (count, at) for status, count, at in await connection.execute(queued)}
        running = select(func.count()).where(matches.c.status == MatchStatus.RUNNING)
        metrics.MATCHES.set((await connection.execute(running)).scalar_one())
        first = (await connection.execute(select(func.min(timers.c.due_at)))).scalar_one()
    for status in OutboxStatus:
        metrics.OUTBOX.labels(status).set(by_status.get(status, (0, None))[0])
    now = client.context.clock()
    metrics.OUTBOX_AGE.set(max(0.0, now - by_status.get(OutboxStatus.WAITING, (0, now))[1]))
    metrics.TIMERS_OVERDUE.set(max(0.0, now - (now if first is None else first)))


def _update_local_gauges(client: Starpost) -> None:
    """Update the gauges that need no query."""
    metrics.WRITABLE.set(not client.database.unwritable.lasts())
    free = client.database.free()
    metrics.FREE.set(math.nan if free is None else free)
    metrics.LATENCY.set(client.latency)
    for shard in client.gateway.shards.ids:
        metrics.GATEWAY.labels(shard).set(client.gateway.is_up(shard))


async def _sample_loop_lag() -> None:
    """Sample the lag of the event loop."""
    while True:
        begin = time.perf_counter()  # the loop's own clock stands while it is busy
        await asyncio.sleep(SAMPLE_SECONDS)
        metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - begin - SAMPLE_SECONDS))
