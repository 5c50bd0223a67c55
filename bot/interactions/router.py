"""Buttons and lists: a custom_id is `name:field:field…`, and the name finds the handler.

There are no live view objects: a click is understood from its custom_id alone, so a button works
after any restart, and dies politely when its decision is made (the version in it is compared).
"""

from __future__ import annotations

from typing import Any

from bot.interactions.components import BUTTON_GONE
from bot.interactions.context import Context
from bot.interactions.registry import HANDLERS
from bot.interactions.replies import Interaction, UserError
from render.i18n import _


async def dispatch(context: Context, interaction: Interaction) -> None:
    """Call the handler of a component or a window.

    Raises:
        UserError: it is not a component of this bot.
    """
    data: Any = interaction.data or {}
    name, *fields = str(data.get("custom_id", "")).split(":", 3)
    handler = HANDLERS.get(name)
    if handler is None:
        raise UserError(_(BUTTON_GONE))
    await handler(context, interaction, fields)
