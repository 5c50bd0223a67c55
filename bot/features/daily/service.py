"""The position of the day in channels: posted, answered in private, and solved.

A day ends at `CLOSING_HOUR` UTC, and has the number of the date on which it ends. A row of
`daily_positions` is the message in one channel on one day; its status gives the next step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Select, case, delete, false, func, insert, or_, select, update

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.outbox import mark_of, nonce_of
from bot.rulebook.positions import CLOSING_HOUR, find, key_of, of_day
from bot.services.preferences import change_preference, preferences_of
from bot.services.servers import ServerSettings
from bot.storage.connection import Connection
from bot.storage.database import Database, get_or_create, upsert
from bot.storage.due import NOW, finds_any, has_come
from bot.storage.schema import daily_answers, daily_positions, guilds, leaderboard_entries

OPTION = "daily"
"""Name of the server setting with the ID of the channel; 0 for none."""

TOPIC = "daily"
"""Notified when a position of the day may be due."""

MIN_OPEN_SECONDS = 12 * HOUR
"""Minimum seconds to answer: a position posted later stays open until the next day ends."""

FAR_SECONDS = 2.0 * DAY
"""A position closes within 36 hours: one that closes later was posted when the clock was ahead."""

KEEP_SECONDS = 35.0 * DAY
"""Seconds to keep answers after the end of their day: the table of a month needs all of it."""

STREAK = "daily streak"
"""Key of a preference: the last day that the player has answered, and the length of the streak."""

TABLE_LIMIT = 10
"""Maximum number of players in the table of a month."""

EPOCH = date(1970, 1, 1)
"""Day 0."""

LONGEST_MONTH_DAYS = 31

BATCH_SIZE = 50
"""Maximum number of messages, and of new positions, in one batch."""

_DAILY = daily_positions.c


class DailyStatus(StrEnum):
    """The progress of a position of the day."""

    WAITING = "waiting"
    """It has not been posted, or its posting is unconfirmed."""
    OPEN = "open"
    CLOSED = "closed"
    """It accepts no more answers, and its solution has not been shown yet."""
    SOLVED = "solved"


_is_past = partial(has_come, most=FAR_SECONDS)


def _is_ahead(time: float, now: float) -> bool:
    """Return whether a time is still to come: the opposite of `_is_past`."""
    return now < time <= now + FAR_SECONDS


_UNFINISHED = (
    select(daily_positions)
    .where(
        or_(
            _DAILY.status.in_((DailyStatus.WAITING, DailyStatus.CLOSED)),
            (_DAILY.status == DailyStatus.OPEN) & _is_past(_DAILY.closes_at),
        )
    )
    .order_by(_DAILY.id)
    .limit(BATCH_SIZE)
)
_DUE = (
    select(guilds.c.guild_id)
    .where(_is_past(guilds.c.daily_due_at))
    .order_by(guilds.c.daily_due_at)
    .limit(BATCH_SIZE)
)
_EXPIRED = (
    select(_DAILY.id)
    .where(_DAILY.status == DailyStatus.SOLVED, _DAILY.closes_at < NOW - KEEP_SECONDS)
    .limit(BATCH_SIZE)
)

DAILY_DUE = finds_any(_UNFINISHED, _DUE, _EXPIRED)


class DailyPosition(NamedTuple):
    """A row of `daily_positions`, which also implements `bot.domain.outbox.Delivery`."""

    id: int
    guild_id: GuildId
    channel_id: ChannelId
    day: int
    position: str
    status: str
    first_attempt_at: float
    closes_at: float
    message_id: int | None
    key: str

    @property
    def mark(self) -> int:
        """Return the component id that marks its message."""
        return mark_of(self.key)

    def nonce(self, channel_id: ChannelId) -> str:
        """Return the nonce of its message."""
        return nonce_of(self.key, channel_id)

    def is_open(self, now: float) -> bool:
        """Return whether it can be answered."""
        posted = self.status in (DailyStatus.WAITING, DailyStatus.OPEN)
        return posted and _is_ahead(self.closes_at, now)


class MonthScore(NamedTuple):
    """The answers of a player in a month: how many found the best choice, of how many."""

    name: str
    right: int
    answered: int


class MonthTable(NamedTuple):
    """The answers on a server in a month.

    Attributes:
        first: number of the first day.
        days: number of days whose position is solved.
        places: the listed players with the most right answers, the best first.
        reader: the reader's answers.
    """

    first: int
    days: int
    places: Sequence[MonthScore]
    reader: MonthScore


class Shares(NamedTuple):
    """The number of answers for each choice, the most frequent first."""

    counts: Sequence[tuple[str, int]] = ()

    @property
    def total(self) -> int:
        """Return the number of answers."""
        return sum(count for _line, count in self.counts)

    def of(self, line: str) -> int:
        """Return the number of answers with a choice."""
        return dict(self.counts).get(line, 0)


def channel_of(settings: ServerSettings) -> ChannelId:
    """Return the ID of the channel that a server has chosen; 0 for none."""
    channel_id: ChannelId = settings.stored.get(OPTION, 0)
    return channel_id


def closing_time(now: float) -> float:
    """Return the closing time of a position that is posted now.

    Example:
        >>> noon = 86_400.0 * 20_000 + 3600 * 12
        >>> [(closing_time(noon + hours * 3600) - noon) / 3600 for hours in (-12.5, -11.5, 0)]
        [0.0, 24.0, 24.0]
    """
    first = now + MIN_OPEN_SECONDS - CLOSING_HOUR * HOUR
    return (first // DAY + 1) * DAY + CLOSING_HOUR * HOUR


def day_of(closes_at: float) -> int:
    """Return the number of the day that ends at a time."""
    return int(closes_at // DAY)


class DailyPositions:
    """Chooses the channels, and stores the positions and their answers."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def choose(self, guild_id: GuildId, channel_id: ChannelId) -> None:
        """Choose the channel of a server for positions of the day; 0 switches them off.

        An open position still gets its solution, even in another channel.
        """
        due = self._clock() if channel_id else None
        async with self._database.write() as connection:
            server = await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            settings = server.settings | {OPTION: channel_id}
            await upsert(connection, guilds, guild_id=guild_id, settings=settings, daily_due_at=due)
            self._database.notify(TOPIC)

    # Answers

    async def get(self, daily_id: int) -> DailyPosition | None:
        """Return a position; None if it is no longer kept."""
        async with self._database.read() as connection:
            row = (await connection.execute(_one(daily_id))).one_or_none()
        return None if row is None else DailyPosition(*row)

    async def answer(self, daily_id: int, user_id: UserId, line: str) -> int:
        """Store a user's answer, replacing an earlier one.

        Returns:
            The number of days in a row with an answer; 0 if the position was no longer open.
        """
        async with self._database.write() as connection:
            row = (await connection.execute(_one(daily_id).with_for_update())).one_or_none()
            now = self._clock()
            if row is None or not DailyPosition(*row).is_open(now):
                return 0
            key = {"daily_id": daily_id, "user_id": user_id}
            await upsert(connection, daily_answers, **key, line=line, answered_at=now)
            return await _lengthen_streak(connection, user_id, row.day)

    async def answer_of(self, daily_id: int, user_id: UserId) -> str:
        """Return a user's answer; empty if there is none."""
        is_answer = (daily_answers.c.daily_id == daily_id) & (daily_answers.c.user_id == user_id)
        async with self._database.read() as connection:
            result = await connection.execute(select(daily_answers.c.line).where(is_answer))
            return result.scalar() or ""

    async def month(self, daily: DailyPosition, user_id: UserId) -> MonthTable:
        """Return the table of the month of a position, in its server.

        Only solved positions count, so it reveals nothing about an open one. Besides the reader it
        names only players who want to be listed on the leaderboards of the server.
        """
        first, following = month_of(daily.day)
        in_month = (_DAILY.guild_id == daily.guild_id) & (_DAILY.day >= first)
        in_month &= (_DAILY.day < following) & (_DAILY.status == DailyStatus.SOLVED)
        positions = select(_DAILY.id, _DAILY.day, _DAILY.position).where(in_month)
        async with self._database.read() as connection:
            rows = list(await connection.execute(positions))
            best = {row.id: best_of(row.position) for row in rows}
            counts = _counted(best).subquery()
            listed = (
                select(leaderboard_entries.c.name, counts.c.right, counts.c.answered)
                .join(counts, counts.c.user_id == leaderboard_entries.c.user_id)
                .where(leaderboard_entries.c.guild_id == daily.guild_id)
                .order_by(counts.c.right.desc(), counts.c.answered, leaderboard_entries.c.user_id)
                .limit(TABLE_LIMIT)
            )
            places = [MonthScore(*row) for row in await connection.execute(listed)]
            reader = select(counts.c.right, counts.c.answered).where(counts.c.user_id == user_id)
            score = (await connection.execute(reader)).one_or_none()
        days = len({row.day for row in rows})
        return MonthTable(first, days, places, MonthScore("", *(score or (0, 0))))

    # For `posts.py`

    async def unfinished(self) -> list[DailyPosition]:
        """Return the positions to post or to solve, the oldest first."""
        async with self._database.read() as connection:
            rows = await connection.execute(_UNFINISHED, {"now": self._clock()})
            return [DailyPosition(*row) for row in rows]

    async def due(self) -> list[GuildId]:
        """Return servers where a new position is due."""
        async with self._database.read() as connection:
            return list((await connection.execute(_DUE, {"now": self._clock()})).scalars())

    async def begin(self, guild_id: GuildId) -> DailyPosition | None:
        """Store the position of the day of a server, to be posted now.

        Returns:
            None if its channel has an open one, or the server has none.
        """
        now = self._clock()
        closes_at, is_server = closing_time(now), guilds.c.guild_id == guild_id
        async with self._database.write() as connection:
            server = await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            channel_id = channel_of(ServerSettings.of(server.settings))
            due_at = server.daily_due_at
            if due_at is None or _is_ahead(due_at, now) or not channel_id:
                return None
            in_channel = (_DAILY.guild_id == guild_id) & (_DAILY.channel_id == channel_id)
            last = select(func.max(_DAILY.closes_at)).where(in_channel, ~_is_past(_DAILY.closes_at))
            last_closing = (await connection.execute(last, {"now": now})).scalar()
            later = update(guilds).where(is_server).values(daily_due_at=last_closing or closes_at)
            await connection.execute(later)
            if last_closing:
                return None
            row: dict[str, Any] = {
                "guild_id": guild_id,
                "channel_id": channel_id,
                "day": day_of(closes_at),
                "position": key_of(of_day(day_of(closes_at))),
                "status": DailyStatus.WAITING,
                "first_attempt_at": now,
                "closes_at": closes_at,
            }
            new = insert(daily_positions).values(row).returning(daily_positions)
            return DailyPosition(*(await connection.execute(new)).one())

    async def posted(self, daily_id: int, message_id: int) -> None:
        """Store the message of a position."""
        query = update(daily_positions).where(
            daily_positions.c.id == daily_id, daily_positions.c.status == DailyStatus.WAITING
        )
        async with self._database.write() as connection:
            await connection.execute(query.values(message_id=message_id, status=DailyStatus.OPEN))

    async def close(self, daily_id: int) -> Shares:
        """Close a position to answers, and return the answers."""
        is_position, line = daily_positions.c.id == daily_id, daily_answers.c.line
        counted = select(line).where(daily_answers.c.daily_id == daily_id)
        async with self._database.write() as connection:
            closed = update(daily_positions).where(is_position).values(status=DailyStatus.CLOSED)
            await connection.execute(closed)
            lines = Counter((await connection.execute(counted)).scalars())
        return Shares(tuple(sorted(lines.items(), key=lambda pair: (-pair[1], pair[0]))))

    async def solved(self, daily_id: int) -> None:
        """Store that the solution of a position is shown, or cannot be."""
        query = update(daily_positions).where(daily_positions.c.id == daily_id)
        async with self._database.write() as connection:
            await connection.execute(query.values(status=DailyStatus.SOLVED))

    async def drop(self, daily_id: int) -> None:
        """Delete a position that cannot be posted."""
        async with self._database.write() as connection:
            await connection.execute(
                delete(daily_positions).where(daily_positions.c.id == daily_id)
            )

    async def delete_expired(self) -> None:
        """Delete positions that were solved some time ago, with their answers."""
        async with self._database.read() as connection:
            expired = await connection.execute(_EXPIRED, {"now": self._clock()})
            ids = list(expired.scalars())
        if ids:
            async with self._database.write() as connection:
                await connection.execute(delete(daily_positions).where(_DAILY.id.in_(ids)))


def month_of(day: int) -> tuple[int, int]:
    """Return the first day of the month of a day, and that of the next month.

    Example:
        >>> month_of(20_000)  # 2024-10-04
        (19997, 20028)
    """
    first = (EPOCH + timedelta(day)).replace(day=1)
    following = (first + timedelta(LONGEST_MONTH_DAYS)).replace(day=1)
    return (first - EPOCH).days, (following - EPOCH).days


def best_of(position: str) -> str:
    """Return the best choice of a position; empty if this release no longer has it."""
    place = find(position)
    return place.step.values[0][0] if place else ""


def _counted(best: Mapping[int, str]) -> Select[Any]:
    """Return a query for the answers of each user to some positions, and how many are right."""
    answer = daily_answers.c
    is_right = (
        (answer.daily_id == number) & (answer.line == line) for number, line in best.items()
    )
    right = or_(false(), *is_right)
    return (
        select(
            answer.user_id,
            func.sum(case((right, 1), else_=0)).label("right"),
            func.count().label("answered"),
        )
        .where(answer.daily_id.in_([*best]))
        .group_by(answer.user_id)
    )


async def _lengthen_streak(connection: Connection, user_id: UserId, day: int) -> int:
    """Count an answer to a position of a day; return the length of the streak."""
    stored = (await preferences_of(connection, user_id)).get(STREAK, "0 0")
    last, length = map(int, stored.split())
    if last < day:
        length = length + 1 if last == day - 1 else 1
        await change_preference(connection, user_id, STREAK, f"{day} {length}")
    return length


def _one(daily_id: int) -> Any:
    return select(daily_positions).where(daily_positions.c.id == daily_id)
