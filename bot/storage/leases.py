"""Leases with fencing tokens, for work that one process does for all, e.g. syncing commands.

A process that holds a lease may begin; if it has since lost the lease to another process, it
detects that before it writes the result (`Lease.fence`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import select, update

from bot.storage.connection import Connection
from bot.storage.database import Database, get_or_create
from bot.storage.schema import leases


class LostLeaseError(Exception):
    """Another process has taken over the lease."""


class Lease(NamedTuple):
    """The exclusive right to a task for a limited time.

    Attributes:
        token: fencing token, unique to this holder.
    """

    name: str
    token: int

    async def fence(self, connection: Connection) -> None:
        """Hold the lease until this transaction ends.

        Raises:
            LostLeaseError: another process has taken it.
        """
        condition = (leases.c.name == self.name) & (leases.c.token == self.token)
        query = select(leases).where(condition).with_for_update()
        if (await connection.execute(query)).one_or_none() is None:
            raise LostLeaseError(self.name)


class Leases:
    """The leases of one process.

    Args:
        worker_id: name of this process, the same after a restart.
    """

    def __init__(
        self, database: Database, worker_id: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._worker_id = worker_id
        self._clock = clock

    async def take(self, name: str, seconds: float) -> Lease | None:
        """Take a lease that is free, expired or this process's own; return None if it is held."""
        now = self._clock()
        async with self._database.write() as connection:
            row = await get_or_create(
                connection, leases, name=name, worker_id="", token=0, expires_at=0.0
            )
            if (
                row.worker_id not in ("", self._worker_id)
                and now <= row.expires_at <= now + 2 * seconds
            ):
                return None
            mine = update(leases).where(leases.c.name == name)
            taken = {
                "worker_id": self._worker_id,
                "token": row.token + 1,
                "expires_at": now + seconds,
            }
            await connection.execute(mine.values(**taken))
            return Lease(name, row.token + 1)

    async def extend(self, lease: Lease, seconds: float) -> None:
        """Hold a lease for so long from now on.

        Raises:
            LostLeaseError: another process has taken it.
        """
        end = self._clock() + seconds
        async with self._database.write() as connection:
            await lease.fence(connection)
            mine = update(leases).where(leases.c.name == lease.name)
            await connection.execute(mine.values(expires_at=end))

    async def may_work(self, name: str, seconds: float) -> bool:
        """Take a lease, if other processes may do the same work; return whether to do it."""
        return not self._database.shared or await self.take(name, seconds) is not None

    async def turn(self, name: str, seconds: float) -> float:
        """Take a slot that all processes share, at most once per `seconds`.

        Returns:
            0 if this process has got the slot, else the seconds until the next attempt.
        """
        now = self._clock()
        async with self._database.write() as connection:
            row = await get_or_create(
                connection, leases, name=name, worker_id="", token=0, expires_at=0.0
            )
            if left := _seconds_left(row.expires_at, now, seconds):
                return left
            taken = {
                "worker_id": self._worker_id,
                "token": row.token + 1,
                "expires_at": now + seconds,
            }
            await connection.execute(update(leases).where(leases.c.name == name).values(**taken))
            return 0.0

    async def seconds_left(self, name: str, seconds: float) -> float:
        """Return the seconds until `turn` would get the slot; 0 if it would now."""
        slot = select(leases.c.expires_at).where(leases.c.name == name)
        async with self._database.read() as connection:
            expires_at = (await connection.execute(slot)).scalar_one_or_none()
        return _seconds_left(expires_at or 0.0, self._clock(), seconds)


def _seconds_left(expires_at: float, now: float, seconds: float) -> float:
    """Return the seconds until a slot is free; one that was taken before the clock was set is."""
    return expires_at - now if now < expires_at <= now + 2 * seconds else 0.0
