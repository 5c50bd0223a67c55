"""The work beside interactions: timers, the outbox, background jobs, and their heartbeat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.app.background import BackgroundJob
from bot.app.command_sync import CommandSync
from bot.app.command_tree import CommandTree
from bot.app.computers import Computers
from bot.app.deployment import Deployment
from bot.app.emojis import Emojis
from bot.app.heartbeat import Heartbeat, Job, PeriodicJob
from bot.database_errors import Trouble, trouble
from bot.feature import Delivery, Feature, ScheduledJob
from bot.guilds import Guilds
from bot.interactions.context import Context
from bot.outbox.refusals import Refusals
from bot.outbox.sender import DiscordSender, SenderServices
from bot.outbox.store import OUTBOX_DUE
from bot.outbox.transport import Transport
from bot.outbox.worker import OutboxWorker
from bot.services.computer_jobs import COMPUTERS_DUE, unannounced_before
from bot.services.timers import Timers
from bot.services.vacation import VACATIONS_DUE
from bot.storage.database import Database
from bot.storage.leases import Leases

log = logging.getLogger(__name__)

DRAIN_TIMEOUT_SECONDS = 10.0
"""Time for running work to end after a signal to stop."""


def sender_for(
    client: discord.Client, database: Database, context: Context, features: Sequence[Feature]
) -> DiscordSender:
    """Return the sender of the outbox, with the messages and buttons of features."""
    services = SenderServices(
        context.queries,
        context.preferences,
        context.images,
        context.clicked,
        context.clock,
        computers=context.computers,
        match_changed=context.cards.match_changed,
    )
    return DiscordSender(
        client,
        database,
        services,
        messages=[feature.messages for feature in features if feature.messages],
        end_buttons=[feature.end_button for feature in features if feature.end_button],
    )


class Runtime:
    """Runs all work that does not answer an interaction, from `start` to `stop`.

    Args:
        client: sends the messages, and has the commands and emojis.
        tree: the commands, to be registered with Discord.
        database: holds the outbox and the timers.
    """

    def __init__(
        self,
        client: discord.Client,
        tree: CommandTree,
        context: Context,
        database: Database,
        *,
        leases: Leases,
        deployment: Deployment,
    ) -> None:
        clock, workers, shards = context.clock, deployment.workers, deployment.shards
        sender = sender_for(client, database, context, deployment.features)
        self.outbox = OutboxWorker(database, sender, clock, shards.name)
        self.computers = Computers(database, context.computer_turns, workers, clock, shards.name)
        self.timers = Timers(
            database,
            context.challenges,
            context.deadlines,
            context.nudges,
            context.silence,
            clock=clock,
            shards=shards,
        )
        self.emojis_sync = Emojis(client, context.images, leases)
        self.command_sync = CommandSync(tree, database, leases)
        transport = Transport(client, clock, context.clicked, context.of(Refusals))
        guilds = Guilds(client, clock)
        delivery = Delivery(client, context, leases, transport, guilds)
        scheduled = (
            *(job for feature in deployment.features for job in feature.jobs(delivery)),
            ScheduledJob("registering the commands", self.command_sync.run),
            ScheduledJob("sending the emojis", self.emojis_sync.upload_missing),
        )
        self._closers = [job.close for job in scheduled if job.close]
        self.jobs = {job.name: BackgroundJob(job.name, job.run) for job in scheduled}
        periodic = self._periodic(context, scheduled, deployment)
        self.heartbeat = Heartbeat(self._fire, periodic, database, clock, lambda: self.has_begun)
        self._database = database
        self._listeners: dict[str, Callable[[], None]] = {
            job.topic: self.jobs[job.name].wake for job in scheduled if job.topic
        }
        self._first_steps: list[Job] = [
            self.timers.heartbeats.record,  # the clock may have been set since the last run
            # before anything is sent to a user whose data is to be deleted
            *(step for feature in deployment.features for step in feature.first_steps(context)),
            self.computers.resume,
            self.outbox.resume,
            self._listen,
        ]
        self._is_only_process = shards.count == 1

    def _periodic(
        self, context: Context, scheduled: Sequence[ScheduledJob], deployment: Deployment
    ) -> list[PeriodicJob]:
        """Return the jobs of the heartbeat, in their order."""
        periodic = [
            PeriodicJob(self._wake_outbox, OUTBOX_DUE),
            PeriodicJob(self.computers.continue_all, COMPUTERS_DUE),
            *(PeriodicJob(self.jobs[job.name].start, job.due) for job in scheduled),
            PeriodicJob(context.vacations.end_due, VACATIONS_DUE),
            *(PeriodicJob(job, early=True) for job in deployment.background_jobs),
        ]
        if not deployment.workers.enabled:
            due = unannounced_before(context.clock())
            periodic.append(PeriodicJob(context.boards.repost_paused, due))
        return periodic

    @property
    def has_begun(self) -> bool:
        """Whether the work of the last process is continued; until then, nothing is sent."""
        return not self._first_steps

    async def start(self) -> None:
        """Continue where the last process stopped; the heartbeat starts the background jobs.

        While nothing can be stored, each heartbeat tries to continue: the bot connects nevertheless
        and informs players.

        Raises:
            SQLAlchemyError: the database does not answer.
        """
        try:
            await self._begin()
        except SQLAlchemyError as error:
            if trouble(error) is not Trouble.FULL:
                raise
            await self.timers.heartbeats.stand_still()
        self.heartbeat.beat.start()

    async def _begin(self) -> None:
        """Take the first steps, each once."""
        while self._first_steps:
            await self._first_steps[0]()
            del self._first_steps[0]

    async def _listen(self) -> None:
        for topic, wake in self._listeners.items():
            self._database.listen(topic, wake)
        self._database.run_before_commit("outbox", self.outbox.claim_queued)

    async def _fire(self) -> None:
        await self._begin()
        await self.timers.fire()

    async def _wake_outbox(self) -> None:
        """Look for messages that other processes have queued, or left."""
        self.outbox.wake()

    async def stop_workers(self) -> None:
        """End the workers of computer players, and the tasks that wait for their answers."""
        for close in self._closers:
            await close()
        await self.computers.stop()

    async def stop(self, drain: Callable[[], Awaitable[None]], *, deliver: bool) -> None:
        """Start no new work, and finish running work.

        Args:
            drain: waits until all interactions are answered.
            deliver: whether to deliver due messages before the end.
        """
        self.heartbeat.beat.cancel()
        for job in self.jobs.values():
            await job.stop()
        await self.stop_workers()
        try:
            async with asyncio.timeout(DRAIN_TIMEOUT_SECONDS):
                await drain()
                if deliver and self.has_begun:
                    await self.outbox.flush(new=self._is_only_process)  # others go on
        except (TimeoutError, SQLAlchemyError):
            log.info("shutdown timed out; undelivered messages are sent after the next start")
        await self.outbox.stop()
