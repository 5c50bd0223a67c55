"""Failures by their reason: counted, and not logged one by one while an outage lasts."""

from __future__ import annotations

import aiohttp
import discord
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.database_errors import Trouble, trouble
from bot.discord_errors import TOO_MANY_REQUESTS

OUTAGES = (Trouble.UNREACHABLE, Trouble.FULL)
"""Kinds of trouble with the database that are logged once, by `bot.outages`."""


def count_failure(part: str, error: BaseException) -> None:
    """Count a failure under its reason.

    Args:
        part: the part that failed: `interaction`, `outbox`, `timer`, `background`, `computer`,
            `analysis` or `backup`.
        error: why; if it was raised from another one, that is the reason.
    """
    metrics.FAILURES.labels(part, reason(error)).inc()


def reason(error: BaseException) -> str:
    """Return the reason of a failure, as a metric label."""
    if isinstance(error, SQLAlchemyError):
        return trouble(error)
    if isinstance(error, discord.RateLimited):
        return "rate limited"
    if isinstance(error, discord.HTTPException):
        if error.status == TOO_MANY_REQUESTS:
            return "rate limited"
        fault = isinstance(error, discord.DiscordServerError)
        return "Discord error" if fault else "refused by Discord"
    if isinstance(error, aiohttp.ClientError | TimeoutError | ConnectionError):
        return "Discord unreachable"
    return "unexpected" if error.__cause__ is None else reason(error.__cause__)


def is_outage(error: object) -> bool:
    """Return whether an error belongs to an outage that `bot.outages` logs."""
    if isinstance(error, SQLAlchemyError):
        return trouble(error) in OUTAGES
    return isinstance(error, BaseException) and is_outage(error.__cause__)
