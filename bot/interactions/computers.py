"""Matches against the computer: beginning at once (*Play now*), open seats, and hints."""

from __future__ import annotations

from dataclasses import replace

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player
from bot.domain.outcomes import OutcomeKind
from bot.domain.seating import options_for
from bot.interactions.challenges import terms_here
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.outcomes import acknowledge_or_explain
from bot.interactions.permissions import require_computers, require_playable, require_startable
from bot.interactions.progress import announced
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_original,
    edit_reply,
    user_id_of,
)
from bot.interactions.subjects import set_subject
from bot.interactions.visibility import visible_match, visible_perspective
from bot.sanitize import clean_name, escape
from bot.services.computer_turns import ChoiceError, StoppedError
from bot.views.computers import begun, gives_hints, hint_message, no_hints
from bot.views.custom_ids import HintId, PlayComputerId, PlayNowId
from bot.views.message import note
from engine import games
from render import for_game
from render.i18n import N_, _, format_list

THINKING = N_("I'm still thinking about your last question; ask again in a moment.")


@component(PlayNowId)
async def _play_now(context: Context, interaction: Interaction, id: PlayNowId) -> None:
    """Begin a match against the computer."""
    game = games.require(id.game)
    require_computers(context, game.name)
    require_startable(interaction)
    await require_playable(context, interaction)
    terms = replace(terms_here(interaction, game, clock=""), options=options_for(game, {}, 2))
    user = interaction.user
    players = [Player(UserId(user.id), clean_name(user.display_name)), computer_player()]
    side = id.side if id.side in {*game.seats(terms.options)} else ""
    outcome = await context.challenges.challenge(interaction.id, terms, players, side=side)
    if outcome.kind is OutcomeKind.DONE:
        await context.preferences.remember_game(UserId(user.id), game.name)
    is_private = interaction.message is not None and interaction.message.flags.ephemeral
    if outcome.kind is not OutcomeKind.DONE or not is_private:
        await acknowledge_or_explain(context, interaction, outcome)
        return
    set_subject(context, interaction, outcome.match_id)
    match = await context.queries.match(outcome.match_id)
    await edit_reply(interaction, begun(match))


@component(PlayComputerId)
async def _play_computer(context: Context, interaction: Interaction, id: PlayComputerId) -> None:
    """Begin a match whose open seats the computer plays until other players join."""
    match = await visible_match(context, interaction, id.match_id)
    await require_playable(context, interaction)
    require_computers(context, match.game)
    fill = context.computer_seats.play_computer
    await acknowledge_or_explain(
        context, interaction, await fill(interaction.id, id.match_id, user_id_of(interaction))
    )


@component(HintId)
async def _hint(context: Context, interaction: Interaction, id: HintId) -> None:
    """Show the choice that the computer would make in this user's place."""
    await show_hint(context, interaction, id.match_id)


async def show_hint(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Show the choice that the computer would make in this user's place.

    Raises:
        UserError: this user gets no hint in this match, or has nothing to choose.
    """
    perspective = await visible_perspective(context, interaction, match_id)
    match, seat, view = perspective[:3]
    if not seat:
        people = [name for seat, name in match.names.items() if seat in match.people]
        words = _("This is {players}'s match, so only its players get hints.")
        raise UserError(words.format(players=escape(format_list(people))))
    if not gives_hints(match):
        raise UserError(no_hints(match))
    if seat not in view.pending:
        raise UserError(_("It's not your turn, so there's nothing to choose."))
    require_computers(context, match.game)
    user_id = user_id_of(interaction)
    async with announced(interaction, _("I'm thinking …"), context.limits.of(THINKING)):
        try:
            hint = await context.computer_turns.hint(match.id, seat)
        except (ChoiceError, StoppedError):
            hint = None
        now = (await visible_perspective(context, interaction, match_id)).match
        if now.version != match.version:
            answer = note(_("The match has moved on, so this hint would come too late."))
        elif hint is None:
            answer = note(_("I couldn't find a hint; please try again."))
        else:
            style = await context.preferences.style(user_id, match.guild_id)
            fields = [reason.fields for reason in hint.reasons]
            ghosts = for_game(match.game).hint_ghosts(hint.view, hint.action, fields)
            picture = await context.images.with_actions(
                hint.view, match.names, style, ghosts=ghosts
            )
            answer = hint_message(match, hint, picture)
    await edit_original(interaction, answer)
