"""Play on from a position of a finished match, or of a record."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import aiohttp
import discord

from bot.domain.clocks import common_clock
from bot.domain.computer_players import COMPUTER_NAMES
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, MatchStatus, Player
from bot.domain.origin import Origin, same_players
from bot.domain.outcomes import OutcomeKind
from bot.domain.pools import is_solo
from bot.domain.terms import Terms
from bot.features.replays import continuation_views as continuations
from bot.features.replays.continuation_views import MAX_OPPONENTS, OTHERS, PAIR, SAME
from bot.features.replays.import_commands import open_attached
from bot.features.replays.imports import Imports
from bot.features.replays.line_commands import open_line, usual_level
from bot.guilds import Guilds, can_see
from bot.interactions.boards import board
from bot.interactions.challenge_card import members_of, players_of, require_possible
from bot.interactions.challenges import terms_here, usual_clock
from bot.interactions.components import component, filled_in, selected
from bot.interactions.context import Context
from bot.interactions.invocation import Invocation, MatchInvocation, guild_id_of
from bot.interactions.option_validation import SNOWFLAKE_DIGITS
from bot.interactions.outcomes import explain
from bot.interactions.permissions import (
    LOOKUP_TIMEOUT_SECONDS,
    NOT_CHECKED,
    require_computers,
    require_startable,
)
from bot.interactions.replies import Interaction, UserError, open_window, reply, user_id_of
from bot.interactions.subjects import set_subject
from bot.interactions.visibility import visible_match
from bot.views import challenge_card
from bot.views.custom_ids import PlayOnId, PlayOnTypedId
from bot.views.links import url_of
from bot.views.message import Message
from bot.views.origins import TRY
from engine import games
from engine.game import Action
from render.i18n import _, translated


class _Request(NamedTuple):
    """A user's request to play on.

    Attributes:
        context, interaction: of the user.
    """

    context: Context
    interaction: Interaction
    origin: Origin
    place: Invocation

    @property
    def seat(self) -> str:
        """The user's seat in the finished match; empty if they did not play in it."""
        return self.origin.match.seat_of(user_id_of(self.interaction))


@component(PlayOnId)
async def _play_on(context: Context, interaction: Interaction, id: PlayOnId) -> None:
    """Begin a match from a position for one of its players, or ask for the side and the players.

    From an analysed decision, open the position in private instead.
    """
    if id.label == TRY:
        origin = await _origin(context, interaction, id)
        better = await _better(context, origin.match.seat_of(user_id_of(interaction)), id)
        played = await _played(context, id)
        await open_line(context, interaction, origin, better, played)
        return
    request = await _request(context, interaction, id)
    against, user_id = selected(interaction), user_id_of(interaction)
    match = request.origin.match
    computers = context.can_play(match.game)
    if against == SAME:
        await _challenge_same(request)
    elif request.seat and against != OTHERS and (computers or against):
        level = against if against in COMPUTER_NAMES else await usual_level(context, user_id)
        await _begin(request, request.seat, level)
    else:
        window = continuations.window(match, id.action_count, user_id, computers=computers)
        await open_window(interaction, window)


@component(PlayOnTypedId)
async def _chosen(context: Context, interaction: Interaction, id: PlayOnTypedId) -> None:
    """Begin a match from a position with the players chosen in a window."""
    values = filled_in(interaction)
    request = await _request(context, interaction, id)
    side = request.seat or next(iter(values.get("side", [])), "")
    if side not in request.origin.match.players:
        raise UserError(_("Choose your side, please."))
    level = next(iter(values.get("level", [])), "")
    level = level if level in COMPUTER_NAMES else ""
    await _begin(request, side, level, _people(values.get("people", [])))


async def _request(
    context: Context, interaction: Interaction, id: PlayOnId | PlayOnTypedId
) -> _Request:
    """Return the position and the place for a match that continues another.

    Raises:
        IllegalActionError: no match can begin from there.
        NoMatchError: there is no such match for this user.
        UserError: the attached record cannot be read, or no match can begin here.
    """
    origin = await _origin(context, interaction, id)
    place = await _place(interaction, origin.match)
    require_startable(place)
    return _Request(context, interaction, origin, place)


async def _origin(
    context: Context, interaction: Interaction, id: PlayOnId | PlayOnTypedId
) -> Origin:
    """Return the position where a match or a line begins.

    Raises:
        IllegalActionError: none can begin from there.
        NoMatchError: there is no such match for this user.
        UserError: the attached record cannot be read.
    """
    if id.match_id:
        await visible_match(context, interaction, id.match_id)
        return await context.queries.origin(id.match_id, id.action_count)
    opened = await open_attached(context, interaction)
    return await context.of(Imports).origin(opened, id.action_count)


async def _better(context: Context, seat: str, id: PlayOnId) -> Action | None:
    """Return the choice that looked better than that of a user's seat, if it was analysed."""
    analysis = await context.queries.analysis(id.match_id)
    decisions = analysis.of(seat) if analysis else ()
    return next(
        (decision.best for decision in decisions if decision.place == id.action_count), None
    )


async def _played(context: Context, id: PlayOnId) -> Action | None:
    """Return the choice that was made at a position; None if it is not in a match."""
    actions = (await context.queries.record(id.match_id)).actions if id.match_id else ()
    return actions[id.action_count] if id.action_count < len(actions) else None


async def _place(interaction: Interaction, match: Match) -> Invocation:
    """Return the place for a match that continues another: here, or where that one was played.

    Replays and records also open in DMs, and on servers where the bot is not.

    Raises:
        UserError: the bot is not here, and the user cannot see the channel of the other match.
    """
    guild_id = guild_id_of(interaction)
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT_SECONDS):
            if guild_id is not None and await Guilds(interaction.client).has(guild_id):
                return interaction
            place_of_match = await _place_of(interaction, match)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        place_of_match = None
    except (TimeoutError, discord.DiscordException, aiohttp.ClientError):
        raise UserError(_(NOT_CHECKED)) from None
    if place_of_match is None and guild_id is not None:
        raise UserError(_("I'm not on this server; go to one where I am, and try it there."))
    return place_of_match or interaction


async def _place_of(interaction: Interaction, match: Match) -> MatchInvocation | None:
    """Return the place where a match was played, or None if the user cannot see it.

    Raises:
        discord.DiscordException: the place does not exist, or Discord does not answer as expected.
    """
    if match.guild_id is None:
        return None
    client = interaction.client
    guild = Guilds(client).cached(match.guild_id)
    guild = guild or await client.fetch_guild(match.guild_id, with_counts=False)
    channel = guild.get_channel_or_thread(match.channel_id)
    channel = channel or await guild.fetch_channel(match.channel_id)
    member = await guild.fetch_member(user_id_of(interaction))
    if not await can_see(guild, channel, member):
        return None
    return MatchInvocation(client, guild, channel, member, discord.Permissions.all())


async def _challenge_same(request: _Request) -> None:
    """Challenge the other players of the finished match, each in the same seat.

    Raises:
        UserError: one of them has been deleted, or cannot be challenged here.
    """
    players = same_players(request.origin.match, user_id_of(request.interaction))
    if not players:
        raise UserError(_("These players can't be challenged again; choose others."))
    people = [player.user_id for player in players.values() if player.is_person]
    invited = await members_of(request.place, people[1:])
    await require_possible(request.context, request.place, invited, request.origin.match.game)
    if len(people) < len(players):
        require_computers(request.context, request.origin.match.game)
    await _challenge(request, list(players.values()), "".join(players))


async def _begin(request: _Request, side: str, level: str, people: Sequence[UserId] = ()) -> None:
    """Challenge users to a match from a position, or begin one against the computer.

    Args:
        side: the challenger's seat.
        level: the computer's level in free seats; empty if other players can join.

    Raises:
        UserError: a match is not possible here, or not with these opponents.
    """
    invited = await members_of(request.place, people)
    await require_possible(request.context, request.place, invited, request.origin.match.game)
    if level:
        require_computers(request.context, request.origin.match.game)
    seat_count = len(request.origin.match.players)
    is_pair = seat_count == PAIR
    tables = [[person] for person in invited] if is_pair and invited else [invited]
    seated = [players_of(request.place, people, level, seat_count) for people in tables]
    if len(seated) == 1:
        await _challenge(request, seated[0], side)
    else:
        await _challenge_each(request, seated, side)


async def _challenge_each(request: _Request, tables: Sequence[Sequence[Player]], side: str) -> None:
    """Create a challenge for each opponent from the same position, and confirm them.

    Raises:
        UserError: the computer is among several opponents, or there are too many.
    """
    context, interaction, _origin, place = request
    opponents = [players[1] for players in tables]
    if len(opponents) > MAX_OPPONENTS or not all(player.is_person for player in opponents):
        raise UserError(translated(continuations.TOO_MANY, {"count": MAX_OPPONENTS}))
    terms = await _terms(request, is_solo=False)
    outcome = await context.challenges.challenge_each(interaction.id, terms, tables, side=side)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    url = "" if place is interaction else url_of(await context.queries.match(outcome.match_id))
    await reply(interaction, continuations.sent_to_each(opponents, url))


async def _terms(request: _Request, *, is_solo: bool) -> Terms:
    """Return the terms of a match that continues from the position."""
    context, _interaction, origin, place = request
    match = origin.match
    usual = "" if is_solo else await usual_clock(context, place)
    clock = common_clock(match.clock) if match.id else usual
    return replace(
        terms_here(place, games.get(match.game), clock),
        rules=match.rules,
        options=match.options,
        lines=origin.lines,
        parent_id=origin.parent_id,
    )


async def _challenge(request: _Request, players: Sequence[Player], side: str) -> None:
    """Create the challenge, and confirm it to its sender; for `side` see `Challenges.challenge`."""
    context, interaction, _origin, place = request
    terms = await _terms(request, is_solo=is_solo(players))
    outcome = await context.challenges.challenge(interaction.id, terms, players, side=side)
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    new_match = await context.queries.match(outcome.match_id)
    set_subject(context, interaction, new_match.id)
    if place is interaction and new_match.status == MatchStatus.RUNNING:
        await reply(interaction, await _first_choice(request, new_match.id))
        return
    url = "" if place is interaction else url_of(new_match)
    await reply(
        interaction,
        challenge_card.sent(
            new_match.game,
            new_match.id,
            players,
            computers=context.can_play(new_match.game),
            url=url,
        ),
    )


async def _first_choice(request: _Request, match_id: MatchId) -> Message:
    """Return the user's board in a match that has begun, so that the next click is a choice."""
    user_id = user_id_of(request.interaction)
    perspective = await request.context.queries.view(match_id, user_id)
    started = _("{game} #{match} has started.").format(
        game=games.get(perspective.match.game).title, match=match_id
    )
    return await board(request.context, perspective, user_id, started)


def _people(values: Sequence[str]) -> list[UserId]:
    """Return the user IDs chosen in a list."""
    return [
        UserId(int(value))
        for value in values
        if value.isdecimal() and len(value) <= SNOWFLAKE_DIGITS
    ]
