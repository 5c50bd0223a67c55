"""Cups that a user can join, below the matches of `/games`."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.ids import GuildId
from bot.features.cups.ids import CupJoinId
from bot.features.cups.rows import CupStatus, StoredCup
from bot.features.cups.service import Cups
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, user_id_of
from bot.interactions.visibility import sees_channel
from bot.sanitize import escape
from bot.views import ui
from bot.views.controls import button
from bot.views.inbox import Offers
from render.i18n import _

MAX_CHECKED_CUPS = 12
"""Maximum number of cups whose channels are checked for `/games`."""

MAX_JOINABLE = 2
"""Maximum number of cups in `/games`."""


async def joinable_cups(context: Context, interaction: Interaction) -> Offers:
    """Return cups of the server that this user can see and join."""
    joinable: list[StoredCup] = []
    if interaction.guild_id is not None:
        service, user_id = context.of(Cups), user_id_of(interaction)
        joinable = await service.joinable(GuildId(interaction.guild_id), user_id, MAX_CHECKED_CUPS)
    offered = {cup.id for cup in joinable if cup.status != CupStatus.SIGN_UP}
    visible = [cup for cup in joinable if cup.id in offered or await sees_channel(interaction, cup)]
    return offers_of(visible[:MAX_JOINABLE])


def offers_of(rows: Sequence[StoredCup]) -> Offers:
    """Return cups that a user can join: their sign-up is open, or a place is offered."""
    return Offers(_("### Cups on this server"), [_section(row) for row in rows])


def _section(row: StoredCup) -> ui.Section:
    line = _("**{cup}**: you can take over a place.")
    label = _("Take over")
    if row.status == CupStatus.SIGN_UP:
        line, label = _("**{cup}**: the sign-up is open."), _("Join")
    join = button(label, CupJoinId(row.id), discord.ButtonStyle.success)
    return ui.Section(line.format(cup=escape(row.name)), accessory=join)
