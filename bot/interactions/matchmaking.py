"""*Find me a match*: any game, on this server, against players of about the same strength."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.domain.ids import GuildId
from bot.domain.models import MatchStatus, Player
from bot.domain.outcomes import Outcome, OutcomeKind
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
from bot.views import challenge_card
from bot.views.custom_ids import SeekId
from bot.views.listings import linked_title
from engine import games
from render.i18n import _

MAX_CHECKED_SEATS = 12
"""Maximum number of open seats whose players and channels are checked."""


class _Opened(NamedTuple):
    """An open seat, or the reason for none.

    Attributes:
        outcome: of the challenge.
        players: the players of the match, without the one who is missing.
        computers: whether the computer can play until a player comes.
    """

    game: str
    outcome: Outcome
    players: Sequence[Player]
    computers: bool


@component(SeekId)
async def _seek(context: Context, interaction: Interaction, _id: SeekId) -> None:
    """Take the oldest open seat that suits this user, or open one.

    Users of one server take turns: two who search at once get a match, not a seat each.
    """
    await require_possible(context, interaction, (), "")
    async with context.guild_turns.of(GuildId(interaction.guild_id or 0)):
        outcome = await _take(context, interaction)
        opened = await _open(context, interaction) if outcome is None else None
    if opened is not None:
        await _show(context, interaction, opened)
    elif outcome is not None:
        await acknowledge_or_explain(context, interaction, outcome)


async def _take(context: Context, interaction: Interaction) -> Outcome | None:
    """Take the oldest open seat that suits this user; None if there is none."""
    guild_id, user_id = GuildId(interaction.guild_id or 0), user_id_of(interaction)
    for seat in await context.queries.seats_for(guild_id, user_id, MAX_CHECKED_SEATS):
        if await sees_channel(interaction, seat.match):
            outcome = await join(context, interaction, seat.match)
            if outcome.kind == OutcomeKind.DONE:
                return outcome
    return None


async def _open(context: Context, interaction: Interaction) -> _Opened:
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
    names = games.names()
    game = games.get(await context.preferences.last_game(user_id, names) or names[0])
    draft = await usual_draft(context, interaction, game)
    terms = terms_of(interaction, draft)
    players = players_of(interaction, (), "", len(draft.seats))
    outcome = await context.challenges.challenge(interaction.id, terms, players)
    computers = context.can_play(game.name) and not terms.rated
    return _Opened(game.name, outcome, players, computers=computers)


async def _show(context: Context, interaction: Interaction, opened: _Opened) -> None:
    """Reply that a seat is open, or why it is not."""
    game, outcome, players, computers = opened
    if outcome.kind == OutcomeKind.DONE:
        sent = challenge_card.sent(game, outcome.match_id, players, computers=computers)
        await edit_reply(interaction, sent)
    else:
        await explain(context, interaction, outcome)
