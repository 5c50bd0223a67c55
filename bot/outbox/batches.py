"""Batches of messages that features send themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable

from bot.outbox.worker import ATTEMPT_TIMEOUT_SECONDS


async def send_all(deliveries: Iterable[Awaitable[None]]) -> None:
    """Send each message of a batch, within the time of an attempt.

    Args:
        deliveries: each is taken when the one before it has ended.

    Raises:
        Exception: the first error; the others have been tried.
    """
    errors: list[Exception] = []
    for delivery in deliveries:
        try:
            async with asyncio.timeout(ATTEMPT_TIMEOUT_SECONDS):
                await delivery
        except Exception as error:  # noqa: BLE001 - raised when the rest is done
            errors.append(error)
    if errors:
        raise errors[0]
