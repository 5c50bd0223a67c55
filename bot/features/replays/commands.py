"""Replays of finished matches: turn by turn, or as an animation."""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_right

import discord
from discord import app_commands
from discord.app_commands import ContextMenu

from bot.domain.computer_audit import AuditError
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, MatchStatus
from bot.features.replays import views
from bot.features.replays.animations import Animation, Animations, StoppedError
from bot.features.replays.import_commands import Upload, show_record
from bot.interactions.board_messages import board_of
from bot.interactions.command import EVERYWHERE, CheckedCommand, command, menu
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.match_option import MATCH_OPTION, find, own_matches
from bot.interactions.private_lines import private_lines
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_original,
    edit_reply,
    error_boundary,
    reply,
    reply_pending,
    report_progress,
    user_id_of,
)
from bot.interactions.story_buttons import story_buttons
from bot.interactions.visibility import require_finished, visible_match
from bot.services.positions import ALL_REVEALED
from bot.views import ui, verification
from bot.views.custom_ids import AnimationId, DownloadId, ReplayId, VerifyId
from bot.views.message import note
from engine.computer.choosers import HEADER
from engine.game import PUBLIC
from engine.record import Record, RecordError
from render.i18n import N_, _, format_percent
from render.renderer import Style

log = logging.getLogger(__name__)

DRAWING = N_("I'm still drawing an animation for you; it will be ready in a moment.")
VERIFYING = N_("I'm still verifying a match for you; ask again when that is done.")

PROGRESS_SECONDS = 1.0
"""Seconds between two progress updates of a drawing."""

ANIMATION_BYTES_LIMIT = 8 * 1024 * 1024
"""Maximum size of an animation that Discord plays in the chat."""


async def show_turn(
    context: Context, interaction: Interaction, match_id: MatchId, turn: int, reader: str = PUBLIC
) -> None:
    """Reply with a finished match after a number of turns, or with its end.

    Seen by a player it has no lines of this user, who may have written them later.

    Args:
        turn: number of the turn, from 0.
        reader: see `Queries.seen_by`.

    Raises:
        UserError: it is not finished.
        NoMatchError: there is no such match for this user.
    """
    await require_finished(context, interaction, match_id)
    _perspective, turns = await context.queries.turns(match_id)
    place = min(turn, len(turns) - 1)
    count = turns[place].action_count
    perspective, has_secrets = await context.queries.seen_by(match_id, count, reader)
    reader = reader if perspective.seat or reader == ALL_REVEALED else PUBLIC
    drawn = await context.images.board(
        perspective,
        await context.preferences.style(user_id_of(interaction), perspective.match.guild_id),
    )
    user_id, computers = user_id_of(interaction), context.can_play(perspective.match.game)
    lines = "" if reader else await private_lines(context, perspective.match, user_id)
    beside = await story_buttons(context, perspective.match, user_id)
    page = views.Page(perspective, turns, place, reader, has_secrets, beside)
    message = views.replay(page, drawn, user_id=user_id, computers=computers, lines=lines)
    await edit_reply(interaction, message)


async def show_animation(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Reply with an animation of a finished match, reporting progress while it is drawn.

    Raises:
        UserError: it is not finished, or an animation is being drawn for this user.
        NoMatchError: there is no such match for this user.
    """
    await require_finished(context, interaction, match_id)
    perspective, record = await context.queries.log(match_id)
    style = await context.preferences.style(user_id_of(interaction), perspective.match.guild_id)
    with context.limits.of(DRAWING).running(user_id_of(interaction)):
        await reply_pending(interaction, _("Drawing the whole match …"))
        gif = context.of(Animations).cached(perspective.match, record, style)
        gif = gif or await _drawn(context, interaction, perspective.match, record, style)
    if gif is None:
        sentence = _("I couldn't finish this animation; try again in a moment.")
        await edit_original(interaction, note(sentence))
    elif len(gif) > ANIMATION_BYTES_LIMIT:
        sentence = _("This match is too long for an animation; step through it instead.")
        await edit_original(interaction, note(sentence))
    else:
        await edit_original(interaction, views.animation(perspective, gif))


async def _drawn(
    context: Context, interaction: Interaction, match: Match, record: Record, style: Style
) -> bytes | None:
    """Draw an animation and report its progress; return None if it was abandoned."""
    animation = context.of(Animations).begin(match, record, style)
    try:
        return await _await_animation(interaction, animation)
    finally:
        context.of(Animations).leave(animation)


async def _await_animation(interaction: Interaction, animation: Animation) -> bytes | None:
    """Wait for an animation and report its progress; return None if it was abandoned."""
    while not (await asyncio.wait({animation.drawing}, timeout=PROGRESS_SECONDS))[0]:
        share = _("Drawing: {share} …").format(share=format_percent(animation.progress))
        await report_progress(interaction, share)
    if animation.drawing.cancelled() or isinstance(animation.drawing.exception(), StoppedError):
        return None
    return animation.drawing.result()


@component(ReplayId)
async def _step(context: Context, interaction: Interaction, id: ReplayId) -> None:
    """Show a turn of a finished match."""
    await show_turn(context, interaction, id.match_id, id.turn, selected(interaction) or id.reader)


@component(DownloadId)
async def _download(context: Context, interaction: Interaction, id: DownloadId) -> None:
    """Send the record of a finished match."""
    await require_finished(context, interaction, id.match_id)
    match = await context.queries.match(id.match_id)
    record = await context.queries.record(match.id, user_id_of(interaction))
    piecepack = await context.queries.piecepack(record)
    await reply(interaction, views.download(match, record, piecepack))


@component(AnimationId)
async def _watch(context: Context, interaction: Interaction, id: AnimationId) -> None:
    """Show a finished match as an animation."""
    await show_animation(context, interaction, id.match_id)


@component(VerifyId)
async def _verify(context: Context, interaction: Interaction, id: VerifyId) -> None:
    """Recompute the dice of a finished match, and the computer's choices."""
    match = await visible_match(context, interaction, id.match_id)
    if match.status != MatchStatus.FINISHED:
        raise UserError(_("The seed is revealed when the match is over; try again then."))
    with context.limits.of(VERIFYING).running(user_id_of(interaction)):
        await _show_proof(context, interaction, match)


def _replay(context: Context) -> CheckedCommand:
    @command(
        name=N_("replay"),
        description=N_("Step through a finished match or a record, watch it, verify its dice"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(
        match=MATCH_OPTION, record=N_("Instead of a match: a file that ends in .match")
    )
    @app_commands.autocomplete(match=own_matches(context, MatchStatus.FINISHED))
    async def replay(
        interaction: Interaction,
        match: int | None = None,
        record: discord.Attachment | None = None,
    ) -> None:
        if record is not None:
            await show_record(context, interaction, Upload(record.size, record.url))
            return
        selected = await _finished(context, interaction, match)
        await show_turn(context, interaction, selected.id, 0)

    return replay


async def _finished(context: Context, interaction: Interaction, number: int | None) -> Match:
    """Return the finished match that a command is about.

    Raises:
        UserError: there is none; it offers to open a record.
    """
    try:
        return await find(context, interaction, number, status=MatchStatus.FINISHED)
    except UserError as error:
        row = ui.ActionRow(views.open_record_button())
        raise UserError(str(error), *error.more, row) from None


async def _show_proof(context: Context, interaction: Interaction, match: Match) -> None:
    """Reply with the verification of the dice, then of the computer's choices."""
    record = await context.queries.record(match.id)
    try:
        rolls = await context.queries.verify(record, match.commitment)
    except RecordError as error:
        log.error("match %s: the dice do not verify: %s", match.id, error)  # noqa: TRY400
        await edit_reply(interaction, verification.unverified(match, record, str(error)))
        return
    if HEADER not in record.headers:
        await edit_reply(interaction, verification.verified(match, record, rolls))
        return
    waits = verification.audit_line(None)
    await edit_reply(interaction, verification.verified(match, record, rolls, waits))
    audited = await _audit_line(context, match, record, user_id_of(interaction))
    await edit_original(interaction, verification.verified(match, record, rolls, audited))


async def _audit_line(context: Context, match: Match, record: Record, user_id: UserId) -> str:
    """Return the result of repeating the computer's choices."""
    try:
        return verification.audit_line(await context.audit(record, user_id))
    except AuditError as error:
        if error.differs:
            log.error("match %s: a choice of the computer differs", match.id)  # noqa: TRY400
        return verification.failed_audit_line(error)


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_replay(context)]


def menus(context: Context) -> list[ContextMenu]:
    """Return the context menus of this feature."""

    async def replay(interaction: Interaction, message: discord.Message) -> None:
        async with error_boundary(interaction):
            await _replay_from_board(context, interaction, message)

    return [menu(N_("Replay from here"), replay)]


async def _replay_from_board(
    context: Context, interaction: Interaction, message: discord.Message
) -> None:
    """Show the turn of a finished match that a board was posted in."""
    posted = board_of(interaction, message)
    await require_finished(context, interaction, posted.match_id)
    _perspective, turns = await context.queries.turns(posted.match_id)
    counts = [turn.action_count for turn in turns]
    count = counts[-1] if posted.action_count is None else posted.action_count
    await show_turn(context, interaction, posted.match_id, bisect_right(counts, count) - 1)
