"""The games' emojis of the application: uploaded once, identified by their content.

They are an ornament: if anything goes wrong with them, messages go out without.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable

import aiohttp
import discord

from bot.storage.leases import Leases
from bot.views.images import BoardImages
from engine import games
from render import for_game

LEASE_SECONDS = 60.0
"""Lease duration: one process uploads the emojis for all."""

log = logging.getLogger(__name__)

MAX_UPLOAD_ATTEMPTS = 3
"""Maximum number of attempts until the next start."""


class Emojis:
    """Uploads the emojis to Discord, and gives them to the images.

    Args:
        client: logged in before the first upload.
        leases: of this process; one sends the emojis for all.
    """

    def __init__(self, client: discord.Client, images: BoardImages, leases: Leases) -> None:
        self._client = client
        self._images = images
        self._leases = leases
        self._attempts_left = MAX_UPLOAD_ATTEMPTS

    async def upload_missing(self) -> None:
        """Upload the missing emojis; once is enough.

        If one is deleted, the first message that fails takes the emojis away from the images, so
        that messages go out without, and the next call uploads it again.
        """
        if self._images.emojis or not self._attempts_left:
            return
        self._attempts_left -= 1
        wanted = {full_name(name, png): (name, png) for name, png in all_emoji_images()}
        try:
            uploaded = {
                emoji.name: emoji for emoji in await self._client.fetch_application_emojis()
            }
            missing = wanted.keys() - uploaded.keys()
            if missing and not await self._leases.take("emojis", LEASE_SECONDS):
                self._attempts_left += 1  # another process sends them
                return
            for full in sorted(missing):
                png = wanted[full][1]
                uploaded[full] = await self._client.create_application_emoji(name=full, image=png)
            self._images.emojis = {name: str(uploaded[full]) for full, (name, _) in wanted.items()}
        except (discord.DiscordException, aiohttp.ClientError, KeyError, TypeError) as error:
            log.info("no emojis: %s", error)


def all_emoji_images() -> Iterable[tuple[str, bytes]]:
    """Yield the name of each game's emojis, and the emoji as a PNG."""
    return (item for name in games.names() for item in for_game(name).emoji_images().items())


def full_name(name: str, png: bytes) -> str:
    """Return the name of an emoji for Discord, unique to its content (≤ 32 characters)."""
    return f"{name}_{hashlib.sha256(png).hexdigest()[:8]}"
