"""Send, accept, decline, withdraw and repeat challenges."""

from __future__ import annotations

from bot.domain.client_seed import ClientSeed
from bot.domain.clocks import DEFAULT_CLOCK
from bot.domain.computer_players import COMPUTER_NAMES
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.terms import Terms
from bot.interactions.components import BUTTON_GONE, component, typed
from bot.interactions.context import Context
from bot.interactions.invocation import Invocation, guild_id_of, parent_of
from bot.interactions.outcomes import acknowledge_or_explain, explain
from bot.interactions.permissions import (
    require_computers,
    require_playable,
)
from bot.interactions.replies import Interaction, UserError, edit_reply, open_window, user_id_of
from bot.interactions.visibility import visible_match
from bot.sanitize import clean_name, escape
from bot.views import challenges, verification
from bot.views.custom_ids import (
    AcceptId,
    BlockId,
    DeclineId,
    DiceId,
    LuckId,
    LuckTypedId,
    RematchId,
    WithdrawId,
)
from bot.views.message import note
from engine.game import AnyGame
from render.i18n import _


@component(AcceptId)
async def _accept(context: Context, interaction: Interaction, id: AcceptId) -> None:
    """Accept a challenge, or take over a seat that the computer plays."""
    match = await visible_match(context, interaction, id.match_id)
    await require_playable(context, interaction)
    await acknowledge_or_explain(context, interaction, await join(context, interaction, match))


async def join(context: Context, interaction: Interaction, match: Match) -> Outcome:
    """Accept a challenge for this user, or take over a seat that the computer plays."""
    user = interaction.user
    takes_over = match.status == MatchStatus.RUNNING and match.joinable
    take = context.computer_seats.take_over if takes_over else context.challenges.accept
    user_id = UserId(user.id)
    outcome = await take(interaction.id, match.id, user_id, clean_name(user.display_name))
    if outcome.kind is OutcomeKind.DONE:
        await context.preferences.remember_game(user_id, match.game)
    return outcome


@component(LuckId)
async def _luck(context: Context, interaction: Interaction, id: LuckId) -> None:
    """Open a window for the words that accept a challenge."""
    match = await visible_match(context, interaction, id.match_id)
    if match.status != MatchStatus.CHALLENGE:
        raise UserError(_("This challenge is no longer open."))
    await open_window(interaction, challenges.luck(match, interaction.id))


@component(LuckTypedId)
async def _accept_with_luck(context: Context, interaction: Interaction, id: LuckTypedId) -> None:
    """Accept a challenge with the typed words."""
    user = interaction.user
    await visible_match(context, interaction, id.match_id)
    await require_playable(context, interaction)
    client_seed = ClientSeed(typed(interaction), id.number, id.version)
    name = clean_name(user.display_name)
    outcome = await context.challenges.accept(
        interaction.id, id.match_id, UserId(user.id), name, client_seed
    )
    await acknowledge_or_explain(context, interaction, outcome)


@component(DeclineId)
async def _decline(context: Context, interaction: Interaction, id: DeclineId) -> None:
    """Decline a challenge."""
    match_id, user_id = id.match_id, user_id_of(interaction)
    await acknowledge_or_explain(
        context, interaction, await context.challenges.decline(interaction.id, match_id, user_id)
    )


@component(WithdrawId)
async def _withdraw(context: Context, interaction: Interaction, id: WithdrawId) -> None:
    """Withdraw the user's own challenge."""
    match_id, user_id = id.match_id, user_id_of(interaction)
    outcome = await context.challenges.withdraw(interaction.id, match_id, user_id)
    await acknowledge_or_explain(context, interaction, outcome)


@component(BlockId)
async def _block(context: Context, interaction: Interaction, id: BlockId) -> None:
    """Decline a challenge and block the challenger."""
    user_id = user_id_of(interaction)
    match = await visible_match(context, interaction, id.match_id)
    if not match.seat_of(user_id) or match.challenger_id == user_id:
        raise UserError(_("Only a challenged player can block the challenger."))
    if match.status != MatchStatus.CHALLENGE:
        raise UserError(_("This challenge is no longer open."))
    await context.preferences.block(user_id, match.challenger_id)
    outcome = await context.challenges.decline(interaction.id, match.id, user_id)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    blocked = _("Declined. {name} can no longer challenge you; you can change that in `/settings`.")
    name = escape(match.names[match.seat_of(match.challenger_id)])
    await edit_reply(interaction, note(blocked.format(name=name)))


@component(DiceId)
async def _dice(context: Context, interaction: Interaction, id: DiceId) -> None:
    """Show the dice commitment, after the end also the seed."""
    match = await visible_match(context, interaction, id.match_id)
    seed = ""
    if match.status == MatchStatus.FINISHED:
        seed = (await context.queries.record(match.id)).headers["Seed"]
    await edit_reply(interaction, verification.dice(match, id.commitment, seed))


@component(RematchId)
async def _rematch(context: Context, interaction: Interaction, id: RematchId) -> None:
    """Challenge the other players of a finished match."""
    await require_playable(context, interaction)
    match_id, user_id = id.match_id, user_id_of(interaction)
    match = await visible_match(context, interaction, match_id)
    if id.level not in ("", *COMPUTER_NAMES):
        raise UserError(_(BUTTON_GONE))
    if any(player.is_computer for player in match.players.values()):
        require_computers(context, match.game)
    outcome = await context.rematches.rematch(
        interaction.id, match_id, user_id, id.handicap, id.level
    )
    await acknowledge_or_explain(context, interaction, outcome)


def terms_here(
    place: Invocation,
    game: AnyGame,
    clock: str,
) -> Terms:
    """Return the terms of a new match in a channel.

    Args:
        clock: see `bot.domain.clocks.Clock.parse`.
    """
    return Terms(
        game=game.name,
        clock=clock,
        guild_id=guild_id_of(place),
        channel_id=ChannelId(place.channel_id or 0),
        parent_channel_id=parent_of(place),
    )


async def usually_rated(context: Context, place: Invocation) -> bool:
    """Return whether the matches of the server are rated, unless players choose otherwise."""
    guild_id = guild_id_of(place)
    return guild_id is not None and (await context.servers.settings(guild_id)).rated


async def usual_clock(context: Context, place: Invocation) -> str:
    """Return the default clock of matches between people, which a server can choose."""
    if place.guild_id is None:
        return DEFAULT_CLOCK
    return (await context.servers.settings(GuildId(place.guild_id))).clock
