"""Retention of data that is stored for a limited time: outcomes of interactions."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import delete, func, select

from bot.services.time_controls import DAY
from bot.shards import SNOWFLAKE_MILLISECOND
from bot.storage.database import Database
from bot.storage.due import NOW, finds_any
from bot.storage.leases import Leases
from bot.storage.schema import interactions

RETENTION_SECONDS = DAY
"""Seconds to keep outcomes of interactions; Discord repeats an interaction within minutes."""

BATCH_ROWS = 1000
"""Rows deleted at once: fewer are not worth a transaction; more would block other writers.
One batch per heartbeat keeps up with 66 clicks a second."""

LEASE_SECONDS = 60.0
"""Lease duration for this job."""

LEASE_NAME = "retention"

_NEWEST = select(func.max(interactions.c.id)).scalar_subquery()
_OLD_BY_ID = interactions.c.id < _NEWEST - int(RETENTION_SECONDS * 1000) * SNOWFLAKE_MILLISECOND
_OLD_BY_CLOCK = interactions.c.received_at < NOW - RETENTION_SECONDS
_END_OF_BATCH = (
    select(interactions.c.id)
    .where(_OLD_BY_ID, _OLD_BY_CLOCK)
    .order_by(interactions.c.id)
    .offset(BATCH_ROWS - 1)
    .limit(1)
)
"""The last row of a full batch. Rows must be old by two clocks: Discord's, through their ids, so
that no other index is needed to find them; and the bot's, in case an id is not Discord's."""

RETENTION_DUE = finds_any(_END_OF_BATCH)


class Retention:
    """Deletes expired outcomes of interactions.

    Args:
        database: the database to use.
        leases: the leases of this process.
        clock: returns the time in UTC seconds.
    """

    def __init__(
        self, database: Database, leases: Leases, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock

    async def delete_expired(self) -> None:
        """Delete old interactions once there is a full batch; a background job."""
        now = {"now": self._clock()}
        async with self._database.read() as connection:
            last = (await connection.execute(_END_OF_BATCH, now)).scalar()
        if last is None or not (lease := await self._leases.take(LEASE_NAME, LEASE_SECONDS)):
            return
        gone = delete(interactions).where(_OLD_BY_CLOCK, interactions.c.id <= last)
        async with self._database.write() as connection:
            await lease.fence(connection)
            await connection.execute(gone, now)
