"""Which users have a request in progress."""

from __future__ import annotations

from bot.domain.ids import UserId
from bot.interactions.replies import UserError
from bot.interactions.user_limits import OnePerUser


def is_running(limit: OnePerUser, user_id: UserId) -> bool:
    """Return whether another request of a user would be refused."""
    try:
        with limit.running(user_id):
            return False
    except UserError:
        return True
