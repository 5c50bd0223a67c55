"""For those who watch the bot: `/livez`, `/readyz` and `/metrics`, if a setting says where."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.settings import SettingsError
from bot.storage.schema import matches, outbox
from bot.tables import RUNNING

if TYPE_CHECKING:
    from bot.client import Starpost

DEAD = 60.0
"""Seconds without a heartbeat after which a bot is taken for dead."""

SAMPLE = 0.5
"""Seconds between two looks at how long the event loop keeps others waiting."""


@asynccontextmanager
async def watched(client: Starpost, address: tuple[str, int]) -> AsyncIterator[int]:
    """Answer those who watch, inside the block.

    Args:
        client: the bot.
        address: host and port; with port 0 any free one is taken.

    Yields:
        The port.

    Raises:
        SettingsError: that address cannot be had.
    """
    runner = web.AppRunner(_pages(client), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, *address).start()
    except OSError as error:
        await runner.cleanup()
        raise SettingsError(f"METRICS_ADDRESS: {error.strerror}.") from None
    sampling = asyncio.create_task(_sample(), name="loop lag")
    try:
        yield runner.addresses[0][1]
    finally:
        sampling.cancel()
        with suppress(asyncio.CancelledError):
            await sampling
        await runner.cleanup()


def _pages(client: Starpost) -> web.Application:
    async def live(_: web.Request) -> web.Response:
        return _verdict("" if _is_alive(client) else "no heartbeat for a minute")

    async def ready(_: web.Request) -> web.Response:
        return _verdict(await _why_not_ready(client))

    async def read(_: web.Request) -> web.Response:
        with suppress(SQLAlchemyError):  # the figures of events are wanted all the more
            await _look(client)
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.router.add_get("/livez", live)
    app.router.add_get("/readyz", ready)
    app.router.add_get("/metrics", read)
    return app


def _verdict(fault: str) -> web.Response:
    return web.Response(text=f"{fault or 'ok'}\n", status=503 if fault else 200)


def _is_alive(client: Starpost) -> bool:
    """Who waits for Discord to come up is alive; who has begun must go on."""
    return client.beaten is None or time.perf_counter() - client.beaten < DEAD


async def _why_not_ready(client: Starpost) -> str:
    if client.stopping:
        return "about to end"
    if not client.is_ready():
        return "not connected to Discord"
    try:
        async with client.database.read() as connection:
            await connection.execute(select(func.count()).select_from(outbox))
    except SQLAlchemyError:
        return "the database does not answer"
    return ""


async def _look(client: Starpost) -> None:
    """Read what is a state."""
    since = func.min(func.coalesce(outbox.c.tried, outbox.c.due))
    async with client.database.read() as connection:
        parcels = select(outbox.c.state, func.count(), since).group_by(outbox.c.state)
        found = {state: (count, at) for state, count, at in await connection.execute(parcels)}
        running = select(func.count()).where(matches.c.status == RUNNING)
        metrics.MATCHES.set((await connection.execute(running)).scalar_one())
    for state in ("waiting", "dead"):
        metrics.OUTBOX.labels(state).set(found.get(state, (0, None))[0])
    oldest = found.get("waiting", (0, client.now()))[1]
    metrics.OUTBOX_AGE.set(max(0.0, client.now() - oldest))
    metrics.LATENCY.set(client.latency)


async def _sample() -> None:
    """Sleep, and see how late one is woken."""
    while True:
        begin = time.perf_counter()  # the loop's own clock stands while it is busy
        await asyncio.sleep(SAMPLE)
        metrics.LOOP_LAG.observe(max(0.0, time.perf_counter() - begin - SAMPLE))
