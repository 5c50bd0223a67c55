"""Create the threads of matches under their challenges, if that is quick."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

import aiohttp
import discord

from bot.discord_errors import HAS_THREAD
from bot.services.models import Match
from bot.services.outbox import OutboxMessage
from bot.views import challenges

log = logging.getLogger(__name__)

THREAD_ATTEMPTS = 3
"""Maximum attempts to create a thread while Discord is unreachable."""

THREAD_TIMEOUT_SECONDS = 5.0
"""Maximum seconds to create a thread, which delays the first board."""

ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
"""Minutes of silence after which Discord archives a thread; a new message wakes it."""


async def start_thread(
    client: discord.Client, queued: OutboxMessage, match: Match, message_id: int
) -> bool:
    """Create a thread under a message, if that is quick; return whether the thread exists."""
    try:
        async with asyncio.timeout(THREAD_TIMEOUT_SECONDS):
            # discord.py's PartialMessage would need the server in the cache
            await client.http.start_thread_with_message(
                match.channel_id,
                message_id,
                name=challenges.thread_name(match),
                auto_archive_duration=ARCHIVE_AFTER_MINUTES,
            )
    except discord.HTTPException as error:
        log.info("no thread created: %s, %s", error.status, error.code)
        return error.code == HAS_THREAD
    except (TimeoutError, discord.RateLimited):
        log.info("no thread created: timeout")
        return False
    except (aiohttp.ClientError, OSError):
        if queued.attempts < THREAD_ATTEMPTS:
            raise
        return False
    return True
