"""Matches in lists: whose turn it is, since when, and a link."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import func, or_, select

from bot.services.match_rows import ALL_MATCHES, MatchRow, match_of
from bot.services.models import Match, MatchStatus
from bot.services.outbox import PostedKind
from bot.services.versions import is_outdated
from bot.storage.connection import Connection
from bot.storage.schema import actions, matches, posted_messages, seats

ACTIVE = matches.c.status.in_((MatchStatus.CHALLENGE, MatchStatus.RUNNING))
"""Whether a match has not ended."""

OPEN = (
    select(seats.c.match_id)
    .where(seats.c.match_id == matches.c.id)
    .where(or_(seats.c.user_id == 0, seats.c.joinable))
    .exists()
)
"""Whether a match has a seat that anyone may take."""

_LAST_ACTION = (
    select(func.max(actions.c.made_at))
    .where(actions.c.match_id == matches.c.id, actions.c.undone_at.is_(None))
    .correlate(matches)
    .scalar_subquery()
)

LISTED = ALL_MATCHES.add_columns(_LAST_ACTION)
"""All matches, with their last action: the columns that `listed` reads."""


class Listed(NamedTuple):
    """A match in a list.

    Attributes:
        match: the public facts.
        since: when it last changed, or its last action.
        link: channel and message of its board or challenge; None if there is none yet.
    """

    match: Match
    since: float
    link: tuple[int, int] | None


async def listed(
    connection: Connection, chosen: Any, reader: int = 0, *, outdated: bool = False
) -> tuple[Listed, ...]:
    """Return the chosen matches.

    Args:
        connection: the connection to use.
        chosen: some of `LISTED`.
        reader: user ID of the reader; 0 for the public.
        outdated: whether to include matches of earlier rules, whose boards cannot be shown.
    """
    rows = (await connection.execute(chosen, {"reader": reader})).all()
    found = [(MatchRow.of(row[:-1]), row[-1]) for row in rows]
    return tuple(
        [
            Listed(
                match=await match_of(connection, row),
                since=last_action or row.match.changed_at,
                link=await _link(connection, row),
            )
            for row, last_action in found
            if outdated or row.match.position is None or not is_outdated(row.match)
        ]
    )


async def _link(connection: Connection, row: MatchRow) -> tuple[int, int] | None:
    """Return channel and message of a match's board, if not by DM, or of its challenge."""
    if row.channel_id and row.message_id and not row.user_id:
        return row.channel_id, row.message_id
    posted = posted_messages.c
    challenge = (posted.match_id == row.match.id) & (posted.kind == PostedKind.CHALLENGE)
    found = select(posted.channel_id, posted.message_id).where(challenge, posted.user_id == 0)
    first = (await connection.execute(found)).first()
    return None if first is None else (first.channel_id, first.message_id)
