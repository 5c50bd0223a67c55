"""Edits of messages through the latest click on them.

Discord allows a bot 50 requests a second (`bot.app.request_rate`), but does not count requests with
the token of an interaction. A click that is acknowledged brings a token with which its message can
be edited: the board loses its controls, and shows the move while the computer chooses.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple

import discord

log = logging.getLogger(__name__)

KEPT_SECONDS = 60.0
"""Seconds that a click is kept; its token is valid for 15 minutes."""

MAX_CLICKS = 500
"""Maximum number of clicks kept, about 1 kB each."""


class _Click(NamedTuple):
    """The part of a click that edits its message.

    It is not the click itself: that has a message with all its parts, hundreds of objects, at which
    each garbage collection would have to look.

    Attributes:
        clicked_at: by `time.monotonic`.
        acknowledged: whether the click was, once it is known.
    """

    webhook: discord.Webhook
    clicked_at: float
    acknowledged: asyncio.Future[bool]

    def is_expired(self) -> bool:
        """Return whether the click happened too long ago."""
        return monotonic() - self.clicked_at > KEPT_SECONDS


class ClickedMessages:
    """Keeps the latest click on each message, and edits messages through it."""

    def __init__(self) -> None:
        self._clicks: OrderedDict[int, _Click] = OrderedDict()

    def __len__(self) -> int:
        return len(self._clicks)

    @contextmanager
    def acknowledging(self, interaction: discord.Interaction[Any]) -> Iterator[None]:
        """Keep a click that is acknowledged inside the block.

        The block must not answer with another message, for which the token would also be valid.
        """
        message = interaction.message
        if message is None:
            yield
            return
        acknowledged = asyncio.get_running_loop().create_future()
        click = _Click(interaction.followup, monotonic(), acknowledged)
        self._clicks[message.id] = click
        self._clicks.move_to_end(message.id)
        self._drop_oldest()
        try:
            yield
            acknowledged.set_result(True)
        finally:
            if not acknowledged.done():
                acknowledged.set_result(False)
                self._drop(message.id, click)

    def _drop_oldest(self) -> None:
        """Drop the clicks that have expired, and those that are too many."""
        clicks = self._clicks
        while clicks and (len(clicks) > MAX_CLICKS or next(iter(clicks.values())).is_expired()):
            clicks.popitem(last=False)

    def _drop(self, message_id: int, click: _Click) -> None:
        """Drop a click, unless a later one has taken its place."""
        if self._clicks.get(message_id) is click:
            del self._clicks[message_id]

    async def edit(self, message_id: int, changes: Callable[[], dict[str, Any]]) -> bool:
        """Edit a message through the latest click on it.

        Args:
            changes: builds the changes; see `discord.Message.edit`.

        Returns:
            Whether it was edited; if not, use a request that counts.
        """
        click = self._clicks.get(message_id)
        if click is None or click.is_expired():
            return False
        if not await asyncio.shield(click.acknowledged):
            return False
        try:
            await click.webhook.edit_message(message_id, **changes())
        except discord.HTTPException as error:
            log.info("not edited through the click: %s", error.code)
            self._drop(message_id, click)
            return False
        return True

    def clear(self) -> None:
        """Drop all clicks, because they contain names of players."""
        self._clicks.clear()
