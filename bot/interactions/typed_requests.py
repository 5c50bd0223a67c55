"""What players type instead of a move: back, hint, draw."""

from __future__ import annotations

from bot.domain.models import Perspective
from bot.interactions.computers import show_hint
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, reply
from bot.interactions.takebacks import take_back
from bot.views import confirmations
from bot.views.typed_choices import HINT, TAKEBACK

DRAW = "draw"
"""Offer a draw, or answer the offer that stands."""


async def handled(
    context: Context, interaction: Interaction, perspective: Perspective, line: str
) -> bool:
    """Handle a typed request; return False if it is a choice for the rules.

    Args:
        perspective: the match as the user sees it.
    """
    match, seat, view = perspective[:3]
    if line == TAKEBACK:
        await take_back(context, interaction, match.id)
    elif line == HINT:
        await show_hint(context, interaction, match.id)
    elif line == DRAW and seat and seat in view.answering:
        await reply(interaction, confirmations.offered(match, view))
    else:
        return False
    return True
