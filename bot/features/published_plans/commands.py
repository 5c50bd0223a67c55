"""Plans after a match: read by all if published, changed by their player alone."""

from __future__ import annotations

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, Perspective
from bot.features.published_plans import views
from bot.features.published_plans.ids import OwnPlanId, OwnPlanStep, SeatPlanId
from bot.features.published_plans.service import NoPlanError, PublishedPlans
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError, edit_reply, reply, user_id_of
from bot.interactions.visibility import require_finished
from bot.views import ui
from bot.views.message import Message
from render.i18n import _
from render.renderer import Style


@component(OwnPlanId)
async def _change(context: Context, interaction: Interaction, id: OwnPlanId) -> None:
    """Publish, unpublish or delete this user's plan of a finished match, and show it."""
    await require_finished(context, interaction, id.match_id)
    user_id = user_id_of(interaction)
    plans = context.of(PublishedPlans)
    changes = {
        OwnPlanStep.PUBLISH: plans.publish,
        OwnPlanStep.UNPUBLISH: plans.unpublish,
        OwnPlanStep.DELETE: plans.delete,
    }
    try:
        if change := changes.get(id.step):
            await change(id.match_id, user_id)
        message = await _own_plan(context, user_id, id)
    except NoPlanError:
        raise UserError(_(views.NO_PLAN)) from None
    # A page of the match, which leads here, stays beside it
    await (reply if id.step == OwnPlanStep.SHOW else edit_reply)(interaction, message)


async def _own_plan(context: Context, user_id: UserId, id: OwnPlanId) -> Message:
    """Return a user's plan after a step.

    Raises:
        NoPlanError: the user has none in this match.
    """
    if id.step == OwnPlanStep.DELETE:
        return views.deleted(await context.queries.match(id.match_id))
    perspective, style = await _seen(context, id.match_id, user_id)
    plan = await context.of(PublishedPlans).read(perspective.match, perspective.seat, user_id)
    return views.own_plan(perspective, plan, style)


@component(SeatPlanId)
async def _read(context: Context, interaction: Interaction, id: SeatPlanId) -> None:
    """Show the plan that a player has published."""
    await require_finished(context, interaction, id.match_id)
    user_id = user_id_of(interaction)
    perspective, style = await _seen(context, id.match_id, user_id)
    match = perspective.match
    try:
        plan = await context.of(PublishedPlans).read(match, id.seat, user_id)
    except NoPlanError:
        raise UserError(_(views.NOT_PUBLISHED)) from None
    await reply(interaction, views.published_plan(perspective, plan, style))


async def _seen(context: Context, match_id: MatchId, user_id: UserId) -> tuple[Perspective, Style]:
    """Return a match as a user sees it, and the style of their pictures."""
    perspective = await context.queries.view(match_id, user_id)
    return perspective, await context.preferences.style(user_id, perspective.match.guild_id)


async def story_buttons(context: Context, match: Match, user_id: UserId) -> list[ui.Button]:
    """Return the buttons to the plans of a finished match that this user may read."""
    readable = await context.of(PublishedPlans).readable(match.id, user_id)
    return views.story_buttons(match, user_id, readable)
