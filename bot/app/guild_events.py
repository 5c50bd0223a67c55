"""Events of servers that concern the bot: deleted threads and roles, changed permissions."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.domain.ids import ChannelId
from bot.feature import Feature
from bot.interactions.context import Context
from bot.services.match_location import MatchLocations
from bot.storage.database import Database

log = logging.getLogger(__name__)


def listen(
    client: discord.Client, database: Database, context: Context, features: Sequence[Feature]
) -> None:
    """Forward a client's deleted threads and roles, and changed permissions, to the services."""
    forget_role = [feature.on_role_deleted for feature in features if feature.on_role_deleted]

    @client.event
    async def on_raw_thread_delete(payload: discord.RawThreadDeleteEvent) -> None:
        await _run(_repost_boards(ChannelId(payload.thread_id)))

    @client.event
    async def on_guild_channel_update(
        before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        if before.overwrites != after.overwrites:
            await _permissions_changed(context, features, after.guild)

    @client.event
    async def on_guild_role_update(before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            await _permissions_changed(context, features, after.guild)

    @client.event
    async def on_guild_role_delete(role: discord.Role) -> None:
        for forget in forget_role:
            await _run(forget(context, role))

    async def _repost_boards(thread_id: ChannelId) -> None:
        """Repost the boards of matches whose thread was deleted, in the parent channel."""
        for match_id in await MatchLocations(database).played_in(thread_id):
            await context.boards.ensure(match_id)


async def _permissions_changed(
    context: Context, features: Sequence[Feature], guild: discord.Guild
) -> None:
    for feature in features:
        if feature.on_permissions_changed:
            await _run(feature.on_permissions_changed(context, guild))


async def _run(update: Awaitable[None]) -> None:
    """Run an update; if the database is unavailable, log it: later updates do the same."""
    try:
        await update
    except SQLAlchemyError as error:
        log.warning("a change on a server shows later: %s", error)
