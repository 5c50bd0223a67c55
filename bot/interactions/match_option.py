"""The `match` option, and the match that a command is about without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from discord.app_commands import Choice

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.interactions.command import Autocomplete, Option, Proposals, proposals
from bot.interactions.context import Context
from bot.interactions.match_picker import match_menu
from bot.interactions.replies import Interaction, UserError, user_id_of
from bot.interactions.subjects import set_subject
from bot.interactions.visibility import visible_match
from bot.services.match_repository import NoMatchError
from engine import games
from render.i18n import N_, _

MATCH_OPTION = N_("Which match, if you have several here")
"""Description of the option."""


def own_matches(context: Context, *statuses: MatchStatus, game: str = "") -> Autocomplete:
    """Return an autocomplete that proposes the user's own matches.

    Args:
        statuses: only matches of these statuses; running ones if none is given.
        game: only matches of this game; empty for all.
    """

    @proposals
    async def propose(interaction: Interaction, current: str) -> Proposals:
        user_id = user_id_of(interaction)
        allowed = statuses or (MatchStatus.RUNNING,)
        matches = await context.queries.latest(user_id, *allowed, game=game, digits=current)
        return [Choice(name=_title(match, user_id), value=match.id) for match in matches]

    return propose


def match_option(context: Context, game: str = "") -> Option:
    """Return the option that names one of the user's own matches, for a command from data."""
    return Option(N_("match"), MATCH_OPTION, int, autocomplete=own_matches(context, game=game))


def _title(match: Match, user_id: UserId) -> str:
    user_seat = match.seat_of(user_id)
    others = ", ".join(name for seat, name in match.names.items() if seat != user_seat)
    is_own_turn = match.status == MatchStatus.RUNNING and match.awaits(user_id)
    words = (
        _("#{match} {game}: {others} (your turn)") if is_own_turn else "#{match} {game}: {others}"
    )
    title = games.get(match.game).title
    return words.format(match=match.id, game=title, others=others)[:100]


async def find(
    context: Context,
    interaction: Interaction,
    number: int | None,
    game: str = "",
    status: MatchStatus = MatchStatus.RUNNING,
    *,
    by_turn: bool = True,
    among: Collection[MatchId] | None = None,
) -> Match:
    """Return the match that a command is about: the named one, or the only candidate.

    Args:
        interaction: the user's interaction.
        number: number of the named match, if any.
        game: only matches of this game are candidates; empty for all.
        status: only matches of this status are candidates, if none is named.
        by_turn: among several candidates, take the only one where it is this user's turn.
        among: only matches with these numbers are candidates; None for all.

    Raises:
        UserError: there is none, or more than one, or the named one is of another game.
        NoMatchError: no such match, or this user may not see it.
    """
    if number is not None:
        match = await visible_match(context, interaction, MatchId(number))
        if game and match.game != game:
            sentence = _("Match {match} is a match of {game}, which has its own commands.")
            title = games.get(match.game).title
            raise UserError(sentence.format(match=number, game=title))
        set_subject(context, interaction, match.id)
        return match
    user_id = user_id_of(interaction)
    latest = await context.queries.latest(user_id, status, game=game)
    candidates = [match for match in latest if among is None or match.id in among]
    in_channel = [match for match in candidates if match.channel_id == interaction.channel_id]
    if picked := _pick(in_channel or candidates, user_id, status, by_turn=by_turn):
        set_subject(context, interaction, picked.id)
        return picked
    if candidates:
        entries = [(f"{match.id}", _title(match, user_id)) for match in in_channel or candidates]
        menu = match_menu(interaction, entries)
        raise UserError(_("You have several matches. Which one?"), *menu)
    if status == MatchStatus.FINISHED:
        raise UserError(_("You haven't finished a match yet."))
    raise UserError(_("You have no match for that right now. Start one with `/play`."))


async def typed_about(
    context: Context, interaction: Interaction, game: str = ""
) -> Perspective | None:
    """Return the match of a command that is still being typed; None if it is ambiguous."""
    try:
        match = await find(context, interaction, interaction.namespace.match, game)
        return await context.queries.view(match.id, user_id_of(interaction))
    except (UserError, NoMatchError):
        return None


def _pick(pool: Sequence[Match], user_id: UserId, status: str, *, by_turn: bool) -> Match | None:
    """Return the only candidate, or the latest of finished ones; None if it is ambiguous."""
    if len(pool) == 1 or (pool and status == MatchStatus.FINISHED):
        return pool[0]
    own_turn = [match for match in pool if match.awaits(user_id)]
    return own_turn[0] if by_turn and len(own_turn) == 1 else None
