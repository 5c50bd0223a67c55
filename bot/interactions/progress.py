"""Replies that report the progress of work for a user."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bot.interactions.replies import Interaction, edit_pending, report_progress, user_id_of
from bot.interactions.user_limits import OnePerUser

T = TypeVar("T")

PROGRESS_SECONDS = 2.0
"""Seconds between two reports; Discord allows five edits in two seconds."""


@asynccontextmanager
async def announced(
    interaction: Interaction, sentence: str, limit: OnePerUser
) -> AsyncIterator[None]:
    """Answer a click at once with a sentence on the work in the block, whose result replaces it.

    Args:
        limit: admits one such work at a time for each user.

    Raises:
        UserError: an earlier one is running.
    """
    with limit.running(user_id_of(interaction)):
        await edit_pending(interaction, sentence)
        yield


async def report(
    interaction: Interaction, work: Coroutine[Any, Any, T], sentence: Callable[[], str]
) -> T:
    """Return the result of work; until then, show its progress in the reply.

    The work stops if the reply can no longer be edited.

    Args:
        interaction: with a reply, see `reply_pending`.
        work: the work to do.
        sentence: returns a sentence about the progress.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=PROGRESS_SECONDS))[0]:
            await report_progress(interaction, sentence())
    finally:
        task.cancel()
    return task.result()
