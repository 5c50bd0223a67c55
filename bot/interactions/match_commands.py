"""Commands and clicks in a match besides moves: draws, takebacks, resigning, and the like."""

from __future__ import annotations

from discord import app_commands

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.outcomes import Confirmation, OutcomeKind
from bot.domain.waiting import Absent
from bot.interactions.command import CheckedCommand, command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.match_option import (
    MATCH_OPTION,
    after_own_move,
    between_people,
    find,
    in_any,
    own_matches,
)
from bot.interactions.member_lookup import absent_players, gone_seats
from bot.interactions.moves import play
from bot.interactions.outcomes import acknowledge_or_explain, confirm, explain
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_reply,
    reply,
    reply_beside,
    user_id_of,
)
from bot.interactions.takebacks import take_back
from bot.interactions.typed_requests import handled
from bot.interactions.visibility import visible_match
from bot.views import confirmations, silence
from bot.views.controls import rows_of
from bot.views.custom_ids import (
    AbandonId,
    AgreeId,
    CancelId,
    ClaimId,
    DrawId,
    NoticeId,
    NudgeId,
    ResignId,
    SnoozeId,
    TakeBackId,
)
from bot.views.message import Message, note
from render.i18n import N_, _


@component(ClaimId)
async def _claim(context: Context, interaction: Interaction, id: ClaimId) -> None:
    """Claim a match from a player out of time, after a confirmation."""
    confirmed_version = id.version
    outcome = await context.deadlines.claim_win(
        interaction.id,
        id.match_id,
        user_id_of(interaction),
        id.seat,
        confirmed_version=confirmed_version,
        confirms=confirmed_version is None,
    )
    if outcome.kind == OutcomeKind.CONFIRM:
        match = await context.queries.match(id.match_id)
        await edit_reply(interaction, confirmations.claim(match, id.seat))
        return
    await confirm(context, interaction, outcome, _("You've claimed {game} #{match} on time."))


@component(SnoozeId)
async def _snooze(context: Context, interaction: Interaction, id: SnoozeId) -> None:
    """Remind this user in a day."""
    outcome = await context.deadlines.snooze(interaction.id, id.match_id, user_id_of(interaction))
    if outcome.kind != OutcomeKind.DONE:
        await explain(context, interaction, outcome)
        return
    await reply_beside(interaction, note(_("I'll remind you in a day.")))


@component(NudgeId)
async def _nudge(context: Context, interaction: Interaction, id: NudgeId) -> None:
    """Nudge the players that this user is waiting for."""
    match = await visible_match(context, interaction, id.match_id)
    unreachable = await gone_seats(context, interaction, match)
    outcome = await context.nudges.nudge(
        interaction.id, match.id, user_id_of(interaction), unreachable
    )
    if outcome.next_at:
        sentence = _("You can nudge again {time}; once a day is enough.")
        time = f"<t:{int(outcome.next_at)}:R>"
        await reply_beside(interaction, note(sentence.format(time=time)))
    elif outcome.kind != OutcomeKind.DONE:
        absent = Absent.of(match, context.clock(), unreachable)
        buttons = rows_of(silence.buttons(match, absent.endable)) if unreachable else []
        await explain(context, interaction, outcome, more=buttons)
    else:
        await reply_beside(interaction, note(_("Nudge sent; quiet hours may delay it.")))


@component(AgreeId)
async def _agree(context: Context, interaction: Interaction, id: AgreeId) -> None:
    """Agree to a takeback."""
    outcome = await context.takebacks.take_back(
        interaction.id,
        id.match_id,
        user_id_of(interaction),
        requested_version=id.version,
        asking=id.seat,
    )
    await acknowledge_or_explain(context, interaction, outcome)


@component(TakeBackId)
async def _take_back(context: Context, interaction: Interaction, id: TakeBackId) -> None:
    """Take back this user's last choice, or ask another player to agree."""
    await take_back(context, interaction, id.match_id, by_button=True)


@component(ResignId)
async def _confirm_resignation(context: Context, interaction: Interaction, id: ResignId) -> None:
    """Resign, after a confirmation."""
    match_id, user_id = id.match_id, user_id_of(interaction)
    match = await visible_match(context, interaction, match_id)
    _require_player(match, user_id)
    if id.version is None:
        await edit_reply(interaction, _resignation(match, user_id))
        return
    verb = "resign" if len(match.players) == 2 else "leave"
    outcome = await context.matches.act(
        *(interaction.id, match_id, user_id, verb), confirmation=Confirmation(version=id.version)
    )
    resigned = _("You've resigned {game} #{match}.")
    departed = _("You've left {game} #{match}.")
    await confirm(context, interaction, outcome, resigned if verb == "resign" else departed)


@component(DrawId)
async def _confirm_draw(context: Context, interaction: Interaction, id: DrawId) -> None:
    """Accept a draw that the player has confirmed."""
    outcome = await context.matches.act(
        interaction.id,
        id.match_id,
        user_id_of(interaction),
        "draw accept",
        confirmation=Confirmation(version=id.version),
    )
    await confirm(context, interaction, outcome, _("You've accepted the draw in {game} #{match}."))


@component(AbandonId)
async def _agree_to_end(context: Context, interaction: Interaction, id: AbandonId) -> None:
    """End a match without a result, or propose it, after a confirmation."""
    match, user_id = await visible_match(context, interaction, id.match_id), user_id_of(interaction)
    if id.version is None:
        await edit_reply(interaction, await _end_question(context, interaction, match))
        return
    outcome = await context.abandoning.agree(interaction.id, match.id, user_id, id.version)
    if outcome.kind == OutcomeKind.ASK:
        await edit_reply(interaction, note(_("I've asked the other players to agree.")))
        return
    await confirm(context, interaction, outcome, _("{game} #{match} has ended without a result."))


@component(NoticeId)
async def _give_notice(context: Context, interaction: Interaction, id: NoticeId) -> None:
    """Give a player who does not decide a last notice, as confirmed."""
    match = await visible_match(context, interaction, id.match_id)
    is_gone = id.seat in await gone_seats(context, interaction, match)
    outcome = await context.silence.give_notice(
        interaction.id,
        match.id,
        user_id_of(interaction),
        id.seat,
        version=id.version,
        is_gone=is_gone,
    )
    done = _("Notice given in {game} #{match}. Its board says until when.")
    await confirm(context, interaction, outcome, done)


async def _end_question(context: Context, interaction: Interaction, match: Match) -> Message:
    """Return the confirmation for ending a match without a result, or for giving notice.

    Raises:
        UserError: this user does not play in it, or it is not running.
    """
    user_id = user_id_of(interaction)
    if not match.seat_of(user_id):
        raise UserError(_("You're not playing in this match."))
    if match.status != MatchStatus.RUNNING:
        raise UserError(_("This match isn't running."))
    absent = await absent_players(context, interaction, match)
    if not absent.endable or match.seat_of(user_id) in match.decisions:
        return confirmations.end(match, user_id, computers=context.computers)
    playing = (await context.queries.view(match.id)).view.playing
    return silence.question(match, absent.endable[0], playing)


@component(CancelId)
async def _cancel(_context: Context, interaction: Interaction, _id: CancelId) -> None:
    """Tell the player that nothing has changed, after *Cancel*."""
    await edit_reply(interaction, note(_("Nothing has changed.")))


def _draw(context: Context) -> CheckedCommand:
    @command(name=N_("draw"), description=N_("Offer a draw"))
    @app_commands.describe(match=MATCH_OPTION)
    @app_commands.autocomplete(match=own_matches(context))
    async def draw(interaction: Interaction, match: int | None = None) -> None:
        target = await find(context, interaction, match, sensible=between_people, acts=True)
        perspective = await context.queries.view(target.id, user_id_of(interaction))
        if not await handled(context, interaction, perspective, "draw"):
            await play(context, interaction, target.id, "draw offer", None)

    return draw


def _takeback(context: Context) -> CheckedCommand:
    @command(
        name=N_("takeback"),
        description=N_("Take back your last move, if nothing has followed it"),
    )
    @app_commands.describe(match=MATCH_OPTION)
    @app_commands.autocomplete(match=own_matches(context))
    async def takeback(interaction: Interaction, match: int | None = None) -> None:
        target = await find(context, interaction, match, sensible=after_own_move, acts=True)
        await take_back(context, interaction, target.id)

    return takeback


def _resign(context: Context) -> CheckedCommand:
    @command(name=N_("resign"), description=N_("Resign a match"))
    @app_commands.describe(match=MATCH_OPTION)
    @app_commands.autocomplete(match=own_matches(context))
    async def resign(interaction: Interaction, match: int | None = None) -> None:
        target = await find(context, interaction, match, sensible=in_any)
        await reply(interaction, _resignation(target, user_id_of(interaction)))

    return resign


def _resignation(match: Match, user_id: UserId) -> Message:
    """Return the confirmation for resigning, or leaving, a match.

    Raises:
        UserError: the user does not play in it, or it is over.
    """
    _require_player(match, user_id)
    if match.status == MatchStatus.FINISHED:
        raise UserError(_("This match is over."))
    return confirmations.departure(match, user_id)


def _require_player(match: Match, user_id: UserId) -> None:
    """Check that a user plays in a match.

    Raises:
        UserError: the user does not.
    """
    if not match.seat_of(user_id):
        raise UserError(_("You're not playing in this match."))


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_draw(context), _takeback(context), _resign(context)]
