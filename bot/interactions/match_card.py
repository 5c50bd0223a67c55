"""The card of a match, behind *Match…* and *More…*, and moving a match to another channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.ids import ChannelId, UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.outcomes import OutcomeKind
from bot.domain.quiet_hours import ActiveHours
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.invocation import parent_of
from bot.interactions.member_lookup import absent_players
from bot.interactions.outcomes import explain
from bot.interactions.permissions import require_all_see, require_playable, require_startable
from bot.interactions.replies import Interaction, edit_reply, user_id_of
from bot.interactions.story_buttons import story_buttons
from bot.interactions.visibility import visible_match
from bot.views import match_card
from bot.views.custom_ids import MoreId, MoveHereId
from bot.views.match_card import CardButtons
from bot.views.message import note
from engine import games
from render.i18n import _


class CardButtonMakers(NamedTuple):
    """The buttons of features in the card of a match.

    Attributes:
        makers: in the order of the card.
    """

    makers: Sequence[CardButtons]


@component(MoreId)
async def _open(context: Context, interaction: Interaction, id: MoreId) -> None:
    """Show what else the user can do with a match or a challenge."""
    match = await visible_match(context, interaction, id.match_id)
    user_id, where = user_id_of(interaction), ChannelId(interaction.channel_id or 0)
    absent = await absent_players(context, interaction, match)
    computers = context.can_play(match.game)
    obstacle = await context.takebacks.obstacle(match.id, user_id)
    buttons = match_card.buttons(
        match, user_id, where, absent, computers=computers, takeback=obstacle == ""
    )
    for make in context.of(CardButtonMakers).makers:
        buttons += make(match, match.seat_of(user_id), computers)
    buttons += await story_buttons(context, match, user_id)
    hours = await _active_hours(context, match, user_id)
    card = match_card.card(
        match, user_id, id.commitment, buttons, where, hours=hours, obstacle=obstacle or ""
    )
    await edit_reply(interaction, card)


async def _active_hours(context: Context, match: Match, user_id: UserId) -> dict[str, ActiveHours]:
    """Return seat → active hours, of a player's opponents who show them."""
    if match.status != MatchStatus.RUNNING or not match.seat_of(user_id):
        return {}
    now, others = context.clock(), match.acting_people.items()
    hours = {
        seat: await context.preferences.active_hours(player.user_id, now)
        for seat, player in others
        if player.user_id != user_id
    }
    return {seat: active for seat, active in hours.items() if active}


@component(MoveHereId)
async def _move_here(context: Context, interaction: Interaction, id: MoveHereId) -> None:
    """Move a match to the channel of the click."""
    match = await visible_match(context, interaction, id.match_id)
    require_startable(interaction)
    await require_playable(context, interaction)
    user_id = user_id_of(interaction)
    if match.status == MatchStatus.RUNNING and match.seat_of(user_id):  # otherwise it is refused
        await require_all_see(context, interaction, match)
    place = (interaction.guild_id, interaction.channel_id or 0)
    outcome = await context.boards.move(
        interaction.id, match.id, user_id, place, parent_of(interaction)
    )
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    await edit_reply(
        interaction,
        note(
            _("{game} #{match} continues here.").format(
                game=games.get(match.game).title, match=match.id
            )
        ),
    )
