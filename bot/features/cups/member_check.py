"""Ask Discord which players of cups have left the server."""

from __future__ import annotations

from bot.features.cups.members import CupMembers
from bot.features.cups.rows import Cup
from bot.features.cups.service import Cups
from bot.guilds import Guilds
from bot.interactions.context import Context
from bot.interactions.member_lookup import look_up
from bot.interactions.replies import Interaction
from bot.storage.leases import Leases

LEASE_NAME = "members of cups"

LEASE_SECONDS = 60.0
"""Lease duration of a round. Losing the lease does no harm, because answers can be repeated."""


class CupMemberCheck:
    """Notes players of cups who have left, and those who have come back."""

    def __init__(self, members: CupMembers, guilds: Guilds, leases: Leases) -> None:
        self._members = members
        self._guilds = guilds
        self._leases = leases

    async def run(self) -> None:
        """Ask about the players that are due; a background job.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        due = await self._members.due()
        if not due or await self._leases.take(LEASE_NAME, LEASE_SECONDS) is None:
            return
        for member in due:
            asked_at = self._members.now()
            has_left = await self._guilds.has_left(member.guild_id, member.user_id)
            answers = {member.user_id: has_left}
            await self._members.store(member.guild_id, answers, asked_at)


async def with_known_members(context: Context, interaction: Interaction, cup: Cup) -> Cup:
    """Return a cup after asking Discord which of its players have left, if that is not known.

    Where Discord does not answer, its last answer counts.
    """
    guilds, guild_id = Guilds(interaction.client), cup.row.guild_id
    members = context.of(CupMembers)
    asked_at = members.now()
    answers = await look_up(
        lambda user_id: guilds.has_left(guild_id, user_id), members.unknown(cup)
    )
    if not answers:
        return cup
    await members.store(guild_id, answers, asked_at)
    return await context.of(Cups).get(cup.row.id) or cup
