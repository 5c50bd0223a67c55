"""Store changes of matches: the transactions of all services.

A change goes: load → repeated delivery? → still valid? → rules → dice that follow → store the
position, lines and outbox messages → commit. Only then is a reply sent.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, zip_longest
from typing import Any, NamedTuple, Unpack

from sqlalchemy import BindParameter, bindparam, delete, func, insert, select, update

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, Rated
from bot.domain.outbox import (
    EVERYONE,
    TAKEN_BACK_PREFIX,
    VOID_PREFIX,
    MatchMessage,
    OutboxKind,
    Target,
    outbox_row,
)
from bot.domain.outcomes import OUTCOME_STORED, Outcome, OutcomeKind
from bot.logs import bind_context
from bot.services.automatic_moves import action_rows, clock_changes
from bot.services.chance import random_seed
from bot.services.clocks import DecisionChange, change_clocks
from bot.services.computer_jobs import TOPIC, clear_jobs, queue_jobs
from bot.services.events import MatchesChanged
from bot.services.heartbeats import Heartbeats
from bot.services.match_changes import MatchChange
from bot.services.match_repository import line_count, outdated_sentence, seats_of, seats_of_matches
from bot.services.pings import (
    RecentClicks,
    Redraw,
    answered_count,
    are_watching,
    board_kind,
    hands,
    schedule_pings,
    turn_dms,
    waits_for_computers,
)
from bot.services.rows import MatchFields, MatchRow, SeatRow
from bot.services.stand_in_returns import give_back_seats
from bot.shards import Shards
from bot.storage.connection import Connection, send, slices
from bot.storage.database import Database
from bot.storage.hooks import publish
from bot.storage.schema import (
    actions,
    interactions,
    matches,
    outbox,
    plans,
    seats,
    timers,
    written_plans,
)
from engine import games
from engine.game import PUBLIC, View
from render.i18n import N_, _

_TOO_LATE = {
    MatchStatus.CHALLENGE: N_("This match hasn't started yet."),
    MatchStatus.RUNNING: N_("This match has already started."),
    MatchStatus.FINISHED: N_("This match is over."),
    MatchStatus.CLOSED: N_("This challenge is no longer open."),
}

# Statements of every turn are built once: compiling them costs more than running them.

_THIS: BindParameter[int] = bindparam("this")
"""The number of a match."""

_MATCH = select(matches).where(matches.c.id == _THIS).with_for_update(key_share=True)
_SEAT = select(seats.c.seat).where(seats.c.match_id == _THIS, seats.c.user_id == bindparam("user"))
_LENGTHS = select(
    func.count().filter(actions.c.undone_at.is_(None)),
    func.coalesce(func.max(actions.c.number), 0),
).where(actions.c.match_id == _THIS)
_BOARDS = select(
    matches.c.id,
    matches.c.version,
    line_count(matches.c.id).scalar_subquery().label("action_count"),
).where(matches.c.id.in_(bindparam("these", expanding=True)))
_OUTCOME_FIELDS = frozenset(Outcome.__dataclass_fields__)
_RESULT = select(interactions.c.result).where(interactions.c.id == bindparam("interaction"))
_RESULT_AND_SEAT = select(_RESULT.scalar_subquery(), _SEAT.scalar_subquery())
_CHANGE = update(matches).where(
    matches.c.id == _THIS, matches.c.version == bindparam("expected_version")
)
_END_SEATS = update(seats).where(seats.c.match_id == _THIS)
_LOG, _SEND, _REMEMBER = map(insert, (actions, outbox, interactions))

_REPLACED = delete(outbox).where(
    outbox.c.match_id == _THIS,
    outbox.c.kind == OutboxKind.EDIT_BOARD,
    outbox.c.attempts == 0,
)
"""Edits of a board that were never attempted; the message queued instead shows a newer position."""

REPLACED_SECONDS = 3.0
"""Seconds for the computer's answer, due after two seconds, to replace the edit for a move."""

Work = Callable[[Connection, MatchRow, str], Awaitable[Outcome]]
"""Changes a match, given its row and the seat of the acting user."""


class _StoredChange(NamedTuple):
    """A change whose position and lines are stored.

    Attributes:
        people: the seats after it.
        live: number of actions before it that were not taken back.
        number: number of the last action before it, taken back or not.
        clock_time: the time for clocks, see `Heartbeats.time_of`.
        redrawn: whether the board that is already posted shows it.
        may_be_computers: whether the computer may decide for a seat.
    """

    change: MatchChange
    people: Sequence[SeatRow]
    live: int
    number: int
    lines: Sequence[Mapping[str, Any]]
    clock_time: float
    redrawn: bool
    may_be_computers: bool

    def clock_changes(self) -> list[DecisionChange]:
        """Return the changes of pending decisions, one for each choice."""
        change = self.change
        return clock_changes(
            change.row,
            self.number,
            change.progress,
            change.decisions,
            stays=bool(change.chosen_by) and change.row.rated == Rated.RATED,
            now=self.clock_time,
            earlier=change.earlier,
        )


class MatchStore:
    """Handles interactions with matches and saves changes, each in one transaction.

    Args:
        make_seed: returns 32 secret bytes for the dice of a new match.
        is_busy: returns whether boards wait to be drawn.
    """

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        make_seed: Callable[[], bytes] = random_seed,
        is_busy: Callable[[], bool] = lambda: False,
        *,
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        self.database = database
        self.clock = clock
        self.heartbeats = Heartbeats(database, clock, shards)
        self.clicks = RecentClicks(clock)
        self.make_seed = make_seed
        self._is_busy = is_busy

    async def handle(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        status: MatchStatus,
        work: Work,
        *,
        anyone: bool = False,
        ends: bool = False,
    ) -> Outcome:
        """Run a player's interaction with a match in one transaction.

        Args:
            interaction_id: its id; a repeated delivery gets the same outcome.
            anyone: whether users without a seat may do it.
            ends: whether to end a match whose rules have changed since it began; else refuse.
        """
        bind_context(match=match_id)
        async with self.database.write() as connection:
            row = await load(connection, match_id)
            values = {"interaction": interaction_id, "this": match_id, "user": user_id}
            result, user_seat = (await connection.execute(_RESULT_AND_SEAT, values)).one()
            if result is not None:
                return _outcome(result)
            seat = user_seat or PUBLIC
            if row is None or not (seat or anyone):
                sentence = _("You're not playing in this match.")
                return Outcome(OutcomeKind.UNKNOWN, match_id, sentence=sentence)
            if row.status != status:
                return _too_late(row)
            if not row.is_waiting_for_game and (
                status != MatchStatus.RUNNING or not row.is_outdated
            ):
                outcome = await work(connection, row, seat)
            elif ends and not row.is_waiting_for_game:
                await self.end_outdated(connection, row)
                outcome = Outcome(OutcomeKind.DONE, match_id)
            else:
                outcome = Outcome(OutcomeKind.REFUSED, match_id, sentence=outdated_sentence(row))
            if outcome.kind == OutcomeKind.DONE:
                await self.remember(connection, interaction_id, outcome)
            return outcome

    async def end_outdated(self, connection: Connection, row: MatchRow) -> None:
        """End a match whose rules have changed since it began, without a result."""
        await update_match(
            connection, row, status=MatchStatus.CLOSED, decisions={}, changed_at=self.clock()
        )
        await connection.execute(delete(timers).where(timers.c.match_id == row.id))
        for table in (plans, written_plans):
            await connection.execute(delete(table).where(table.c.match_id == row.id))
        await clear_jobs(connection, row.id)
        await publish(connection, MatchesChanged([row.id], self.clock()))

    async def remember(self, connection: Connection, interaction_id: int, outcome: Outcome) -> None:
        """Store the outcome of an interaction, in case it is delivered again."""
        values = {"id": interaction_id, "result": asdict(outcome), "received_at": self.clock()}
        await send(connection, _REMEMBER, values)
        OUTCOME_STORED.set(True)

    async def save(self, connection: Connection, change: MatchChange) -> None:
        """Store a change of a match, and queue the messages about it; see `save_all`."""
        await self.save_all(connection, [change])

    async def save_all(self, connection: Connection, changes: Sequence[MatchChange]) -> None:
        """Store changes of different matches, and queue the messages about them.

        Rows of the same table are stored together: several matches that begin at once take one
        statement more for each, see `_store_position`.

        While only the computer has to decide, the board is redrawn in place, unless many boards
        wait to be drawn; the next board is posted when the computer has played. During a turn and
        the setup, the board is redrawn as well, and players who do not decide within
        `PING_DELAY_SECONDS` are pinged by a short message.
        """
        stored = [await self._store_position(connection, change) for change in changes]
        if lines := [line for change in stored for line in change.lines]:
            await send(connection, _LOG, lines)
        messages = [await self._messages(connection, change) for change in stored]
        await self.queue_all(connection, [*chain.from_iterable(messages)])
        await self._set_clocks(connection, stored)
        for saved in stored:
            if saved.may_be_computers:
                change = saved.change
                await self._queue_jobs(connection, saved.people, change.view, change.version)

    async def _store_position(self, connection: Connection, change: MatchChange) -> _StoredChange:
        """Store the position, and give seats back to their players."""
        row, rolled, now = change.row, change.progress.rolled, self.clock()
        clock_time = await self.heartbeats.time_of(connection, row)
        columns: MatchFields = {
            **change.fields,
            "position": change.game.dump(rolled.state),
            "decisions": change.decisions[-1],
            "chance_count": rolled.chance_count,
            "changed_at": now,
        }
        await update_match(connection, row, **columns)
        live = number = row.lines_taken_over
        if not change.begins:
            live, number = (await connection.execute(_LENGTHS, {"this": row.id})).one()
        redrawn = change.redraw == Redraw.ALWAYS or (
            change.redraw == Redraw.IF_WATCHED
            and await are_watching(connection, row, change.notify or "", number, now)
        )
        lines = action_rows(row.id, number, change.progress, change.chosen_by, now)
        people = change.people
        may_be_computers = any(seat.agreed_by or not seat.decides_itself for seat in people)
        if may_be_computers:
            playing = change.view.playing if change.pending else ""
            people = await give_back_seats(
                connection, row, people, playing=playing, by=change.by, now=clock_time
            )
        return _StoredChange(
            change, people, live, number, lines, clock_time, redrawn, may_be_computers
        )

    async def _messages(
        self, connection: Connection, stored: _StoredChange
    ) -> Sequence[MatchMessage]:
        """Return the board with a change, and DMs to players whose turn it is.

        A match that begins gets its thread first, and DMs with hidden information at the end.
        """
        change, live = stored.change, stored.live
        row, count = change.row, live + len(change.progress.rolled.actions)
        payload = {"action_count": count, "version": change.version}
        payload |= {
            f"{TAKEN_BACK_PREFIX}{seat}": place for place, seat in enumerate(change.taken_back, 1)
        }
        if stored.may_be_computers:
            await send(connection, _REPLACED, {"this": row.id})
        payload |= {"told_from": live} if len(change.progress.choices) > 1 else {}
        if change.chosen_by:
            payload["told_from"] = min(live, count - await answered_count(connection, row.id))
        notify = None if stored.redrawn else change.notify
        kind = board_kind(stored.people, change.pending, notify)
        waits = waits_for_computers(stored.people, change.pending) and self._is_busy()
        pause = REPLACED_SECONDS if waits else 0.0
        messages = [
            MatchMessage(row.id, kind, payload, pause=pause),
            *turn_dms(stored.people, notify or "", payload),
        ]
        if void := {f"{VOID_PREFIX}{seat}": 1 for seat in _with_void_notice(stored)}:
            messages.append(MatchMessage(row.id, OutboxKind.NOTICE, void))
        if change.begins:
            thread = MatchMessage(row.id, OutboxKind.START_THREAD)
            messages = [thread, *messages, *hands(stored.people)]
        return messages

    async def _set_clocks(self, connection: Connection, stored: Sequence[_StoredChange]) -> None:
        """Change the clocks after each choice, and schedule pings for boards that are redrawn."""
        people: Mapping[MatchId, Sequence[SeatRow]]
        people = {saved.change.row.id: saved.people for saved in stored}
        for count, changes in enumerate(zip_longest(*(saved.clock_changes() for saved in stored))):
            current = [change for change in changes if change]
            if count:
                people = await seats_of_matches(connection, [change.row.id for change in current])
            await change_clocks(connection, [(people[change.row.id], change) for change in current])
        for saved in stored:
            if saved.redrawn and saved.change.notify:
                versions = {
                    seat: version
                    for seat, version in saved.change.decisions[-1].items()
                    if version == saved.change.version and seat in saved.change.notify
                }
                await schedule_pings(connection, saved.people, versions, saved.clock_time)

    async def change_deciders(self, connection: Connection, row: MatchRow) -> None:
        """Store a change of the seats that the computer decides for.

        The new version discards its turn in progress.
        """
        version = Version(row.version + 1)
        await update_match(connection, row, changed_at=self.clock())
        view = games.get(row.game).view(row.state())
        await self._queue_jobs(connection, await seats_of(connection, row.id), view, version)
        await self.queue_board(connection, row.id, version, OutboxKind.EDIT_BOARD)

    async def _queue_jobs(
        self, connection: Connection, people: Sequence[SeatRow], view: View, version: Version
    ) -> None:
        await queue_jobs(connection, people, view, version, self.clock())
        self.database.notify(TOPIC)

    async def queue(
        self,
        connection: Connection,
        match_id: MatchId,
        kind: OutboxKind,
        payload: Mapping[str, int] | None = None,
        target: Target = EVERYONE,
        *,
        pause: float = 0.0,
    ) -> None:
        """Queue a message about a match, sent after a pause; its content is read at that time."""
        message = MatchMessage(match_id, kind, payload or {}, target, pause)
        await self.queue_all(connection, [message])

    async def queue_all(self, connection: Connection, messages: Sequence[MatchMessage]) -> None:
        """Queue messages about matches, in this order."""
        if not messages:
            return
        now = self.clock()
        rows = [
            outbox_row(
                message.match_id, message.kind, message.target, message.payload, now + message.pause
            )
            for message in messages
        ]
        await send(connection, _SEND, rows)
        changed = {message.match_id: None for message in messages if message.target == EVERYONE}
        if changed:
            await publish(connection, MatchesChanged([*changed], now))
        self.database.notify("outbox")

    async def queue_board(
        self,
        connection: Connection,
        match_id: MatchId,
        version: Version,
        kind: OutboxKind,
        **payload: int,
    ) -> None:
        """Queue a post or edit of a match's board as of this transaction."""
        payload |= {"action_count": await count_actions(connection, match_id), "version": version}
        await self.queue(connection, match_id, kind, payload)


async def load(connection: Connection, match_id: MatchId) -> MatchRow | None:
    """Return the stored match, locked until the transaction ends.

    This comes first in each transaction about a match: data read after it does not change.
    """
    row = (await connection.execute(_MATCH, {"this": match_id})).one_or_none()
    return None if row is None else MatchRow.of(row)


async def update_match(
    connection: Connection, row: MatchRow, **fields: Unpack[MatchFields]
) -> None:
    """Update a match if it has not changed since it was read."""
    expected = {"this": row.id, "expected_version": row.version}
    changed = await connection.execute(_CHANGE, {**expected, "version": row.version + 1, **fields})
    if changed.rowcount != 1:
        raise RuntimeError("a match was changed by two at once")
    status: MatchStatus = fields.get("status", row.status)
    if status.is_end:
        ended = {"ended_at": fields["changed_at"], "days_off": None}
        await send(connection, _END_SEATS, {"this": row.id, **ended})


async def recorded_outcome(connection: Connection, interaction_id: int) -> Outcome | None:
    """Return the outcome of an interaction that was delivered before."""
    rows = await connection.execute(_RESULT, {"interaction": interaction_id})
    result = rows.scalar_one_or_none()
    return None if result is None else _outcome(result)


def _outcome(result: Mapping[str, Any]) -> Outcome:
    """Return an outcome as it was stored, perhaps by an earlier version with more fields.

    Handling the current interaction again would give it once more, see `OUTCOME_STORED`.
    """
    OUTCOME_STORED.set(True)
    fields = {name: value for name, value in result.items() if name in _OUTCOME_FIELDS}
    return Outcome(**fields | {"kind": OutcomeKind(result["kind"])})


async def count_actions(connection: Connection, match_id: MatchId) -> int:
    """Return the number of actions of a match that were not taken back."""
    return int((await connection.execute(_LENGTHS, {"this": match_id})).scalar_one())


async def board_payloads(
    connection: Connection, match_ids: Collection[MatchId]
) -> dict[MatchId, dict[str, int]]:
    """Return match → payload of a message that shows its current board."""
    rows = await connection.execute(_BOARDS, {"these": [*match_ids]})
    return {row.id: {"action_count": row.action_count, "version": row.version} for row in rows}


async def seat_of(connection: Connection, match_id: MatchId, user_id: UserId) -> str:
    """Return the seat of a user, or the public seat."""
    result = await connection.execute(_SEAT, {"this": match_id, "user": user_id})
    return result.scalar_one_or_none() or PUBLIC


async def played_by(connection: Connection, user_id: UserId, status: MatchStatus) -> list[MatchRow]:
    """Return the matches of a user with this status."""
    match_ids = select(seats.c.match_id).where(seats.c.user_id == user_id)
    query = select(matches).where(matches.c.id.in_(match_ids), matches.c.status == status)
    rows = slices(connection, query.order_by(matches.c.id))
    return [MatchRow.of(row) async for batch in rows for row in batch]


def _with_void_notice(stored: _StoredChange) -> list[str]:
    """Return the seats whose last notice ends with a change, because their decision does."""
    change = stored.change
    before, after = change.row.decisions, change.decisions[-1]
    playing = change.view.playing if change.pending else ""
    return [
        person.seat
        for person in stored.people
        if person.notice_at is not None
        and person.seat in playing
        and before.get(person.seat) != after.get(person.seat)
    ]


def _too_late(row: MatchRow) -> Outcome:
    """Return the refusal of an interaction with a match of another status."""
    had_begun = row.status == MatchStatus.CLOSED and row.position is not None
    sentence = _(_TOO_LATE[MatchStatus.FINISHED if had_begun else row.status])
    return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
