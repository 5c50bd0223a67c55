"""The messages of cups on Discord: the due ones, and their places."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Unpack

from sqlalchemy import case, exists, or_, select, update

from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxStatus, mark_of, nonce_of
from bot.features.cups.rows import Cup, CupFields, CupStatus, load_cup
from bot.features.cups.seasons import season_of
from bot.services.servers import ServerSettings, settings_of
from bot.storage.database import Database
from bot.storage.due import finds_any
from bot.storage.schema import cups, outbox

ANNOUNCEMENTS = {CupStatus.RUNNING: 1, CupStatus.FINISHED: 2, CupStatus.CANCELLED: 2}
"""Status → number of announcements that are posted by then: of the start, of the end."""

BATCH_SIZE = 50
"""Maximum number of cups in one batch."""

_LATE = (
    select(cups.c.id)
    .where(
        or_(
            cups.c.shown_version < cups.c.version,
            cups.c.announced < case(ANNOUNCEMENTS, value=cups.c.status, else_=0),
        )
    )
    .order_by(cups.c.id)
    .limit(BATCH_SIZE)
)

CUP_POSTS_DUE = finds_any(_LATE)


class DueCup(NamedTuple):
    """A cup with messages to send, and the settings of its server."""

    cup: Cup
    settings: ServerSettings


class CupMessage(NamedTuple):
    """A message of a cup; see `bot.domain.outbox.Delivery`."""

    key: str
    first_attempt_at: float

    @property
    def mark(self) -> int:
        """Return the component id that marks the message."""
        return mark_of(self.key)

    def nonce(self, channel_id: ChannelId) -> str:
        """Return the nonce of the message."""
        return nonce_of(self.key, channel_id)


def post_of(cup: Cup) -> CupMessage:
    """Return the post of a cup."""
    return CupMessage(cup.row.key, cup.row.created_at)


def announcement_of(cup: Cup, number: int) -> CupMessage:
    """Return an announcement: 1 of the start, 2 of the end."""
    since = cup.row.started_at if number == 1 else cup.row.ended_at
    return CupMessage(_key_of(cup, number), since or cup.row.created_at)


def refusal_of(cup: Cup) -> CupMessage:
    """Return the DM to the organiser that messages of a cup are refused."""
    return CupMessage(_key_of(cup, "refused"), cup.row.created_at)


def _key_of(cup: Cup, part: object) -> str:
    """Return the key of a message of a cup beside its post."""
    return ":".join((cup.row.key, str(part)))


class CupPosts:
    """Reads and stores the posted messages of cups."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self) -> list[DueCup]:
        """Return the cups whose post is out of date, or that have an announcement to make."""
        async with self._database.read() as connection:
            numbers = (await connection.execute(_LATE)).scalars().all()
            loaded = [await load_cup(connection, number) for number in numbers]
            return [
                DueCup(
                    replace(cup, season=await season_of(connection, cup)),
                    await settings_of(connection, cup.row.guild_id),
                )
                for cup in loaded
                if cup
            ]

    async def has_waiting_messages(self, cup: Cup) -> bool:
        """Return whether messages of matches of a cup wait to be sent."""
        numbers = [pairing.match_id for pairing in cup.pairings]
        is_waiting = (outbox.c.match_id.in_(numbers)) & (outbox.c.status == OutboxStatus.WAITING)
        async with self._database.read() as connection:
            return bool((await connection.execute(select(exists().where(is_waiting)))).scalar())

    async def posted(self, cup_id: int, message_id: int | None, version: int | None = None) -> None:
        """Store the message of a post; None if it was deleted.

        Args:
            version: the version that it shows; None if it has to be edited.
        """
        fields = CupFields(message_id=message_id)
        if version is not None:
            fields["shown_version"] = version
        await self._update(cup_id, **fields)

    async def shown(self, cup_id: int, version: int) -> None:
        """Store the version that a post shows."""
        await self._update(cup_id, shown_version=version)

    async def announced(self, cup_id: int, number: int) -> None:
        """Store the number of announcements that are posted."""
        await self._update(cup_id, announced=number)

    async def _update(self, cup_id: int, **fields: Unpack[CupFields]) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(cups).where(cups.c.id == cup_id).values(**fields))
