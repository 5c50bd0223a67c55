"""Whether a server lets these people begin a match here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord

from bot.answers import UnclearError
from render.language import _

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]
Person = discord.User | discord.Member


async def admit(
    client: Starpost, interaction: Interaction, opponents: Sequence[Person] = ()
) -> None:
    """Check what the server has chosen about where matches begin and who plays.

    Args:
        client: the bot.
        interaction: where, and by whom.
        opponents: the others, as far as they are known.

    Raises:
        UnclearError: not here, or not with them.
    """
    if interaction.guild_id is None:
        return
    chosen = await client.servers.settings(interaction.guild_id)
    if chosen.channels and not _places(interaction) & set(chosen.channels):
        there = ", ".join(f"<#{channel}>" for channel in chosen.channels)
        raise UnclearError(
            _("On this server matches begin in {there}; try it there.").format(there=there)
        )
    people = (interaction.user, *opponents)
    lacking = [person.mention for person in people if not _has(person, chosen.role)]
    if chosen.role and lacking:
        sentence = _("On this server those with the role {role} play; {people} would need it.")
        raise UnclearError(sentence.format(role=f"<@&{chosen.role}>", people=", ".join(lacking)))


def _places(interaction: Interaction) -> set[int | None]:
    """The channel, and the one above it if it is a thread."""
    channel = interaction.channel
    above = channel.parent_id if isinstance(channel, discord.Thread) else None
    return {interaction.channel_id, above}


def _has(person: Person, role: int) -> bool:
    return isinstance(person, discord.Member) and person.get_role(role) is not None
