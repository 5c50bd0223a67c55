"""Short messages that ping players while the board of a turn is edited."""

from __future__ import annotations

from functools import partial

import discord

from bot.domain.ids import UserId
from bot.domain.outbox import PING_PREFIX, OutboxMessage, PostedKind, SentCopy, SentMessage
from bot.i18n import catalogue
from bot.outbox.languages import Languages
from bot.outbox.transport import Transport, is_refused
from bot.services.deliveries import DeliverySnapshot
from bot.views import pings
from render.i18n import using


class Pings:
    """Posts and deletes pings; a match has at most one."""

    def __init__(self, transport: Transport, languages: Languages) -> None:
        self._transport = transport
        self._languages = languages

    async def post(
        self, queued: OutboxMessage, delivery: DeliverySnapshot, seats: str
    ) -> list[SentCopy]:
        """Ping the players of some seats where the board is; return none if that is impossible."""
        match, board = delivery.match, delivery.posted[PostedKind.BOARD].copies
        users: set[UserId | None] = {None, *(match.people[seat].user_id for seat in seats)}
        copies: list[SentCopy] = []
        for copy in board:
            if copy.user_id not in users:
                continue
            channel = self._transport.channel(copy.channel_id, match.guild_id)
            location = copy.channel_id, copy.message_id
            with using(catalogue(await self._languages.of_copy(copy, delivery))):
                make = partial(pings.ping, delivery.perspective(), seats, location)
                try:
                    sent = await self._transport.post(channel, queued, make, copy.user_id)
                except discord.HTTPException as error:
                    if not is_refused(error):
                        raise
                    earlier = await self._transport.find_or_none(channel, queued)
                    if earlier is None:
                        return []
                    sent = earlier
            copies.append(copy._replace(message_id=sent.id))
        return copies

    async def delete(self, delivery: DeliverySnapshot) -> bool:
        """Delete the ping of a match, unless it is the board itself; return whether it is gone."""
        board = {copy.message_id for copy in delivery.posted[PostedKind.BOARD].copies}
        copies = delivery.posted[PostedKind.PING].copies
        guild_id = delivery.match.guild_id
        return all(
            [
                copy.message_id in board or await self._transport.delete(copy, guild_id)
                for copy in copies
            ]
        )

    async def delete_old(self, delivery: DeliverySnapshot) -> SentMessage | None:
        """Delete a ping whose decision has been made; return an empty one if it is gone."""
        ping = delivery.posted[PostedKind.PING]
        if not ping.copies or _is_current(delivery):
            return None
        return SentMessage(PostedKind.PING, 0, ()) if await self.delete(delivery) else None


def seats_to_ping(queued: OutboxMessage, delivery: DeliverySnapshot) -> str:
    """Return the seats of a ping whose players still have to decide and have not been pinged.

    A board posted after a decision appeared has already pinged its player.
    """
    match, ping = delivery.match, delivery.posted[PostedKind.PING]
    board = {copy.message_id for copy in delivery.posted[PostedKind.BOARD].copies}
    pinged = ping.revision if {copy.message_id for copy in ping.copies} & board else 0
    pending = pending_seats(queued, delivery)
    return "".join(seat for seat in pending if match.decisions[seat] > pinged)


def pending_seats(queued: OutboxMessage, delivery: DeliverySnapshot) -> str:
    """Return the seats of a ping whose players still have to decide."""
    match = delivery.match
    return "".join(
        seat
        for seat, version in match.decisions.items()
        if queued.payload.get(f"{PING_PREFIX}{seat}") == version and seat in match.acting_people
    )


def latest_decision(queued: OutboxMessage) -> int:
    """Return the version of the latest decision of a ping."""
    return max(at for name, at in queued.payload.items() if name.startswith(PING_PREFIX))


def _is_current(delivery: DeliverySnapshot) -> bool:
    """Return whether a decision is pending that the ping of a match may refer to."""
    pinged = delivery.posted[PostedKind.PING].revision
    return any(version <= pinged for version in delivery.match.decisions.values())
