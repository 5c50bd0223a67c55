"""Boards that are no longer the latest: their controls are removed."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import discord

from bot.domain.ids import ChannelId
from bot.domain.models import Match, Perspective
from bot.domain.outbox import OutboxMessage, PostedKind, SentCopy, SentMessage
from bot.i18n import catalogue
from bot.outbox.languages import Languages
from bot.outbox.transport import Transport, may_pass
from bot.services.deliveries import DeliverySnapshot
from bot.services.queries import Queries
from bot.views import links, public_boards
from bot.views.message import Message
from bot.views.relocation_notes import left_behind
from render.i18n import using

log = logging.getLogger(__name__)

FormerFactory = Callable[[str], Message]
"""Builds a former board with a link to the new one; see `public_boards.former_board`."""

MAX_SHOWN = 2000
"""Maximum number of boards remembered, about 4 kB each."""


class FormerBoards:
    """Removes the controls from former boards, and remembers their content.

    Args:
        queries: replays a match whose board is not remembered.
    """

    def __init__(self, queries: Queries, transport: Transport, languages: Languages) -> None:
        self._queries = queries
        self._transport = transport
        self._languages = languages
        self._shown: OrderedDict[tuple[int, int], Perspective] = OrderedDict()

    def remember(self, posted: SentMessage, perspective: Perspective) -> None:
        """Remember the content of a board that has been posted or edited."""
        self._shown[posted.copies[0].message_id, posted.revision] = perspective
        if len(self._shown) > MAX_SHOWN:
            self._shown.popitem(last=False)

    async def retire(
        self, delivery: DeliverySnapshot, new: Sequence[SentCopy]
    ) -> SentMessage | None:
        """Remove the controls from all copies of the former board, and link to the new one.

        Until then its buttons are refused as stale.

        Returns:
            The board with the copies that still have controls to remove later; None if there are
            none.
        """
        former = delivery.posted[PostedKind.BOARD]
        new_ids = {copy.message_id for copy in new}
        old_copies = [copy for copy in former.copies if copy.message_id not in new_ids]
        if not old_copies:
            return None
        first = former.copies[0].message_id
        make = await self._factory(delivery, first, former.revision)
        remaining = [
            copy for copy in old_copies if not await self._retired(copy, new, make, delivery)
        ]
        return SentMessage(PostedKind.BOARD, former.revision, remaining) if remaining else None

    async def retire_later(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Remove the controls from a copy of a former board.

        Raises:
            discord.HTTPException, discord.RateLimited: Discord does not answer as it should.
        """
        message_id = queued.payload["message"]
        copy = SentCopy(queued.target.user_id, ChannelId(queued.payload["channel"]), message_id)
        new = delivery.posted[PostedKind.BOARD].copies
        if not new or message_id in {copy.message_id for copy in new}:
            return
        make = await self._factory(delivery, message_id, queued.payload["action_count"])
        await self._edit(copy, new, make, delivery)

    async def _factory(
        self, delivery: DeliverySnapshot, message_id: int, action_count: int
    ) -> FormerFactory:
        """Return a factory for a board without controls, as it was shown."""
        match = delivery.match
        perspective = self._shown.get((message_id, action_count))
        if perspective is None:
            perspective = await self._queries.view(match.id, action_count=action_count)
        return partial(public_boards.former_board, perspective._replace(match=match), action_count)

    async def _retired(
        self,
        copy: SentCopy,
        new: Sequence[SentCopy],
        make: FormerFactory,
        delivery: DeliverySnapshot,
    ) -> bool:
        """Remove the controls of a copy; return False if that may succeed later."""
        try:
            await self._edit(copy, new, make, delivery)
        except (discord.HTTPException, discord.RateLimited) as error:
            log.info("the former board stays as it is: %s", error)
            return not may_pass(error)
        return True

    async def _edit(
        self,
        copy: SentCopy,
        new: Sequence[SentCopy],
        make: FormerFactory,
        delivery: DeliverySnapshot,
    ) -> None:
        match = delivery.match

        def changes() -> dict[str, Any]:
            return {"view": _former(make, match, copy, new).layout}

        with using(catalogue(await self._languages.of_copy(copy, delivery))):
            await self._transport.edit(copy, match.guild_id, changes)


def _former(make: FormerFactory, match: Match, copy: SentCopy, new: Sequence[SentCopy]) -> Message:
    """Return a former board with a link to the new one, which may be in another place."""
    for other in new:
        if other.channel_id == copy.channel_id:
            guild_id = None if other.user_id else match.guild_id
            return make(links.link_to(guild_id, other.channel_id, other.message_id))
    first = new[0]
    link = "" if first.user_id else links.link_to(match.guild_id, *first[1:])
    return left_behind(make(""), link)
