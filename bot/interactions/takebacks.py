"""Takebacks of the user's own last choice, asked for by a command or by a typed word."""

from __future__ import annotations

from bot.domain.ids import MatchId
from bot.domain.outcomes import OutcomeKind
from bot.interactions.context import Context
from bot.interactions.outcomes import explain
from bot.interactions.replies import Interaction, reply_beside, user_id_of
from bot.sanitize import escape
from bot.views.message import note
from render.i18n import _


async def take_back(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Take back this user's last choice, or ask another player to agree."""
    outcome = await context.takebacks.take_back(interaction.id, match_id, user_id_of(interaction))
    if outcome.kind not in (OutcomeKind.DONE, OutcomeKind.ASK):
        await explain(context, interaction, outcome)
        return
    done = outcome.kind == OutcomeKind.DONE
    await reply_beside(interaction, note(_("Taken back.") if done else escape(outcome.sentence)))
