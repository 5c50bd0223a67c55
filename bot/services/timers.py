"""Timers: rows set for a version of a match, which is checked when they fire."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from math import inf
from typing import Any

from sqlalchemy import (
    BindParameter,
    Delete,
    Float,
    Integer,
    Update,
    bindparam,
    delete,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.domain.ids import Version
from bot.domain.models import TimerKind
from bot.domain.outbox import PostedKind
from bot.failures import count_failure
from bot.logs import log_context
from bot.services.challenges import Challenges
from bot.services.deadlines import Deadlines
from bot.services.heartbeats import Heartbeats
from bot.services.match_store import load
from bot.services.nudges import Nudges
from bot.services.requests import close
from bot.services.rows import MatchRow, TimerRow
from bot.services.silence import Silence
from bot.shards import Shards
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.due import NOW
from bot.storage.schema import matches, timers
from engine import games

log = logging.getLogger(__name__)

ERROR_PAUSE_SECONDS = 60.0
"""Seconds until a timer that failed with a bug is retried, times the number of such errors."""

LONGEST_ERROR_PAUSE_SECONDS = 3600.0

MAX_ERRORS = 100
"""Maximum errors before a timer is dropped, after about three days."""

MAX_AT_ONCE = 500
"""Timers that fire between two heartbeats, in about 1 s: the time that thousands take, late after a
restart, is no outage."""

TOGETHER = 20
"""Number of timers that fire in one transaction if as many are due, as after an outage: waiting for
the disk takes longer than most of them. On PostgreSQL, other writers wait meanwhile."""

_LAST_DUE = bindparam("last_due", type_=Float)
_LAST_ID = bindparam("last_id", type_=Integer)
_GAMES: BindParameter[Sequence[str]] = bindparam("games", expanding=True)
"""The installed games: timers of other matches wait."""

TimerHandler = Callable[[Connection, MatchRow, str, Version], Awaitable[None]]
"""Called with the match, the seat and the version that the timer was set for."""


class Timers:
    """Fires due timers after each heartbeat.

    Args:
        silence: handles timers of overdue decisions.
        clock: the time in UTC seconds; see `Heartbeats`.
    """

    def __init__(
        self,
        database: Database,
        challenges: Challenges,
        deadlines: Deadlines,
        nudges: Nudges,
        silence: Silence,
        *,
        clock: Callable[[], float] = time.time,
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        self._database = database
        self._clock = clock
        self.heartbeats = Heartbeats(database, clock, shards)
        self._due = (
            select(timers)
            .join(matches, matches.c.id == timers.c.match_id)
            .where(timers.c.due_at <= NOW, timers.c.due_at >= _LAST_DUE)
            .where(or_(timers.c.due_at > _LAST_DUE, timers.c.id > _LAST_ID))
            .where(shards.serve(matches.c.guild_id), matches.c.game.in_(_GAMES))
            .order_by(timers.c.due_at, timers.c.id)
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
            TimerKind.ABANDON: partial(
                close, timer=TimerKind.ABANDON, question=PostedKind.ABANDON_REQUEST, clock=clock
            ),
            TimerKind.TAKEBACK: partial(
                close, timer=TimerKind.TAKEBACK, question=PostedKind.TAKEBACK_REQUEST, clock=clock
            ),
            TimerKind.SERIES: challenges.remind,
            TimerKind.GONE: silence.look,
            TimerKind.SILENT: silence.report,
            TimerKind.STUCK: silence.report,
            TimerKind.PATIENCE: silence.report_after_vacation,
            TimerKind.NOTICE: silence.end,
        }

    async def fire(self) -> int:
        """Fire all due timers and return their number; a failing timer does not delay others."""
        fired, last = 0, (-inf, 0)
        while True:
            await self.heartbeats.record()
            due_timers = await self._due_after(*last)
            for start in range(0, len(due_timers), TOGETHER):
                fired += await self._fire_together(due_timers[start : start + TOGETHER])
            if len(due_timers) < MAX_AT_ONCE:
                return fired
            last = (due_timers[-1].due_at, due_timers[-1].id)

    async def _due_after(self, due_at: float, timer_id: int) -> list[TimerRow]:
        """Return the next due timers after one, which may have failed and be due still."""
        values: dict[str, Any] = {
            "now": self._clock(),
            "last_due": due_at,
            "last_id": timer_id,
            "games": games.names(),
        }
        async with self._database.read() as connection:
            rows = await connection.execute(self._due.limit(MAX_AT_ONCE), values)
            return [TimerRow(*row) for row in rows]

    async def _fire_together(self, due_timers: Sequence[TimerRow]) -> int:
        """Fire timers in one transaction if there are `TOGETHER`; return how many fired here.

        If one fails, all fire in transactions of their own.
        """
        if len(due_timers) == TOGETHER:
            with suppress(Exception):  # it comes again below, where it is handled
                async with self._database.write(exclusive=True) as connection:
                    fired = [timer for timer in due_timers if await self._run(connection, timer)]
                self._observe(fired)
                return len(fired)
        return sum([await self._fire(timer) for timer in due_timers])

    async def _fire(self, timer: TimerRow) -> bool:
        """Fire a timer in one transaction; return whether it fired here."""
        with log_context(match=timer.match_id):
            try:
                async with self._database.write() as connection:
                    fired = await self._run(connection, timer)
            except SQLAlchemyError as error:
                log.warning("timer postponed: %s", error)
                count_failure("timer", error)
                return False
            except Exception as error:  # noqa: BLE001 - a bug, which is logged once
                await self._retry_later(timer, error)
                return False
        self._observe([timer] if fired else [])
        return fired

    async def _run(self, connection: Connection, timer: TimerRow) -> bool:
        """Run and delete a timer; return whether it was there.

        So it fires once even if several processes try, and again if a process dies while firing.
        """
        unchanged = [timers.c[name] == value for name, value in asdict(timer).items()]
        with log_context(match=timer.match_id):
            row = await load(connection, timer.match_id)
            fired = bool((await connection.execute(delete(timers).where(*unchanged))).rowcount)
            if fired and row and not row.is_outdated:
                await self._handlers[timer.kind](connection, row, timer.seat, timer.version)
        return fired

    def _observe(self, fired: Sequence[TimerRow]) -> None:
        """Measure the lag of timers that have fired."""
        for timer in fired:
            metrics.TIMER_LAG.observe(max(0.0, self._clock() - timer.due_at))

    async def _retry_later(self, timer: TimerRow, error: Exception) -> None:
        """Postpone a timer that failed with a bug; drop it after `MAX_ERRORS` failures."""
        count_failure("timer", error)
        errors = (timer.errors or 0) + 1
        if errors == 1:
            log.error("timer “%s” failed", timer.kind, exc_info=error)
        unchanged = (
            timers.c.id == timer.id,
            timers.c.kind == timer.kind,
            timers.c.due_at == timer.due_at,
        )
        pause = min(ERROR_PAUSE_SECONDS * errors, LONGEST_ERROR_PAUSE_SECONDS)
        values = {"errors": errors, "due_at": self._clock() + pause}
        change: Update | Delete = update(timers).values(**values)
        if errors >= MAX_ERRORS:
            metrics.GIVEN_UP.labels("timer").inc()
            log.warning("timer “%s” dropped: %s", timer.kind, type(error).__name__)
            change = delete(timers)
        try:
            async with self._database.write() as connection:
                await connection.execute(change.where(*unchanged))
        except SQLAlchemyError as unreachable:
            log.warning("timer not recorded, it fires again: %s", unreachable)


async def _expire(_connection: Connection, _row: MatchRow, _seat: str, _version: Version) -> None:
    """Do nothing: the timer only marks a period, which is over when it fires."""
