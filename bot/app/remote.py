"""Requests to Discord from the command line, without a connection to the gateway."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.app.env_file import SettingsError
from bot.app.refusals import sentence_of

UNAVAILABLE = (
    aiohttp.ClientConnectionError,
    OSError,
    discord.HTTPException,
    discord.RateLimited,
    discord.GatewayNotFound,
)
"""Errors of a login that may be gone at the next attempt; for others see `bot.app.refusals`."""


@asynccontextmanager
async def logged_in(token: str) -> AsyncIterator[discord.Client]:
    """Log in a client, inside the block.

    Raises:
        SettingsError: Discord does not accept the token, cannot be reached, or refuses a request
            of the block that the block does not expect to be refused.
    """
    async with discord.Client(
        intents=discord.Intents.none(),
        allowed_mentions=discord.AllowedMentions.none(),
        max_ratelimit_timeout=RATE_LIMIT_WAIT_SECONDS,
    ) as client:
        try:
            await client.login(token)
            yield client
        except discord.LoginFailure as error:
            raise SettingsError(sentence_of(error)) from None
        except UNAVAILABLE as error:
            raise SettingsError(f"Discord cannot be reached: {error}.") from None
