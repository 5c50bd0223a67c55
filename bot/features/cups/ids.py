"""The custom_ids of cups."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.views.custom_id_codec import CustomId


class CupJoinId(CustomId, prefix="cupjoin"):
    """Sign up for a cup, or take over the place that is offered to the user."""

    cup_id: int


class CupLeaveId(CustomId, prefix="cupleave"):
    """Leave a cup before its start; later, ask before withdrawing from it."""

    cup_id: int


class CupWithdrawId(CustomId, prefix="cupwithdraw"):
    """Withdraw a player from a running cup."""

    cup_id: int
    user_id: UserId


class CupStartId(CustomId, prefix="cupstart"):
    """Start a cup."""

    cup_id: int


class CupMineId(CustomId, prefix="cupmine"):
    """Show the user's own matches of a cup."""

    cup_id: int


class CupStatusId(CustomId, prefix="cupstatus"):
    """Show all about a cup."""

    cup_id: int


class CupRemoveId(CustomId, prefix="cupremove"):
    """Ask before withdrawing the player selected in a list; before the start, remove them."""

    cup_id: int


class CupCancelId(CustomId, prefix="cupcancel"):
    """Ask before cancelling a cup; confirmed, cancel it."""

    cup_id: int
    confirmed: int = 0
