"""Stand-ins for players who are away: other players agree, and the player comes back."""

from __future__ import annotations

from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.outcomes import acknowledge_or_explain
from bot.interactions.permissions import has_left_server, require_computers
from bot.interactions.replies import Interaction, user_id_of
from bot.interactions.visibility import visible_match
from bot.views.custom_ids import ComeBackId, StandInId


@component(StandInId)
async def _agree(context: Context, interaction: Interaction, id: StandInId) -> None:
    """Agree that the computer stands in for a player."""
    match = await visible_match(context, interaction, id.match_id)
    require_computers(context, match.game)
    is_gone = id.seat in match.unreachable
    if id.seat not in match.stand_ins:
        is_gone |= await has_left_server(interaction, match, id.seat)
    outcome = await context.stand_ins.agree(
        interaction.id, match.id, user_id_of(interaction), id.seat, is_gone=is_gone
    )
    await acknowledge_or_explain(context, interaction, outcome)


@component(ComeBackId)
async def _come_back(context: Context, interaction: Interaction, id: ComeBackId) -> None:
    """Let this user decide again."""
    match = await visible_match(context, interaction, id.match_id)
    outcome = await context.stand_ins.come_back(interaction.id, match.id, user_id_of(interaction))
    await acknowledge_or_explain(context, interaction, outcome)
