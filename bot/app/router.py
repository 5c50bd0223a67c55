"""Route clicks to the handlers of their custom_ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.domain.ids import NO_MATCH, MatchId
from bot.interactions.clicked_match import clicked_match
from bot.interactions.components import BUTTON_GONE, Handler, id_of
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError
from bot.interactions.subjects import set_subject, set_subject_beside
from bot.views.custom_id_codec import CustomId
from render.i18n import _


async def dispatch(
    context: Context, handlers: Mapping[type[CustomId], Handler[Any]], interaction: Interaction
) -> None:
    """Call the handler of a component or a window.

    Raises:
        UserError: the custom_id is malformed, or nothing handles it.
    """
    custom_id = id_of(interaction)
    handler = handlers.get(type(custom_id)) if custom_id else None
    if handler is None:
        raise UserError(_(BUTTON_GONE))
    match_id: MatchId = getattr(custom_id, "match_id", NO_MATCH)
    if match_id != NO_MATCH:
        set_subject(context, interaction, match_id)
    elif (match_id := clicked_match(interaction.message)) != NO_MATCH:
        set_subject_beside(context, interaction, match_id)
    else:
        await handler(context, interaction, custom_id)
        return
    with context.cards.handling(interaction.user.id, match_id):
        await handler(context, interaction, custom_id)
