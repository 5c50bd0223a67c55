"""Read, claim and record the rows of the outbox.

Statements are built once: building them costs more than running them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Float,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import (
    EVERYONE,
    IN_CHANNEL,
    SERVER_PREFIX,
    OutboxMessage,
    OutboxStatus,
    Priority,
    SentMessage,
    Target,
    retirements,
)
from bot.storage.connection import Connection, send
from bot.storage.due import NOW, finds_any
from bot.storage.schema import outbox, posted_messages, seats


class ClaimTerms(NamedTuple):
    """A claim of a worker.

    Attributes:
        worker_id: the process.
        until: end of the lease, in UTC seconds.
        limits: leases that end before `earliest_lease_end` have ended. Later times than
            `latest_due` for the next attempt, and `latest_lease_end` for the end of a lease, were
            stored before a clock was set back, and count as past.
    """

    worker_id: str
    now: float
    until: float
    limits: Mapping[str, float]


class RowChange(NamedTuple):
    """A change of a row that stores where a message was posted.

    Attributes:
        table: the table of the row.
        key: column → value that identifies the row.
        columns: column → new value.
    """

    table: Table
    key: Mapping[str, object]
    columns: Mapping[str, object]


DeliveryResult = SentMessage | RowChange
"""The result of a delivery, stored in the transaction that removes the message from the outbox."""


class Attempt(NamedTuple):
    """The result of an attempt to deliver a message.

    Attributes:
        message: the message as claimed.
        changes: columns to change for a retry or a failure; empty if the message arrived.
        posted: the message on Discord, if it is kept up to date.
    """

    message: OutboxMessage
    changes: Mapping[str, object]
    posted: DeliveryResult | None = None


_LATEST_DUE: BindParameter[float] = bindparam("latest_due", type_=Float)

_WAITING, _HEAD, _EARLIER = (outbox.alias(name).c for name in ("waiting", "head", "earlier"))


def _is_free(table: Any) -> ColumnElement[bool]:
    """Return whether a message is due and not under a lease."""
    return and_(
        or_(table.next_attempt_at <= NOW, table.next_attempt_at > _LATEST_DUE),
        or_(
            table.lease_expires_at.is_(None),
            table.lease_expires_at < bindparam("earliest_lease_end", type_=Float),
            table.lease_expires_at > bindparam("latest_lease_end", type_=Float),
        ),
    )


def _head_of_queue() -> ColumnElement[bool]:
    """Return whether `_HEAD` is the message that `_WAITING` waits for, or that message itself.

    A queue is the messages of a match to one target, or of all matches to something on a
    server. A DM waits for the earlier messages to the channel, because it links to the board.
    """
    first = select(func.min(_EARLIER.id)).where(_EARLIER.status == OutboxStatus.WAITING)
    targets = _EARLIER.target.in_([_WAITING.target, str(EVERYONE)])
    of_match = first.where(_EARLIER.match_id == _WAITING.match_id, targets).scalar_subquery()
    on_server = first.where(_EARLIER.target == _HEAD.target).scalar_subquery()
    is_on_server = _HEAD.target.startswith(SERVER_PREFIX)
    return (_HEAD.id == of_match) & (_HEAD.id == case((is_on_server, on_server), else_=_HEAD.id))


def _free_heads(count: int | BindParameter[int]) -> Select[Any]:
    """Return the ids of messages to send, in the order of the messages that wait for them.

    Each part follows an index and ends at `count`: it reads no message that is due later.
    """
    parts = [
        select(_HEAD.id)
        .join_from(_WAITING.id.table, _HEAD.id.table, _head_of_queue())
        .where(_WAITING.status == OutboxStatus.WAITING, _WAITING.priority == priority, is_due)
        .where(_is_free(_HEAD))
        .order_by(_WAITING.next_attempt_at, _WAITING.id)
        .limit(count)
        .subquery()
        for priority in Priority
        for is_due in (_WAITING.next_attempt_at <= NOW, _WAITING.next_attempt_at > _LATEST_DUE)
    ]
    return select(union_all(*map(select, parts)).subquery().c.id).limit(count)


def _next_due() -> Select[Any]:
    """Return the UTC time when a message is due or a lease ends; now if one can be sent."""
    soonest, lease_end = func.min(outbox.c.next_attempt_at), func.min(outbox.c.lease_expires_at)
    due, leased = outbox.c.next_attempt_at <= NOW, outbox.c.lease_expires_at >= NOW
    times = [
        part.where(outbox.c.status == OutboxStatus.WAITING, outbox.c.priority == priority)
        for priority in Priority
        for part in (
            select(lease_end.label("at")).where(due, leased),
            select(soonest.label("at")).where(~due),
        )
    ]
    later = select(func.min(union_all(*times).subquery().c.at)).scalar_subquery()
    return select(case((exists(_free_heads(1)), NOW), else_=later))


_NEXT_DUE = _next_due()

OUTBOX_DUE = finds_any(select(outbox.c.id).where(outbox.c.status == OutboxStatus.WAITING))
"""Whether a worker has to be woken now and then: it knows the next due time, but not the messages
of other processes."""

_CLAIM = (
    update(outbox)
    .where(
        outbox.c.id.in_(
            select(outbox.c.id)
            .where(outbox.c.id.in_(_free_heads(bindparam("count"))))
            .where(outbox.c.status != OutboxStatus.FAILED, _is_free(outbox.c))
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        worker_id=bindparam("worker"),
        lease_expires_at=bindparam("until"),
        attempts=outbox.c.attempts + 1,
        first_attempt_at=func.coalesce(outbox.c.first_attempt_at, NOW),
    )
    .returning(outbox)
)

_OURS = and_(
    outbox.c.id == bindparam("this"),
    outbox.c.key == bindparam("name"),
    outbox.c.first_attempt_at == bindparam("begun"),
    outbox.c.attempts == bindparam("attempt"),
)
"""Whether this worker still holds the lease: each lease counts as an attempt.

SQLite reuses the ids of deleted rows, so the key is compared as well."""

_FORMER = delete(posted_messages).where(
    posted_messages.c.match_id == bindparam("this"),
    posted_messages.c.kind.in_(bindparam("kinds", expanding=True)),
)
_POSTED = insert(posted_messages)

_DELIVERED, _CHANGE = delete(outbox).where(_OURS), update(outbox).where(_OURS)


async def next_due(connection: Connection, terms: ClaimTerms) -> float | None:
    """Return the UTC time of the next due message, at the earliest now; None if none waits."""
    result = await connection.execute(_NEXT_DUE, {"now": terms.now, **terms.limits})
    due: float | None = result.scalar_one()
    return due


async def claim(connection: Connection, terms: ClaimTerms, count: int) -> list[OutboxMessage]:
    """Claim due messages, each the first of its match and target."""
    claim_values = {"worker": terms.worker_id, "until": terms.until, "count": count}
    rows = await connection.execute(_CLAIM, {"now": terms.now, **terms.limits, **claim_values})
    claimed = [
        OutboxMessage(
            row.id,
            row.match_id,
            Target.parse(row.target),
            row.kind,
            row.payload,
            row.attempts,
            row.first_attempt_at,
            row.key,
            row.errors,
        )
        for row in rows
    ]
    return sorted(claimed, key=lambda message: message.id)


async def record(connection: Connection, attempt: Attempt) -> None:
    """Write the result of an attempt, unless another worker has claimed the message since."""
    queued = attempt.message
    values = {
        "this": queued.id,
        "name": queued.key,
        "begun": queued.first_attempt_at,
        "attempt": queued.attempts,
    }
    if attempt.changes:
        await connection.execute(_CHANGE.values(**attempt.changes), values)
        return
    deleted = await connection.execute(_DELIVERED, values)
    if isinstance(attempt.posted, RowChange) and deleted.rowcount:
        table, key, columns = attempt.posted
        await connection.execute(update(table).filter_by(**key).values(**columns))
    elif isinstance(attempt.posted, SentMessage) and deleted.rowcount:
        await _keep(connection, queued.match_id, attempt.posted)
        due = queued.first_attempt_at
        rows = [
            row
            for former in attempt.posted.unretired
            for row in retirements(queued.match_id, former, due)
        ]
        if rows:
            await send(connection, insert(outbox), rows)


async def _keep(connection: Connection, match_id: MatchId, posted: SentMessage) -> None:
    """Store a message with its copies and its ping, replacing the former ones."""
    messages = [message for message in (posted, posted.ping) if message is not None]
    kinds = [message.kind for message in (*messages, *posted.unretired)]
    await send(connection, _FORMER, {"this": match_id, "kinds": kinds})
    users: set[UserId | None] = {None}
    # Drop copies to deleted users.
    if any(copy.user_id for message in messages for copy in message.copies):
        sat = select(seats.c.user_id).where(seats.c.match_id == match_id)
        users |= {*(await connection.execute(sat)).scalars()}
    rows = [
        {"match_id": match_id, "kind": message.kind, "action_count": message.revision}
        | copy._asdict()
        | {"user_id": copy.user_id or IN_CHANNEL}
        for message in messages
        for copy in message.copies
        if copy.user_id in users
    ]
    if rows:
        await send(connection, _POSTED, rows)
