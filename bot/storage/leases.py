"""What one process does for all, e.g. telling Discord the commands: a lease with a fencing token.

Who holds a lease may begin; who has lost it meanwhile, to a process that took it for dead, finds
that out before its result is written (`Lease.fence`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import select, update

from bot.storage.database import Connection, Database, get_or_create
from bot.storage.schema import leases


class LostLeaseError(Exception):
    """Another process has taken this over."""


class Lease(NamedTuple):
    """The right to do something, until it ends.

    Attributes:
        name: what it is for.
        token: no other holder has the same.
    """

    name: str
    token: int

    async def fence(self, connection: Connection) -> None:
        """Hold the lease until this transaction has ended.

        Raises:
            LostLeaseError: another process has taken it already.
        """
        same = (leases.c.name == self.name) & (leases.c.token == self.token)
        held = select(leases).where(same).with_for_update()
        if (await connection.execute(held)).one_or_none() is None:
            raise LostLeaseError(self.name)


class Leases:
    """The leases of one process.

    Args:
        database: where they are.
        holder: says which process this is, also after a restart.
        clock: the time in UTC seconds.
    """

    def __init__(
        self, database: Database, holder: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._holder = holder
        self._clock = clock

    async def take(self, name: str, seconds: float) -> Lease | None:
        """Take a lease that is free, ended, or was this process's own; None if another has it."""
        now = self._clock()
        async with self._database.write() as connection:
            row = await get_or_create(connection, leases, name=name, holder="", token=0, until=0.0)
            if row.holder not in ("", self._holder) and now <= row.until <= now + 2 * seconds:
                return None
            mine = update(leases).where(leases.c.name == name)
            taken = {"holder": self._holder, "token": row.token + 1, "until": now + seconds}
            await connection.execute(mine.values(**taken))
            return Lease(name, row.token + 1)

    async def turn(self, name: str, seconds: float) -> float:
        """Something that all processes together may do once in so many seconds.

        Returns:
            0 if it is this process's turn now, or after how many seconds to ask again.
        """
        now = self._clock()
        async with self._database.write() as connection:
            row = await get_or_create(connection, leases, name=name, holder="", token=0, until=0.0)
            if now < row.until <= now + 2 * seconds:
                return float(row.until - now)
            taken = {"holder": self._holder, "token": row.token + 1, "until": now + seconds}
            await connection.execute(update(leases).where(leases.c.name == name).values(**taken))
            return 0.0
