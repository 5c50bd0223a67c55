"""The cups of a server that a user can join."""

from __future__ import annotations

from sqlalchemy import and_, or_, select

from bot.services.cup_rows import CupStatus, StoredCup
from bot.storage.connection import Connection
from bot.storage.schema import cup_entrants, cups


async def joinable_cups(
    connection: Connection, guild_id: int, user_id: int, limit: int
) -> list[StoredCup]:
    """Return cups whose sign-up is open to a user, or in which the user can take over a place.

    The latest comes first; the channels of the former may be hidden from the user.
    """
    active = select(cup_entrants.c.cup_id).where(cup_entrants.c.withdrawn_at.is_(None))
    joined = active.where(cup_entrants.c.user_id == user_id)
    offered = active.where(cup_entrants.c.substitute_id == user_id)
    can_join = or_(
        and_(cups.c.status == CupStatus.SIGN_UP, cups.c.id.not_in(joined)),
        and_(cups.c.status == CupStatus.RUNNING, cups.c.id.in_(offered)),
    )
    query = select(cups).where(cups.c.guild_id == guild_id, can_join)
    rows = await connection.execute(query.order_by(cups.c.id.desc()).limit(limit))
    return [StoredCup.of(row) for row in rows]
