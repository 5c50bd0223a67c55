"""Edits of messages through the latest click on them.

Discord allows a bot 50 requests a second (`bot.app.request_rate`), but does not count requests with
the token of an interaction. A click that is acknowledged brings a token with which its message can
be edited: the board loses its controls, and shows the move while the computer chooses.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import discord

log = logging.getLogger(__name__)

KEPT_SECONDS = 60.0
"""Seconds that a click is kept; its token is valid for 15 minutes."""

MAX_CLICKS = 500
"""Maximum number of clicks kept, about 10 kB each."""


class _Click(NamedTuple):
    """A click on a message, its time by `time.monotonic`, and whether it was acknowledged."""

    interaction: discord.Interaction[Any]
    clicked_at: float
    acknowledged: asyncio.Future[bool]


class ClickedMessages:
    """Keeps the latest click on each message, and edits messages through it."""

    def __init__(self) -> None:
        self._clicks: OrderedDict[int, _Click] = OrderedDict()

    @contextmanager
    def acknowledging(self, interaction: discord.Interaction[Any]) -> Iterator[None]:
        """Keep a click that is acknowledged inside the block.

        The block must not answer with another message: then the token edits that one.
        """
        message = interaction.message
        if message is None:
            yield
            return
        acknowledged = asyncio.get_running_loop().create_future()
        self._clicks[message.id] = _Click(interaction, time.monotonic(), acknowledged)
        self._clicks.move_to_end(message.id)
        if len(self._clicks) > MAX_CLICKS:
            self._clicks.popitem(last=False)
        try:
            yield
            acknowledged.set_result(True)
        finally:
            if not acknowledged.done():
                acknowledged.set_result(False)

    async def edit(self, message_id: int, changes: Callable[[], dict[str, Any]]) -> bool:
        """Edit a message through the latest click on it.

        Args:
            changes: builds the changes; see `discord.Message.edit`.

        Returns:
            Whether it was edited; if not, use a request that counts.
        """
        click = self._clicks.get(message_id)
        if click is None or time.monotonic() - click.clicked_at > KEPT_SECONDS:
            return False
        if not await asyncio.shield(click.acknowledged):
            return False
        try:
            await click.interaction.edit_original_response(**changes())
        except discord.HTTPException as error:
            log.info("not edited through the click: %s", error.code)
            self._clicks.pop(message_id, None)
            return False
        return True

    def clear(self) -> None:
        """Drop all clicks, because they contain names of players."""
        self._clicks.clear()
