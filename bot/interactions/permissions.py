"""Whether a server lets these people begin a match here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import aiohttp
import discord

from bot.guilds import Guilds
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError
from bot.services.models import Match
from bot.text import escape
from engine.exits import DEPARTURES
from render.i18n import _

Person = discord.User | discord.Member

LOOKUP_TIMEOUT = 1.5
"""Seconds to look up the other players: the command has to be answered within 3 s."""


async def admit(
    context: Context, interaction: Interaction, opponents: Sequence[Person] = ()
) -> None:
    """Check what the server has chosen about where matches begin and who plays.

    Args:
        context: the services.
        interaction: where, and by whom.
        opponents: the others, as far as they are known.

    Raises:
        UserError: not here, or not with them.
    """
    if interaction.guild_id is None:
        return
    chosen = await context.servers.settings(interaction.guild_id)
    if chosen.channels and not _places(interaction) & set(chosen.channels):
        there = ", ".join(f"<#{channel}>" for channel in chosen.channels)
        raise UserError(
            _("On this server matches begin in {there}; try it there.").format(there=there)
        )
    people = (interaction.user, *opponents)
    lacking = [person.mention for person in people if not _has(person, chosen.role)]
    if chosen.role and lacking:
        sentence = _("On this server those with the role {role} play; {people} would need it.")
        raise UserError(sentence.format(role=f"<@&{chosen.role}>", people=", ".join(lacking)))


async def require_all_see(context: Context, interaction: Interaction, match: Match) -> None:
    """Check that all who still play in a match can follow it to the channel of an interaction.

    Raises:
        UserError: some of them could not, or that cannot be found out now.
    """
    lines = (await context.queries.record(match.id)).actions
    left = {action.actor for action in lines if action.verb in DEPARTURES}
    staying = [player for seat, player in match.people.items() if seat not in left]
    names = {player.user_id: escape(player.name) for player in staying}
    others = names.keys() - {interaction.user.id}
    where = interaction.guild_id or 0, interaction.channel_id or 0
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT):
            absent = await Guilds(interaction.client).absent(*where, others)
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        raise UserError(
            _(
                "I could not find out just now whether all players see this channel; please try "
                "again in a moment."
            )
        ) from None
    for users, sentence in (
        (
            absent.outside,
            _(
                "A match goes on where all its players are, and {players} would be missing on this "
                "server. Invite them, or choose a channel of a server where you all are."
            ),
        ),
        (
            absent.blind,
            _(
                "A match goes on where all its players see it, and this channel is hidden from "
                "{players}. Have them given *View Channel* here, or choose another channel."
            ),
        ),
    ):
        if users:
            missing = ", ".join(names[user] for user in sorted(users))
            raise UserError(sentence.format(players=missing))


def parent_of(interaction: Interaction) -> int | None:
    """Return the channel above, if an interaction comes from a thread."""
    channel = interaction.channel
    return channel.parent_id if isinstance(channel, discord.Thread) else None


def _places(interaction: Interaction) -> set[int | None]:
    """The channel, and the one above it if it is a thread."""
    return {interaction.channel_id, parent_of(interaction)}


def _has(person: Person, role: int) -> bool:
    return isinstance(person, discord.Member) and person.get_role(role) is not None
