"""The worker's statements, put together once: to do so costs more than to run them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Float,
    Select,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)

from bot.services.outbox import EVERYONE, OutboxStatus
from bot.storage.schema import outbox


def queue_heads() -> Select[Any]:
    """Return the first waiting message of each match and target.

    What goes to a player waits for what went to the channel before: a DM links to the board.
    """
    place = outbox.c.match_id, outbox.c.target
    waiting = select(func.min(outbox.c.id).label("id"), *place)
    waiting = waiting.where(outbox.c.status == OutboxStatus.WAITING).group_by(*place)
    first, public = waiting.subquery(), waiting.where(outbox.c.target == str(EVERYONE)).subquery()
    return (
        select(outbox)
        .join(first, first.c.id == outbox.c.id)
        .outerjoin(public, public.c.match_id == outbox.c.match_id)
        .where(or_(public.c.id.is_(None), public.c.id >= outbox.c.id))
    )


_FREE = (
    or_(outbox.c.next_attempt_at <= bindparam("now"), outbox.c.next_attempt_at > bindparam("far")),
    or_(
        outbox.c.lease_expires_at.is_(None),
        outbox.c.lease_expires_at < bindparam("now"),
        outbox.c.lease_expires_at > bindparam("false"),
    ),
)
"""Rows that are due and not under a lease; for the values see `bot.outbox.worker`."""


DUE = queue_heads().where(*_FREE).order_by(outbox.c.id).limit(bindparam("count"))


CLAIM = (
    update(outbox)
    .where(
        outbox.c.id.in_(
            select(outbox.c.id)
            .where(outbox.c.id.in_(bindparam("found", expanding=True)))
            .where(outbox.c.status == OutboxStatus.WAITING, *_FREE)
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        worker_id=bindparam("us"),
        lease_expires_at=bindparam("until"),
        attempts=outbox.c.attempts + 1,
        first_attempt_at=func.coalesce(outbox.c.first_attempt_at, bindparam("now", type_=Float)),
    )
    .returning(outbox.c.id, outbox.c.attempts, outbox.c.first_attempt_at)
)


def _next_due() -> Select[Any]:
    heads = queue_heads().subquery()
    later = case(
        (heads.c.lease_expires_at > heads.c.next_attempt_at, heads.c.lease_expires_at),
        else_=heads.c.next_attempt_at,
    )
    return select(func.min(later))


NEXT_DUE = _next_due()
"""When the next one is due."""
