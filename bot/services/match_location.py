"""The channel or thread of a match, and the locations of its messages."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import exists, select, update

from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import MatchStatus
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage
from bot.services.events import MatchesChanged
from bot.services.match_store import load
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.hooks import publish
from bot.storage.schema import matches, outbox

LEFT_PREFIX = "left:"
"""Prefix of the payload fields for channels where a message may have been posted."""


async def note_left_places(connection: Connection, row: MatchRow) -> None:
    """Store the current channel of a match in its outbox rows with attempts there.

    Such a message may have been posted although the response was lost, so it must not be posted
    again in the new channel.
    """
    channels = {
        f"{LEFT_PREFIX}{channel_id}": channel_id
        for channel_id in (row.channel_id, row.parent_channel_id)
        if channel_id
    }
    attempted = select(outbox).where(
        outbox.c.match_id == row.id, outbox.c.first_attempt_at.is_not(None)
    )
    for message in (
        await connection.execute(attempted.where(outbox.c.target == str(EVERYONE)))
    ).all():
        this_message = update(outbox).where(outbox.c.id == message.id)
        await connection.execute(this_message.values(payload={**message.payload, **channels}))


async def left_channels(connection: Connection, queued: OutboxMessage) -> list[ChannelId]:
    """Return the channels to search for a message: its match was moved, or its channel closed.

    They are read together with the match, which can move while the message is in flight.
    """
    query = select(outbox.c.payload).where(outbox.c.id == queued.id, outbox.c.key == queued.key)
    payload = (await connection.execute(query)).scalar_one_or_none() or {}
    return [channel for name, channel in payload.items() if name.startswith(LEFT_PREFIX)]


class MatchLocations:
    """Reads and writes the locations of matches on Discord."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def enter_thread(self, outbox_id: int, match_id: MatchId, thread_id: ChannelId) -> None:
        """Continue in a thread, unless the match has moved since the thread was requested.

        If the thread closes, the match returns to the challenge's channel.

        Args:
            outbox_id: number of the outbox row of kind `start_thread`; moving a match deletes it.
        """
        async with self._database.write() as connection:
            row = await load(connection, match_id)
            start = outbox.c.id == outbox_id, outbox.c.match_id == match_id
            if row is None or row.channel_id == thread_id:
                return
            await connection.execute(
                update(matches)
                .where(matches.c.id == match_id)
                .where(exists().where(*start, outbox.c.kind == OutboxKind.START_THREAD))
                .values(
                    channel_id=thread_id,
                    parent_channel_id=row.parent_channel_id or row.channel_id,
                )
            )
            await publish(connection, MatchesChanged([match_id], self._clock()))

    async def note_fallback(self, match_id: MatchId) -> None:
        """Note that a message is sent elsewhere because the channel of its match is closed.

        The channel may be open again when the message is attempted again.
        """
        async with self._database.write() as connection:
            if row := await load(connection, match_id):
                await note_left_places(connection, row)

    async def leave_thread(self, match_id: MatchId, thread_id: ChannelId) -> None:
        """Continue in the parent channel, if the match is still in this thread."""
        in_thread = matches.c.id == match_id, matches.c.channel_id == thread_id
        parent = {"channel_id": matches.c.parent_channel_id, "parent_channel_id": None}
        async with self._database.write() as connection:
            await load(connection, match_id)
            await connection.execute(
                update(matches)
                .where(*in_thread, matches.c.parent_channel_id.is_not(None))
                .values(**parent)
            )
            await publish(connection, MatchesChanged([match_id], self._clock()))

    async def played_in(self, channel_id: ChannelId) -> list[MatchId]:
        """Return the matches in progress in a channel or thread."""
        query = select(matches.c.id).where(
            matches.c.channel_id == channel_id, matches.c.status == MatchStatus.RUNNING
        )
        async with self._database.read() as connection:
            return list((await connection.execute(query)).scalars())
