"""*Find me a match*: any game, on this server, against players of about the same strength."""

from __future__ import annotations

from bot.domain.ids import GuildId
from bot.domain.models import MatchStatus
from bot.domain.outcomes import OutcomeKind
from bot.interactions.challenge_card import (
    players_of,
    require_possible,
    terms_of,
    usual_draft,
)
from bot.interactions.challenges import join
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.outcomes import acknowledge_or_explain, explain
from bot.interactions.replies import Interaction, UserError, edit_reply, user_id_of
from bot.interactions.visibility import sees_channel
from bot.services.preferences import LAST_GAME
from bot.views import challenge_card
from bot.views.custom_ids import SeekId
from bot.views.listings import linked_title
from engine import games
from render.i18n import _

MAX_CHECKED_SEATS = 12
"""Maximum number of open seats whose players and channels are checked."""


@component(SeekId)
async def _seek(context: Context, interaction: Interaction, _id: SeekId) -> None:
    """Take the oldest open seat that suits this user, or open one."""
    await require_possible(context, interaction, ())
    guild_id, user_id = GuildId(interaction.guild_id or 0), user_id_of(interaction)
    for seat in await context.queries.seats_for(guild_id, user_id, MAX_CHECKED_SEATS):
        if await sees_channel(interaction, seat.match):
            outcome = await join(context, interaction, seat.match)
            if outcome.kind == OutcomeKind.DONE:
                await acknowledge_or_explain(context, interaction, outcome)
                return
    await _open(context, interaction)


async def _open(context: Context, interaction: Interaction) -> None:
    """Open a seat in the game that this user played last, on the server's terms.

    Raises:
        UserError: the user has an open seat on this server.
    """
    user_id = user_id_of(interaction)
    open_seats = await context.queries.open_seats(
        GuildId(interaction.guild_id or 0), MAX_CHECKED_SEATS
    )
    for seat in open_seats:
        if seat.match.seat_of(user_id) and seat.match.status == MatchStatus.CHALLENGE:
            sentence = _(
                "You already have an open seat: {match}. It begins as soon as a player joins."
            )
            raise UserError(sentence.format(match=linked_title(seat)))
    last = (await context.preferences.preferences(user_id)).get(LAST_GAME, "")
    game = games.get(last if last in games.names() else games.names()[0])
    draft = await usual_draft(context, interaction, game)
    terms = terms_of(interaction, draft)
    players = players_of(interaction, (), "", len(draft.seats))
    outcome = await context.challenges.challenge(interaction.id, terms, players)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    computers = context.computers and not terms.rated
    sent = challenge_card.sent(outcome.match_id, players, computers=computers)
    await edit_reply(interaction, sent)
