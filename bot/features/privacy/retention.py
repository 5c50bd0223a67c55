"""Retention of data that is stored for a limited time: outcomes of interactions."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import Select, delete, func, select

from bot.domain.clocks import DAY, HOUR
from bot.shards import SNOWFLAKE_MILLISECOND
from bot.storage.database import Database
from bot.storage.due import NOW, finds_any
from bot.storage.leases import Leases
from bot.storage.schema import interactions

RETENTION_SECONDS = DAY
"""Seconds to keep outcomes of interactions; Discord repeats an interaction within minutes."""

MAX_DELAY_SECONDS = HOUR
"""Maximum delay in seconds for deleting a row, to delete several at once."""

BATCH_ROWS = 1000
"""Maximum rows deleted at once: more would block other writers. One batch per heartbeat keeps up
with 66 clicks a second."""

LEASE_SECONDS = 60.0
"""Lease duration for this job."""

LEASE_NAME = "retention"

_NEWEST = select(func.max(interactions.c.id)).scalar_subquery()


def _older_than(seconds: float) -> Select[int]:
    """Return the ids of old rows, from the oldest.

    Rows must be old by two clocks: Discord's, through their ids, so that no other index is needed
    to find them; and the bot's, in case an id is not Discord's.
    """
    by_id = interactions.c.id < _NEWEST - int(seconds * 1000) * SNOWFLAKE_MILLISECOND
    by_clock = interactions.c.received_at < NOW - seconds
    return select(interactions.c.id).where(by_id, by_clock).order_by(interactions.c.id)


_OLD = _older_than(RETENTION_SECONDS)
_OVERDUE = _older_than(RETENTION_SECONDS + MAX_DELAY_SECONDS).limit(1)
_FULL_BATCH = _OLD.offset(BATCH_ROWS - 1).limit(1)
_BATCH = _OLD.limit(BATCH_ROWS)

RETENTION_DUE = finds_any(_OVERDUE, _FULL_BATCH)


class Retention:
    """Deletes expired outcomes of interactions."""

    def __init__(
        self, database: Database, leases: Leases, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock

    async def delete_expired(self) -> None:
        """Delete a batch of old interactions, if they are due; a background job."""
        now = {"now": self._clock()}
        async with self._database.read() as connection:
            is_due = (await connection.execute(select(RETENTION_DUE), now)).scalar_one()
        if not is_due or not (lease := await self._leases.take(LEASE_NAME, LEASE_SECONDS)):
            return
        async with self._database.write() as connection:
            await lease.fence(connection)
            await connection.execute(delete(interactions).where(interactions.c.id.in_(_BATCH)), now)
