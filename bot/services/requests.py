"""Requests for consent among the players of matches in progress.

A request is a timer of its player: it holds for a week, as long as the version of the match is the
same. So it can be answered even if the message that asked is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from sqlalchemy import bindparam, delete, insert, select

from bot.domain.clocks import DAY
from bot.domain.ids import Version
from bot.domain.models import TimerKind
from bot.domain.outbox import PostedKind, SentCopy, SentMessage, retirements
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import matches, outbox, posted_messages, timers

REQUEST_SECONDS = 7 * DAY
"""Lifetime of a request in seconds."""

_REQUESTS = (
    select(timers.c.match_id, timers.c.kind, timers.c.seat)
    .join(matches, matches.c.id == timers.c.match_id)
    .where(timers.c.match_id.in_(bindparam("these", expanding=True)))
    .where(timers.c.kind.in_((TimerKind.ABANDON, TimerKind.TAKEBACK)))
    .where(timers.c.version == matches.c.version)
    .order_by(timers.c.seat)
)


class Requests(NamedTuple):
    """The requests in a match that have not been answered.

    Attributes:
        takeback: the seat of the player who asks to take a choice back; empty if none does.
        ending: the seats of the players who agree to end the match without a result.
    """

    takeback: str = ""
    ending: str = ""


async def requests_of(connection: Connection, match_ids: Collection[int]) -> dict[int, Requests]:
    """Return match → its requests; matches without any are left out."""
    requests: dict[int, Requests] = {}
    for row in await connection.execute(_REQUESTS, {"these": list(match_ids)}):
        request = requests.get(row.match_id, Requests())
        if row.kind == TimerKind.TAKEBACK:
            request = request._replace(takeback=row.seat)
        else:
            request = request._replace(ending=request.ending + row.seat)
        requests[row.match_id] = request
    return requests


async def close(
    connection: Connection,
    row: MatchRow,
    _seat: str,
    version: Version,
    *,
    timer: TimerKind,
    question: PostedKind,
    clock: Callable[[], float],
) -> None:
    """Queue the removal of the buttons below a request that is over, unless another one holds.

    Args:
        row: the match.
        version: of the match when the request was made.
        timer: the kind of the request's timer, which has fired.
        question: the kind of the message that asked.
        clock: the time in UTC seconds.
    """
    requests = (timers.c.match_id == row.id) & (timers.c.kind == timer)
    unexpired = select(timers.c.id).where(requests, timers.c.version == version).limit(1)
    if (await connection.execute(unexpired)).first():
        return
    asked = (posted_messages.c.match_id == row.id) & (posted_messages.c.kind == question)
    asked &= posted_messages.c.action_count == version
    copies = [
        SentCopy(copy.user_id or None, copy.channel_id, copy.message_id)
        for copy in await connection.execute(select(posted_messages).where(asked))
    ]
    if rows := retirements(row.id, SentMessage(question, version, copies), clock()):
        await connection.execute(delete(posted_messages).where(asked))
        await connection.execute(insert(outbox), rows)
