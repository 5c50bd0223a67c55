"""What an interaction led to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class OutcomeKind(StrEnum):
    """How an interaction ended."""

    DONE = "done"
    REFUSED = "refused"
    """The rules or a limit refuse it."""
    STALE = "stale"
    """That decision is made already."""
    MISSING = "missing"
    """The words are the beginning of several actions."""
    CONFIRM = "confirm"
    """It cannot be undone, so the player has to confirm it first."""
    ASK = "ask"
    """Another player has been asked to agree."""
    ASKED = "asked"
    """Another player has asked for the same already."""
    UNKNOWN = "unknown"
    """There is no such match for this user."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an interaction led to.

    Attributes:
        kind: how it ended.
        match_id: which match, 0 if none.
        rule: number of the rule that refuses.
        sentence: why, in one friendly sentence; empty when done.
        again: whether the player has to decide once more.
    """

    kind: OutcomeKind
    match_id: int = 0
    rule: str = ""
    sentence: str = ""
    again: bool = False
