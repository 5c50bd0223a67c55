"""The custom_ids of plans after a match."""

from __future__ import annotations

from enum import StrEnum

from bot.domain.ids import MatchId
from bot.views.custom_id_codec import CustomId


class OwnPlanStep(StrEnum):
    """A step of a player with a plan after the match."""

    SHOW = "show"
    PUBLISH = "publish"
    UNPUBLISH = "unpublish"
    DELETE = "delete"


class OwnPlanId(CustomId, prefix="ownplan"):
    """Show, publish, unpublish or delete this user's plan of a finished match."""

    match_id: MatchId
    step: OwnPlanStep = OwnPlanStep.SHOW


class SeatPlanId(CustomId, prefix="seatplan"):
    """Show the plan that the player of a seat has published."""

    match_id: MatchId
    seat: str
