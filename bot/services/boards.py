"""Move, repost or check the board message of a match."""

from __future__ import annotations

from sqlalchemy import delete, select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus
from bot.domain.outbox import OutboxKind, OutboxStatus
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.computer_jobs import mark_paused, waiting_matches
from bot.services.events import MatchesChanged
from bot.services.match_location import note_left_places
from bot.services.match_store import MatchStore, load
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from bot.storage.schema import matches, outbox
from engine import games
from render.i18n import _


class Boards:
    """Moves, checks and reposts the board of a match."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store

    async def move(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        channel: tuple[int | None, int],
        parent: int | None = None,
    ) -> Outcome:
        """Move a match to a channel: post its board there and cancel a pending thread.

        Args:
            user_id: user ID of the mover.
            channel: ids of the server (None in a DM) and the channel.
            parent: id of the parent channel, if `channel` is a thread.
        """

        async def relocate(connection: Connection, row: MatchRow, seat: str) -> Outcome:
            if seat in games.get(row.game).view(row.state()).departed:
                sentence = _("You've left this match, so only the other players can move it.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            await note_left_places(connection, row)
            await self._match_store.heartbeats.hand_over(connection, row)
            location = {
                "guild_id": channel[0],
                "channel_id": channel[1],
                "parent_channel_id": parent,
            }
            if channel[0] != row.guild_id:  # the former server has one match less
                await publish(connection, MatchesChanged([row.id], self._match_store.clock()))
            await connection.execute(
                update(matches).where(matches.c.id == row.id).values(**location)
            )
            await _cancel_thread(connection, row.id)
            await self.repost(connection, row, moved=1)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, relocate
        )

    async def ensure(self, match_id: MatchId) -> None:
        """Queue a check that the board of a match in progress still exists."""
        async with self._match_store.database.write() as connection:
            row = await load(connection, match_id)
            checks = (outbox.c.match_id == match_id) & (outbox.c.kind == OutboxKind.ENSURE_BOARD)
            query = select(outbox.c.id).where(checks, outbox.c.status == OutboxStatus.WAITING)
            queued = (await connection.execute(query)).first()
            if row is not None and row.status == MatchStatus.RUNNING and queued is None:
                kind = OutboxKind.ENSURE_BOARD
                await self._match_store.queue_board(connection, match_id, row.version, kind)

    async def repost_paused(self) -> None:
        """Post the boards of the matches that wait for the computer again, once each.

        A job under a process without computers: the boards say that it is turned off.
        """
        database = self._match_store.database
        async with database.read() as connection:
            match_ids = await waiting_matches(connection)
        for match_id in match_ids:
            async with database.write() as connection:
                row = await load(connection, match_id)
                if row is not None and await mark_paused(connection, match_id):
                    await self.repost(connection, row)

    async def repost(self, connection: Connection, row: MatchRow, **payload: int) -> None:
        """Post the board again, at the end of the channel, with its ping."""
        kind = OutboxKind.POST_BOARD
        await self._match_store.queue_board(connection, row.id, row.version, kind, **payload)


async def _cancel_thread(connection: Connection, match_id: MatchId) -> None:
    """Cancel the request of a thread for a match.

    A request in delivery may be a post in a forum, which has to be kept up to date: the match does
    not enter it, but its delivery continues.
    """
    thread = (outbox.c.match_id == match_id) & (outbox.c.kind == OutboxKind.START_THREAD)
    attempted = outbox.c.first_attempt_at.is_not(None)
    await connection.execute(delete(outbox).where(thread, ~attempted))
    await connection.execute(update(outbox).where(thread).values(kind=OutboxKind.START_POST))
