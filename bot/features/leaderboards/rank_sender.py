"""Give members of servers the roles for their ranks, and take them away again."""

from __future__ import annotations

import logging

import discord

from bot.discord_errors import UNKNOWN_MEMBER
from bot.domain.clocks import HOUR
from bot.domain.ids import GuildId
from bot.features.leaderboards.rank_roles import RankRoles, RoleChange
from bot.guilds import Guilds, may_give
from bot.storage.leases import Leases

log = logging.getLogger(__name__)

REASON = "rank on the leaderboard"
"""Shown in the audit log of a server."""

LEASE_NAME = "rank roles"

LEASE_SECONDS = 300.0
"""Lease duration of an update. Losing the lease does no harm, because changes can be repeated."""

MAX_CHANGES = 50
"""Maximum number of changes on a server in one update."""


class RankRoleSender:
    """Changes the roles of members.

    Args:
        ranks: reads the changes to make, and stores those made.
    """

    def __init__(self, guilds: Guilds, ranks: RankRoles, leases: Leases) -> None:
        self._guilds = guilds
        self._ranks = ranks
        self._leases = leases
        self._refused: set[int] = set()

    async def run(self) -> None:
        """Update the servers that are due; a background job.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        for guild_id in await self._ranks.due():
            if await self._leases.take(LEASE_NAME, LEASE_SECONDS) is None:
                return
            claimed = await self._ranks.claim(guild_id)
            try:
                pause = await self._update(guild_id)
            except (discord.Forbidden, discord.NotFound) as error:
                if guild_id not in self._refused:
                    log.warning("roles of a server cannot be changed: %s", error.code)
                self._refused.add(guild_id)
                await self._ranks.forget_erased(guild_id)
                pause = HOUR
            else:
                self._refused.discard(guild_id)
            if pause is None:
                await self._ranks.finish(guild_id, claimed)
            else:
                await self._ranks.finish(guild_id, claimed, pause)

    async def _update(self, guild_id: GuildId) -> float | None:
        """Make the changes of a server.

        Returns:
            Seconds until the next update; None if there is nothing left to do.
        """
        changes = await self._ranks.changes(guild_id)
        if not changes:
            return None
        me = await self._guilds.own_member(guild_id)
        has_more = len(changes) > MAX_CHANGES
        for change in changes[:MAX_CHANGES]:
            role = me.guild.get_role(change.role_id)
            if role is None:
                await self._ranks.forget_role(guild_id, change.role_id)
            elif may_give(me, role):
                await self._make(guild_id, change)
            elif change.is_last:
                await self._ranks.end_change(guild_id, change)
            else:
                has_more = True
        return HOUR if has_more else None

    async def _make(self, guild_id: GuildId, change: RoleChange) -> None:
        """Make a change; both directions can be repeated."""
        if not await self._ranks.begin_change(guild_id, change):
            return
        try:
            await self._guilds.change_role(
                guild_id, change.user_id, change.role_id, REASON, give=change.give
            )
        except discord.NotFound as error:
            if error.code not in UNKNOWN_MEMBER:
                raise
            await self._ranks.forget_member(guild_id, change.user_id)
            return
        await self._ranks.end_change(guild_id, change)
