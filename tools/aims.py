"""The aims of `make bench`, in one table, each with its reason.

A figure that misses its aim is printed as MISSED, and the program exits with status 1.
"""

from __future__ import annotations

import sys
from typing import NamedTuple


class Aim(NamedTuple):
    """A bound for a figure, and the reason for it.

    Attributes:
        bound: the least value, or the greatest one.
        unit: unit of the value; `×` for the ratio to a reference.
        at_most: whether the bound is the greatest value.
    """

    bound: float
    unit: str
    reason: str
    at_most: bool = False

    def is_reached(self, value: float) -> bool:
        """Return whether a value reaches the aim."""
        return value <= self.bound if self.at_most else value >= self.bound

    def __str__(self) -> str:
        """Return the bound as it stands beside a figure."""
        return f"aim: {'≤' if self.at_most else '≥'} {self.bound:g} {self.unit}"


_FEW_CHOICES = "few choices a turn and small boards leave little to list"
_SEARCH = "a list needs a search through all tubes, a text has up to 48 tiles"
_COMPILED = "compiled Rust that lists moves as bits; rules that anyone can read may cost this much"
_PNG = "only the strips that a move changes are compressed"
_SAVED = "Pillow only saves a picture that is drawn already"
_BOARD = (
    "a board costs no more than the rest of its turn; Warp 6 for three takes 3.1: its dice are"
    " pasted one by one, and lists that are kept gain only while few matches are played"
)
_COLD_BOARD = "a worker draws 100 a second after a restart"
_ANSWER = (
    "rules, one transaction and the outbox, before a picture; missed, since its 12 statements "
    "alone take longer than a whole answer of the bare bot"
)
_TURN = (
    "the same work, and no move is lost or sent twice; missed, since the event loop takes four "
    "times that of the other bot: docs/developers/scaling.md says for what, and what was tried"
)
_START = (
    "SQLAlchemy and three games besides discord.py; missed, since SQLAlchemy is a quarter of a "
    "start and the bot's own 370 modules are a third"
)
_MEMORY = (
    "the same; what few use is imported when they use it; missed by 11 MB, of which 6 are "
    "SQLAlchemy's ORM, which its asyncio part imports"
)
_COLD = "all strips are compressed again, as Pillow does it, but with a palette and zlib-ng"

AIMS = {
    # Engine: how many times as fast as the reference
    "wormholes, step, python-chess": Aim(7, "×", _FEW_CHOICES),
    "wormholes, text, python-chess": Aim(5, "×", _FEW_CHOICES),
    "wormholes, step, cozy-chess": Aim(0.25, "×", _COMPILED),
    "warp6, step, python-chess": Aim(7, "×", _FEW_CHOICES),
    "warp6, text, python-chess": Aim(5, "×", _FEW_CHOICES),
    "warp6, step, cozy-chess": Aim(0.25, "×", _COMPILED),
    "tomtube, step, python-chess": Aim(3, "×", _SEARCH),
    "tomtube, text, python-chess": Aim(3, "×", _SEARCH),
    "tomtube, step, cozy-chess": Aim(0.1, "×", _COMPILED),
    "replay": Aim(2, "ms", "reading a record is not felt", at_most=True),
    "slowest list": Aim(10, "ms", "it runs in the event loop", at_most=True),
    # Boards: how many times as fast as the reference, time, and size
    "first board": Aim(120, "ms", "a restart is not felt by the first player", at_most=True),
    "board": Aim(3, "ms", _BOARD, at_most=True),
    "marked board": Aim(8, "ms", "one is drawn for one player, with a mark a choice", at_most=True),
    "board size": Aim(120, "kB", "a phone loads it in 0.2 s at 5 Mbit/s", at_most=True),
    "board, Pillow": Aim(1.2, "×", _SAVED),
    "board, fentoboardimage": Aim(3, "×", _PNG),
    "board, cairosvg": Aim(10, "×", _PNG),
    "cold board": Aim(9, "ms", _COLD_BOARD, at_most=True),
    "cold board, Pillow": Aim(0.5, "×", _SAVED),
    "cold board, fentoboardimage": Aim(2, "×", _COLD),
    "animation": Aim(200, "ms", "100 frames while a player waits", at_most=True),
    "animation size": Aim(3, "KiB", "a frame; 100 stay far below Discord's limit", at_most=True),
    # The process beside a bare bot: how many times as much of it
    "answer": Aim(4, "×", _ANSWER, at_most=True),
    "turn": Aim(1.6, "×", _TURN, at_most=True),
    "postgres": Aim(1.3, "×", "a trip for BEGIN and one for COMMIT; else the same", at_most=True),
    "start": Aim(2.5, "×", _START, at_most=True),
    "memory": Aim(1.9, "×", _MEMORY, at_most=True),
}
"""By name of the figure."""

MISSED: list[str] = []
"""The figures that missed their aims so far."""


def judge(name: str, value: float) -> str:
    """Return the aim of a figure as the end of its line, and note whether it is missed."""
    aim = AIMS[name]
    if aim.is_reached(value):
        return f"({aim})"
    MISSED.append(name)
    return f"({aim})  MISSED"


def exit_status() -> int:
    """Print the reasons for the aims that were missed; return 1 if there are any, else 0."""
    for name in MISSED:
        print(f"MISSED: {name} ({AIMS[name]}): {AIMS[name].reason}", file=sys.stderr)
    return int(bool(MISSED))
