"""A simulated Discord in this process, with the bot on it and a page to look at it (simcord)."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
)
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import available_timezones

import discord
import simcord

from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.emojis import all_emoji_images, full_name
from bot.domain.ids import GuildId
from bot.domain.models import Switch
from bot.services.servers import Servers
from bot.storage.database import Database
from bot.workers.pool import WorkerPool

T = TypeVar("T")

PLAYERS = ("Ada", "Bo", "Cy")
"""The members of the server; the first one owns it."""

SETTLE_TIMEOUT_SECONDS = 60.0
"""Seconds that simcord waits for the bot to finish before it calls a click uncertain.

After that the page refuses every further click until it is loaded again.
"""

LOOK_SECONDS = 0.05
"""Polling interval for changes to show."""

TICK_SECONDS = 0.5
"""Interval in seconds for adjusting the simulated clock to the real one."""

LONGEST_TICK_SECONDS = 15.0
"""Maximum advance of the simulated clock at once; a machine that slept costs no time."""

SLOW = "a slow answer of a worker"
"""Why simcord does not wait for some work."""

STEPS = 1000
"""Maximum steps of a simcord operation that does not wait."""

COMPLETION = discord.InteractionResponseType.autocomplete_result.value
"""Type of a response that only the typing user can see."""

EMOJI_ADDRESS = "https://cdn.simcord.invalid/emojis/{}.png"
"""Where simcord looks for the picture of an emoji; it keeps no pictures itself."""


@dataclass
class Simulation:
    """A running bot with a server, a channel and its players.

    Args:
        players: the members, in the order of `PLAYERS`.
    """

    world: simcord.Env
    client: Starpost
    channel: simcord.ChannelHandle
    players: list[simcord.MemberActor]
    _read: set[int] = field(default_factory=set)

    async def preview(self, port: int) -> simcord.Preview:
        """Return the page, not yet opened.

        Args:
            port: port of the page on this machine; 0 for any free one.
        """
        return self.world.preview(
            self.channel,
            viewers=self.players,
            layout="channel",
            timezone=time_zone(),
            assets=await self._emojis(),
            port=port,
        )

    async def _emojis(self) -> Mapping[str, tuple[str, bytes]]:
        """Return the picture of each emoji by its address in the page."""
        pictures = {full_name(name, png): png for name, png in all_emoji_images()}
        return {
            EMOJI_ADDRESS.format(emoji.id): (f"{emoji.name}.png", pictures[emoji.name])
            for emoji in await self.client.fetch_application_emojis()
        }

    async def follow(self, page: simcord.Preview, tell: Callable[[str], object]) -> None:
        """Keep the simulated clock with the real one, and show each change in every tab.

        Args:
            page: opened.
            tell: called with each direct message, in one line.
        """
        requests, seen_count, stale = self.world.http_requests, 0, False
        target = self.world.now().timestamp()
        before = time.perf_counter()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if (elapsed := time.perf_counter() - before) >= TICK_SECONDS:
                now = self.world.now().timestamp()
                before += elapsed
                target = max(now, min(target + elapsed, now + LONGEST_TICK_SECONDS))
                run_at_once(self.world.advance_time(target - now))
            stale = stale or any(map(_can_be_seen, requests[seen_count:]))
            seen_count = len(requests)
            if stale and run_at_once(self._refresh(page)):
                stale = False
                for line in self.direct_messages():
                    tell(line)

    async def _refresh(self, page: simcord.Preview) -> None:
        """Show each change in every tab; tabs opened from now on begin at the newest message."""
        await page.refresh()
        with suppress(simcord.SetupError):
            await page.show(self.channel.history()[-1])

    def direct_messages(self) -> Iterator[str]:
        """Yield each direct message since the last call as one line: the page cannot show it."""
        for name, player in zip(PLAYERS, self.players, strict=True):
            for message in player.user.dm_channel.history():
                if message.id not in self._read:
                    self._read.add(message.id)
                    yield f"Direct message to {name}: {_one_line(message)}"


@asynccontextmanager
async def simulated(database: Database) -> AsyncIterator[Simulation]:
    """Run the bot on a simulated Discord whose clock shows the time of this machine.

    simcord's clock begins in the past, and moving it would fire every heartbeat in between. So it
    is moved while another client is connected, which has none.
    """
    placeholder = discord.AutoShardedClient(
        shard_count=1, shard_ids=[0], intents=discord.Intents(guilds=True)
    )
    async with simcord.run(
        placeholder, settle_timeout=SETTLE_TIMEOUT_SECONDS, check_errors=False
    ) as world:
        await world.advance_time(max(0.0, time.time() - world.now().timestamp()))
        users = [world.create_user(name.lower(), global_name=name) for name in PLAYERS]
        guild = world.create_guild("Starpost", owner=users[0])
        await Servers(database).choose(
            GuildId(guild.id), threads=Switch.OFF
        )  # the page shows one channel
        workers = _SimulatedWorkers(world)
        client = Starpost(
            database, lambda: world.now().timestamp(), deployment=Deployment(workers=workers)
        )
        await world.restart_bot(client)
        client.context.computer_turns.pause_seconds = 0.0  # the page shows nothing during a pause
        players = [guild.add_member(user) for user in users]
        channel = guild.create_text_channel("space-games")
        if client.user:
            await client.user.edit(username="Starpost")
        try:
            yield Simulation(world, client, channel, players)
        finally:
            await client.runtime.stop_workers()  # simcord does not close the client


class _SimulatedWorkers(WorkerPool):
    """A worker that simcord does not wait for: the page shows what the bot says meanwhile."""

    def __init__(self, world: simcord.Env) -> None:
        super().__init__(1)
        self._world = world

    def of_one(self) -> WorkerPool:
        """See `WorkerPool.of_one`."""
        return _SimulatedWorkers(self._world)

    async def wait_for(self, outcome: Awaitable[T]) -> T:
        """See `WorkerPool.wait_for`."""
        result: T = await self._world.external_wait(outcome, reason=SLOW)
        return result

    async def ask(self, *request: Any, **options: Any) -> dict[str, Any]:
        """See `WorkerPool.ask`."""
        return await self.wait_for(super().ask(*request, **options))


def run_at_once(operation: Coroutine[Any, Any, Any]) -> bool:
    """Run an operation of simcord if nothing has to be waited for.

    simcord refuses a click that comes during another operation, and the browser then waits for
    its outcome forever. So nothing else runs between the first and the last step of this one.

    Returns:
        Whether it was run to its end.

    Example:
        >>> async def yields_twice() -> None:
        ...     await asyncio.sleep(0)
        ...     await asyncio.sleep(0)
        >>> async def waits() -> None:
        ...     await asyncio.sleep(1)
        >>> async def main() -> tuple[bool, bool]:
        ...     return run_at_once(yields_twice()), run_at_once(waits())
        >>> asyncio.run(main())
        (True, False)
    """
    try:
        steps = operation.__await__()
        for _ in range(STEPS):
            if next(steps) is not None:
                return False
    except StopIteration:
        return True
    except (simcord.SetupError, TimeoutError):
        return False
    finally:
        operation.close()
    return False


def time_zone() -> str:
    """Return the IANA name of this machine's time zone, UTC if it has none."""
    local = Path("/etc/localtime").resolve().as_posix().partition("zoneinfo/")[2]
    name = os.environ.get("TZ", "").lstrip(":") or local
    return name if name in available_timezones() else "UTC"


def _can_be_seen(request: simcord.HttpLogEntry) -> bool:
    """Return whether a request may have changed the page."""
    completes = isinstance(request.json, Mapping) and request.json.get("type") == COMPLETION
    return request.method != "GET" and not completes


def _one_line(message: discord.Message) -> str:
    """Return the text of a message, and the names of its files."""
    texts = [message.content, *_texts(component.to_dict() for component in message.components)]
    files = (f"[{file.filename}]" for file in message.attachments)
    return " ".join(" ".join((*texts, *files)).split())


def _texts(components: Any) -> Iterator[str]:
    """Yield the texts and labels of components, nested ones included."""
    for component in components:
        yield from (str(component[key]) for key in ("content", "label") if component.get(key))
        yield from _texts(component.get("components", ()))
