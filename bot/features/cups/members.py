"""The players of cups who have left the server; Discord reports them only on request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sqlalchemy import Select, delete, func, select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import DELETED_USER_ID, GuildId, UserId
from bot.features.cups.matches import TOPIC
from bot.features.cups.rows import (
    Cup,
    CupStatus,
    load_cup,
    update_cup,
    update_entrants,
)
from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.due import NOW, finds_any, has_come
from bot.storage.schema import cup_entrants, cups

MEMBER_CHECK_SECONDS = HOUR / 2
"""Seconds until Discord is asked again about a player of a cup that is not over."""

OVER_CHECK_SECONDS = DAY
"""Seconds until Discord is asked again about a player of a cup that is over: its post keeps its
standings."""

MAX_CHECKS = 20
"""Maximum number of players to ask Discord about at once."""

_ENTRANTS = cup_entrants.c

_PLAYER = cups.c.guild_id, _ENTRANTS.user_id


def _unchecked(seconds: float) -> Select[GuildId, UserId]:
    """Select players whose membership was last checked more than `seconds` ago."""
    players = select(*_PLAYER).join(cups, cups.c.id == _ENTRANTS.cup_id)
    is_old = has_come(_ENTRANTS.checked_at, 2 * seconds, NOW - seconds)
    return players.where(_ENTRANTS.user_id != DELETED_USER_ID, is_old)


_OPEN = cups.c.status.in_((CupStatus.SIGN_UP, CupStatus.RUNNING))

_QUEUES = _unchecked(MEMBER_CHECK_SECONDS).where(_OPEN), _unchecked(OVER_CHECK_SECONDS)

CUP_MEMBERS_DUE = finds_any(*_QUEUES)


class CupMember(NamedTuple):
    """A player of cups of a server."""

    guild_id: GuildId
    user_id: UserId


class CupMembers:
    """Stores which players have left the server of their cups."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def due(self) -> list[CupMember]:
        """Return the players to ask Discord about, players of open cups first."""
        members = dict[CupMember, None]()
        async with self._database.read() as connection:
            for queue in _QUEUES:
                first = queue.group_by(*_PLAYER).order_by(func.min(_ENTRANTS.checked_at), *_PLAYER)
                rows = await connection.execute(first.limit(MAX_CHECKS), {"now": self._clock()})
                members |= dict.fromkeys(CupMember(*row) for row in rows)
        return list(members)[:MAX_CHECKS]

    def unknown(self, cup: Cup) -> list[UserId]:
        """Return the players of a cup for whom Discord's last answer has expired."""
        now = self._clock()
        ages = {e.user_id: now - e.checked_at for e in cup.entrants if e.is_person}
        return [user_id for user_id, age in ages.items() if not 0 <= age < MEMBERSHIP_SECONDS]

    def now(self) -> float:
        """Return the time, for `store`."""
        return self._clock()

    async def store(
        self, guild_id: GuildId, answers: Mapping[UserId, bool], asked_at: float
    ) -> None:
        """Store Discord's answers in all cups of a server.

        Args:
            answers: user ID → whether the player has left.
            asked_at: UTC time before Discord was asked. Players who joined a cup later are members.
        """
        query = select(_ENTRANTS.cup_id).join(cups, cups.c.id == _ENTRANTS.cup_id).distinct()
        query = query.where(cups.c.guild_id == guild_id, _ENTRANTS.user_id.in_(answers))
        async with self._database.read() as connection:
            numbers = (await connection.execute(query)).scalars().all()
        for cup_id in numbers:
            async with self._database.write() as connection:
                cup = await load_cup(connection, cup_id, lock=True)
                if cup and await self._note(connection, cup, answers, asked_at):
                    await update_cup(connection, cup_id)
                    self._database.notify(TOPIC)

    async def _note(
        self, connection: Connection, cup: Cup, answers: Mapping[UserId, bool], asked_at: float
    ) -> bool:
        """Store which players of a cup have left; return whether that is a change.

        Before the start, leaving the server ends the sign-up.
        """
        now = self._clock()
        answered = [
            (entrant, answers[entrant.user_id])
            for entrant in cup.entrants
            if entrant.user_id in answers and not asked_at < entrant.checked_at <= now
        ]
        leaves = cup.row.status == CupStatus.SIGN_UP
        gone = [entrant.number for entrant, has_left in answered if has_left and leaves]
        if gone:
            is_gone = (_ENTRANTS.cup_id == cup.row.id) & _ENTRANTS.number.in_(gone)
            await connection.execute(delete(cup_entrants).where(is_gone))
        staying = [
            (entrant, {"checked_at": now, "has_left": has_left})
            for entrant, has_left in answered
            if entrant.number not in gone
        ]
        await update_entrants(connection, staying)
        return any(has_left != entrant.has_left for entrant, has_left in answered)
