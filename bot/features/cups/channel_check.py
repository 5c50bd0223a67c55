"""The obstacles to posts of cups, for the check in `/server`."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.features.cups.rows import CupStatus
from bot.features.cups.service import Cups
from bot.interactions.channel_checks import place_problems
from bot.interactions.context import Context
from bot.interactions.server_options import Finding
from render.i18n import _


async def check_channels(
    context: Context, me: discord.Member, channel_id: ChannelId | None
) -> Sequence[Finding]:
    """Check the channels of the cups of a server that are not over; nothing for a channel."""
    if channel_id is not None:
        return ()
    cups = await context.of(Cups).of_server(GuildId(me.guild.id))
    unfinished = [cup for cup in cups if cup.status in (CupStatus.SIGN_UP, CupStatus.RUNNING)]
    problems = [channel_problem(me, cup.name, cup.channel_id) for cup in unfinished]
    return [Finding(problem) for problem in problems if problem]


def channel_problem(me: discord.Member, name: str, channel_id: ChannelId) -> str:
    """Return the problem of the channel of a cup; empty if there is none."""
    place = me.guild.get_channel_or_thread(channel_id)
    if place is None:
        sentence = _("The channel of the cup “{cup}” was deleted, archived, or hidden from me.")
        return sentence.format(cup=name)
    problems = place_problems(place, me)
    sentence = _("I can't update the cup “{cup}”. {problem}")
    return next((sentence.format(cup=name, problem=problem) for problem in problems), "")
