"""Create the threads of matches under their challenges, and name them, if that is quick."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

import aiohttp
import discord

from bot.discord_errors import HAS_THREAD
from bot.domain.ids import ChannelId
from bot.domain.models import Match
from bot.domain.outbox import OutboxMessage
from bot.outbox.transport import is_refused
from bot.views import challenges
from bot.views.names import title_of

log = logging.getLogger(__name__)

THREAD_ATTEMPTS = 3
"""Maximum attempts to create a thread while Discord is unreachable."""

THREAD_TIMEOUT_SECONDS = 5.0
"""Maximum seconds to create a thread, which delays the first board."""

ARCHIVE_AFTER_MINUTES: Literal[10080] = 10080
"""Minutes of silence until Discord archives a thread; a new message wakes it."""


class ThreadNames:
    """Keeps the names of players in the names of threads and posts.

    Args:
        client: logged-in client; a thread that its gateway has not described keeps its name.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._refused: set[int] = set()

    async def update(self, match: Match, thread_id: ChannelId) -> None:
        """Rename a thread that the bot has named after the former names of a match's players.

        A name chosen by moderators is kept.
        """
        guild = self._client.get_guild(match.guild_id or 0)
        thread = guild.get_thread(thread_id) if guild else None
        if thread is None or thread.owner_id != thread.guild.me.id or thread.archived:
            return
        name = challenges.thread_name(match)
        is_ours = thread.name.startswith(f"{title_of(match)}: ")
        if thread.name == name or not is_ours or thread_id in self._refused:
            return
        try:
            async with asyncio.timeout(THREAD_TIMEOUT_SECONDS):
                await self._client.http.edit_channel(thread_id, name=name)
        except discord.HTTPException as error:
            log.info("a thread keeps its name: %s, %s", error.status, error.code)
            if is_refused(error):
                self._refused.add(thread_id)
        except (TimeoutError, discord.RateLimited, aiohttp.ClientError, OSError) as error:
            log.info("a thread keeps its name for now: %s", type(error).__name__)


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
