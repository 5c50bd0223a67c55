"""Shards: the part of Discord that a process serves.

Discord assigns servers to shards by their id; events in DMs come to shard 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

SNOWFLAKE_MILLISECOND = 1 << 22
"""One millisecond in Discord's ids (snowflakes). The milliseconds of a server's id modulo the
number of shards are its shard."""

_RANGES = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*")


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of a process.

    Attributes:
        count: total number of shards.
        ids: IDs of the shards that this process serves.
    """

    count: int = 1
    ids: tuple[int, ...] = (0,)

    @classmethod
    def parse(cls, count: int, ids: str) -> Shards:
        """Read ranges such as `0-3` or `0-3,8`; empty for all.

        Raises:
            ValueError: they are no ranges, or some of these shards do not exist.

        Example:
            >>> Shards.parse(8, "0-2,7").ids
            (0, 1, 2, 7)
        """
        text = ids.replace(" ", "") or f"0-{count - 1}"
        if not _RANGES.fullmatch(text):
            raise ValueError("write shards as 0-3 or 0-3,8")
        numbers: set[int] = set()
        for part in text.split(","):
            first, _, last = part.partition("-")
            numbers.update(range(int(first), int(last or first) + 1))
        if not numbers or max(numbers) >= count:
            raise ValueError(f"SHARD_COUNT={count} has the shards 0 to {count - 1}")
        return cls(count, tuple(sorted(numbers)))

    @property
    def name(self) -> str:
        """The name of the process, e.g. `0-3/16`; the same after a restart."""
        is_range = self.ids == tuple(range(self.ids[0], self.ids[-1] + 1))
        ids = f"{self.ids[0]}-{self.ids[-1]}" if is_range else ",".join(map(str, self.ids))
        return f"{ids}/{self.count}"

    def of(self, guild_id: int | None) -> int:
        """Return the shard of a server; None for DMs."""
        return (guild_id or 0) // SNOWFLAKE_MILLISECOND % self.count

    def serve(self, guild_id: Any) -> ColumnElement[bool]:
        """Return the condition that a server (a column; NULL for DMs) is on these shards."""
        from sqlalchemy import func, true  # noqa: PLC0415 - reading settings needs none of it

        if len(self.ids) == self.count:
            return true()
        shard = func.coalesce(guild_id, 0) // SNOWFLAKE_MILLISECOND % self.count
        return shard.in_(self.ids)
