"""Each failure has one of few reasons, and only those of an outage are left out of the log."""

from __future__ import annotations

import io
import logging
import sqlite3
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from prometheus_client import REGISTRY
from sqlalchemy.exc import OperationalError

from bot.app.heartbeat import Heartbeat, PeriodicJob
from bot.failures import count_failure, is_outage, reason
from bot.logs import set_up_logs
from bot.outbox.worker import RetryLaterError
from bot.storage.database import Database
from tests.support.harness import Clock
from tests.support.metrics import failures_of


def refused(status: int) -> discord.HTTPException:
    """What discord.py raises for a status."""
    answer: Any = SimpleNamespace(status=status, reason="no")
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(answer, "no")


def database_error(code: int) -> OperationalError:
    """What SQLAlchemy raises for a code of SQLite."""
    cause = sqlite3.OperationalError("trouble")
    cause.sqlite_errorcode = code
    return OperationalError("", None, cause)


def later(cause: Exception) -> RetryLaterError:
    """An attempt of the outbox that failed for this reason."""
    error = RetryLaterError("later")
    error.__cause__ = cause
    return error


UNREACHABLE = OperationalError("", None, ConnectionRefusedError("away"))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (discord.RateLimited(60.0), "rate limited"),
        (refused(429), "rate limited"),
        (refused(403), "refused by Discord"),
        (refused(404), "refused by Discord"),
        (refused(503), "Discord error"),
        (aiohttp.ClientConnectionError(), "Discord unreachable"),
        (TimeoutError(), "Discord unreachable"),
        (database_error(sqlite3.SQLITE_FULL), "disk full"),
        (database_error(sqlite3.SQLITE_BUSY), "database busy"),
        (database_error(sqlite3.SQLITE_CORRUPT), "database error"),
        (UNREACHABLE, "database unreachable"),
        (later(UNREACHABLE), "database unreachable"),
        (later(refused(503)), "Discord error"),
        (KeyError("a secret"), "unexpected"),
    ],
)
def test_failure_is_counted_under_its_reason(error: Exception, expected: str) -> None:
    assert reason(error) == expected
    labels = {"part": "outbox", "reason": expected}
    before = REGISTRY.get_sample_value("starpost_failures_total", labels) or 0
    count_failure("outbox", error)
    assert REGISTRY.get_sample_value("starpost_failures_total", labels) == before + 1


@pytest.mark.parametrize(
    ("error", "outage"),
    [
        (UNREACHABLE, True),
        (later(UNREACHABLE), True),
        (database_error(sqlite3.SQLITE_FULL), True),
        (database_error(sqlite3.SQLITE_BUSY), False),
        (later(refused(503)), False),
        (KeyError(), False),
    ],
)
def test_only_an_outage_is_left_out_of_the_log(error: Exception, outage: bool) -> None:
    assert is_outage(error) == outage
    root, bot_logger, stream = logging.getLogger(), logging.getLogger("bot"), io.StringIO()
    handlers, level = root.handlers[:], root.level
    try:
        set_up_logs("INFO", "text", stream)
        logging.getLogger("bot.test").warning("timers wait: %s", error)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        bot_logger.setLevel(logging.NOTSET)
    assert bool(stream.getvalue()) != outage


async def test_heartbeat_counts_failures_of_timers_and_jobs(database: Database) -> None:
    async def fail() -> None:
        raise UNREACHABLE

    heartbeat = Heartbeat(fail, [PeriodicJob(fail)], database, Clock())
    before = failures_of("timer"), failures_of("background")
    await heartbeat.beat.coro(heartbeat)
    assert (failures_of("timer"), failures_of("background")) == (before[0] + 1, before[1] + 1)
