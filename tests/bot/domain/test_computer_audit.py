"""Findings of an audit that fails."""

from __future__ import annotations

import pytest

from bot.domain.computer_audit import AuditError


@pytest.mark.parametrize(("differs", "words"), [(True, "choice differs"), (False, "no answer")])
def test_a_failed_audit_says_what_it_found(differs: bool, words: str) -> None:
    error = AuditError(differs=differs)
    assert error.differs == differs
    assert words in str(error)
