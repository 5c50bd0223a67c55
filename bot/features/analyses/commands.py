"""`/analyse`: the luck in a finished match, and its most costly decisions."""

from __future__ import annotations

from functools import partial

from discord import app_commands

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, MatchStatus, Switch
from bot.features.analyses import views
from bot.features.analyses.ids import AnalyseId
from bot.features.analyses.service import Analyses, WaitEnd
from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.match_option import MATCH_OPTION, find, own_matches
from bot.interactions.permissions import require_computers
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_card,
    edit_original,
    edit_reply,
    user_id_of,
)
from bot.interactions.story_buttons import story_buttons
from bot.interactions.visibility import require_finished
from bot.services.preferences import PreferenceKey
from bot.views.message import Message
from engine.computer.analysis import Analysis, Decision
from engine.endings import ABANDONED
from engine.game import View
from engine.stories import Mark
from render import for_game, pictures
from render.i18n import N_, _
from render.renderer import Style

WAIT_SECONDS = 13.0 * 60
"""Maximum seconds until an analysis is shown; Discord lets a reply be edited for 15 minutes."""


async def show(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Reply with the analysis of a finished match; request one if there is none yet.

    Raises:
        UserError: the match is not finished, cannot be analysed, or this user waits for another
            analysis.
        NoMatchError: there is no such match for this user.
    """
    await require_finished(context, interaction, match_id)
    perspective = await context.queries.view(match_id)
    if perspective.view.result == ABANDONED:
        raise UserError(_("This match ended without a result, so there is nothing to analyse."))
    if analysis := await context.queries.analysis(match_id):
        await edit_reply(interaction, await _page(context, interaction, analysis, match_id))
        return
    if not context.computers:
        raise UserError(_("I can't analyse matches here, because the computer is turned off."))
    require_computers(context, perspective.match.game)
    service, user_id = context.of(Analyses), user_id_of(interaction)
    if not await service.request(match_id, user_id):
        raise UserError(_("I'm still analysing another match for you; ask again after that."))
    await edit_reply(interaction, views.working(service.progress(match_id)))
    end = await service.wait(
        *(match_id, user_id, WAIT_SECONDS),
        report=lambda progress: edit_card(interaction, views.working(progress)),
    )
    if isinstance(end, Analysis):
        await edit_original(interaction, await _page(context, interaction, end, match_id))
    elif end is WaitEnd.FAILED:
        await edit_original(interaction, views.failed(match_id, service.progress(match_id)))
    elif end is WaitEnd.UNFINISHED:
        await edit_original(interaction, views.unfinished(match_id, service.progress(match_id)))
    elif end is WaitEnd.REPLACED:
        await edit_original(interaction, views.replaced())


async def _page(
    context: Context, interaction: Interaction, analysis: Analysis, match_id: MatchId
) -> Message:
    """Return an analysis as a user may see it."""
    user_id = user_id_of(interaction)
    match = await context.queries.match(match_id)
    seats = await _visible_seats(context, match, user_id)
    reader = match.seat_of(user_id)
    worst = views.costly_decisions(analysis, seats, reader)
    spots = [(decision.place, decision.seat) for decision in worst]
    perspective, turns, seat_views = await context.queries.earlier_views(match_id, spots)
    style = await context.preferences.style(user_id, match.guild_id)
    marks = await context.queries.marks(match_id)
    actions = (await context.queries.record(match_id)).actions
    perspective = perspective._replace(seat=reader)
    data = views.curve_of(
        *(analysis, turns, worst, views.seat_shown(perspective, analysis)),
        draws_rhombs=for_game(match.game).draws_rhombs,
    )
    decisions = [
        (await _with_board(context, match, style, (decision, *pair)))._replace(
            is_foreseen=marks.get(decision.place) == Mark.FORESEEN,
            is_order=views.is_order(decision, actions, turns),
        )
        for decision, pair in zip(worst, seat_views, strict=True)
    ]
    picture = await context.images.draw(partial(pictures.curve, data, match.names, style.theme))
    beside = await story_buttons(context, match, user_id)
    return views.page(perspective, analysis, picture, decisions, seats, beside=beside)


async def _with_board(
    context: Context, match: Match, style: Style, row: tuple[Decision, View, View | None]
) -> views.DecisionWithBoard:
    """Draw a decision: the board before it, the better choice, and the arrows of the answer."""
    decision, view, answer = row
    board, is_drawn = views.with_answer(decision, view, answer)
    better = (decision.best,)
    drawn = await context.images.with_actions(board, match.names, style, better, ghosts=better)
    return views.DecisionWithBoard(decision, view, drawn, answer=is_drawn)


async def _visible_seats(context: Context, match: Match, user_id: UserId) -> str:
    """Return the seats whose decisions a user may see: their own, and those that are shared."""
    seats = ""
    for seat, player in match.players.items():
        is_open = player.is_computer or player.user_id == user_id
        if is_open or await _allows(context, player.user_id):
            seats += seat
    return seats


async def _allows(context: Context, user_id: UserId) -> bool:
    values = await context.preferences.preferences(user_id)
    return values[PreferenceKey.ANALYSIS] == Switch.ON


@component(AnalyseId)
async def _analyse(context: Context, interaction: Interaction, id: AnalyseId) -> None:
    """Analyse a finished match."""
    await show(context, interaction, id.match_id)


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""

    @command(
        name=N_("analyse"),
        description=N_("See the luck in a finished match, and the most costly decisions"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(match=MATCH_OPTION)
    @app_commands.autocomplete(match=own_matches(context, MatchStatus.FINISHED))
    async def analyse(interaction: Interaction, match: int | None = None) -> None:
        finished = await find(context, interaction, match, status=MatchStatus.FINISHED)
        await show(context, interaction, finished.id)

    return [analyse]
