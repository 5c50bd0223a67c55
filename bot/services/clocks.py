"""The clocks and timers of seats, and the effects of choices and takebacks on them.

A clock is for one turn: it stops when its seat no longer has to decide, and is renewed when the
seat has to decide again in another turn, because the others have no move. A choice that stops,
renews or starts clocks stores their previous values. A stored clock keeps running as the seat's own
clock would have: an outage shifts it, and an absence stops it. So a takeback restores each clock
minus the time since the choice.

`bot.domain.clocks` has the rules of a clock: its budget, its increment and its notation;
`bot.services.deadlines` the consequences once it has run out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Update,
    bindparam,
    case,
    delete,
    insert,
    select,
    update,
)

from bot.domain.clocks import Clock, warning
from bot.domain.days_off import NO_DAYS_OFF, DaysOff
from bot.domain.ids import NO_VERSION, MatchId, Version
from bot.domain.models import MatchStatus, TimerKind
from bot.domain.waiting import AGES, silent_at
from bot.services.preferences import reminder
from bot.services.rows import LoggedAction, MatchRow, SeatFields, SeatRow
from bot.storage.connection import Connection, send
from bot.storage.schema import earlier_clocks, matches, seats, timers

REMINDERS = (TimerKind.PING, TimerKind.REMIND, TimerKind.SNOOZE, TimerKind.NUDGE)
"""Kinds of timers that notify a player of a decision, or remind the player of it."""

SILENCE = (*AGES, TimerKind.PATIENCE, TimerKind.NOTICE)
"""Kinds of timers that keep the others from waiting for a player without end."""

SEAT_TIMERS = (TimerKind.FLAG, TimerKind.WARN, *REMINDERS, *SILENCE)
"""Kinds of timers that belong to a decision of one seat."""

_THIS: BindParameter[int] = bindparam("this")
"""The number of a match."""

_SEAT: BindParameter[str] = bindparam("where")
"""The letter of a seat."""

_UPDATE_SEAT = update(seats).where(seats.c.match_id == _THIS, seats.c.seat == _SEAT)
_DELETE_TIMERS = delete(timers).where(
    timers.c.match_id == _THIS,
    timers.c.seat == _SEAT,
    timers.c.kind.in_(bindparam("kinds", expanding=True)),
)
_RENEW_TIMERS = update(timers).where(
    timers.c.match_id == _THIS,
    timers.c.seat == _SEAT,
    timers.c.kind.in_((TimerKind.FLAG, TimerKind.WARN)),
)
_DELETE_EARLIER = delete(earlier_clocks).where(earlier_clocks.c.match_id == _THIS)
_INSERT_TIMERS, _INSERT_EARLIER = insert(timers), insert(earlier_clocks)
_SEATS_WITH_DAYS_OFF = (
    select(seats.c.match_id, seats.c.seat, seats.c.days_off, seats.c.seconds_left)
    .join(matches, matches.c.id == seats.c.match_id)
    .where(matches.c.status == MatchStatus.RUNNING, seats.c.days_off.is_not(None))
)
"""The seats of players with days off, in matches in progress."""


class EarlierClock(NamedTuple):
    """A seat's clock before a choice; see the columns of `seats`.

    Attributes:
        guessed: whether it was estimated, because it was not stored.
        days_off: the days on which it does not run.
    """

    seconds_left: float | None
    started_at: float | None
    guessed: bool = False
    days_off: DaysOff = NO_DAYS_OFF

    def remaining(self, now: float) -> float:
        """Return the remaining seconds; negative when the player is out of time."""
        return (self.seconds_left or 0.0) - (
            0.0 if self.started_at is None else self.days_off.spent(self.started_at, now)
        )


class DecisionChange(NamedTuple):
    """A change of the pending decisions of a match.

    Attributes:
        row: the match before the change.
        decisions: seat → version, after the change.
        number: number of the choice behind this change; 0 if it cannot be taken back.
        now: the time in UTC seconds.
        earlier: for a takeback, seat → the clock to restore; None for a choice.
        begin_turns: seats that have decided and have to decide again in another turn.
    """

    row: MatchRow
    decisions: Mapping[str, Version]
    number: int
    now: float
    earlier: Mapping[str, EarlierClock] | None = None
    begin_turns: frozenset[str] = frozenset()

    def restores(self, seat: SeatRow) -> bool:
        """Return whether a takeback restores the stored clock of a seat."""
        earlier = (self.earlier or {}).get(seat.seat)
        return earlier is not None and not earlier.guessed


class _Rows:
    """Changes of seats, stored clocks and timers that are written together."""

    def __init__(self) -> None:
        self.earlier: list[dict[str, Any]] = []
        self.timers: list[dict[str, Any]] = []
        self._seats: dict[tuple[MatchId, str], dict[str, Any]] = {}

    def update_seat(self, seat: SeatRow, **fields: Unpack[SeatFields]) -> None:
        """Update the row of a seat."""
        self._seats.setdefault((seat.match_id, seat.seat), _of(seat)).update(fields)

    async def write(self, connection: Connection) -> None:
        """Write all rows."""
        by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for fields in self._seats.values():
            by_columns.setdefault(tuple(fields), []).append(fields)
        for rows in by_columns.values():
            await send(connection, _UPDATE_SEAT, rows)
        for insertion, rows in ((_INSERT_EARLIER, self.earlier), (_INSERT_TIMERS, self.timers)):
            if rows:
                await send(connection, insertion, rows)


async def change_clocks(
    connection: Connection, changes: Iterable[tuple[Sequence[SeatRow], DecisionChange]]
) -> None:
    """Stop the clocks of seats that have decided, start the other seats' clocks, and set timers.

    An unchanged decision keeps its timers. A decision that is renewed within a turn while its clock
    runs keeps that clock's timers, so that no timer is set twice or in the past, and its count of
    reminders. A seat that has another turn at once gets the time of a new turn, as if the others
    had played in between. The computer has no clock.

    Args:
        changes: the changes of different matches, each with the seats before it.
    """
    rows = _Rows()
    for people, change in changes:
        await _change_clocks(connection, rows, people, change)
    await rows.write(connection)


async def _change_clocks(
    connection: Connection, rows: _Rows, people: Sequence[SeatRow], change: DecisionChange
) -> None:
    """Change the clocks and timers of one match."""
    waited_for = sum(seat.is_person for seat in people) > 1
    clock = Clock.parse(change.row.clock)
    has_earlier = change.row.position is not None
    if clock and not change.number and change.earlier is None and has_earlier:
        await send(connection, _DELETE_EARLIER, {"this": change.row.id})
    for seat in people:
        version, previous = change.decisions.get(seat.seat), change.row.decisions.get(seat.seat)
        is_new = version != previous or seat.seat in change.begin_turns
        if seat.is_person and (is_new or change.restores(seat)):
            due = await _change_clock(connection, rows, seat, clock, change)
            if version is not None and waited_for:
                due[TimerKind.GONE] = change.now + AGES[TimerKind.GONE]
                if seat.away_until is not None:
                    due[TimerKind.PATIENCE] = silent_at(max(change.now, seat.away_until), None)
            rows.timers += _timers(seat, version or NO_VERSION, due)


async def _change_clock(
    connection: Connection, rows: _Rows, seat: SeatRow, clock: Clock | None, change: DecisionChange
) -> dict[TimerKind, float]:
    """Stop, start or continue the clock of a seat; return when new timers are due."""
    due: dict[TimerKind, float] = {}
    version, previous = change.decisions.get(seat.seat), change.row.decisions.get(seat.seat)
    if version is None:
        await unschedule(connection, seat, SEAT_TIMERS)
        if clock:
            _stop(rows, seat, clock, change)
        return due
    begins_turn, restores = seat.seat in change.begin_turns, change.restores(seat)
    if previous is not None and seat.reminded_at == previous and not begins_turn:
        rows.update_seat(seat, reminded_at=version)
    if begins_turn or restores:
        await unschedule(connection, seat, SEAT_TIMERS)
    if (
        previous is not None
        and not (clock and seat.seconds_left is None)
        and not begins_turn
        and not restores
    ):
        await unschedule(connection, seat, (*REMINDERS, *SILENCE))
        await send(connection, _RENEW_TIMERS, {**_of(seat), "version": version})
    elif clock:
        due = _start(rows, seat, clock, change)
    if seat.clock_is_paused:
        return {}
    if pause := reminder(seat.preferences):
        due[TimerKind.REMIND] = change.now + pause
    return due


def _stop(rows: _Rows, seat: SeatRow, clock: Clock, change: DecisionChange) -> None:
    if change.earlier is not None:
        seconds_left = change.earlier[seat.seat].seconds_left
    else:
        seconds_left = _after_turn(seat, clock, change.now)
        _store_earlier(rows, seat, change.number, was_pending=True)
    rows.update_seat(seat, seconds_left=seconds_left, clock_started_at=None)


def _after_turn(seat: SeatRow, clock: Clock, now: float) -> float:
    """Return the seconds left after a turn of a seat that ends now."""
    started_at = now if seat.clock_started_at is None else seat.clock_started_at
    spent = max(0.0, seat.parsed_days_off.spent(started_at, now))
    return clock.after_turn(seat.seconds_left or 0.0, spent)


def _start(
    rows: _Rows, seat: SeatRow, clock: Clock, change: DecisionChange
) -> dict[TimerKind, float]:
    """Start a clock, unless it is paused; return when its timers are due.

    A takeback after the moment of the warning sets another warning: a player who loses on time has
    been reminded of this decision as of any other one.
    """
    seconds_left, started_at = (
        clock.budget if seat.seconds_left is None else seat.seconds_left,
        change.now,
    )
    if change.earlier is not None:
        earlier = change.earlier[seat.seat]
        seconds_left = clock.budget if earlier.seconds_left is None else earlier.seconds_left
        started_at = change.now if earlier.started_at is None else earlier.started_at
    else:
        begins_turn = seat.seat in change.begin_turns
        if begins_turn and seat.seconds_left is not None:
            seconds_left = _after_turn(seat, clock, change.now)
        _store_earlier(rows, seat, change.number, was_pending=begins_turn)
    rows.update_seat(
        seat,
        seconds_left=seconds_left,
        clock_started_at=None if seat.clock_is_paused else started_at,
    )
    due = deadlines(seconds_left, started_at, seat.parsed_days_off)
    if due[TimerKind.WARN] <= change.now < due[TimerKind.FLAG]:
        seconds_left -= seat.parsed_days_off.spent(started_at, change.now)
        due = deadlines(seconds_left, change.now, seat.parsed_days_off)
    return {kind: at for kind, at in due.items() if kind == TimerKind.FLAG or at > change.now}


def _store_earlier(rows: _Rows, seat: SeatRow, number: int, *, was_pending: bool) -> None:
    """Store the value of a clock before the choice with this number."""
    if number:
        clock = {
            "seconds_left": seat.seconds_left,
            "clock_started_at": seat.clock_started_at,
            "was_pending": was_pending,
        }
        place = {"match_id": seat.match_id, "action_number": number, "seat": seat.seat}
        rows.earlier.append({**place, **clock})


async def record_reminders(connection: Connection, row: MatchRow, seats_reminded: str) -> None:
    """Count a reminder for seats that have to decide, see the columns of `seats`."""
    for seat in seats_reminded:
        version = row.decisions[seat]
        count = case((seats.c.reminded_at == version, seats.c.reminders), else_=0)
        query = update(seats).where(seats.c.match_id == row.id, seats.c.seat == seat)
        await connection.execute(query.values(reminders=count + 1, reminded_at=version))


async def earlier_clocks_of(
    connection: Connection, row: MatchRow, people: Sequence[SeatRow], action: LoggedAction
) -> dict[str, EarlierClock]:
    """Return seat → clock to restore when this action and all after it are taken back.

    For an action without stored clocks, made by an earlier version of the bot, time counts from
    the action on.
    """
    table = earlier_clocks.c
    later = select(earlier_clocks).where(
        table.match_id == row.id, table.action_number >= action.number
    )
    rows = (await connection.execute(later.order_by(table.action_number.desc()))).all()
    clock = Clock.parse(row.clock)
    guessed = {seat.seat: _guess(seat, clock, action) for seat in people} if clock else {}
    days_off = {seat.seat: seat.parsed_days_off for seat in people}
    return guessed | {
        earlier.seat: EarlierClock(
            earlier.seconds_left, earlier.clock_started_at, days_off=days_off[earlier.seat]
        )
        for earlier in rows
    }


async def delete_earlier(connection: Connection, action: LoggedAction) -> None:
    """Delete the clocks stored for an action and all after it."""
    from_action = earlier_clocks.c.action_number >= action.number
    await connection.execute(_DELETE_EARLIER.where(from_action), {"this": action.match_id})


def _guess(seat: SeatRow, clock: Clock, action: LoggedAction) -> EarlierClock:
    """Estimate a clock before an action; a full one if it has since run out."""
    seconds_left = seat.seconds_left or clock.budget
    if action.line.partition(" ")[0] != seat.seat:
        return EarlierClock(seconds_left, None, guessed=True)
    return EarlierClock(
        seconds_left - clock.increment, action.made_at, guessed=True, days_off=seat.parsed_days_off
    )


async def pause_clock(connection: Connection, row: MatchRow, seat: SeatRow, now: float) -> None:
    """Stop the clocks and reminders of a seat; a clock that has run out keeps its `flag` timer.

    The player is still pinged once, and the others are still informed that the player does not
    decide.
    """
    await _pause_earlier(connection, seat, now)
    if seat.seat not in row.decisions:
        return
    seconds_left = (
        None
        if seat.clock_started_at is None
        else (seat.seconds_left or 0.0) - seat.parsed_days_off.spent(seat.clock_started_at, now)
    )
    over = seconds_left is not None and seconds_left <= 0
    remaining = {TimerKind.PING, *SILENCE, *((TimerKind.FLAG,) if over else ())}
    kinds = [kind for kind in SEAT_TIMERS if kind not in remaining]
    await unschedule(connection, seat, kinds)
    if seconds_left is not None and not over:
        await update_seat(connection, seat, seconds_left=seconds_left, clock_started_at=None)


async def resume_clock(connection: Connection, row: MatchRow, seat: SeatRow, now: float) -> SeatRow:
    """Start the clocks of a seat with their remaining time and set its reminder again.

    Returns:
        The seat as stored now.
    """
    await _resume_earlier(connection, seat, now)
    if seat.seat not in row.decisions:
        return seat
    due: dict[TimerKind, float] = {}
    if seat.seconds_left and seat.clock_started_at is None:
        await update_seat(connection, seat, clock_started_at=now)
        due = deadlines(seat.seconds_left, now, seat.parsed_days_off)
        seat = replace(seat, clock_started_at=now)
    if pause := reminder(seat.preferences):
        due[TimerKind.REMIND] = now + pause
    if due:
        await schedule(connection, seat, row.decisions[seat.seat], due)
    return seat


async def extend_silence(
    connection: Connection, row: MatchRow, seat: SeatRow, now: float, seconds: float
) -> None:
    """Keep a vacation from counting as silence, unless the player has been silent before it.

    Args:
        now: the time in UTC seconds.
        seconds: its length; negative for the part that is not used.
    """
    if seat.seat not in row.decisions or seat.waits_since is None:
        return
    end = silent_at(seat.waits_since, seat.patience)
    if end > now:
        await unschedule(connection, seat, (TimerKind.PATIENCE,))
        version = row.decisions[seat.seat]
        await schedule(connection, seat, version, {TimerKind.PATIENCE: end + seconds})


async def _pause_earlier(connection: Connection, seat: SeatRow, now: float) -> None:
    """Stop the stored clocks of a seat."""
    table = earlier_clocks.c
    of_seat = (table.match_id == seat.match_id) & (table.seat == seat.seat)
    running = select(earlier_clocks).where(of_seat, table.clock_started_at.is_not(None))
    for earlier in (await connection.execute(running)).all():
        clock = EarlierClock(
            earlier.seconds_left, earlier.clock_started_at, days_off=seat.parsed_days_off
        )
        if (left := clock.remaining(now)) > 0:
            of_action = of_seat & (table.action_number == earlier.action_number)
            stopped = update(earlier_clocks).where(of_action)
            await connection.execute(stopped.values(seconds_left=left, clock_started_at=None))


async def _resume_earlier(connection: Connection, seat: SeatRow, now: float) -> None:
    """Start the stored clocks of a seat again."""
    table = earlier_clocks.c
    await connection.execute(
        update(earlier_clocks)
        .where(table.match_id == seat.match_id, table.seat == seat.seat)
        .where(table.was_pending, table.clock_started_at.is_(None), table.seconds_left > 0)
        .values(clock_started_at=now)
    )


async def days_off_changes(
    connection: Connection,
    affected: Callable[[ColumnElement[int]], ColumnElement[bool]],
    before: float,
    gap: float,
) -> list[Update]:
    """Return the changes after a gap of the clocks of players with days off, and of their timers.

    Days off stay where the calendar has them, so such a clock is not moved by the gap: it starts
    when it would have, by the days off before the present, to have run for as long as until the
    gap. Its seconds stay, since a takeback sets the warning by them.

    Args:
        affected: returns the condition that a match is affected.
        before: the UTC time before the gap.
        gap: its length in seconds; negative if the clock was set back.
    """
    changes: list[Update] = []
    seats_with_days_off = await connection.execute(
        _SEATS_WITH_DAYS_OFF.where(affected(seats.c.match_id))
    )
    for match_id, seat, text, seconds_left in seats_with_days_off.all():
        days_off = DaysOff.parse(text)
        for table in (seats, earlier_clocks):
            of_seat = (table.c.match_id == match_id) & (table.c.seat == seat)
            running = select(table).where(of_seat, table.c.clock_started_at.is_not(None))
            for row in await connection.execute(running):
                if row.seconds_left > 0:
                    start = days_off.before(
                        before + gap, days_off.spent(row.clock_started_at, before)
                    )
                    keys = [column == getattr(row, column.name) for column in table.primary_key]
                    changes.append(update(table).where(*keys).values(clock_started_at=start))
        if not seconds_left:
            continue
        kinds = timers.c.kind.in_((TimerKind.FLAG, TimerKind.WARN))
        of_clock = (timers.c.match_id == match_id) & (timers.c.seat == seat) & kinds
        for timer in await connection.execute(select(timers).where(of_clock)):
            if timer.due_at > before:
                due_at = days_off.after(before + gap, days_off.spent(before, timer.due_at))
                changes.append(update(timers).where(timers.c.id == timer.id).values(due_at=due_at))
    return changes


def ran_out(seat: SeatRow, now: float) -> float | None:
    """Return the UTC time when a seat ran out of time; None if it has not, or without a clock."""
    if seat.seconds_left is None or (seat.clock_started_at is None and seat.seconds_left > 0):
        return None
    end = seat.parsed_days_off.after(seat.clock_started_at or 0.0, seat.seconds_left)
    return end if end <= now else None


async def update_seat(connection: Connection, seat: SeatRow, **fields: Unpack[SeatFields]) -> None:
    """Update the row of a seat."""
    await send(connection, _UPDATE_SEAT, {**_of(seat), **fields})


def deadlines(
    seconds_left: float, started_at: float, days_off: DaysOff = NO_DAYS_OFF
) -> dict[TimerKind, float]:
    """Return the UTC times of a clock's timers.

    Args:
        seconds_left: the seconds left when it was started.
        started_at: the UTC time when it was started.
        days_off: the days on which it does not run.
    """
    return {
        TimerKind.FLAG: days_off.after(started_at, seconds_left),
        TimerKind.WARN: days_off.after(started_at, seconds_left - warning(seconds_left)),
    }


async def schedule(
    connection: Connection, seat: SeatRow, version: Version, due: Mapping[TimerKind, float]
) -> None:
    """Set timers, kind → time, for a seat's pending decision."""
    await send(connection, _INSERT_TIMERS, _timers(seat, version, due))


async def unschedule(connection: Connection, seat: SeatRow, kinds: Sequence[TimerKind]) -> None:
    """Delete a seat's timers of these kinds."""
    await send(connection, _DELETE_TIMERS, {**_of(seat), "kinds": kinds})


def _of(seat: SeatRow) -> dict[str, Any]:
    return {"this": seat.match_id, "where": seat.seat}


def _timers(
    seat: SeatRow, version: Version, due: Mapping[TimerKind, float]
) -> list[dict[str, Any]]:
    common = {"match_id": seat.match_id, "seat": seat.seat, "version": version}
    return [{**common, "kind": kind, "due_at": at} for kind, at in due.items()]
