"""Matches in lists: the turn, the time left, the time of the last change, and a link."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    String,
    bindparam,
    case,
    cast,
    func,
    or_,
    select,
)

from bot.domain.ids import OPEN_USER_ID, GuildId, MatchId, UserId
from bot.domain.models import Match, MatchStatus, TimerKind
from bot.domain.outbox import IN_CHANNEL, OutboxKind, OutboxStatus, PostedKind
from bot.domain.pools import pool_of
from bot.services.match_repository import (
    ALL_MATCHES,
    MatchWithBoard,
    first_matches,
    matches_of,
    ordered_matches,
)
from bot.services.rated_results import rating_of
from bot.services.requests import Requests, requests_of
from bot.storage.connection import Connection
from bot.storage.schema import actions, matches, outbox, posted_messages, seats, timers
from engine import games

ACTIVE = matches.c.status.in_((MatchStatus.CHALLENGE, MatchStatus.RUNNING))
"""Whether a match has not ended."""

OPEN = (
    select(seats.c.match_id)
    .where(seats.c.match_id == matches.c.id)
    .where(or_(seats.c.user_id == OPEN_USER_ID, seats.c.joinable))
    .exists()
)
"""Whether a match has a seat that anyone may take."""

_LAST_ACTION = (
    select(func.max(actions.c.made_at))
    .where(actions.c.match_id == matches.c.id, actions.c.undone_at.is_(None))
    .correlate(matches)
    .scalar_subquery()
)

_CHALLENGES = select(
    posted_messages.c.match_id, posted_messages.c.channel_id, posted_messages.c.message_id
).where(
    posted_messages.c.match_id.in_(bindparam("these", expanding=True)),
    posted_messages.c.kind == PostedKind.CHALLENGE,
    posted_messages.c.user_id == IN_CHANNEL,
)

_WAITING_CHALLENGES = select(outbox.c.match_id).where(
    outbox.c.match_id.in_(bindparam("these", expanding=True)),
    outbox.c.kind.in_((OutboxKind.POST_CHALLENGE, OutboxKind.UPDATE_CHALLENGE)),
    outbox.c.status == OutboxStatus.WAITING,
)

SUMMARIES = ALL_MATCHES.add_columns(_LAST_ACTION)
"""All matches, with their last action: the columns that `summaries_of` reads."""


_OWN = seats.join(matches, matches.c.id == seats.c.match_id)

_MINE = (seats.c.user_id == bindparam("user")) & seats.c.ended_at.is_(None) & ACTIVE

_AWAITED = case(
    (matches.c.status == MatchStatus.CHALLENGE, seats.c.joined_at.is_(None)),
    (func.coalesce(seats.c.level, "") != "", False),
    else_=cast(matches.c.decisions, String).contains('"' + seats.c.seat + '"'),
)
"""Whether the player in a seat has to decide; see `Match.awaits`."""

_CLOCKS = seats.alias()


def _clock_end(clock: FromClause) -> ColumnElement[float]:
    """Return the expression for the end of a seat's clock; NULL if it does not run.

    Days off are not computed in the database: the timer that ends such a clock knows them. For a
    player out of time, that timer may stand for the loss of the match.
    """
    flag = select(func.min(timers.c.due_at)).where(
        timers.c.match_id == clock.c.match_id,
        timers.c.seat == clock.c.seat,
        timers.c.kind == TimerKind.FLAG,
    )
    has_days_off = clock.c.days_off.is_not(None) & (clock.c.seconds_left > 0)
    plain = clock.c.clock_started_at + clock.c.seconds_left
    return case((has_days_off, flag.correlate(clock).scalar_subquery()), else_=plain)


_DEADLINE = (
    select(func.min(_clock_end(_CLOCKS)))
    .where(_CLOCKS.c.match_id == matches.c.id)
    .correlate(matches)
    .scalar_subquery()
)
"""When the first player of a match runs out of time, or NULL; see `Match.deadline`."""

_OWN_DEADLINE = case(
    (matches.c.status == MatchStatus.CHALLENGE, matches.c.expires_at),
    (_AWAITED, _clock_end(seats)),
    else_=_DEADLINE,
)
"""When the player in a seat runs out of time, or else the player that the match waits for."""

_COUNT_OF_MINE = select(func.count()).select_from(_OWN).where(_MINE)

_PAGE_OF_MINE = (
    select(matches.c.id)
    .select_from(_OWN)
    .where(_MINE)
    .order_by(
        case((_AWAITED, 0), else_=1),
        _OWN_DEADLINE.nulls_last(),
        matches.c.changed_at.desc(),
        matches.c.id.desc(),
    )
    .limit(bindparam("size"))
    .offset(bindparam("start"))
)
"""The numbers of a page of a user's matches; only the columns for their order are read."""

LEVEL_POINTS = 400.0
"""Maximum difference of two strengths: the stronger player wins at most ten times as often."""


class MatchSummary(NamedTuple):
    """A match in a list.

    Attributes:
        match: the public facts.
        since: UTC time of its last action, or of its last change.
        link: channel and message of its board or challenge; None if there is none yet.
        unposted: whether it is a challenge that could not be posted in its channel.
        requests: the open requests among its players.
    """

    match: Match
    since: float
    link: tuple[int, int] | None
    unposted: bool = False
    requests: Requests = Requests()


class SummaryPage(NamedTuple):
    """A page of matches.

    Attributes:
        number: page number, from 0.
        pages: number of pages, at least 1.
    """

    rows: Sequence[MatchSummary]
    number: int
    pages: int


async def page_of(connection: Connection, user_id: UserId, number: int, size: int) -> SummaryPage:
    """Return a page of a user's challenges and matches in progress, their own turns first.

    Those with the least time left come first, and those without a clock last.

    Args:
        number: page number, from 0; the last page if there are fewer.
        size: maximum number of matches on a page.
    """
    user = {"user": user_id}
    total = (await connection.execute(_COUNT_OF_MINE, user)).scalar_one()
    pages = max(1, -(-total // size))
    number = min(number, pages - 1)
    start = user | {"size": size, "start": number * size}
    numbers = (await connection.execute(_PAGE_OF_MINE, start)).scalars().all()
    query = SUMMARIES.where(matches.c.id.in_(numbers))
    rows = await summaries_of(connection, query, user_id, outdated=True)
    requests = await requests_of(connection, numbers)
    rows_in_order = sorted(rows, key=lambda row: numbers.index(row.match.id))
    rows_in_order = [
        row._replace(requests=requests.get(row.match.id, Requests())) for row in rows_in_order
    ]
    return SummaryPage(rows_in_order, number, pages)


def most_urgent(limit: int, among: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the query for the matches in progress with the least time left, without a clock last.

    Args:
        limit: maximum number of matches.
        among: the number of matches whose clocks are read, those that changed last.
        conditions: of `matches`; they have to find matches in progress only.
    """
    last = (matches.c.changed_at.desc(), matches.c.id.desc())
    recent = select(matches.c.id).where(*conditions).order_by(*last).limit(among)
    order = (_DEADLINE.nulls_last(), *last)
    return ordered_matches(SUMMARIES, order, limit, matches.c.id.in_(recent.correlate(None)))


async def summaries_of(
    connection: Connection, query: Any, reader: UserId | None = None, *, outdated: bool = False
) -> tuple[MatchSummary, ...]:
    """Return the matches of a query.

    Args:
        query: `SUMMARIES`, restricted to some matches.
        reader: user ID of the reader; None for the public.
        outdated: whether to include matches of earlier rules, whose boards cannot be shown.
    """
    rows = (await connection.execute(query, {"reader": reader})).all()
    entries = [(MatchWithBoard.of(row[:-1]), row[-1] or row.changed_at) for row in rows]
    since = {
        row.match.id: changed
        for row, changed in entries
        if outdated or row.match.position is None or not row.match.is_outdated
    }
    readable = [row for row, _ in entries if row.match.id in since]
    links = await _links(connection, readable)
    unposted = await _unposted(connection, readable, links)
    return tuple(
        MatchSummary(match, since[match.id], links.get(match.id), match.id in unposted)
        for match in await matches_of(connection, readable)
    )


async def _unposted(
    connection: Connection, rows: Sequence[MatchWithBoard], links: Collection[MatchId]
) -> set[MatchId]:
    """Return the challenges without a posted or queued message in a channel."""
    unlinked = {
        row.match.id
        for row in rows
        if row.match.status == MatchStatus.CHALLENGE and row.match.id not in links
    }
    if not unlinked:
        return unlinked
    queued = await connection.execute(_WAITING_CHALLENGES, {"these": list(unlinked)})
    return unlinked - set(queued.scalars())


async def _links(
    connection: Connection, rows: Sequence[MatchWithBoard]
) -> dict[MatchId, tuple[int, int]]:
    """Return channel and message of each board that is not by DM, or else of the challenge."""
    links = {
        row.match.id: (row.channel_id, row.message_id)
        for row in rows
        if row.channel_id and row.message_id and not row.user_id
    }
    match_ids = [row.match.id for row in rows if row.match.id not in links]
    challenges = await connection.execute(_CHALLENGES, {"these": match_ids})
    return {row.match_id: (row.channel_id, row.message_id) for row in challenges} | links


async def seats_for(
    connection: Connection, guild_id: GuildId, user_id: UserId, limit: int
) -> tuple[MatchSummary, ...]:
    """Return matches on a server with a seat that a user can take, the oldest first.

    All people in them have about the user's strength in this game.

    Args:
        limit: maximum number of open seats that are looked at.
    """
    taken = select(seats.c.match_id).where(
        seats.c.match_id == matches.c.id, seats.c.user_id == user_id
    )
    conditions = (matches.c.guild_id == guild_id, ACTIVE, OPEN, ~taken.exists())
    query = first_matches(SUMMARIES, matches.c.created_at, limit, *conditions)
    summaries = await summaries_of(connection, query)
    return tuple([row for row in summaries if await _is_of_level(connection, row.match, user_id)])


async def _is_of_level(connection: Connection, match: Match, user_id: UserId) -> bool:
    """Return whether a user is about as strong as all people in a match."""
    pool = pool_of(games.get(match.game), match.options)
    strength = (await rating_of(connection, pool, user_id)).mu
    for player in match.people.values():
        other = (await rating_of(connection, pool, player.user_id)).mu
        if abs(other - strength) > LEVEL_POINTS:
            return False
    return True
