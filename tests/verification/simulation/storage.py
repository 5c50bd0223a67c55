"""A database file that several simulated processes share, as they would share a server.

It is SQLite, so transactions are serialised where PostgreSQL runs them side by side; all that the
bot decides because it is not alone (`Database.shared`, leases, shards) is as on a server.
"""

from __future__ import annotations

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from bot.storage.backup import Backups
from bot.storage.erasure_list import ErasureTable
from bot.storage.sqlite import SQLite
from tests.verification.simulation.process import CURRENT, SimulatedProcess


class Writer(NamedTuple):
    """The process that writes, and when its transaction is over."""

    process: SimulatedProcess
    over: asyncio.Future[None]

    @property
    def is_active(self) -> bool:
        """Return whether its transaction goes on."""
        return self.process.is_alive and not self.over.done()


class NoLock:
    """Takes the place of `DatabaseLock`: several processes may open the file."""

    def __init__(self, *_: object) -> None:
        """Lock nothing."""

    def close(self) -> None:
        """Release nothing."""


class SharedFile(SQLite):
    """A file with the interface of a server.

    Args:
        url: its path is the database of a server's URL.
    """

    shared = True
    purge_pause = 3600.0

    writer: Writer | None = None
    """The last one; there is one world in each real process."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.erasures = ErasureTable()

    @asynccontextmanager
    async def _sole_writer(self) -> AsyncIterator[None]:
        """Exclude the other writers, also those of other processes; a crash releases the lock."""
        async with super()._sole_writer():
            while (last := SharedFile.writer) and last.is_active:
                await asyncio.wait({last.over, last.process.ended}, return_when=FIRST_COMPLETED)
            process = CURRENT.get()
            assert process is not None
            over = asyncio.get_running_loop().create_future()
            SharedFile.writer = Writer(process, over)
            try:
                yield
            finally:
                over.set_result(None)

    @classmethod
    def is_written_by(cls, process: SimulatedProcess) -> bool:
        """Return whether a process is in a transaction that the others wait for."""
        return bool(cls.writer and cls.writer.is_active and cls.writer.process is process)

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; nothing to do on a server."""

    def mark_initialised(self) -> None:
        """See `Database`; nothing to do on a server."""

    def touch_heartbeat(self) -> None:
        """See `Database`; nothing to do on a server."""

    async def purge(self) -> bool:
        """See `Database`; a server does this by itself."""
        return True
