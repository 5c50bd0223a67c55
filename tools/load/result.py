"""The measurements of the load test, and the limits that must hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from bot.app.request_rate import REQUESTS_PER_SECOND
from tests.support.loop_watch import BLOCK_SECONDS, Block

P99, MEMORY, READY, LAG = 0.3, 256.0, 5.0, 0.05
"""Limits: seconds, megabytes of a process, seconds, seconds."""

BETWEEN, AGAINST = "between people", "against the computer"
"""The two kinds of moves."""

ASKED_SHARE = 0.95
"""Minimum share of the computer's turns that have to be asked for."""


@dataclass
class Result:
    """The measurements; times in seconds, memory in megabytes.

    Attributes:
        games: number of matches in progress, by game.
        blocks: the blocks of event loops, see `tests.support.loop_watch`.
    """

    asked: int = 0
    answered: Counter[str] = field(default_factory=Counter)
    times: dict[str, list[float]] = field(default_factory=lambda: {BETWEEN: [], AGAINST: []})
    most_waiting: int = 0
    lost: int = 0
    unsent: int = 0
    requests: int = 0
    counted: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    workers: float = 0.0
    driver: float = 0.0
    peak: float = 0.0
    ready: float = 0.0
    click: float = 0.0
    bytes_grown: int = 0
    turns_wanted: float = 0.0
    turns_asked: int = 0
    turns_left: int = 0
    fallbacks: int = 0
    analysed: int = 0
    boards: int = 0
    inside: dict[str, float] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)

    def quantile(self, kind: str, share: float) -> float:
        """Return the time within which this share of the moves of a kind was answered."""
        ordered = sorted(self.times[kind])
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def _told(self, kind: str) -> str:
        shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "slowest": 1.0}
        parts = [f"{name} {1000 * self.quantile(kind, q):.0f} ms" for name, q in shares.items()]
        return f"{kind}: {', '.join(parts)} (p99 ≤ {1000 * P99:.0f} ms)"

    def _describe_blocks(self) -> list[str]:
        """Return the longest block of an event loop, and the one that computed most."""
        limit = f"(≤ {1000 * LAG:.0f} ms)"
        if not self.blocks:
            return [f"never blocked for {1000 * BLOCK_SECONDS:.0f} ms {limit}"]
        longest = max(self.blocks, key=lambda block: block.seconds)
        heaviest = max(self.blocks, key=lambda block: block.computing)
        lines = [f"blocked for at most {longest} {limit}"]
        return lines if heaviest is longest else [*lines, f"computing for at most {heaviest}"]

    def report(self) -> str:
        """Return a report for people."""
        done, seconds = self.answered["done"], self.seconds
        others = {kind: number for kind, number in self.answered.items() if kind != "done"}
        parts = [self._told(kind) for kind, times in self.times.items() if times]
        rows = {
            "matches": ", ".join(f"{number} {game}" for game, number in self.games.items()),
            "moves": f"{done} of {self.asked} done in {seconds:.0f} s = {done / seconds:.1f}/s"
            f"{others or ''}",
            "answer": f"\n{'':12}".join(parts),
            "memory": f"{self.peak:.0f} MB at most in a process (≤ {MEMORY:.0f} MB)",
            "restart": f"connected after {self.ready:.1f} s, a click answered after"
            f" {self.click:.1f} s (≤ {READY:.0f} s)",
            "processor": f"{1000 * self.cpu / max(1, done):.1f} ms a move,"
            f" {100 * self.cpu / seconds:.0f} % of a core; its workers"
            f" {100 * self.workers / seconds:.0f} %, the driver and the fake Discord"
            f" {100 * self.driver / seconds:.0f} %",
            "boards": f"{self.boards} pictures drawn = {self.boards / seconds:.1f}/s,"
            f" {self.boards / max(1, done + self.turns_asked):.2f} for each move and turn",
            "Discord": f"{self.requests / max(1, done):.1f} requests a move,"
            f" {self.requests / seconds:.0f}/s, {self.counted / seconds:.0f}/s of them count"
            f" (≤ {REQUESTS_PER_SECOND}/s); outbox at most {self.most_waiting},"
            f" {self.unsent} unsent in the end",
            "database": f"{self.bytes_grown / max(1, done):.0f} bytes a move (of a file)",
            "computer": f"{self.turns_asked} turns asked for = {self.turns_asked / seconds:.1f}/s,"
            f" {self.turns_left} left in the end, {self.fallbacks} choices of a lower level",
            "analyses": f"{self.analysed} begun, one at a time",
            "lost": str(self.lost),
            "event loop": f"\n{'':12}".join(self._describe_blocks()),
            "inside": ", ".join(
                f"{name} {duration:.1f} ms" for name, duration in self.inside.items()
            )
            + " on average",
        }
        return "\n".join(f"{name:12}{words}" for name, words in rows.items())

    @property
    def failures(self) -> list[str]:
        """The limits that do not hold."""
        checks = {
            "p99": all(self.quantile(kind, 0.99) <= P99 for kind in self.times),
            "memory": self.peak <= MEMORY,
            "restart": max(self.ready, self.click) <= READY,
            "lost": not self.lost,
            "event loop": all(block.seconds <= LAG for block in self.blocks),
            "unsent": not self.unsent,
            "computer": not (self.turns_left or self.fallbacks),
            "turns": self.turns_asked >= ASKED_SHARE * self.turns_wanted,
            "answers": self.answered["done"] >= 0.99 * self.asked,
        }
        return [name for name, holds in checks.items() if not holds]
