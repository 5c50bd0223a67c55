"""Audit a finished match: repeat the computer's choices and compare them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.ids import UserId
from engine.computer.choosers import Audit
from engine.record import Record


class AuditError(Exception):
    """Raised when an audit finds a difference, or cannot be made.

    Attributes:
        differs: whether a choice differs.
    """

    def __init__(self, *, differs: bool) -> None:
        super().__init__("a choice differs" if differs else "no answer")
        self.differs = differs


AuditRecord = Callable[[Record, UserId], Awaitable[Audit]]
"""Audits a record for a user.

Raises:
    AuditError: a choice differs, or the audit could not be made.
"""
