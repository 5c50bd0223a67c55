"""The resources that matches in progress need: the table of docs/developers/scaling.md.

    python -m tools.scaling [SERVERS …]

The cost of one move was measured by `make load`; the rest is arithmetic.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

MATCHES_A_SERVER = 10

MOVES_A_DAY = 4.0
"""Choices a day in a match: slow play, and a turn of Wormholes is three or four of them."""

PEAK = 10.0
"""The busiest minute beside the mean of a day."""

MOVES_A_TURN = 3.0
"""Choices of a turn; after it, another player is pinged, or the computer plays."""

COMPUTER_SHARE = 0.5
"""Share of the matches against the computer."""

HALL_SHARE = 0.5
"""Share of the servers with a hall, whose list is edited after each turn."""

CUP_SHARE, CUP_REQUESTS = 0.2, 0.1
"""Share of the matches that belong to a cup, and its posts and standings for each of their moves:
about ten requests in a match of a hundred moves."""

MOVE_REQUESTS = 0.5
"""Measured: requests for boards that count, a move. Answers and edits of a board that was just
clicked do not."""

PING_REQUESTS = 2.0
"""A ping is posted after a turn, and deleted; the computer needs none."""

MOVE_BYTES = 60.0
"""Measured: bytes of an SQLite file that stay of a choice, with its dice and its share of the
finished match."""

PROCESS_MOVES = 40.0
"""Measured: moves and turns of the computer a second of one process with a p99 of 143 ms."""

CHOICE_SECONDS = 0.04
"""Measured: a choice of the strongest computer in its worker, on average."""

DISCORD_REQUESTS = 50.0
"""A second, for the whole bot, as long as Discord has not raised it."""

SHARD_SERVERS = 2500
"""Most servers of a shard."""

DAY, YEAR, GIGABYTE = 86_400.0, 365, 1e9


@dataclass(frozen=True)
class Need:
    """The resources that a number of servers needs.

    Attributes:
        servers: with `MATCHES_A_SERVER` matches in progress each.
    """

    servers: int

    @property
    def matches(self) -> int:
        """Number of matches in progress."""
        return self.servers * MATCHES_A_SERVER

    @property
    def mean(self) -> float:
        """Moves a second over a day."""
        return self.matches * MOVES_A_DAY / DAY

    @property
    def peak(self) -> float:
        """Moves a second in the busiest minute."""
        return self.mean * PEAK

    @property
    def computer_turns(self) -> float:
        """Turns of the computer a second in the busiest minute."""
        return self.peak * COMPUTER_SHARE / MOVES_A_TURN

    @property
    def workers(self) -> float:
        """Cores of the computer's workers in the busiest minute: each choice of a turn is one."""
        return self.computer_turns * MOVES_A_TURN * CHOICE_SECONDS

    @property
    def processes(self) -> int:
        """Processes for the busiest minute."""
        return max(1, math.ceil((self.peak + self.computer_turns) / PROCESS_MOVES))

    @property
    def requests(self) -> float:
        """Requests a second to Discord in the busiest minute that count."""
        a_turn = HALL_SHARE + (1 - COMPUTER_SHARE) * PING_REQUESTS
        return self.peak * (MOVE_REQUESTS + a_turn / MOVES_A_TURN + CUP_SHARE * CUP_REQUESTS)

    @property
    def gigabytes(self) -> float:
        """Growth of the database in a year."""
        return self.matches * MOVES_A_DAY * YEAR * MOVE_BYTES / GIGABYTE

    def row(self) -> str:
        """Return a row of the table."""
        cells = (
            f"{self.servers:,}",
            f"{self.matches:,}",
            f"{self.mean:,.2f}",
            f"{self.peak:,.1f}",
            f"{self.computer_turns:,.1f}",
            f"{self.workers:,.1f}",
            f"{self.requests:,.0f}",
            f"{math.ceil(self.servers / SHARD_SERVERS):,}",
            f"{self.processes:,}",
            f"{self.gigabytes:,.1f}",
        )
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| servers | matches | moves/s, mean | at the peak | computer's turns/s | cores for them"
    " | requests/s | shards | processes | GB a year |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)

STEPS = (100, 1_000, 10_000, 100_000)


def table(steps: tuple[int, ...] = STEPS) -> str:
    """Return the table; all but the mean and the shards are of the busiest minute."""
    return "\n".join((HEAD, *(Need(step).row() for step in steps)))


def walls() -> str:
    """Return a sentence on the servers that reach Discord's limit, at the peak and all day."""
    peak = DISCORD_REQUESTS / Need(1).requests
    return (
        f"Discord's {DISCORD_REQUESTS:.0f} requests a second are used up in the busiest minute from"
        f" {round(peak, -2):,.0f} servers on, and all day from {round(PEAK * peak, -3):,.0f} on."
    )


def main() -> None:
    """Print both."""
    steps = tuple(int(word) for word in sys.argv[1:]) or STEPS
    sys.stdout.write(f"{table(steps)}\n\n{walls()}\n")


if __name__ == "__main__":
    main()
