"""Route clicks to the handlers of their custom_ids."""

from __future__ import annotations

from bot.interactions.components import BUTTON_GONE, id_of
from bot.interactions.context import Context
from bot.interactions.registry import HANDLERS
from bot.interactions.replies import Interaction, UserError
from render.i18n import _


async def dispatch(context: Context, interaction: Interaction) -> None:
    """Call the handler of a component or a window.

    Raises:
        UserError: the custom_id is malformed, or nothing handles it.
    """
    id = id_of(interaction)
    handler = HANDLERS.get(type(id)) if id else None
    if handler is None:
        raise UserError(_(BUTTON_GONE))
    await handler(context, interaction, id)
