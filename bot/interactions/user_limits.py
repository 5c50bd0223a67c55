"""Work that takes long: one request of each kind at a time for each user.

So requests that are served in order of arrival are served fairly: no user is twice before another.
`bot.interactions.rate_limit` limits the frequency of requests, this the requests in progress.

Both count within one process. A user of servers whose shards several processes serve may have as
many requests of a kind in progress as there are such processes; DMs belong to shard 0. A count
that they share would be a transaction for each request, and needs leases for those that died.
Exclusive work does not rely on it: see the services of privacy and analyses.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot import metrics
from bot.domain.ids import UserId
from bot.interactions.replies import UserError
from render.i18n import _


class OnePerUser:
    """Admits a user's request only while no earlier one of this user is running.

    Args:
        refusal: the sentence for a user whose earlier request is running, see `render.i18n.N_`.

    Example:
        >>> limit = OnePerUser("One at a time.")
        >>> with limit.running(7), limit.running(8), limit.running(7):
        ...     pass
        Traceback (most recent call last):
        bot.interactions.replies.UserError: One at a time.
    """

    def __init__(self, refusal: str) -> None:
        self._refusal = refusal
        self._users: set[UserId] = set()

    @contextmanager
    def running(self, user_id: UserId) -> Iterator[None]:
        """Admit a request of a user, which runs until the end of the block.

        Enter the block before the first reply: a refusal is a reply.

        Raises:
            UserError: an earlier one is running.
        """
        if user_id in self._users:
            metrics.LIMITED.inc()
            raise UserError(_(self._refusal))
        self._users.add(user_id)
        try:
            yield
        finally:
            self._users.remove(user_id)


class UserLimits:
    """The kinds of work that are limited to one request in progress per user.

    A kind is known by its refusal, which is declared where the work is done.
    """

    def __init__(self) -> None:
        self._limits: dict[str, OnePerUser] = {}

    def of(self, refusal: str) -> OnePerUser:
        """Return the limit of the work with this refusal, see `OnePerUser`."""
        return self._limits.setdefault(refusal, OnePerUser(refusal))
