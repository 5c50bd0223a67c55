"""The hall of a server: a channel or forum with its open seats and matches in progress.

Each public change of a match queues an update of the list, due after a pause. The first update that
is due replaces all that are queued by then, so a list is edited at most once per pause.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import ColumnElement, bindparam, delete, exists, func, insert, or_, select, update

from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.models import MatchStatus
from bot.domain.outbox import (
    EVERYONE,
    FORUM_POST,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedKind,
    Priority,
    Target,
    outbox_row,
)
from bot.features.halls.message_kinds import COALESCED, HallKind, hall_call, hall_list
from bot.outbox.store import RowChange
from bot.services.events import MatchesChanged, SeatOpened, SharedClockShifted
from bot.services.match_repository import last_matches
from bot.services.match_summaries import (
    ACTIVE,
    OPEN,
    SUMMARIES,
    MatchSummary,
    most_urgent,
    summaries_of,
)
from bot.services.servers import ServerSettings
from bot.storage.connection import Connection
from bot.storage.database import Database, get_or_create, upsert
from bot.storage.due import finds_any
from bot.storage.schema import (
    guilds,
    halls,
    matches,
    outbox,
    posted_messages,
)

TOPIC = "halls"
"""The notification of the database that a hall was chosen before the first match."""

HALL, HALL_CHOSEN_AT, HALL_ROLE = "hall", "hall_chosen_at", "hall_role"
"""Names of the settings of servers."""

LIST_PAUSE_SECONDS = 30.0
"""Minimum seconds between two edits of a list, and of the first message of a post."""

CALL_PAUSE_SECONDS = 3600.0
"""Minimum seconds between two pings of the role."""

FIRST_LIST_SECONDS = 1.5 * LIST_PAUSE_SECONDS
"""Seconds until the role is pinged in a forum without a list: the ping goes below the list."""

MAX_PLACES = 200
"""Maximum number of matches whose channels and clocks are read for a list: the last changed."""

MAX_LISTED = 30
"""Maximum number of open seats and of matches in progress in a list."""


_HALLS_OF_MATCHES = (
    select(matches.c.id, halls)
    .join(matches, matches.c.guild_id == halls.c.guild_id)
    .where(matches.c.id.in_(bindparam("these", expanding=True)))
)


_BEFORE_FIRST_MATCH = (
    select(halls, guilds.c.settings)
    .outerjoin(guilds, guilds.c.guild_id == halls.c.guild_id)
    .where(~exists().where(matches.c.guild_id == halls.c.guild_id))
)

FIRST_LISTS_DUE = finds_any(_BEFORE_FIRST_MATCH)


def hall_of(settings: ServerSettings) -> ChannelId:
    """Return the channel or forum that is the hall of a server; 0 for none."""
    channel_id: ChannelId = settings.stored.get(HALL, 0)
    return channel_id


def hall_chosen_at(settings: ServerSettings) -> float:
    """Return the time at which the hall of a server was chosen; 0 if it is unknown."""
    chosen_at: float = settings.stored.get(HALL_CHOSEN_AT, 0.0)
    return chosen_at


def first_list_key(guild_id: GuildId, settings: ServerSettings) -> str:
    """Return the key of the first list in the hall of a server; a hall chosen again has another."""
    return f"first list {guild_id} {hall_of(settings)} {hall_chosen_at(settings)}"


def hall_role_of(settings: ServerSettings) -> int:
    """Return the role of a server that is pinged for open seats; 0 for none."""
    role_id: int = settings.stored.get(HALL_ROLE, 0)
    return role_id


class Hall(NamedTuple):
    """A row of `halls`: the messages in the hall of a server."""

    guild_id: GuildId
    is_forum: bool
    posted_in: int | None
    list_channel_id: ChannelId | None
    list_message_id: int | None
    called_at: float | None
    call_channel_id: ChannelId | None
    call_message_id: int | None


@dataclass(frozen=True, slots=True)
class HallSnapshot:
    """A hall at the time when a message in it is created.

    Attributes:
        hall: messages of the hall.
        places: the channels and threads of the active matches of the server.
    """

    hall: Hall
    server: ServerSettings
    places: Sequence[ChannelId]


@dataclass(frozen=True, slots=True)
class Listing:
    """The content of a list.

    Attributes:
        open: matches with a seat that anyone may take, the newest first.
        running: the other matches in progress, those with the least time left first.
        more: number of further matches.
    """

    open: Sequence[MatchSummary] = field(default_factory=tuple)
    running: Sequence[MatchSummary] = field(default_factory=tuple)
    more: int = 0


async def queue_hall_updates(
    connection: Connection, match_ids: Sequence[MatchId], now: float
) -> None:
    """Queue updates of the lists and posts of matches, on servers that have a hall."""
    hall_of = await _halls_of(connection, match_ids)
    due, rows = now + LIST_PAUSE_SECONDS, []
    for match_id in match_ids:
        if hall := hall_of.get(match_id):
            rows.append(_row(match_id, HallKind.UPDATE_LIST, hall_list(hall.guild_id), due))
            if hall.is_forum:
                rows.append(_row(match_id, OutboxKind.UPDATE_POST, FORUM_POST, due))
    if rows:
        await connection.execute(insert(outbox), rows)


async def on_matches_changed(connection: Connection, event: MatchesChanged) -> None:
    """Queue updates of the entries of matches in the halls of their servers."""
    await queue_hall_updates(connection, event.match_ids, event.now)


async def on_seat_opened(connection: Connection, event: SeatOpened) -> None:
    """Queue the post of a challenge with an open seat, and a call of the role."""
    match_id, now = event
    hall = (await _halls_of(connection, [match_id])).get(match_id)
    if hall is None:
        return
    if hall.is_forum:
        await _queue(connection, match_id, OutboxKind.START_POST, EVERYONE, now)
    due = now if hall.list_message_id or not hall.is_forum else now + FIRST_LIST_SECONDS
    if hall.called_at is not None and now < hall.called_at + CALL_PAUSE_SECONDS:
        due = min(hall.called_at, now) + CALL_PAUSE_SECONDS
    await _queue(connection, match_id, HallKind.CALL_ROLE, hall_call(hall.guild_id), due)


async def on_clock_shifted(connection: Connection, event: SharedClockShifted) -> None:
    """Add a gap to the times of the last pings: an outage lengthens the pause after them.

    Any process sends pings.
    """
    await connection.execute(update(halls).values(called_at=halls.c.called_at + event.gap))


async def _halls_of(connection: Connection, match_ids: Sequence[MatchId]) -> dict[MatchId, Hall]:
    """Return match → hall of its server, if that has one."""
    rows = await connection.execute(_HALLS_OF_MATCHES, {"these": match_ids})
    return {match_id: Hall(*hall) for match_id, *hall in rows}


async def _queue(
    connection: Connection, match_id: MatchId, kind: str, target: Target, due: float
) -> None:
    await connection.execute(insert(outbox), _row(match_id, kind, target, due))


def _row(match_id: MatchId, kind: str, target: Target, due: float) -> dict[str, object]:
    priority = Priority.BACKGROUND if kind in COALESCED else None
    return outbox_row(match_id, kind, target, {}, due, priority=priority)


class Halls:
    """Reads and writes the halls of servers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def choose(
        self, guild_id: GuildId, channel_id: ChannelId, *, is_forum: bool, now: float
    ) -> None:
        """Make a channel the hall of a server, or switch its hall off.

        Args:
            channel_id: the channel or forum; 0 to switch the hall off.
            is_forum: whether it is a forum.
        """
        newest = select(func.max(matches.c.id)).where(matches.c.guild_id == guild_id)
        async with self._database.write() as connection:
            server = await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            settings = server.settings | {HALL: channel_id, HALL_CHOSEN_AT: now}
            await upsert(connection, guilds, guild_id=guild_id, settings=settings)
            if channel_id:
                await upsert(connection, halls, guild_id=guild_id, is_forum=is_forum)
            match_id = (await connection.execute(newest)).scalar_one()
            if match_id is not None:
                await _queue(connection, match_id, HallKind.UPDATE_LIST, hall_list(guild_id), now)
                self._database.notify("outbox")
            else:
                self._database.notify(TOPIC)

    async def outdated_first_lists(self) -> dict[GuildId, ChannelId]:
        """Return server → hall, for the lists to post or delete before the first match.

        The outbox sends messages about matches only, so a job sends these lists.
        """
        outdated: dict[GuildId, ChannelId] = {}
        async with self._database.read() as connection:
            for row in await connection.execute(_BEFORE_FIRST_MATCH):
                hall_id = hall_of(ServerSettings.of(row.settings or {}))
                if hall_id != row.posted_in or row.list_message_id is None:
                    outdated[row.guild_id] = hall_id
        return outdated

    async def store(self, change: RowChange) -> None:
        """Store where a list was posted."""
        async with self._database.write() as connection:
            stored = update(change.table).filter_by(**change.key).values(**change.columns)
            await connection.execute(stored)

    async def refresh(self, guild_id: GuildId, now: float) -> None:
        """Queue an update of a server's list, because members may now see other channels."""
        newest = select(func.max(matches.c.id)).where(matches.c.guild_id == guild_id)
        has_hall = newest.join(halls, halls.c.guild_id == matches.c.guild_id)
        async with self._database.read() as connection:
            match_id = (await connection.execute(has_hall)).scalar_one()
        if match_id is not None:
            async with self._database.write() as connection:
                await queue_hall_updates(connection, [match_id], now)
                self._database.notify("outbox")

    async def collect(self, queued: OutboxMessage, now: float) -> bool:
        """Let a message replace all waiting messages of its kind and target.

        Its content is read afterwards, so it shows the changes for which the others were queued. On
        PostgreSQL, transactions of several matches may end in a different order than that of their
        rows, so another process may have begun a message that was stored earlier. In that case this
        message is queued again behind it.

        Returns:
            Whether to deliver it now.
        """
        is_same_update = (outbox.c.target == str(queued.target)) & (outbox.c.kind == queued.kind)
        if queued.target == FORUM_POST:
            is_same_update &= outbox.c.match_id == queued.match_id
        waiting_rows = select(outbox.c.id, outbox.c.attempts).where(
            is_same_update, outbox.c.status == OutboxStatus.WAITING, outbox.c.id != queued.id
        )
        async with self._database.write() as connection:
            locked = waiting_rows.order_by(outbox.c.id).with_for_update()
            others = (await connection.execute(locked)).all()
            if any(row.attempts for row in others):
                due = now + LIST_PAUSE_SECONDS
                await _queue(connection, queued.match_id, queued.kind, queued.target, due)
                return False
            ids = [row.id for row in others]
            await connection.execute(delete(outbox).where(outbox.c.id.in_(ids)))
        return True

    async def read(self, guild_id: GuildId) -> HallSnapshot | None:
        """Return the hall of a server; None if there is none."""
        of_server = select(halls).where(halls.c.guild_id == guild_id)
        async with self._database.read() as connection:
            row = (await connection.execute(of_server)).one_or_none()
            if row is None:
                return None
            query = select(guilds.c.settings).where(guilds.c.guild_id == guild_id)
            settings = (await connection.execute(query)).scalar_one_or_none() or {}
            active = select(matches.c.channel_id)
            active = active.where(matches.c.guild_id == guild_id, ACTIVE)
            active = active.order_by(matches.c.changed_at.desc()).limit(MAX_PLACES)
            places = dict.fromkeys((await connection.execute(active)).scalars())
        return HallSnapshot(Hall(*row), ServerSettings.of(settings), tuple(places))

    async def listing(self, guild_id: GuildId, channel_ids: Collection[ChannelId]) -> Listing:
        """Return the open seats and matches in progress in some places of a server."""
        in_channels = (matches.c.guild_id == guild_id) & matches.c.channel_id.in_(channel_ids)
        running = matches.c.status == MatchStatus.RUNNING
        async with self._database.read() as connection:
            counted = select(func.count()).select_from(matches)
            total = counted.where(in_channels, or_(running, OPEN), ACTIVE)
            count = int((await connection.execute(total)).scalar_one())
            open_ = last_matches(
                SUMMARIES, matches.c.created_at, MAX_LISTED, in_channels, ACTIVE, OPEN
            )
            full = most_urgent(MAX_LISTED, MAX_PLACES, in_channels, running, ~OPEN)
            seats = await summaries_of(connection, open_)
            running_matches = await summaries_of(connection, full)
        return Listing(seats, running_matches, max(0, count - len(seats) - len(running_matches)))

    async def card(self, match_id: MatchId) -> MatchSummary | None:
        """Return the match as the first message of its post shows it."""
        query = SUMMARIES.where(matches.c.id == match_id)
        async with self._database.read() as connection:
            return next(iter(await summaries_of(connection, query)), None)

    async def may_have_post(self, match_id: MatchId) -> bool:
        """Return whether a match has a post, or may still get one.

        One read answers both: a delivery that creates a post removes its row on storing the post.
        """
        stored = select(posted_messages.c.match_id).where(
            posted_messages.c.match_id == match_id, posted_messages.c.kind == PostedKind.POST
        )
        kinds = outbox.c.kind.in_((OutboxKind.START_POST, OutboxKind.START_THREAD))
        is_waiting = (outbox.c.match_id == match_id) & (outbox.c.status == OutboxStatus.WAITING)
        created = select(outbox.c.id).where(is_waiting, kinds)
        async with self._database.read() as connection:
            return bool((await connection.execute(select(finds_any(stored, created)))).scalar())

    async def postpone(self, queued: OutboxMessage, due: float) -> None:
        """Queue a message again, for later."""
        async with self._database.write() as connection:
            await _queue(connection, queued.match_id, queued.kind, queued.target, due)

    async def forget_list(self, message_id: int) -> None:
        """Store that a list was deleted, unless there is a newer one."""
        await self._forget(halls.c.list_message_id == message_id, "list")

    async def forget_call(self, message_id: int) -> None:
        """Store that a call of the role was deleted, unless there is a newer one."""
        await self._forget(halls.c.call_message_id == message_id, "call")

    async def _forget(self, condition: ColumnElement[bool], message: str) -> None:
        cleared = {f"{message}_channel_id": None, f"{message}_message_id": None}
        async with self._database.write() as connection:
            await connection.execute(update(halls).where(condition).values(cleared))

    async def forget(self, guild_id: GuildId) -> None:
        """Delete a hall, unless it has been switched on again."""
        async with self._database.write() as connection:
            server = await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            if not hall_of(ServerSettings.of(server.settings)):
                await connection.execute(delete(halls).where(halls.c.guild_id == guild_id))
