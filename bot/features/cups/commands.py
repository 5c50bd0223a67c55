"""`/cup`: create cups, join and organise them; and the buttons of their posts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Group, Range

from bot.domain.clocks import OFFERED_CLOCKS, stops_for_vacations
from bot.domain.days_off import DaysOffRule
from bot.domain.drafts import MAX_ROUNDS
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.models import Player
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.time_zones import time_zone
from bot.features.cups import views
from bot.features.cups.drafts import NAME_LIMIT, CupDraft
from bot.features.cups.formats import CupFormat
from bot.features.cups.ids import (
    CupCancelId,
    CupJoinId,
    CupLeaveId,
    CupMineId,
    CupRemoveId,
    CupStartId,
    CupStatusId,
    CupWithdrawId,
)
from bot.features.cups.member_check import with_known_members
from bot.features.cups.rows import Cup, StoredCup
from bot.features.cups.season_view import DIVISIONS
from bot.features.cups.service import (
    MAX_PER_PLAYER,
    NOT_IN_CUP,
    NOT_ORGANISER,
    Actor,
    Cups,
    may_organise,
)
from bot.features.cups.standings_view import picture_of
from bot.interactions.command import (
    IN_SERVERS,
    CheckedCommand,
    Proposals,
    choices_of,
    command,
    group,
    proposals,
)
from bot.interactions.components import component, selected_values
from bot.interactions.context import Context
from bot.interactions.dates import last_moment, when
from bot.interactions.invocation import guild_id_of, parent_of
from bot.interactions.permissions import require_playable, require_startable
from bot.interactions.replies import (
    Interaction,
    UserError,
    acknowledge,
    edit_reply,
    reply,
    user_id_of,
)
from bot.interactions.server_options import selected_id
from bot.interactions.visibility import sees_channel
from bot.sanitize import clean, clean_name, escape
from bot.services.preferences import PreferenceKey
from bot.views.message import note
from engine import games
from render import pictures
from render.i18n import N_, _

DEFAULT_CLOCK = "3d"

CLOCKS = {words: words for words, clock in OFFERED_CLOCKS.items() if clock}
"""The clocks of a cup: each match has one."""

NO_CUP = N_("There is no such cup on this server. `/cup create` opens one.")

WHICH = N_("Which cup (default: the latest one)")

_CREATE_OPTIONS = {
    "name": N_("Its name"),
    "game": N_("Which game"),
    "format": N_("Who meets whom (default: round robin)"),
    "clock": N_("How long players have for their turns (default: 3 days)"),
    "series": N_("Matches of a series that is one result (default: 1)"),
    "rated": N_("Whether the results change ratings (default: no)"),
    "matches": N_("Open matches of a player at a time (default: 2)"),
    "season": N_("Repeat it each month, in how many groups (default: no)"),
    "vacations": N_("Whether clocks stop for vacations (default: yes)"),
    "days_off": N_("Days of the week on which clocks don't run (default: none)"),
    "starts": N_("Automatic start, such as: Friday 18:00 (default: by hand)"),
    "ends": N_("Last day, such as: 24.12. or in 8 weeks (default: none)"),
}

Rounds = Range[int, 1, MAX_ROUNDS]
MaxOpen = Range[int, 1, MAX_PER_PLAYER]


# Buttons


@component(CupJoinId)
async def _join_by_button(context: Context, interaction: Interaction, id: CupJoinId) -> None:
    """Sign up for a cup, or take over a place."""
    await _join(context, interaction, await _cup(context, interaction, id.cup_id), clicked=True)


@component(CupLeaveId)
async def _leave_by_button(context: Context, interaction: Interaction, id: CupLeaveId) -> None:
    """Leave a cup, or ask whether to withdraw from it."""
    cup = await _cup(context, interaction, id.cup_id)
    await _leave(context, interaction, cup, user_id_of(interaction), clicked=True)


@component(CupWithdrawId)
async def _withdraw(context: Context, interaction: Interaction, id: CupWithdrawId) -> None:
    """Withdraw a player, as confirmed."""
    cup = await _cup(context, interaction, id.cup_id)
    actor = _actor(interaction)
    outcome = await context.of(Cups).leave(interaction.id, cup.row.id, actor, id.user_id)
    words = _("Done: the place in **{cup}** is given up.")
    await _answer(interaction, outcome, words.format(cup=escape(cup.row.name)))


@component(CupStartId)
async def _start_by_button(context: Context, interaction: Interaction, id: CupStartId) -> None:
    """Start a cup."""
    cup = await _cup(context, interaction, id.cup_id)
    await _acknowledge_or_explain(context, interaction, await _start(context, interaction, cup))


@component(CupMineId)
async def _show_own(context: Context, interaction: Interaction, id: CupMineId) -> None:
    """Show links to the user's own matches."""
    cup = await _cup(context, interaction, id.cup_id)
    entrant = cup.entrant_of(user_id_of(interaction))
    if entrant is None or not entrant.is_active:
        raise UserError(_(NOT_IN_CUP))
    cup = await with_known_members(context, interaction, cup)
    places = await context.of(Cups).open_matches(cup)
    await reply(interaction, views.own_matches(cup, entrant, places))


@component(CupStatusId)
async def _show_status(context: Context, interaction: Interaction, id: CupStatusId) -> None:
    """Show all about a cup."""
    await _status(context, interaction, await _cup(context, interaction, id.cup_id))


@component(CupRemoveId)
async def _remove(context: Context, interaction: Interaction, id: CupRemoveId) -> None:
    """Remove the selected player, or ask whether to withdraw them from a running cup."""
    cup = await _cup(context, interaction, id.cup_id)
    selected_user = UserId(selected_id(selected_values(interaction)))
    await _leave(context, interaction, cup, selected_user)


@component(CupCancelId)
async def _cancel(context: Context, interaction: Interaction, id: CupCancelId) -> None:
    """Cancel a cup, after a confirmation."""
    cup = await _cup(context, interaction, id.cup_id)
    actor = _actor(interaction)
    if not may_organise(cup, actor):
        raise UserError(_(NOT_ORGANISER))
    if not id.confirmed:
        await edit_reply(interaction, views.ask_cancelling(cup))
        return
    outcome = await context.of(Cups).cancel(interaction.id, cup.row.id, actor)
    words = _("**{cup}** is cancelled. Matches that have begun go on, but count for no cup.")
    await _answer(interaction, outcome, words.format(cup=escape(cup.row.name)))


# What buttons and commands share


async def _join(
    context: Context, interaction: Interaction, cup: Cup, *, clicked: bool = False
) -> None:
    await require_playable(context, interaction)
    player = Player(user_id_of(interaction), clean_name(interaction.user.display_name))
    outcome = await context.of(Cups).join(interaction.id, cup.row.id, player)
    if clicked and _is_post(interaction, cup) and stops_for_vacations(cup.row.clock):
        await _acknowledge_or_explain(context, interaction, outcome)
        return
    if outcome.kind != OutcomeKind.DONE:
        raise UserError(outcome.sentence)
    await edit_reply(interaction, views.joined(cup))


async def _start(context: Context, interaction: Interaction, cup: Cup) -> Outcome:
    """Start a cup without the players who have left the server."""
    await with_known_members(context, interaction, cup)
    return await context.of(Cups).start(interaction.id, cup.row.id, _actor(interaction))


async def _leave(
    context: Context, interaction: Interaction, cup: Cup, user_id: UserId, *, clicked: bool = False
) -> None:
    actor = _actor(interaction)
    outcome = await context.of(Cups).leave(
        interaction.id, cup.row.id, actor, user_id, confirms=True
    )
    if outcome.kind == OutcomeKind.CONFIRM:
        is_self = user_id == user_id_of(interaction)
        await reply(interaction, views.ask_withdrawal(cup, user_id, is_self=is_self))
    elif clicked and _is_post(interaction, cup):
        await _acknowledge_or_explain(context, interaction, outcome)
    else:
        words = _("Done: the place in **{cup}** is given up.")
        await _answer(interaction, outcome, words.format(cup=escape(cup.row.name)))


async def _status(context: Context, interaction: Interaction, cup: Cup) -> None:
    cup = await with_known_members(context, interaction, cup)
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    places = await context.of(Cups).open_matches(cup)
    drawn = None
    if cup.pairings:
        drawn = await context.images.draw(partial(pictures.standings, picture_of(cup), style.theme))
    organises = may_organise(cup, _actor(interaction))
    await reply(interaction, views.status(cup, places, drawn, organises=organises))


async def _acknowledge_or_explain(
    context: Context, interaction: Interaction, outcome: Outcome
) -> None:
    """Respond to a click whose effect is visible in the post."""
    if outcome.kind != OutcomeKind.DONE:
        raise UserError(outcome.sentence)
    await acknowledge(interaction, context.clicked)


async def _answer(interaction: Interaction, outcome: Outcome, done: str) -> None:
    """Reply to a command, or to a private click."""
    if outcome.kind != OutcomeKind.DONE:
        raise UserError(outcome.sentence)
    await edit_reply(interaction, note(done))


async def _cup(context: Context, interaction: Interaction, cup_id: int | None) -> Cup:
    """Return a cup of this server that the user may see.

    By default it is the one created last that is not over.

    Raises:
        UserError: there is none.
    """
    if cup_id is None:
        cups = await context.of(Cups).of_server(GuildId(interaction.guild_id or 0))
        cup_id = next(iter(await _visible(context, interaction, cups)), None)
    cup = await context.of(Cups).get(cup_id or 0)
    if cup is None or not await _visible(context, interaction, [cup.row]):
        raise UserError(_(NO_CUP))
    return cup


async def _visible(
    context: Context, interaction: Interaction, cups: Sequence[StoredCup]
) -> dict[int, str]:
    """Return number → name of those cups of this server that the user may see.

    These are the cups in channels that the user can see, and the user's own cups.
    """
    on_server = [cup for cup in cups if cup.guild_id == interaction.guild_id]
    involved = await context.of(Cups).of_user(user_id_of(interaction))
    return {
        cup.id: cup.name
        for cup in on_server
        if cup.id in involved or _actor(interaction).manages or await sees_channel(interaction, cup)
    }


def _actor(interaction: Interaction) -> Actor:
    """Return the user, with the right to manage all cups of the server."""
    return Actor(user_id_of(interaction), interaction.permissions.manage_guild)


def _is_post(interaction: Interaction, cup: Cup) -> bool:
    """Return whether a click was on the post of a cup, which shows its effect."""
    return interaction.message is not None and interaction.message.id == cup.row.message_id


# Commands


def _names(context: Context) -> Any:
    @proposals
    async def propose(interaction: Interaction, current: str) -> Proposals:
        cups = await context.of(Cups).of_server(GuildId(interaction.guild_id or 0), current)
        visible = await _visible(context, interaction, cups)
        return [Choice(name=name, value=number) for number, name in visible.items()]

    return propose


def _create(context: Context) -> CheckedCommand:
    @command(name=N_("create"), description=N_("Open the sign-up for a new cup in this channel"))
    @app_commands.describe(**_CREATE_OPTIONS)
    @app_commands.choices(
        game=choices_of({games.get(name).title: name for name in games.names()}),
        format=choices_of({words: cup_format.value for cup_format, words in views.FORMATS.items()}),
        clock=choices_of(CLOCKS),
        season=choices_of(DIVISIONS),
        days_off=choices_of({words: rule for rule, words in views.DAYS_OFF.items()}),
    )
    async def create(
        interaction: Interaction,
        *,
        name: Range[str, 1, NAME_LIMIT],
        game: str,
        format: str | None = None,
        clock: str | None = None,
        series: Rounds = 1,
        rated: bool = False,
        matches: MaxOpen = 2,
        season: str | None = None,
        vacations: bool = True,
        days_off: str | None = None,
        starts: str | None = None,
        ends: str | None = None,
    ) -> None:
        require_startable(interaction)
        await require_playable(context, interaction)
        title = clean(name, NAME_LIMIT)
        if not title:
            raise UserError(_("Give the cup a name that people can read."))
        now = context.clock()
        zone = await _zone(context, interaction) if starts or ends else UTC
        draft = CupDraft(
            name=title,
            game=game,
            format=CupFormat(format or CupFormat.ROUND_ROBIN),
            clock=OFFERED_CLOCKS[clock] if clock else DEFAULT_CLOCK,
            rounds=series,
            rated=rated,
            max_open=matches,
            divisions=int(season or 0),
            vacations=vacations,
            days_off=DaysOffRule(days_off or ""),
            starts_at=when(starts, now, zone),
            ends_at=last_moment(ends, now, zone),
            guild_id=GuildId(interaction.guild_id or 0),
            channel_id=ChannelId(interaction.channel_id or 0),
            parent_channel_id=parent_of(interaction),
        )
        outcome = await context.of(Cups).create(interaction.id, draft, user_id_of(interaction))
        if outcome.kind != OutcomeKind.DONE:
            raise UserError(outcome.sentence)
        await reply(interaction, views.created(outcome.cup_id, draft, zone))

    return create


async def _zone(context: Context, interaction: Interaction) -> tzinfo:
    """Return the time zone of a user."""
    preferences = await context.preferences.preferences(user_id_of(interaction))
    return time_zone(preferences[PreferenceKey.ZONE])


def _show(context: Context) -> CheckedCommand:
    @command(
        name=N_("status"),
        description=N_("Show a cup, join or leave it; start or cancel your own"),
    )
    @app_commands.describe(cup=WHICH)
    @app_commands.autocomplete(cup=_names(context))
    async def status(interaction: Interaction, cup: int | None = None) -> None:
        await _status(context, interaction, await _cup(context, interaction, cup))

    return status


def _replace(context: Context) -> CheckedCommand:
    @command(name=N_("replace"), description=N_("Offer a place in a running cup to a substitute"))
    @app_commands.describe(
        substitute=N_("Who may take over the place"),
        player=N_("For organisers: whose place (default: yours)"),
        cup=WHICH,
    )
    @app_commands.autocomplete(cup=_names(context))
    async def replace(
        interaction: Interaction,
        substitute: discord.User,
        player: discord.User | None = None,
        cup: int | None = None,
    ) -> None:
        selected = await _cup(context, interaction, cup)
        require_startable(interaction, [substitute])
        await require_playable(context, interaction, [substitute])
        outcome = await context.of(Cups).offer_place(
            interaction.id,
            selected.row.id,
            _actor(interaction),
            UserId((player or interaction.user).id),
            Player(UserId(substitute.id), clean_name(substitute.display_name)),
        )
        words = _(
            "The place is offered to {user}: ask them to press *Take over* on the cup's "
            "post. Matches under way stay with the original player."
        )
        await _answer(interaction, outcome, words.format(user=substitute.mention))

    return replace


def commands(context: Context) -> list[CheckedCommand | Group]:
    """Return the commands of this feature."""
    cup = group(N_("cup"), N_("Cups for 3 to 16 players"), IN_SERVERS)
    for subcommand in (_create(context), _show(context), _replace(context)):
        cup.add_command(subcommand)
    return [cup]
