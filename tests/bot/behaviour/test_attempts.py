"""The result of one attempt to deliver a message: when it is repeated, and when given up."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from bot.domain.ids import MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, OutboxStatus
from bot.outbox.worker import (
    ATTEMPT_LIMIT,
    BACK_OFF_SECONDS,
    ERROR_LIMIT,
    LONGEST_PAUSE_SECONDS,
    OutboxWorker,
    RetryLaterError,
    UndeliverableError,
)

NOW = 5000.0


async def attempt(
    error: Exception | None, *, attempts: int = 1, errors: int = 0
) -> dict[str, object]:
    """Return the changes of a message after an attempt."""

    class Sender:
        async def deliver(self, _queued: OutboxMessage) -> None:
            if error:
                raise error

    database: Any = None
    worker = OutboxWorker(database, Sender(), lambda: NOW)
    kind = OutboxKind.POST_BOARD
    queued = OutboxMessage(1, MatchId(1), EVERYONE, kind, {}, attempts, NOW, "key", errors)
    result = await worker._attempt(queued)
    assert result.message is queued
    return dict(result.changes)


async def test_message_that_arrived_has_no_changes() -> None:
    assert await attempt(None) == {}


@pytest.mark.parametrize(
    ("attempts", "after", "seconds"),
    [
        (1, 0.0, BACK_OFF_SECONDS[0]),
        (2, 0.0, BACK_OFF_SECONDS[1]),
        (len(BACK_OFF_SECONDS), 0.0, BACK_OFF_SECONDS[-1]),
        (len(BACK_OFF_SECONDS) + 9, 0.0, BACK_OFF_SECONDS[-1]),
        (1, 7.0, 7.0),
        (len(BACK_OFF_SECONDS), 7.0, BACK_OFF_SECONDS[-1]),
        (1, LONGEST_PAUSE_SECONDS + 1, LONGEST_PAUSE_SECONDS),
    ],
)
async def test_message_waits_longer_after_each_attempt(
    attempts: int, after: float, seconds: float
) -> None:
    """As long as Discord asks for, but no longer than a clock may be trusted."""
    assert await attempt(RetryLaterError("ill", after), attempts=attempts) == {
        "next_attempt_at": NOW + seconds,
        "error": "ill",
        "lease_expires_at": None,
    }


@pytest.mark.parametrize(
    "error", [TimeoutError(), OperationalError("", None, Exception()), RetryLaterError("ill")]
)
@pytest.mark.parametrize("attempts", [ATTEMPT_LIMIT - 1, ATTEMPT_LIMIT])
async def test_outage_ends_some_day(error: Exception, attempts: int) -> None:
    changes = await attempt(error, attempts=attempts)
    is_given_up = attempts == ATTEMPT_LIMIT
    assert (changes.get("status") == OutboxStatus.FAILED) is is_given_up
    assert changes["lease_expires_at"] is None


async def test_undeliverable_message_makes_way_at_once() -> None:
    assert await attempt(UndeliverableError("closed")) == {
        "status": OutboxStatus.FAILED,
        "error": "closed",
        "lease_expires_at": None,
    }


@pytest.mark.parametrize("errors", [0, 1, ERROR_LIMIT - 2, ERROR_LIMIT - 1])
async def test_bug_is_counted_and_logged_in_full_once(
    caplog: pytest.LogCaptureFixture, errors: int
) -> None:
    with caplog.at_level(logging.ERROR):
        changes = await attempt(KeyError("bug"), errors=errors)
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(logged) == (not errors)
    caplog.clear()
    if errors == ERROR_LIMIT - 1:
        assert changes["status"] == OutboxStatus.FAILED
        assert changes["lease_expires_at"] is None
    else:
        assert changes["errors"] == errors + 1
        assert changes["next_attempt_at"] == NOW + BACK_OFF_SECONDS[0]
