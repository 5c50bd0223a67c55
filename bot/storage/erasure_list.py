"""The list of users whose data was deleted, so that a restored backup does not bring it back.

It holds keyed hashes of user IDs instead of the IDs, and is stored where no backup replaces it: in
a file beside a database file, or in a table of its own on a server.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from sqlalchemy import insert, select

from bot.domain.ids import UserId
from bot.storage.connection import Connection
from bot.storage.private import append_to
from bot.storage.schema import erasures

KEY_NUMBER = 0
"""Number of the entry that holds the key of the hashes."""

_LINE = re.compile(r"(\d{1,18}) ([0-9a-f]{64})")


class Erasure(NamedTuple):
    """An entry of the list: its number and the hash of the user ID."""

    number: int
    digest: str


class ErasureList:
    """The entries in order; the first one is the key of the hashes."""

    def __init__(self, entries: Iterable[Erasure]) -> None:
        self.entries = sorted(set(entries))
        self._key = next((entry.digest for entry in self.entries if entry.number == KEY_NUMBER), "")
        self._people = [entry for entry in self.entries if entry.number != KEY_NUMBER]

    @property
    def last(self) -> int:
        """Return the number of the last deletion; 0 if there was none."""
        return self._people[-1].number if self._people else 0

    def after(self, user_id: UserId, number: int) -> Sequence[Erasure]:
        """Return the entries to add when a user is deleted.

        Args:
            number: number of the last deletion applied to the database.
        """
        new = [] if self._key else [Erasure(KEY_NUMBER, secrets.token_hex(32))]
        self._key = self._key or new[0].digest
        return [*new, Erasure(max(self.last, number) + 1, self._digest(user_id))]

    def among(self, users: Iterable[UserId], number: int) -> list[UserId]:
        """Return the users who were deleted after the deletion with this number."""
        gone = {entry.digest for entry in self._people if entry.number > number}
        return [user_id for user_id in users if self._digest(user_id) in gone] if gone else []

    def _digest(self, user_id: UserId) -> str:
        return hmac.new(bytes.fromhex(self._key), b"%d" % user_id, hashlib.sha256).hexdigest()


class Erasures(Protocol):
    """The storage of the list."""

    async def read(self, connection: Connection) -> ErasureList:
        """Return all entries."""

    async def add(self, connection: Connection, entries: Sequence[Erasure]) -> None:
        """Add entries; none gets lost if the transaction commits."""


class ErasureFile:
    """The list beside a database file."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.erased")

    async def read(self, connection: Connection) -> ErasureList:
        """Return all entries, without lines that were cut off when the machine stopped."""
        del connection
        text = self.path.read_text("ascii", "replace") if self.path.exists() else ""
        lines = map(_LINE.fullmatch, text.splitlines())
        return ErasureList(Erasure(int(line[1]), line[2]) for line in lines if line)

    async def add(self, connection: Connection, entries: Sequence[Erasure]) -> None:
        """Add entries and flush them to disk."""
        del connection
        handle = append_to(self.path)
        try:
            lines = "".join(f"\n{entry.number} {entry.digest}" for entry in entries)
            os.write(handle, f"{lines}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)


class ErasureTable:
    """The list in a table; pg_dump copies it like any other, see docs/hosts/hosting.md."""

    async def read(self, connection: Connection) -> ErasureList:
        """Return all entries."""
        rows = await connection.execute(select(erasures.c.number, erasures.c.digest))
        return ErasureList(Erasure(row.number, row.digest) for row in rows)

    async def add(self, connection: Connection, entries: Sequence[Erasure]) -> None:
        """Add entries."""
        await connection.execute(insert(erasures), [entry._asdict() for entry in entries])
