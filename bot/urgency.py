"""Whether a person waits for what the current task does: such work comes first."""

from __future__ import annotations

from contextvars import ContextVar

IS_URGENT: ContextVar[bool] = ContextVar("IS_URGENT", default=False)
"""True while an interaction is answered; False in the outbox, timers and other background work."""
