"""The position of the day: answered in private, and compared with its solution."""

from __future__ import annotations

import asyncio

from bot.features.daily import views
from bot.features.daily.ids import DailyAnswerId, DailyId, DailyMonthId, DailyPartId
from bot.features.daily.service import DailyPosition, DailyPositions, DailyStatus
from bot.i18n import sides
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import Interaction, UserError, edit_reply, user_id_of
from bot.rulebook.lessons import Place, attempt, choice_in, hint
from bot.rulebook.positions import find
from bot.views.choices import enter_nearest_area, narrow_view
from bot.views.images import Drawn
from engine.game import Action
from render.i18n import N_, _

POSITION_GONE = N_("This position of the day is no longer kept.")

TOO_LATE = N_("The day is over for this position; its solution will be in the channel in a moment.")

SOLVED = N_("The day is over for this position; its solution is in the channel.")


@component(DailyId)
async def _show(context: Context, interaction: Interaction, id: DailyId) -> None:
    """Show the choices; once the solution is shown, this user's answer."""
    daily, place = await _position(context, id.number)
    answer = await context.of(DailyPositions).answer_of(daily.id, user_id_of(interaction))
    if daily.status == DailyStatus.SOLVED:
        await _compare(context, interaction, daily, place, answer)
    else:
        await _choose(context, interaction, _still_open(context, daily), place, answer=answer)


@component(DailyPartId)
async def _show_part(context: Context, interaction: Interaction, id: DailyPartId) -> None:
    """Show fewer choices."""
    daily, place = await _position(context, id.number)
    path = selected(interaction) or id.path
    await _choose(context, interaction, _still_open(context, daily), place, path=path)


@component(DailyAnswerId)
async def _answer(context: Context, interaction: Interaction, id: DailyAnswerId) -> None:
    """Store this user's answer; if it is only the beginning of a choice, show fewer choices."""
    daily, place = await _position(context, id.number)
    line = selected(interaction) or id.notation
    action = choice_in(place, line)
    if action is None:
        await _choose(context, interaction, _still_open(context, daily), place, path=line)
        return
    streak = await context.of(DailyPositions).answer(
        daily.id, user_id_of(interaction), action.notation
    )
    if not streak:
        raise UserError(_(SOLVED if daily.status == DailyStatus.SOLVED else TOO_LATE))
    drawn = await _drawn(context, interaction, place, action)
    await edit_reply(interaction, views.answered(daily, place, action.notation, drawn, streak))


@component(DailyMonthId)
async def _show_month(context: Context, interaction: Interaction, id: DailyMonthId) -> None:
    """Show the table of a month, on the server where the position was posted."""
    daily = await context.of(DailyPositions).get(id.number)
    if daily is None or daily.guild_id != guild_id_of(interaction):
        raise UserError(_(POSITION_GONE))
    table = await context.of(DailyPositions).month(daily, user_id_of(interaction))
    await edit_reply(interaction, views.month(table))


async def _choose(
    context: Context,
    interaction: Interaction,
    daily: DailyPosition,
    place: Place,
    *,
    answer: str = "",
    path: str = "",
) -> None:
    """Show the choices that a path leads to."""
    try:
        path = enter_nearest_area(place.view, path)
        marked = narrow_view(place.view, path)
    except ValueError:
        raise UserError(_(POSITION_GONE)) from None
    drawn = await _drawn(context, interaction, place, *marked.legal)
    await edit_reply(interaction, views.choosing(daily, place, drawn, answer=answer, path=path))


async def _compare(
    context: Context, interaction: Interaction, daily: DailyPosition, place: Place, answer: str
) -> None:
    """Show an answer beside the solution."""
    best = await asyncio.to_thread(hint, place)
    tried = await asyncio.to_thread(attempt, place, answer) if answer else None
    drawn = await _drawn(context, interaction, place, tried.action if tried else best[0])
    await edit_reply(interaction, views.compared_answer(daily, place, tried, best, drawn))


async def _drawn(
    context: Context, interaction: Interaction, place: Place, *actions: Action
) -> Drawn:
    """Return the position in this user's style, with some choices marked."""
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    return await context.images.with_actions(place.view, sides(place.game), style, actions)


async def _position(context: Context, number: int) -> tuple[DailyPosition, Place]:
    """Return a position of the day.

    Raises:
        UserError: the position is no longer kept, or this release no longer has it.
    """
    daily = await context.of(DailyPositions).get(number)
    place = find(daily.position) if daily else None
    if daily is None or place is None:
        raise UserError(_(POSITION_GONE))
    return daily, place


def _still_open(context: Context, daily: DailyPosition) -> DailyPosition:
    """Return a position that is still open for answers.

    Raises:
        UserError: the day is over.
    """
    if not daily.is_open(context.clock()):
        raise UserError(_(SOLVED if daily.status == DailyStatus.SOLVED else TOO_LATE))
    return daily
