"""The Discord client: commands, clicks, and a heartbeat for timers and for what is to be sent."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import tasks
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.app.background import BackgroundJob, GuardedJob
from bot.app.command_sync import CommandSync
from bot.app.emojis import Emojis
from bot.app.gateway import Gateway
from bot.app.request_rate import Pace, keep
from bot.failures import count_failure
from bot.interactions.animations import Films
from bot.interactions.context import Context
from bot.interactions.gate import Gate
from bot.interactions.option_checks import is_readable
from bot.interactions.registry import all_commands
from bot.interactions.replies import answering, apologise, mismatched
from bot.interactions.router import dispatch
from bot.outbox.sender import DiscordCourier
from bot.outbox.worker import Delivery
from bot.services.matches import Matches
from bot.services.places import Places
from bot.services.preferences import Players
from bot.services.privacy import Privacy
from bot.services.queries import Tables
from bot.services.retention import Retention
from bot.services.servers import Servers
from bot.services.steady_clock import SteadyClock
from bot.services.timers import Timers
from bot.services.transactions import random_seed
from bot.services.vacation import Vacations
from bot.shards import Shards
from bot.storage.database import Database
from bot.storage.leases import Leases, LostLeaseError
from bot.views.images import Artist

log = logging.getLogger(__name__)

HEARTBEAT = 15.0
"""Seconds between two looks at the clock."""

CLOCK_JUMP_SECONDS = 1.0
"""Difference between wall and monotonic clock, since the last heartbeat, that is a jump."""

IDENTIFY = 5.0
"""Seconds in which Discord lets `max_concurrency` shards begin."""

PATIENCE = 10.0
"""Seconds that running work gets when the bot is told to stop."""

LONGEST_PAUSE = 30.0
"""Seconds that a request waits for a rate limit; what must wait longer goes back to the outbox."""

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no warnings

CLICKS = (discord.InteractionType.component, discord.InteractionType.modal_submit)

Interaction = discord.Interaction[Any]
Chore = Callable[[], Awaitable[None]]


class Tree(app_commands.CommandTree["Starpost"]):
    """The commands; what fails before one runs gets a friendly sentence as well."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Run no command when the bot is about to end, and none that cannot be read."""
        if not await self.client.gate.admit(interaction):
            return False
        if is_readable(interaction.data or {}):
            return True
        await mismatched(interaction, app_commands.AppCommandError())
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Answer a command that failed before or while it ran."""
        if isinstance(error, app_commands.CommandInvokeError):
            await apologise(interaction, error.original)
        else:
            await mismatched(interaction, error)


class Starpost(discord.AutoShardedClient):
    """The bot.

    Args:
        database: opened and migrated; whoever opened it closes it.
        clock: the time in UTC seconds; by default the machine's, made steady.
        make_seed: 32 secret bytes for the dice of a new match; random ones by default.
        chores: done at each heartbeat.
        contact: where people report a problem; empty if nothing is said of it.
        shards: which part of Discord this process serves.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] | None = None,
        make_seed: Callable[[], bytes] = random_seed,
        *,
        chores: Sequence[Chore] = (),
        contact: str = "",
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        clock = SteadyClock() if clock is None else clock
        super().__init__(
            shard_count=shards.count,
            shard_ids=list(shards.ids),
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            max_ratelimit_timeout=LONGEST_PAUSE,
            http_trace=metrics.http_trace(),
        )
        self.pace = Pace.of(shards)
        keep(self.pace, self.http)
        self.served = shards
        self.database = database
        self.tree = Tree(self)
        matches, images = Matches(database, clock, make_seed), Artist()
        self.leases = Leases(database, shards.name, clock)
        self.context = Context(
            matches=matches,
            queries=Tables(database),
            preferences=Players(database),
            servers=Servers(database),
            vacations=Vacations(database, clock),
            privacy=Privacy(database, matches, self.leases),
            images=images,
            animations=Films(images.idle),
            contact=contact,
            clock=clock,
        )
        self.gate = Gate(self.context.preferences, images)
        self.delivery = Delivery(
            database, DiscordCourier(self, database, images, clock), clock, shards.name
        )
        database.listen("outbox", self.delivery.wake)
        self.timers = Timers(database, matches, clock, shards)
        self.retention = Retention(database, self.leases, clock)
        self.emojis_sync = Emojis(self, images, self.leases)
        self.command_sync = CommandSync(self.tree, database, self.leases)
        self._jobs = (
            BackgroundJob("registering the commands", self.command_sync.run),
            BackgroundJob("sending the emojis", self.emojis_sync.look),
        )
        own = *(job.start for job in self._jobs), self.context.vacations.end_due
        tidy = self.context.privacy.scrub, self.retention.forget
        self._chores = [GuardedJob(_name(chore), chore) for chore in (*own, *tidy, *chores)]
        self._fire_timers = GuardedJob(
            "timers", self.timers.fire, part="timer", pauses=(HEARTBEAT,)
        )
        self._at_once = 1
        self.gateway = Gateway(self, shards)
        self.stopping = False
        self._wall_offset = _wall_offset()
        self.beaten: float | None = None
        for command in all_commands(self.context):
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Go on where the last process stopped; the heartbeat starts the background jobs."""
        if self.served.count > 1:
            await self._learn_limits()
        await self.timers.look()  # before any click: the clock may have been set meanwhile
        await (
            self.context.privacy.erase_again()
        )  # before anything is sent to those who were deleted
        await self.delivery.resume()
        self.heartbeat.start()

    async def _learn_limits(self) -> None:
        """Ask how many shards may begin at once, and wait if none may begin any more today."""
        *_, limit = await self.http.get_bot_gateway()
        self._at_once = limit["max_concurrency"]
        if limit["remaining"] < len(self.served.ids):  # one more, and Discord resets the token
            wait = limit["reset_after"] / 1000
            log.warning("Discord lets no more shards begin today; I begin in %.0f s", wait)
            await asyncio.sleep(wait)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this shard's turn: Discord lets few begin at once, whatever their process."""
        if self.served.count == 1:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        bucket = f"identify:{(shard_id or 0) % self._at_once}"
        try:
            while wait := await self.leases.turn(bucket, IDENTIFY):  # noqa: ASYNC110 - asked, not told
                await asyncio.sleep(wait)
        except SQLAlchemyError as error:
            log.warning("shard %s begins without asking the others: %s", shard_id, error)
            await asyncio.sleep(IDENTIFY)

    @tasks.loop(seconds=HEARTBEAT)
    async def heartbeat(self) -> None:
        """Fire timers, deliver due messages, and run the background jobs."""
        self.beaten = time.perf_counter()
        try:
            await self._fire_timers.run()
        except SQLAlchemyError as error:
            log.warning("timers wait: %s", error)
            count_failure("timer", error)
        self.delivery.wake()
        for chore in self._chores:
            try:
                await chore.run()
            except (SQLAlchemyError, LostLeaseError) as error:
                log.warning("a chore waits: %s", error)
                count_failure("background", error)
        self._follow_clock()

    def _follow_clock(self) -> None:
        """Restart the heartbeat if the wall clock has been set since the last one.

        `discord.ext.tasks` waits for a time of the wall clock: set back by hours, the next
        iteration comes hours late; set forward, iterations follow each other without a pause.
        """
        before, self._wall_offset = self._wall_offset, _wall_offset()
        if abs(self._wall_offset - before) > CLOCK_JUMP_SECONDS:
            log.warning("the clock was set by %.0f s", self._wall_offset - before)
            self.heartbeat.restart()

    async def on_interaction(self, interaction: Interaction) -> None:
        """A click, a choice from a list, a line typed into a window; commands go by the tree."""
        if interaction.type not in CLICKS:
            return
        if not await self.gate.admit(interaction):
            return
        async with answering(interaction):
            await dispatch(self.context, interaction)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Have the board of a match in a deleted thread posted again, above it."""
        try:
            for match_id in await Places(self.database).played_in(payload.thread_id):
                await self.context.matches.mend(match_id)
        except SQLAlchemyError as error:
            log.warning("the board of a deleted thread is posted with the next choice: %s", error)

    async def on_connect(self) -> None:
        """Count it: many of these mean that the line is bad."""
        metrics.CONNECTS.inc()

    async def on_shard_connect(self, shard: int) -> None:
        """Note a new session."""
        self.gateway.connected(shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Note a session that goes on after a reconnect."""
        self.gateway.connected(shard)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Note a lost connection."""
        self.gateway.disconnected(shard)

    async def on_ready(self) -> None:
        """Log the connection. Called on every reconnect, so start nothing here."""
        count = len(self.guilds)
        log.info("connected as %s, %d %s", self.user, count, "server" if count == 1 else "servers")

    async def close(self) -> None:
        """Finish, and leave."""
        if not self.stopping:
            await self.finish()
            self.context.animations.close()
            self.context.images.close()
        await super().close()

    async def finish(self) -> None:
        """Begin nothing more, end what is being answered, and send what is due."""
        self.stopping = True
        self.gate.close()
        self.heartbeat.cancel()
        for job in self._jobs:
            await job.stop()
        try:
            async with asyncio.timeout(PATIENCE):
                await self.gate.drain()
                if self.user is not None:  # Discord has been reached
                    await self.delivery.flush(new=self.served.count == 1)  # others go on
        except (TimeoutError, SQLAlchemyError):
            log.info("something is left to be sent after the next start")
        await self.delivery.stop()


def _name(chore: Chore) -> str:
    """Return the name of a chore for the log and the metric."""
    return getattr(chore, "__qualname__", "chore").rpartition(".<locals>.")[2]


def _wall_offset() -> float:
    """Return by how many seconds the wall clock is ahead of the monotonic clock."""
    return time.time() - time.clock_gettime(time.CLOCK_MONOTONIC)  # of the system, not of a loop
