"""The cups of a server that a user can join, and a cup's matches in progress."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import and_, exists, or_, select

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.outbox import IN_CHANNEL, OutboxStatus, PostedKind
from bot.features.cups.rows import Cup, CupStatus, StoredCup
from bot.storage.connection import Connection
from bot.storage.schema import cup_entrants, cups, matches, outbox, posted_messages, seats


class OpenMatch(NamedTuple):
    """A cup's match in progress.

    Attributes:
        channel_id: ID of its channel or thread.
        message_id: its board; None in a thread of its own, or if there is none in its channel.
        awaits_board: whether its board is still to be posted in its channel, and no copies of it
            have gone to its players instead.
        user_ids: the users who play it. After a place was taken over, they may be others than the
            players of the cup, see `Cups.offer_place`.
    """

    match_id: MatchId
    channel_id: ChannelId
    message_id: int | None
    awaits_board: bool
    user_ids: frozenset[UserId]


async def joinable_cups(
    connection: Connection, guild_id: GuildId, user_id: UserId, limit: int
) -> list[StoredCup]:
    """Return cups whose sign-up is open to a user, or where the user can take over a place.

    The latest comes first; the channels of the former may be hidden from the user.
    """
    active = select(cup_entrants.c.cup_id).where(cup_entrants.c.withdrawn_at.is_(None))
    confirmed = active.where(cup_entrants.c.joined_by != 0)
    joined = confirmed.where(cup_entrants.c.user_id == user_id)
    offered = active.where(cup_entrants.c.substitute_id == user_id)
    can_join = or_(
        and_(cups.c.status == CupStatus.SIGN_UP, cups.c.id.not_in(joined)),
        and_(cups.c.status == CupStatus.RUNNING, cups.c.id.in_(offered)),
    )
    query = select(cups).where(cups.c.guild_id == guild_id, can_join)
    rows = await connection.execute(query.order_by(cups.c.id.desc()).limit(limit))
    return [StoredCup.of(row) for row in rows]


async def open_matches(connection: Connection, cup: Cup) -> dict[int, OpenMatch]:
    """Return a cup's matches in progress by their numbers, with their places."""
    ids = [pairing.match_id for pairing in cup.running]
    seated = select(seats.c.match_id, seats.c.user_id).where(seats.c.match_id.in_(ids))
    user_ids = defaultdict[int, set[UserId]](set)
    for match_id, user_id in await connection.execute(seated):
        user_ids[match_id].add(user_id)
    board = (posted_messages.c.match_id == matches.c.id) & (
        (posted_messages.c.kind == PostedKind.BOARD) & (posted_messages.c.user_id == IN_CHANNEL)
    )
    copies = posted_messages.alias()
    is_copy = (copies.c.kind == PostedKind.BOARD) & (copies.c.user_id != IN_CHANNEL)
    is_waiting = (outbox.c.match_id == matches.c.id) & (outbox.c.status == OutboxStatus.WAITING)
    has_copies = exists().where(copies.c.match_id == matches.c.id, is_copy)
    has_gone_elsewhere = has_copies & ~exists().where(is_waiting)
    columns = (matches.c.id, matches.c.channel_id, matches.c.parent_channel_id)
    query = select(*columns, posted_messages.c.message_id, has_gone_elsewhere)
    query = query.outerjoin(posted_messages, board)
    return {
        match_id: OpenMatch(
            *(match_id, channel_id, None if parent_id else message_id),
            awaits_board=message_id is None and not has_gone_elsewhere,
            user_ids=frozenset(user_ids[match_id]),
        )
        for match_id, channel_id, parent_id, message_id, has_gone_elsewhere in (
            await connection.execute(query.where(matches.c.id.in_(ids)))
        )
    }
