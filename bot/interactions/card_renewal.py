"""Renewal of private cards after their match has changed: their buttons must not be outdated."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from bot.domain.models import Match, MatchStatus, Perspective
from bot.i18n import catalogue
from bot.interactions.boards import board
from bot.interactions.context import Context
from bot.interactions.plans import panel
from bot.interactions.private_cards import Card, Renewal
from bot.interactions.replies import UserError, user_id_of
from bot.services.match_repository import NoMatchError
from bot.views.custom_id_codec import CustomId, CustomIdError, parse
from bot.views.custom_ids import PlanId, PlanStep
from render.i18n import using

log = logging.getLogger(__name__)

DELETED = Renewal(None)


async def renew_card(context: Context, card: Card) -> Renewal | None:
    """Return the change of a card with its match; None if its buttons still work.

    A plan is shown again until the match is over. Choices that are over give way to the next ones;
    without any, the board in the channel shows everything.
    """
    user_id, locale = user_id_of(card.interaction), card.interaction.locale.value
    custom_ids = list(_parsed(card.custom_ids))
    is_plan = any(isinstance(id, PlanId) and id.step is PlanStep.BOARD for id in custom_ids)
    try:
        perspective = await context.queries.view(card.match_id, user_id)
        is_over = perspective.match.status != MatchStatus.RUNNING
        if is_over and any(isinstance(id, PlanId) for id in custom_ids):
            return DELETED
        if not is_plan and not _is_outdated(custom_ids, perspective):
            return None
        language = await context.preferences.language(user_id, locale, remember=False)
        with using(catalogue(language, locale)):
            if is_plan:
                return Renewal(await panel(context, user_id, card.match_id))
            if not perspective.view.legal:
                return DELETED
            return Renewal(await board(context, perspective, user_id))
    except (NoMatchError, UserError):
        return DELETED
    except SQLAlchemyError as error:
        log.info("a private card stays as it is: %s", error)
        return None


def _is_outdated(custom_ids: Iterable[CustomId], perspective: Perspective) -> bool:
    """Return whether one of a card's buttons is refused because the match has changed."""
    match, seat, *_rest = perspective
    return any(_names_past(custom_id, match, seat) for custom_id in custom_ids)


def _names_past(custom_id: CustomId, match: Match, seat: str) -> bool:
    """Return whether a custom_id names a decision that was made, or an earlier version.

    The version in the custom_ids of a plan is that of the plan.
    """
    decision = getattr(custom_id, "decision", None)
    if decision and decision != match.decisions.get(seat):
        return True
    version = None if isinstance(custom_id, PlanId) else getattr(custom_id, "version", None)
    return version not in (None, match.version)


def _parsed(custom_ids: Iterable[str]) -> Iterable[CustomId]:
    for custom_id in custom_ids:
        with suppress(CustomIdError):
            yield parse(custom_id)
