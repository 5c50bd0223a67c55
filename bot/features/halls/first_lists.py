"""Post the list of a hall that is chosen before the first match of its server.

Later, each change of a match queues an update of the list.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.ids import NO_MATCH, ChannelId, GuildId
from bot.domain.outbox import OutboxMessage
from bot.feature import Delivery, ScheduledJob
from bot.features.halls.audiences import Audiences
from bot.features.halls.message_kinds import HallKind, hall_list
from bot.features.halls.posts import HallSender
from bot.features.halls.service import FIRST_LISTS_DUE, TOPIC, Halls
from bot.outbox.batches import send_all
from bot.outbox.store import RowChange
from bot.storage.leases import Leases

LEASE_NAME = "first lists of halls"

LEASE_SECONDS = 300.0
"""Lease duration of a batch. Losing the lease does no harm, because posts have a nonce."""

PAUSE_SECONDS = 3600.0
"""Seconds until a list that Discord has refused is posted again in the same hall."""


class FirstLists:
    """Posts and deletes the lists of halls on servers without any match."""

    def __init__(
        self, halls: Halls, sender: HallSender, leases: Leases, clock: Callable[[], float]
    ) -> None:
        self._halls = halls
        self._sender = sender
        self._leases = leases
        self._clock = clock
        self._refused: dict[GuildId, tuple[ChannelId, float]] = {}

    async def run(self) -> None:
        """Post and delete all lists that are due; a background job.

        Raises:
            Exception: the first error; the other lists have been handled.
        """
        due = {
            guild_id: hall_id
            for guild_id, hall_id in (await self._halls.outdated_first_lists()).items()
            if not self._was_refused(guild_id, hall_id)
        }
        if due and await self._leases.take(LEASE_NAME, LEASE_SECONDS) is not None:
            await send_all(self._send(guild_id, hall_id) for guild_id, hall_id in due.items())

    def _was_refused(self, guild_id: GuildId, hall_id: ChannelId) -> bool:
        refused_id, refused_at = self._refused.get(guild_id, (hall_id, float("-inf")))
        return refused_id == hall_id and self._clock() < refused_at + PAUSE_SECONDS

    async def _send(self, guild_id: GuildId, hall_id: ChannelId) -> None:
        update = OutboxMessage(
            0, NO_MATCH, hall_list(guild_id), HallKind.UPDATE_LIST, {}, 1, self._clock(), ""
        )
        posted = await self._sender.deliver(update)
        if isinstance(posted, RowChange):
            await self._halls.store(posted)
        elif hall_id:
            self._refused[guild_id] = (hall_id, self._clock())


def jobs(delivery: Delivery) -> list[ScheduledJob]:
    """Return the job that posts the first lists."""
    client, context, leases, transport, guilds = delivery
    halls = context.of(Halls)
    sender = HallSender(
        client,
        Audiences(client, guilds),
        guilds,
        halls=halls,
        transport=transport,
        clock=context.clock,
    )
    first_lists = FirstLists(halls, sender, leases, context.clock)
    return [ScheduledJob("the first lists of halls", first_lists.run, FIRST_LISTS_DUE, TOPIC)]
