"""The resources that matches in progress need: the table of docs/developers/scaling.md.

    python -m tools.scaling [MATCHES …]

The cost of one move was measured by `make load`; the rest is arithmetic.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

MOVES_A_DAY = 4.0
"""Choices a day in a match: slow play, and a turn of Wormholes is three or four of them."""

PEAK = 10.0
"""The busiest minute beside the mean of a day."""

MATCHES_A_SERVER = 10

MOVE_REQUESTS = 1.8
"""Measured: requests for boards a move. The answer itself is not counted by Discord's limit."""

MOVE_BYTES = 1100.0
"""Measured: growth of the database a move."""

PROCESS_MOVES = 20.0
"""Measured: moves a second of one process with a p99 of 144 ms, at 72 % of a core."""

DISCORD_REQUESTS = 50.0
"""A second, for the whole bot, as long as Discord has not raised it."""

SHARD_SERVERS = 2500
"""Most servers of a shard."""

DAY, YEAR, GIGABYTE = 86_400.0, 365, 1e9


@dataclass(frozen=True)
class Need:
    """The resources that a number of matches in progress needs.

    Attributes:
        matches: running.
    """

    matches: int

    @property
    def mean(self) -> float:
        """Moves a second over a day."""
        return self.matches * MOVES_A_DAY / DAY

    @property
    def peak(self) -> float:
        """Moves a second in the busiest minute."""
        return self.mean * PEAK

    @property
    def servers(self) -> int:
        """Number of servers with these matches."""
        return math.ceil(self.matches / MATCHES_A_SERVER)

    @property
    def processes(self) -> int:
        """Processes for the busiest minute."""
        return max(1, math.ceil(self.peak / PROCESS_MOVES))

    @property
    def requests(self) -> float:
        """Requests a second to Discord in the busiest minute."""
        return self.peak * MOVE_REQUESTS

    @property
    def gigabytes(self) -> float:
        """Growth of the database in a year."""
        return self.matches * MOVES_A_DAY * YEAR * MOVE_BYTES / GIGABYTE

    def row(self) -> str:
        """Return a row of the table."""
        cells = (
            f"{self.matches:,}",
            f"{self.servers:,}",
            f"{self.matches * MOVES_A_DAY:,.0f}",
            f"{self.mean:,.2f}",
            f"{self.peak:,.1f}",
            f"{self.requests:,.0f}",
            f"{math.ceil(self.servers / SHARD_SERVERS):,}",
            f"{self.processes:,}",
            f"{self.gigabytes:,.1f}",
        )
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| running matches | servers | moves a day | moves/s, mean | at the peak | requests/s, peak"
    " | shards | processes | GB a year |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)

STEPS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def table(steps: tuple[int, ...] = STEPS) -> str:
    """Return the table, and where Discord's own limit is met."""
    return "\n".join((HEAD, *(Need(step).row() for step in steps)))


def walls() -> str:
    """Return a sentence on the matches that reach Discord's limit, at the peak and all day."""
    single = Need(1)
    peak = DISCORD_REQUESTS / single.requests
    return (
        f"Discord's {DISCORD_REQUESTS:.0f} requests a second are used up in the busiest minute from"
        f" {round(peak, -3):,.0f} running matches on, and all day from"
        f" {round(PEAK * peak, -3):,.0f} on."
    )


def main() -> None:
    """Print both."""
    steps = tuple(int(word) for word in sys.argv[1:]) or STEPS
    sys.stdout.write(f"{table(steps)}\n\n{walls()}\n")


if __name__ == "__main__":
    main()
