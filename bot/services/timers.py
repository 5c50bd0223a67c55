"""Timers: rows set for a version of a match, which is checked when they fire.

Time counts only while the bot runs and the clock is right. Each heartbeat stores its time; a gap
between two heartbeats, whether an outage or a clock that was set, is added to every stored time.
Where several processes share the work, each adjusts the matches of its own shards, so that an
outage of one of them is detected.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from functools import partial

from sqlalchemy import Delete, Update, delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.failures import count_failure
from bot.logs import log_context
from bot.services.challenges import Challenges
from bot.services.deadlines import Deadlines
from bot.services.models import TimerKind
from bot.services.nudges import Nudges
from bot.services.steady_clock import SteadyClock
from bot.services.stored import StoredMatch, StoredTimer
from bot.services.transactions import load
from bot.services.versions import is_outdated
from bot.shards import Shards
from bot.storage.connection import Connection
from bot.storage.database import Database, upsert
from bot.storage.due import NOW
from bot.storage.heartbeats import ANY_HEARTBEAT, HEARTBEAT
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

log = logging.getLogger(__name__)

OUTAGE_SECONDS = 120.0
"""Gap between heartbeats that counts as an outage."""

HEARTBEAT_CLOCK_SKEW_SECONDS = 15.0
"""Seconds by which the clocks of two processes may differ, in either direction."""

ERROR_PAUSE_SECONDS = 60.0
"""Seconds until a timer that failed with a bug is retried, times the number of such errors."""

LONGEST_ERROR_PAUSE_SECONDS = 3600.0

MAX_ERRORS = 100
"""Maximum errors before a timer is dropped, after about three days."""

_HEARTBEATS = select(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))

TimerHandler = Callable[[Connection, StoredMatch, str, int], Awaitable[None]]
"""Called with the match, the seat and the version for which the timer was set."""


class Timers:
    """Fires due timers and records heartbeats.

    Args:
        database: the database that holds the timers.
        challenges: handles timers of challenges.
        deadlines: handles timers of decisions.
        nudges: handles timers of nudges.
        clock: the time in UTC seconds; a `SteadyClock` is synchronised with the wall clock here.
        shards: the shards whose matches are served.
    """

    def __init__(
        self,
        database: Database,
        challenges: Challenges,
        deadlines: Deadlines,
        nudges: Nudges,
        clock: Callable[[], float] = time.time,
        *,
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        self._database = database
        self._clock = SteadyClock.of(clock)
        self._shards = shards
        self._due = (
            select(timers)
            .join(matches, matches.c.id == timers.c.match_id)
            .where(timers.c.due_at <= NOW, shards.serve(matches.c.guild_id))
            .order_by(timers.c.due_at)
        )
        self._handlers: Mapping[str, TimerHandler] = {
            TimerKind.EXPIRE: challenges.expire,
            TimerKind.FLAG: deadlines.out_of_time,
            TimerKind.WARN: deadlines.warn,
            TimerKind.PING: deadlines.ping,
            TimerKind.REMIND: deadlines.remind,
            TimerKind.SNOOZE: partial(deadlines.remind, kind=TimerKind.SNOOZE),
            TimerKind.NUDGE: nudges.nudge_late,
            TimerKind.NUDGED: _expire,
            TimerKind.ABANDON: _expire,
            TimerKind.SERIES: challenges.remind,
        }

    async def fire(self) -> int:
        """Fire all due timers and return their number; a failing timer does not delay others."""
        await self.record_heartbeat()
        async with self._database.read() as connection:
            rows = await connection.execute(self._due, {"now": self._clock()})
            found = [StoredTimer(*row) for row in rows]
        return sum([await self._fire(timer) for timer in found])

    async def _fire(self, timer: StoredTimer) -> bool:
        """Run and delete a timer in one transaction; return whether it fired here.

        So it fires once even if several processes try, and again if a process dies while firing.
        """
        same = [timers.c[name] == value for name, value in asdict(timer).items()]
        with log_context(match=timer.match_id):
            try:
                async with self._database.write() as connection:
                    row = await load(connection, timer.match_id)
                    fired = bool((await connection.execute(delete(timers).where(*same))).rowcount)
                    if fired and row and not is_outdated(row):
                        handler = self._handlers[timer.kind]
                        await handler(connection, row, timer.seat, timer.version)
            except SQLAlchemyError as error:
                log.warning("timer postponed: %s", error)
                count_failure("timer", error)
                return False
            except Exception as error:  # noqa: BLE001 - a bug, which is logged once
                await self._retry_later(timer, error)
                return False
        if fired:
            metrics.TIMER_LAG.observe(max(0.0, self._clock() - timer.due_at))
        return fired

    async def _retry_later(self, timer: StoredTimer, error: Exception) -> None:
        """Postpone a timer that failed with a bug; drop it after `MAX_ERRORS` failures."""
        count_failure("timer", error)
        errors = (timer.errors or 0) + 1
        if errors == 1:
            log.error("timer “%s” failed", timer.kind, exc_info=error)
        same = timers.c.id == timer.id, timers.c.kind == timer.kind, timers.c.due_at == timer.due_at
        pause = min(ERROR_PAUSE_SECONDS * errors, LONGEST_ERROR_PAUSE_SECONDS)
        again = {"errors": errors, "due_at": self._clock() + pause}
        change: Update | Delete = update(timers).values(**again)
        if errors >= MAX_ERRORS:
            metrics.GIVEN_UP.labels("timer").inc()
            log.warning("timer “%s” dropped: %s", timer.kind, type(error).__name__)
            change = delete(timers)
        try:
            async with self._database.write() as connection:
                await connection.execute(change.where(*same))
        except SQLAlchemyError as unreachable:
            log.warning("timer not recorded, it fires again: %s", unreachable)

    async def record_heartbeat(self) -> None:
        """Store the time, and add a gap since the last heartbeat to all times of these shards.

        The clock is synchronised inside the transaction, so that no other transaction of this
        process combines an adjusted time with the old clock, or an old time with the new one.
        """
        now = self._clock.wall()
        async with self._database.write() as connection:
            if not _gaps(await self._last_heartbeats(connection, now), now):
                await self._note(connection, now)
                self._clock.synchronise(now)
                return
        before = self._clock()
        try:
            async with self._database.write(exclusive=True) as connection:
                await self._adjust(connection, now)
                await self._note(connection, now)
                self._clock.synchronise(now)
        except BaseException:
            self._clock.synchronise(before)
            raise

    async def _adjust(self, connection: Connection, now: float) -> None:
        """Add the gaps to all times that they affect."""
        gaps = _gaps(await self._last_heartbeats(connection, now), now)
        for name, last in gaps.items():
            if name == ANY_HEARTBEAT:
                later = update(absences).where(absences.c.ends_at > min(last, now))
                gap = now - last
                shifted = {
                    "ends_at": absences.c.ends_at + gap,
                    "started_at": absences.c.started_at + gap,
                }
                await connection.execute(later.values(**shifted))
                continue
            log.warning("%.0f s are not counted: an outage, or a clock was set", now - last)
            shard = int(name.rsplit(":", 1)[1])
            await _shift_times(connection, Shards(self._shards.count, (shard,)), last, now - last)

    async def _note(self, connection: Connection, now: float) -> None:
        for name in (*self._beats(), ANY_HEARTBEAT):
            await upsert(connection, facts, name=name, value=repr(now))

    async def _last_heartbeats(self, connection: Connection, now: float) -> dict[str, float]:
        """Return the last heartbeats of these shards, and that of any process, by name.

        Heartbeats under another number of shards are replaced: they count for every shard once.
        """
        beats = {row.name: float(row.value) for row in await connection.execute(_HEARTBEATS)}
        every = max(beats.values(), default=now)
        anywhere = beats.pop(ANY_HEARTBEAT, every)
        ours = f"{HEARTBEAT}:{self._shards.count}:"
        if others := {name for name in beats if not name.startswith(ours)}:
            last = max(beats[name] for name in others)
            for shard in range(self._shards.count):
                beats[f"{ours}{shard}"] = max(last, beats.get(f"{ours}{shard}", last))
                await upsert(
                    connection, facts, name=f"{ours}{shard}", value=repr(beats[f"{ours}{shard}"])
                )
            await connection.execute(delete(facts).where(facts.c.name.in_(others)))
        return {name: beats.get(name, now) for name in self._beats()} | {ANY_HEARTBEAT: anywhere}

    def _beats(self) -> list[str]:
        return [f"{HEARTBEAT}:{self._shards.count}:{shard}" for shard in self._shards.ids]


async def _expire(_connection: Connection, _row: StoredMatch, _seat: str, _version: int) -> None:
    """Do nothing: the timer only marks a period, which is over when it fires."""


def _gaps(heartbeats: dict[str, float], now: float) -> dict[str, float]:
    """Return the heartbeats that are too far from the present."""
    return {
        name: last
        for name, last in heartbeats.items()
        if not -HEARTBEAT_CLOCK_SKEW_SECONDS <= now - last <= OUTAGE_SECONDS
    }


async def _shift_times(connection: Connection, shards: Shards, last: float, gap: float) -> None:
    """Add `gap` seconds to all times after `last` in the matches of some shards.

    With a clock set back, what has been due since the present must stay due, so it is moved, too.
    """
    since = min(last, last + gap)
    theirs = select(matches.c.id).where(shards.serve(matches.c.guild_id))
    changes = (
        update(timers).where(timers.c.due_at > since).values(due_at=timers.c.due_at + gap),
        update(matches)
        .where(matches.c.expires_at > since)
        .values(expires_at=matches.c.expires_at + gap),
        *(
            update(clocks)
            .where(clocks.c.clock_started_at.is_not(None))
            .values(clock_started_at=clocks.c.clock_started_at + gap)
            for clocks in (seats, earlier_clocks)
        ),
        # After an outage messages and turns are due at once; with a clock set back they would wait.
        update(outbox)
        .where(outbox.c.next_attempt_at > since)
        .values(next_attempt_at=outbox.c.next_attempt_at + min(gap, 0.0)),
        update(outbox)
        .where(outbox.c.lease_expires_at > since)
        .values(lease_expires_at=outbox.c.lease_expires_at + gap),
        update(computer_jobs)
        .where(computer_jobs.c.lease_expires_at > since)
        .values(lease_expires_at=computer_jobs.c.lease_expires_at + min(gap, 0.0)),
    )
    for change in changes:
        number = change.table.c["id" if change.table is matches else "match_id"]
        await connection.execute(change.where(number.in_(theirs)))
