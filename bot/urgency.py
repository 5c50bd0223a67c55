"""The urgency of work: requests that players wait for come first."""

from __future__ import annotations

from contextvars import ContextVar
from enum import IntEnum

IS_URGENT: ContextVar[bool] = ContextVar("IS_URGENT", default=False)
"""True while an interaction is answered; False in the outbox, timers and other background work."""


class Urgency(IntEnum):
    """Requests to computer players, the least urgent first.

    Requests that keep a match going precede those that only a reader waits for, however many.
    """

    ANALYSIS = 0
    AUDIT = 1
    HINT = 2
    TURN = 3
