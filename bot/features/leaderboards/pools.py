"""The pool of ratings that a leaderboard, or a role for a rank, is about."""

from __future__ import annotations

import discord

from bot.domain.pools import all_pools, pool_title
from bot.interactions.components import BUTTON_GONE
from bot.interactions.replies import UserError
from bot.views import ui
from bot.views.custom_id_codec import CustomId
from render.i18n import _


def require_pool(name: str) -> str:
    """Return the pool of this name.

    Raises:
        UserError: there is none.
    """
    if name not in all_pools():
        raise UserError(_(BUTTON_GONE))
    return name


def pool_list(custom_id: CustomId, selected: str) -> ui.Select:
    """Return the list of pools."""
    options = [
        discord.SelectOption(label=pool_title(pool), value=pool, default=pool == selected)
        for pool in all_pools()
    ]
    return ui.Select(custom_id=str(custom_id), options=options)
