"""The outcome of a use case: the reply to an interaction."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from bot.domain.ids import NO_MATCH, MatchId, Version

OUTCOME_STORED: ContextVar[bool] = ContextVar("OUTCOME_STORED", default=False)
"""Whether the outcome of the current task's interaction is stored; a repeated delivery then gets
the same outcome and changes nothing."""


NEXT_AT = "{time}"
"""Stands in a sentence for `Outcome.next_at`, which each reader sees in local time."""


class OutcomeKind(StrEnum):
    """The kind of an outcome."""

    DONE = "done"
    REFUSED = "refused"
    """Refused by the rules or a limit."""
    STALE = "stale"
    """The decision has already been made."""
    MISSING = "missing"
    """The input is the beginning of several actions."""
    CONFIRM = "confirm"
    """The action cannot be undone, so the player must confirm it first."""
    ASK = "ask"
    """Another player has been asked to agree."""
    ASKED = "asked"
    """Another player has already asked for the same."""
    UNKNOWN = "unknown"
    """There is no such match for this user."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an interaction.

    Attributes:
        match_id: number of the match; 0 if none.
        rule: number of the rule that refuses the action.
        sentence: the reason, in one friendly sentence; empty if done.
        again: whether the player has to decide again.
        next_at: UTC time when a temporary refusal ends; otherwise 0.
        cup_id: number of the cup; 0 if none.
        line: number of the line of a plan that is refused, from 1; 0 if none.
    """

    kind: OutcomeKind
    match_id: MatchId = NO_MATCH
    rule: str = ""
    sentence: str = ""
    again: bool = False
    next_at: float = 0.0
    cup_id: int = 0
    line: int = 0


class Confirmation(NamedTuple):
    """The confirmation of a choice that cannot be undone.

    Attributes:
        asks: return `confirm` instead of applying a legal choice that cannot be undone.
        version: the version of the match at which the player confirmed; None for any.
    """

    asks: bool = False
    version: Version | None = None


NO_CONFIRMATION = Confirmation()
ASK_CONFIRMATION = Confirmation(asks=True)
