"""A player's plan after the match: its lines with their statuses, and its readers."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.domain.ids import UserId
from bot.domain.models import Match, Perspective
from bot.features.published_plans.ids import OwnPlanId, OwnPlanStep, SeatPlanId
from bot.features.published_plans.service import OrderStatus, PlannedLine, PlayersPlan
from bot.views import ui
from bot.views.controls import button, match_button, rows_of
from bot.views.message import Message, note
from bot.views.names import escaped_names, title_of
from bot.views.plans import ORDERS_LIMIT, order_words
from render import for_game
from render.i18n import N_, _, truncate
from render.renderer import Style

STATUSES = {
    OrderStatus.PLAYED: N_("{number}. {line} – **played**"),
    OrderStatus.TAKEN_BACK: N_("{number}. {line} – taken back"),
    OrderStatus.PASSED: N_("{number}. {line} – passed over"),
    OrderStatus.NOT_REACHED: N_("{number}. {line} – not reached"),
}

NO_PLAN = N_("There's no plan of yours in this match any more.")

NOT_PUBLISHED = N_("This plan isn't published any more.")

PRIVATE = N_(
    "-# Only you see this: your plan as you last wrote it. If you publish it, everyone who can see "
    "this match can read it, until you unpublish or delete it."
)

PUBLISHED = N_("-# Published: everyone who can see this match can read your plan.")

DELETED = N_("Your plan is deleted.")


def story_buttons(
    match: Match, reader_id: UserId, readable: Mapping[UserId, bool]
) -> list[ui.Button]:
    """Return the buttons to the plans that a user may read, beside the story of the match.

    Args:
        readable: user ID → whether published, of these plans.
    """
    buttons: list[ui.Button] = []
    for seat, player in match.players.items():
        if player.user_id not in readable:
            continue
        if player.user_id != reader_id:
            label = _("{name}'s plan").format(name=player.name)
            buttons.append(button(label, SeatPlanId(match.id, seat)))
        else:
            label = _("My plan…") if readable[reader_id] else _("Publish my plan…")
            buttons.append(button(label, OwnPlanId(match.id)))
    return buttons


def own_plan(perspective: Perspective, plan: PlayersPlan, style: Style) -> Message:
    """Return a plan for its player, with buttons to publish, unpublish and delete it.

    Args:
        perspective: the finished match.
        style: style of the reader's pictures.
    """
    match = perspective.match
    title = _("**{match}: your plan**").format(match=title_of(match))
    readers = _(PUBLISHED) if plan.is_published else _(PRIVATE)
    step, label, colour = OwnPlanStep.PUBLISH, _("Publish"), discord.ButtonStyle.success
    if plan.is_published:
        step, label, colour = OwnPlanStep.UNPUBLISH, _("Unpublish"), discord.ButtonStyle.secondary
    buttons = [
        button(label, OwnPlanId(match.id, step), colour),
        button(_("Delete"), OwnPlanId(match.id, OwnPlanStep.DELETE), discord.ButtonStyle.danger),
        match_button(match),
    ]
    text = "\n".join((title, _lines(perspective, plan, style), readers))
    return note(text, *rows_of(buttons))


def published_plan(perspective: Perspective, plan: PlayersPlan, style: Style) -> Message:
    """Return a published plan for another reader; see `own_plan`."""
    match = perspective.match
    title = _("**{match}: {name}'s plan**").format(
        match=title_of(match), name=escaped_names(match)[plan.seat]
    )
    text = "\n".join((title, _lines(perspective, plan, style)))
    return note(text, *rows_of([match_button(match)]))


def deleted(match: Match) -> Message:
    """Confirm that a plan is deleted."""
    return note(_(DELETED), *rows_of([match_button(match)]))


def _lines(perspective: Perspective, plan: PlayersPlan, style: Style) -> str:
    lines = [_line(perspective, number, line, style) for number, line in enumerate(plan.lines, 1)]
    return truncate("\n".join(lines), ORDERS_LIMIT)


def _line(perspective: Perspective, number: int, line: PlannedLine, style: Style) -> str:
    """Return an order in words, with its status, and which of several alternatives was played."""
    words = order_words(perspective, line.order, style)
    if line.status is not OrderStatus.PLAYED or line.action is None or len(line.order.actions) == 1:
        return _(STATUSES[line.status]).format(number=number, line=words)
    move = for_game(perspective.match.game).planned(perspective.view, line.action, style)
    template = _("{number}. {line} – **played: {move}**")
    return template.format(number=number, line=words, move=move)
