"""The Discord client: passes Discord's events to the gate, the handlers and the gateway."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import discord

from bot import metrics
from bot.app import guild_events
from bot.app.command_tree import CommandTree
from bot.app.deployment import Deployment
from bot.app.gateway import Gateway, listen
from bot.app.identify import IdentifyQueue
from bot.app.installed_games import leave_out_broken
from bot.app.registry import all_commands, all_context_menus, handlers_of, stores_nothing
from bot.app.request_rate import RequestRate, throttle
from bot.app.router import dispatch
from bot.app.runtime import Runtime
from bot.app.wiring import context_on
from bot.domain.steady_clock import SteadyClock
from bot.interactions.card_renewal import renew_card
from bot.interactions.gate import Gate
from bot.interactions.replies import Interaction, error_boundary
from bot.services.chance import random_seed
from bot.storage.database import Database
from bot.storage.leases import Leases

RATE_LIMIT_WAIT_SECONDS = 30.0
"""Maximum wait of a request for a rate limit; after it the message goes back to the outbox."""


CLICKS = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Starpost(discord.AutoShardedClient):
    """The bot.

    Args:
        database: opened and migrated; it is not closed here.
        clock: the time in UTC seconds; by default the machine's, made steady.
        make_seed: 32 secret bytes for the dice of a new match; random ones by default.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] | None = None,
        make_seed: Callable[[], bytes] = random_seed,
        deployment: Deployment | None = None,
    ) -> None:
        clock = SteadyClock() if clock is None else clock
        deployment = deployment or Deployment()
        shards, features = deployment.shards, deployment.features
        super().__init__(
            shard_count=shards.count,
            shard_ids=list(shards.ids),
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            max_ratelimit_timeout=RATE_LIMIT_WAIT_SECONDS,
            http_trace=metrics.http_trace(),
        )
        self.request_rate = RequestRate.of(shards)
        throttle(self.http, self.request_rate)
        self.served_shards = shards
        self.database = database
        self.leases = Leases(database, shards.name, clock)
        self._drawing = deployment.drawing
        self.context = context_on(database, clock, make_seed, self.leases, deployment)
        self.context.cards.renew = partial(renew_card, self.context)
        self._component_handlers = handlers_of(features)
        self.gate = Gate(self.context, stores_nothing(features))
        self.tree = CommandTree(self, self.gate)
        self.runtime = Runtime(
            self, self.tree, self.context, database, leases=self.leases, deployment=deployment
        )
        self._identify_queue = IdentifyQueue(self.leases, shards)
        self.gateway = Gateway(self, shards)
        listen(self, self.gateway)
        guild_events.listen(self, database, self.context, features)
        self.stopping = False
        leave_out_broken(self.context, partial(all_commands, self.context, features))
        for source in (all_commands, all_context_menus):
            for command in source(self.context, features):
                self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Start the runtime: timers, outbox and background jobs."""
        if self.served_shards.count > 1:
            await self._identify_queue.learn_limits(self.http)
        await self.runtime.start()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for this shard's turn."""
        if self.served_shards.count == 1:
            await super().before_identify_hook(shard_id, initial=initial)
            return
        await self._identify_queue.wait(shard_id or 0)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a button, a select menu or a modal; commands go through the tree."""
        if interaction.type in CLICKS and await self.gate.admit(interaction):
            async with error_boundary(interaction):
                await dispatch(self.context, self._component_handlers, interaction)

    async def close(self) -> None:
        """Finish running work and disconnect."""
        if not self.stopping:
            await self.drain()
            self.context.cards.close()
            for close in self.context.closers:
                close()
            self.context.images.close()
            await self._drawing.close()
        await super().close()

    async def drain(self) -> None:
        """Stop admitting interactions, and finish running work."""
        self.stopping = True
        self.gate.close()
        await self.runtime.stop(self.gate.drain, deliver=self.user is not None)
