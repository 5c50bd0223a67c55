"""Boards that are no longer the latest: their controls are removed."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any

import discord

from bot.i18n import catalogue
from bot.outbox.languages import Languages
from bot.outbox.transport import Make, Transport
from bot.services.deliveries import DeliverySnapshot
from bot.services.models import Match, Perspective
from bot.services.outbox import Copy, PostedKind, PostedMessage
from bot.services.queries import Queries
from bot.views import links, public_boards
from bot.views.message import Message
from bot.views.places import left_behind
from render.i18n import using

log = logging.getLogger(__name__)

MAX_SHOWN = 2000
"""Maximum number of boards remembered, about 4 kB each."""


class FormerBoards:
    """Removes the controls from former boards, and remembers their content.

    Args:
        queries: replays a match whose board is not remembered.
        transport: edits messages.
        languages: of messages.
    """

    def __init__(self, queries: Queries, transport: Transport, languages: Languages) -> None:
        self._queries = queries
        self._transport = transport
        self._languages = languages
        self._shown: OrderedDict[tuple[int, int], Perspective] = OrderedDict()

    def remember(self, posted: PostedMessage, shown: Perspective) -> None:
        """Remember the content of a board that has been posted or edited."""
        self._shown[posted.copies[0].message_id, posted.action_count] = shown
        if len(self._shown) > MAX_SHOWN:
            self._shown.popitem(last=False)

    async def strip(self, delivery: DeliverySnapshot, new: Sequence[Copy]) -> None:
        """Remove the controls from all copies of the former board, and link to the new one.

        If that fails, its buttons are refused as stale.
        """
        former, match = delivery.posted[PostedKind.BOARD], delivery.match
        kept = {copy.message_id for copy in new}
        old = [copy for copy in former.copies if copy.message_id not in kept]
        if not old:
            return
        action_count = former.action_count
        shown = self._shown.get((former.copies[0].message_id, action_count))
        if shown is None:
            shown = await self._queries.view(match.id, action_count=action_count)
        make = partial(public_boards.former_board, shown._replace(match=match), action_count)
        for copy in old:
            with using(catalogue(await self._languages.of_copy(copy, delivery))):
                await self._strip_copy(copy, new, make, match)

    async def _strip_copy(self, copy: Copy, new: Sequence[Copy], make: Make, match: Match) -> None:
        def changes() -> dict[str, Any]:
            return {"view": _former(make(), match, copy, new).layout}

        try:
            await self._transport.edit(copy, match.guild_id, changes)
        except (discord.HTTPException, discord.RateLimited) as error:
            log.info("the former board stays as it is: %s", error)


def _former(message: Message, match: Match, copy: Copy, new: Sequence[Copy]) -> Message:
    """Return a former board with a note if the match continues in another place."""
    if copy.channel_id in {each.channel_id for each in new}:
        return message
    first = new[0]
    link = "" if first.user_id else links.link_to(match.guild_id, *first[1:])
    return left_behind(message, link)
