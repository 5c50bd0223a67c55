"""Heartbeats: the stored times of processes, used to adjust other stored times to the wall clock.

Time counts only while the bot runs and the clock is right. Each heartbeat stores its time; the gap
from an outage or a clock change is added to every stored time.
Where several processes share the work, each adjusts the matches of its own shards, so that an
outage of one of them is detected.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import ColumnElement, True_, bindparam, delete, select, update

from bot.domain.models import MatchStatus
from bot.domain.steady_clock import OUTAGE_SECONDS, SteadyClock
from bot.services.clocks import days_off_changes
from bot.services.events import ClockShifted, SharedClockShifted
from bot.services.rows import MatchRow
from bot.shards import Shards
from bot.storage.connection import Connection
from bot.storage.database import Database, upsert
from bot.storage.heartbeats import ANY_HEARTBEAT, HEARTBEAT
from bot.storage.hooks import publish
from bot.storage.schema import (
    absences,
    computer_jobs,
    earlier_clocks,
    facts,
    matches,
    outbox,
    seats,
    timers,
)
from engine import games

log = logging.getLogger(__name__)

HEARTBEAT_CLOCK_SKEW_SECONDS = 15.0
"""Maximum difference in seconds between the clocks of two processes, in either direction."""

MatchCondition = Callable[[ColumnElement[int]], ColumnElement[bool]]
"""Returns a condition of the match with a number."""

ABSENT = "absent:"
"""Begins the names of facts about games that are not installed; the value is since when."""

_RUNNING = select(matches.c.id).where(matches.c.status == MatchStatus.RUNNING)
"""The matches with clocks: most of all seats are of others, whose times stay."""

_ABSENT_GAMES = select(facts).where(facts.c.name.like(f"{ABSENT}%"))
_GAMES_IN_PROGRESS = (
    select(matches.c.game).where(matches.c.status == MatchStatus.RUNNING).distinct()
)
_HEARTBEATS = select(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
_ONE_HEARTBEAT = select(facts.c.value).where(facts.c.name == bindparam("shard"))
_ANYWHERE = select(facts.c.name, facts.c.value).where(facts.c.name == ANY_HEARTBEAT)


class Heartbeats:
    """Records the heartbeats of a process.

    Args:
        clock: the time in UTC seconds; a `SteadyClock` is synchronised with the wall clock here.
    """

    def __init__(self, database: Database, clock: Callable[[], float], shards: Shards) -> None:
        self._database = database
        self._clock = clock
        self._steady = SteadyClock.of(clock)
        self.shards = shards
        self._has_followed_games = False

    async def record(self) -> None:
        """Store the time, and leave out times that must not count.

        These are gaps since the last heartbeat, and at the first one of this process the time when
        a game was not installed, for its matches.
        """
        await self._record()
        if not self._has_followed_games:
            await self._follow_games()
            self._has_followed_games = True

    async def _follow_games(self) -> None:
        """Note since when a game is not installed, and let the clocks of one that is back go on."""
        async with self._database.read() as connection:
            absent = await _absent_games(connection)
            in_progress = (await connection.execute(_GAMES_IN_PROGRESS)).scalars().all()
        if all((game in absent) != games.is_installed(game) for game in {*absent, *in_progress}):
            return
        async with self._database.write(exclusive=True) as connection:
            absent, now = await _absent_games(connection), self._clock()
            for game in in_progress:
                if game not in absent and not games.is_installed(game):
                    await upsert(connection, facts, name=f"{ABSENT}{game}", value=repr(now))
            for game, since in absent.items():
                if games.is_installed(game):
                    log.warning("%.0f s are not counted: %s was not installed", now - since, game)
                    await _shift_times(connection, _of_games([game]), since, now - since, since)
                    name = f"{ABSENT}{game}"
                    await connection.execute(delete(facts).where(facts.c.name == name))

    async def _record(self) -> None:
        """Store the time, and add a gap since the last heartbeat to all times of these shards.

        If there is a gap, the clock is synchronised inside the transaction, so that no other
        transaction of this process combines an adjusted time with the old clock, or an old time
        with the new one. If nothing could be stored, the clock does not change.
        """
        now, steady = self._steady.wall(), self._steady()
        async with self._database.write() as connection:
            gaps = _gaps(await self._last_heartbeats(connection, now), now)
            if not gaps:
                await self._note(connection, now)
        if not gaps:
            self._steady.synchronise(now)
            return
        before = self._steady.synchronised
        try:
            async with self._database.write(exclusive=True) as connection:
                await self._adjust(connection, now, steady)
                await self._note(connection, now)
                self._steady.synchronise(now)
        except BaseException:
            self._steady.synchronised = before
            raise

    async def stand_still(self) -> None:
        """Stop the clock at the last heartbeat until the next one: nothing can be stored now.

        Stored times have not been moved yet, so the time since then must not count.
        """
        async with self._database.read() as connection:
            beats = {row.name: float(row.value) for row in await connection.execute(_HEARTBEATS)}
        own_beats = [beats[name] for name in self._beats() if name in beats] or list(beats.values())
        if own_beats:
            self._steady.stand_still(min(own_beats))

    @asynccontextmanager
    async def write_in_step(self) -> AsyncIterator[Connection]:
        """Begin a transaction that changes times of several processes, and hold the write lock.

        Another process may have noticed before this one that the clock was set. It has moved all
        absences by then, so this process records a heartbeat before it stores or reads one.
        """
        async with self._database.write(exclusive=True) as connection:
            beats = {name: float(value) for name, value in await connection.execute(_ANYWHERE)}
            if not _gaps(beats, self._clock()):
                yield connection
                return
        await self.record()
        async with self._database.write(exclusive=True) as connection:
            yield connection

    async def time_of(self, connection: Connection, row: MatchRow) -> float:
        """Return the present in the stored times of a match.

        The times of a match that another process serves follow when that process records its next
        heartbeat. Until then its last heartbeat is their present, if it is beyond the tolerance.
        """
        now, shard = self._clock(), self.shards.of(row.guild_id)
        if shard in self.shards.ids:
            return now
        name = f"{HEARTBEAT}:{self.shards.count}:{shard}"
        result = await connection.execute(_ONE_HEARTBEAT, {"shard": name})
        last = float(result.scalar_one_or_none() or now)
        return last if _gaps({name: last}, now) else now

    async def hand_over(self, connection: Connection, row: MatchRow) -> None:
        """Adjust the stored times of a match before another process serves it.

        A gap of the process that has served it until now would never be added to them later.
        """
        last = await self.time_of(connection, row)
        if gap := self._clock() - last:
            await _shift_times(connection, lambda number: number == row.id, last, gap, last)

    async def _adjust(self, connection: Connection, now: float, steady: float) -> None:
        """Add the gaps to all times that they affect.

        If this process recorded the last heartbeat, its steady clock shows by how many seconds the
        clock was set, and the time since that heartbeat counts.
        """
        gaps = _gaps(await self._last_heartbeats(connection, now), now)
        for name, last in gaps.items():
            is_ours = last == self._steady.synchronised[0]
            gap = now - (max(last, steady) if is_ours else last)
            if name == ANY_HEARTBEAT:
                later = update(absences).where(absences.c.ends_at > min(last, now))
                shifted = {
                    "ends_at": absences.c.ends_at + gap,
                    "started_at": absences.c.started_at + gap,
                }
                await connection.execute(later.values(**shifted))
                await publish(connection, SharedClockShifted(gap))
                log.warning("vacations are moved by %.0f s: an outage, or a clock was set", gap)
                continue
            log.warning("%.0f s are not counted: an outage, or a clock was set", gap)
            shard = Shards(self.shards.count, (int(name.rsplit(":", 1)[1]),))
            affected = await _without_absent_games(connection, _served_by(shard))
            await _shift_times(connection, affected, last, gap, now - gap)
            await publish(connection, ClockShifted(shard, last, gap))

    async def _note(self, connection: Connection, now: float) -> None:
        for name in (*self._beats(), ANY_HEARTBEAT):
            await upsert(connection, facts, name=name, value=repr(now))

    async def _last_heartbeats(self, connection: Connection, now: float) -> dict[str, float]:
        """Return the last heartbeats of these shards, and the last one of any process, by name.

        Heartbeats under another number of shards are replaced: they count for every shard once.
        """
        beats = {row.name: float(row.value) for row in await connection.execute(_HEARTBEATS)}
        latest = max(beats.values(), default=now)
        anywhere = beats.pop(ANY_HEARTBEAT, latest)
        prefix = f"{HEARTBEAT}:{self.shards.count}:"
        if foreign := {name for name in beats if not name.startswith(prefix)}:
            last = max(beats[name] for name in foreign)
            for shard in range(self.shards.count):
                beats[f"{prefix}{shard}"] = max(last, beats.get(f"{prefix}{shard}", last))
                await upsert(
                    connection,
                    facts,
                    name=f"{prefix}{shard}",
                    value=repr(beats[f"{prefix}{shard}"]),
                )
            await connection.execute(delete(facts).where(facts.c.name.in_(foreign)))
        return {name: beats.get(name, now) for name in self._beats()} | {ANY_HEARTBEAT: anywhere}

    def _beats(self) -> list[str]:
        return [f"{HEARTBEAT}:{self.shards.count}:{shard}" for shard in self.shards.ids]


def _gaps(heartbeats: dict[str, float], now: float) -> dict[str, float]:
    """Return the heartbeats that differ from the present by more than their tolerance.

    The last heartbeat of any process may be from a machine whose clock is ahead. So it has a larger
    tolerance; otherwise each process would undo the adjustment of the other.
    """

    def is_far(name: str, last: float) -> bool:
        skew = OUTAGE_SECONDS if name == ANY_HEARTBEAT else HEARTBEAT_CLOCK_SKEW_SECONDS
        return not -skew <= now - last <= OUTAGE_SECONDS

    return {name: last for name, last in heartbeats.items() if is_far(name, last)}


async def _shift_times(
    connection: Connection, affected: MatchCondition, last: float, gap: float, before: float
) -> None:
    """Add `gap` seconds to all times after `last` in some matches.

    With a clock set back, times that became due after the new present must stay due, so they are
    moved as well. Leases of messages stay: the workers know that the clock was set.

    Args:
        affected: returns the condition that a match is affected.
        last: the UTC time of the last heartbeat.
        gap: seconds that do not count.
        before: the UTC time at the beginning of the gap.
    """
    since = min(last, last + gap)
    of_days_off = await days_off_changes(connection, affected, before, gap)
    changes = (
        update(timers).where(timers.c.due_at > since).values(due_at=timers.c.due_at + gap),
        update(matches)
        .where(matches.c.status == MatchStatus.CHALLENGE, matches.c.expires_at > since)
        .values(expires_at=matches.c.expires_at + gap),
        *(
            update(clocks)
            .where(clocks.c.match_id.in_(_RUNNING), clocks.c.clock_started_at.is_not(None))
            .values(clock_started_at=clocks.c.clock_started_at + gap)
            for clocks in (seats, earlier_clocks)
        ),
        # After an outage messages and turns are due at once; with a clock set back they would wait.
        update(outbox)
        .where(outbox.c.next_attempt_at > since)
        .values(next_attempt_at=outbox.c.next_attempt_at + min(gap, 0.0)),
        update(computer_jobs)
        .where(computer_jobs.c.lease_expires_at > since)
        .values(lease_expires_at=computer_jobs.c.lease_expires_at + min(gap, 0.0)),
    )
    for change in changes:
        number = change.table.c["id" if change.table is matches else "match_id"]
        await connection.execute(change.where(affected(number)))
    for change in of_days_off:
        await connection.execute(change)


async def _absent_games(connection: Connection) -> dict[str, float]:
    """Return game → UTC time since when it is not installed."""
    rows = (await connection.execute(_ABSENT_GAMES)).all()
    return {row.name.removeprefix(ABSENT): float(row.value) for row in rows}


async def _without_absent_games(connection: Connection, affected: MatchCondition) -> MatchCondition:
    """Return a condition without matches whose times move when their game is installed again."""
    if not (absent := await _absent_games(connection)):
        return affected
    waits = _of_games([*absent])
    return lambda number: affected(number) & ~waits(number)


def _of_games(names: Sequence[str]) -> MatchCondition:
    """Return the condition that a match is of one of these games."""
    is_open = matches.c.status.in_((MatchStatus.CHALLENGE, MatchStatus.RUNNING))
    of_games = select(matches.c.id).where(is_open, matches.c.game.in_(names)).correlate(None)
    return lambda number: number.in_(of_games)


def _served_by(shards: Shards) -> MatchCondition:
    """Return the condition that a match is on these shards, checked only for changed rows."""
    served = matches.alias()

    def is_served(number: ColumnElement[int]) -> ColumnElement[bool]:
        condition = shards.serve(served.c.guild_id)
        if isinstance(condition, True_):
            return condition
        return select(served.c.id).where(served.c.id == number, condition).exists()

    return is_served
