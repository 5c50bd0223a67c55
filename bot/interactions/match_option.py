"""The `match` option, and the match that a command is about without it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import discord
from discord.app_commands import Choice

from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.interactions.command import Autocomplete, Option, Proposals, proposals
from bot.interactions.context import Context
from bot.interactions.match_picker import match_menu, other_matches
from bot.interactions.replies import (
    OTHER_MATCHES,
    SUBJECT,
    Interaction,
    Subject,
    UserError,
    user_id_of,
)
from bot.interactions.subjects import set_subject
from bot.interactions.visibility import visible_match
from bot.services.match_repository import NoMatchError
from engine import games
from render import for_game
from render.i18n import N_, _, format_list

MATCH_OPTION = N_("Which match, if you have several here")
"""Description of the option."""

PRESENT_SECONDS = 30 * 60.0
"""Time for which a command without a match is about the match where its user clicked last."""

Sensible = Callable[[Context, UserId, Sequence[Match]], Awaitable[Sequence[Match]]]
"""Returns those of a user's matches in which a command makes sense."""


async def on_turn(_context: Context, user_id: UserId, matches: Sequence[Match]) -> Sequence[Match]:
    """Return the matches in which a user has to decide."""
    return [match for match in matches if match.awaits(user_id)]


async def in_any(_context: Context, _user_id: UserId, matches: Sequence[Match]) -> Sequence[Match]:
    """Return all matches."""
    return matches


async def after_own_move(
    context: Context, user_id: UserId, matches: Sequence[Match]
) -> Sequence[Match]:
    """Return the matches in which no other person has moved since this user."""
    movers = await context.queries.last_movers([match.id for match in matches])
    return [match for match in matches if movers.get(match.id) == match.seat_of(user_id)]


async def between_people(
    _context: Context, user_id: UserId, matches: Sequence[Match]
) -> Sequence[Match]:
    """Return the matches against other people."""
    return [
        match
        for match in matches
        if any(player.user_id != user_id for player in match.acting_people.values())
    ]


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
    names = [name for seat, name in match.names.items() if seat != user_seat]
    others = format_list(names, style="commas")
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
    sensible: Sensible = on_turn,
    acts: bool = False,
) -> Match:
    """Return the match that a command is about: the named one, or the likeliest candidate.

    Candidates are the matches in this channel, or else all. Of those where the command makes sense
    it is the only one, or the one where the user clicked last; else, unless the command acts at
    once, the one that changed last. The reply then offers the others.

    Args:
        number: number of the named match, if any.
        game: only matches of this game are candidates; empty for all.
        status: only matches of this status are candidates, if none is named.
        sensible: see `Sensible`.
        acts: whether the command changes the match without a confirmation.

    Raises:
        UserError: there is none, several are equally likely, or the named one is of another game.
        NoMatchError: no such match, or this user may not see it.
    """
    if number is not None:
        match = await visible_match(context, interaction, MatchId(number))
        if game and match.game != game:
            raise UserError(_commands_of(match))
        await _settle(context, interaction, match.id, acts=acts)
        return match
    user_id = user_id_of(interaction)
    candidates = await _candidates(context, interaction, game, status, sensible)
    if not candidates and status == MatchStatus.FINISHED:
        raise UserError(_("You haven't finished a match yet."))
    if not candidates:
        raise UserError(_("You have no match for that right now. Start one with `/play`."))
    picked, *others = candidates
    if others and acts and not _clicked_at(context, user_id, picked):
        menu = match_menu(interaction, _entries(candidates, user_id))
        # Until the match is known, see `_settle`.
        interaction.extras[SUBJECT] = Subject(NO_MATCH, 0)
        raise UserError(_("You have several matches. Which one?"), *menu)
    if others:
        entries = _entries(others, user_id)
        interaction.extras[OTHER_MATCHES] = other_matches(interaction, picked, entries)
    await _settle(context, interaction, picked.id, acts=acts)
    return picked


def _commands_of(match: Match) -> str:
    """Return a refusal that names the commands with which a match is played."""
    verbs = for_game(match.game).command_verbs
    names = [*(f"`/{match.game} {verb}`" for verb in verbs), "`/do`"]
    return _("{game} #{match} is played with other commands: {commands}.").format(
        game=games.get(match.game).title, match=match.id, commands=format_list(names)
    )


async def _settle(
    context: Context, interaction: Interaction, match_id: MatchId, *, acts: bool
) -> None:
    """Set the match that a command is about; a list of matches to choose from is moot then."""
    set_subject(context, interaction, match_id)
    if acts and interaction.type is not discord.InteractionType.autocomplete:
        await context.cards.dismiss(user_id_of(interaction), NO_MATCH)


async def _candidates(
    context: Context, interaction: Interaction, game: str, status: MatchStatus, sensible: Sensible
) -> Sequence[Match]:
    """Return the matches that a command can be about, the likeliest first; see `find`."""
    user_id = user_id_of(interaction)
    latest = await context.queries.latest(user_id, status, game=game)
    in_channel = [match for match in latest if match.channel_id == interaction.channel_id]
    matches = in_channel or latest
    if status == MatchStatus.FINISHED:
        return matches[:1]
    if len(matches) > 1:
        matches = list(await sensible(context, user_id, matches)) or matches
    return sorted(matches, key=lambda match: _clicked_at(context, user_id, match), reverse=True)


async def typed_about(
    context: Context,
    interaction: Interaction,
    game: str = "",
    *,
    sensible: Sensible = on_turn,
    acts: bool = True,
) -> Perspective | None:
    """Return the match of a command that is still being typed; None if it is ambiguous."""
    try:
        number = interaction.namespace.match
        match = await find(context, interaction, number, game, sensible=sensible, acts=acts)
        return await context.queries.view(match.id, user_id_of(interaction))
    except (UserError, NoMatchError):
        return None


def _entries(matches: Sequence[Match], user_id: UserId) -> list[tuple[str, str]]:
    """Return number and label of each match for a list."""
    return [(f"{match.id}", _title(match, user_id)) for match in matches]


def _clicked_at(context: Context, user_id: UserId, match: Match) -> float:
    """Return the time of a user's latest click in a match; 0 if it was not lately."""
    clicked_at = context.clicks.latest(match.id, user_id) or 0.0
    return clicked_at if context.clock() - clicked_at <= PRESENT_SECONDS else 0.0
