"""The connection to Discord's gateway, for each shard of this process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord

from bot import metrics
from bot.outages import Outage
from bot.shards import Shards

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # the bot uses no voice

log = logging.getLogger(__name__)

GRACE_SECONDS = 5.0
"""Seconds that a shard may be disconnected: Discord asks for a reconnect several times a day."""

START_SECONDS = 120.0
"""Grace at start-up, counted from the last shard that connected: shards take turns."""

SILENCE_SECONDS = 20.0
"""Seconds of silence beyond the heartbeat interval until a connection counts as lost."""

CHECK_SECONDS = 1.0
"""Seconds between two checks."""


class Gateway:
    """Knows which shards are connected.

    Args:
        monotonic: monotonic clock in seconds.
    """

    def __init__(
        self,
        client: discord.AutoShardedClient,
        shards: Shards,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._monotonic = monotonic
        self._lost: dict[int, float] = {}
        self._starting = set(shards.ids)
        self._last_start = monotonic()
        self._reason = ""
        self.shards = shards
        self.outage = Outage("Discord", monotonic=monotonic)
        _trace(client.http, self._failed)

    def connected(self, shard: int) -> None:
        """Note that a shard is connected, or connected again."""
        self._lost.pop(shard, None)
        if shard in self._starting:
            self._starting.discard(shard)
            self._last_start = self._monotonic()
        self.check()

    def disconnected(self, shard: int) -> None:
        """Note that a shard has lost its connection."""
        self._lost.setdefault(shard, self._monotonic())

    def is_up(self, shard: int) -> bool:
        """Return whether a shard is connected just now."""
        return shard not in self._starting and shard not in self._lost and not self._silent(shard)

    def missing(self) -> dict[int, float]:
        """Return the shards that have been disconnected for too long, with the seconds."""
        now = self._monotonic()
        silences = {shard: now - since for shard, since in self._lost.items()}
        silences |= {s: silence for s in self.shards.ids if (silence := self._silent(s))}
        silences = {
            shard: seconds for shard, seconds in silences.items() if seconds >= GRACE_SECONDS
        }
        seconds_waited = now - self._last_start
        starting = self._starting if seconds_waited >= START_SECONDS else ()
        return silences | dict.fromkeys(starting, seconds_waited)

    def check(self) -> None:
        """Log the beginning or the end of the outage."""
        if missing := self.missing():
            numbers = ",".join(map(str, sorted(missing)))
            reason = f"shard {numbers}: {self._reason or 'no answer'}"
            self.outage.begin(reason, max(missing.values()))
        elif all(map(self.is_up, self.shards.ids)):
            self._reason = ""
            self.outage.end()

    def _failed(self, error: Exception) -> None:
        """Note why a connection could not be made."""
        self._reason = f"{error}".strip() or type(error).__name__
        if self._starting:  # nothing was lost: log the failure itself
            self.outage.begin(self._reason)

    def _silent(self, shard: int) -> float:
        """Return the seconds that a connection has been silent; 0 while it is not.

        discord.py notices that as well, but up to 40 seconds later.
        """
        info = self._client.get_shard(shard)
        alive = info and getattr(info._parent.ws, "_keep_alive", None)  # noqa: SLF001
        if not isinstance(alive, discord.gateway.KeepAliveHandler) or alive.interval is None:
            return 0.0
        silence = time.perf_counter() - alive._last_recv  # noqa: SLF001
        return silence if silence > alive.interval + SILENCE_SECONDS else 0.0


def _trace(http: Any, failed: Callable[[Exception], None]) -> None:
    """Report each failed attempt to open a connection to the gateway."""
    connect = http.ws_connect

    async def traced(*arguments: Any, **options: Any) -> Any:
        try:
            return await connect(*arguments, **options)
        except Exception as error:
            failed(error)
            raise

    http.ws_connect = traced


def listen(client: discord.Client, gateway: Gateway) -> None:
    """Connect a client's session events to a gateway, and log and count its connections."""

    @client.event
    async def on_connect() -> None:
        metrics.CONNECTS.inc()  # many of these mean that the line is bad

    @client.event
    async def on_ready() -> None:
        count = len(client.guilds)
        servers = "server" if count == 1 else "servers"
        log.info("connected as %s, %d %s", client.user, count, servers)

    @client.event
    async def on_shard_connect(shard: int) -> None:
        gateway.connected(shard)

    @client.event
    async def on_shard_resumed(shard: int) -> None:
        gateway.connected(shard)

    @client.event
    async def on_shard_disconnect(shard: int) -> None:
        gateway.disconnected(shard)


@asynccontextmanager
async def watch_gateway(gateway: Gateway) -> AsyncIterator[None]:
    """Check the gateway every second, inside the block."""

    async def check() -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            gateway.check()

    task = asyncio.create_task(check(), name="gateway")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
