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
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.services.outbox import (
    EVERYONE,
    HALL_PREFIX,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedMessage,
    Target,
)
from bot.storage.connection import Connection
from bot.storage.schema import outbox, posted_messages, seats


class ClaimTerms(NamedTuple):
    """A claim of a worker.

    Attributes:
        worker_id: the process.
        now: the time in UTC seconds.
        until: when the lease ends.
        limits: times that are too far ahead to be true, from before a clock was put back:
            `latest_due` for the next attempt, `latest_lease_end` for the end of a lease.
    """

    worker_id: str
    now: float
    until: float
    limits: Mapping[str, float]


class Attempt(NamedTuple):
    """The result of an attempt to deliver a message.

    Attributes:
        message: as it was claimed.
        changes: columns to change, so that it is tried again or given up; empty if it arrived.
        posted: the message on Discord, if it is kept up to date.
    """

    message: OutboxMessage
    changes: Mapping[str, object]
    posted: PostedMessage | None = None


def _queue_heads() -> Select[Any]:
    """Return the first waiting message of each match and target, or of each hall.

    What goes to a player waits for what went to the channel before: a DM links to the board.
    """
    of_halls = outbox.c.target.startswith(HALL_PREFIX)
    queue = case((of_halls, None), else_=outbox.c.match_id).label("queue")
    waiting = select(func.min(outbox.c.id).label("id"), queue, outbox.c.target)
    waiting = waiting.where(outbox.c.status == OutboxStatus.WAITING)
    waiting = waiting.group_by("queue", outbox.c.target)
    first = waiting.subquery()
    public = waiting.where(outbox.c.target == str(EVERYONE)).subquery()
    return (
        select(outbox)
        .join(first, first.c.id == outbox.c.id)
        .outerjoin(public, public.c.queue == outbox.c.match_id)
        .where(or_(public.c.id.is_(None), public.c.id >= outbox.c.id))
    )


_NOW: BindParameter[float] = bindparam("now", type_=Float)


def _is_free(table: Any) -> ColumnElement[bool]:
    """Return whether a message is due and not under a lease."""
    return and_(
        or_(table.next_attempt_at <= _NOW, table.next_attempt_at > bindparam("latest_due")),
        or_(
            table.lease_expires_at.is_(None),
            table.lease_expires_at < _NOW,
            table.lease_expires_at > bindparam("latest_lease_end"),
        ),
    )


def _next_due() -> Select[Any]:
    heads = _queue_heads().subquery().c
    return select(
        func.min(
            case(
                (_is_free(heads), _NOW),
                (heads.lease_expires_at > heads.next_attempt_at, heads.lease_expires_at),
                else_=heads.next_attempt_at,
            )
        )
    )


_NEXT_DUE = _next_due()

_FREE_HEADS = (
    _queue_heads()
    .with_only_columns(outbox.c.id)
    .where(_is_free(outbox.c))
    .order_by(outbox.c.id)
    .limit(bindparam("count"))
)

_CLAIM = (
    update(outbox)
    .where(
        outbox.c.id.in_(
            select(outbox.c.id)
            .where(outbox.c.id.in_(_FREE_HEADS.scalar_subquery()))
            .where(outbox.c.status == OutboxStatus.WAITING, _is_free(outbox.c))
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        worker_id=bindparam("worker"),
        lease_expires_at=bindparam("until"),
        attempts=outbox.c.attempts + 1,
        first_attempt_at=func.coalesce(outbox.c.first_attempt_at, _NOW),
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

SQLite gives the numbers of deleted rows to new ones, so the key is compared as well."""

_DELIVERED, _CHANGE = delete(outbox).where(_OURS), update(outbox).where(_OURS)


async def next_due(connection: Connection, terms: ClaimTerms) -> float | None:
    """Return when a message is due, at most now; None if none waits."""
    found = await connection.execute(_NEXT_DUE, {"now": terms.now, **terms.limits})
    due: float | None = found.scalar_one()
    return due


async def claim(connection: Connection, terms: ClaimTerms, count: int) -> list[OutboxMessage]:
    """Claim due messages, each the first of its match and target."""
    mine = {"worker": terms.worker_id, "until": terms.until, "count": count}
    rows = await connection.execute(_CLAIM, {"now": terms.now, **terms.limits, **mine})
    claimed = [
        OutboxMessage(
            row.id,
            row.match_id,
            Target.parse(row.target),
            OutboxKind(row.kind),
            row.payload,
            row.attempts,
            row.first_attempt_at,
            row.key,
            row.errors,
        )
        for row in rows
    ]
    return sorted(claimed, key=lambda each: each.id)


async def record(connection: Connection, attempt: Attempt) -> None:
    """Write the result of an attempt, unless another worker has taken the message over."""
    queued = attempt.message
    ours = {
        "this": queued.id,
        "name": queued.key,
        "begun": queued.first_attempt_at,
        "attempt": queued.attempts,
    }
    if attempt.changes:
        await connection.execute(_CHANGE.values(**attempt.changes), ours)
        return
    deleted = await connection.execute(_DELIVERED, ours)
    if attempt.posted is not None and deleted.rowcount:
        await _keep(connection, queued.match_id, attempt.posted)


async def _keep(connection: Connection, match_id: int, posted: PostedMessage) -> None:
    """Store a message with its copies, and its ping, in place of the former ones."""
    kept = [each for each in (posted, posted.ping) if each is not None]
    table = posted_messages.c
    same = (table.match_id == match_id) & table.kind.in_([each.kind for each in kept])
    await connection.execute(delete(posted_messages).where(same))
    users = {0}
    if any(copy.user_id for each in kept for copy in each.copies):  # drop copies to deleted users
        sat = select(seats.c.user_id).where(seats.c.match_id == match_id)
        users |= {*(await connection.execute(sat)).scalars()}
    rows = [
        {"match_id": match_id, "kind": each.kind, "action_count": each.action_count}
        | copy._asdict()
        for each in kept
        for copy in each.copies
        if copy.user_id in users
    ]
    if rows:
        await connection.execute(insert(posted_messages), rows)
