"""Which players of cups have left the server; Discord tells it only when it is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import delete, select

from bot.services.cup_matches import TOPIC
from bot.services.cup_rows import CupStatus, load_cup, update_cup, update_entrant
from bot.services.time_controls import HOUR
from bot.storage.database import Database
from bot.storage.due import NOW, finds_any
from bot.storage.schema import cup_entrants, cups

CHECK_SECONDS = 2 * HOUR
"""Seconds for which Discord's answer about a player holds."""

MAX_CHECKS = 20
"""Maximum number of players about whom Discord is asked at once."""

_ENTRANTS = cup_entrants.c

_DUE = (
    select(_ENTRANTS.cup_id, cups.c.guild_id, _ENTRANTS.user_id)
    .join(cups, cups.c.id == _ENTRANTS.cup_id)
    .where(cups.c.status.in_((CupStatus.SIGN_UP, CupStatus.RUNNING)))
    .where(_ENTRANTS.user_id > 0, _ENTRANTS.checked_at <= NOW - CHECK_SECONDS)
    .order_by(_ENTRANTS.checked_at, _ENTRANTS.cup_id, _ENTRANTS.number)
    .limit(MAX_CHECKS)
)

CUP_MEMBERS_DUE = finds_any(_DUE)


class CupMember(NamedTuple):
    """A player of a cup on a server."""

    cup_id: int
    guild_id: int
    user_id: int


class CupMembers:
    """Stores which players have left the server of their cup.

    Args:
        database: the database to use.
        clock: the time in UTC seconds.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def due(self) -> list[CupMember]:
        """Return the players of cups that are not over about whom Discord is to be asked."""
        async with self._database.read() as connection:
            rows = await connection.execute(_DUE, {"now": self._clock()})
            return [CupMember(*row) for row in rows]

    async def store(self, member: CupMember, *, has_left: bool) -> None:
        """Store whether a player has left; before the start, that ends the sign-up."""
        async with self._database.write() as connection:
            cup = await load_cup(connection, member.cup_id, lock=True)
            entrant = cup.entrant_of(member.user_id) if cup else None
            if cup is None or entrant is None:
                return
            if has_left and cup.row.status == CupStatus.SIGN_UP:
                same = (_ENTRANTS.cup_id == cup.row.id) & (_ENTRANTS.number == entrant.number)
                await connection.execute(delete(cup_entrants).where(same))
            else:
                now = self._clock()
                await update_entrant(connection, entrant, checked_at=now, has_left=has_left)
            if has_left != entrant.has_left:
                await update_cup(connection, cup.row.id)
                self._database.notify(TOPIC)
