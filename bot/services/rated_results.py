"""The results of rated matches in order, and the ratings derived from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, func, insert, select, update

from bot.domain.anchors import anchor_of
from bot.domain.clocks import DAY
from bot.domain.ids import DELETED_USER_ID, MatchId, UserId
from bot.domain.ratings import Entrant, Rating, Result, rate, replay
from bot.storage.connection import Connection
from bot.storage.database import get_or_create
from bot.storage.schema import facts, rated_results

PAIR_LIMIT, PAIR_SECONDS = 3, 30 * DAY
"""Number of results of the same two players that count in this period."""

TIMEOUT_LIMIT, TIMEOUT_SECONDS = 3, 7 * DAY
"""Number of a player's losses on time that count in this period."""

ORDER_FACT = "ratings"
"""Name of the fact whose row is locked while a result is stored."""

ANONYMOUS = -1000
"""Deleted players have user IDs below this in results, each a different one."""

_COLUMNS = rated_results.c


class SeatResult(NamedTuple):
    """A seat in a result; for the fields see the columns of `rated_results`."""

    seat: str
    user_id: UserId
    rank: int
    out_of_time: bool = False
    anchor: str | None = None


class RatingChange(NamedTuple):
    """The rating of one seat's player before and after a result."""

    seat: str
    pool: str
    before: Rating
    after: Rating


class Difference(NamedTuple):
    """A stored rating that differs from the one derived from the results."""

    match_id: MatchId
    seat: str
    stored: Rating
    computed: Rating


async def lock_order(connection: Connection) -> None:
    """Make all other transactions that store a result wait for the end of this one.

    It is the last lock that a transaction takes, so they cannot wait for each other.
    """
    await get_or_create(connection, facts, name=ORDER_FACT, value="")


async def append_result(
    connection: Connection, match_id: MatchId, pool: str, seats: Iterable[SeatResult], now: float
) -> None:
    """Store a result as the last one, with the ratings after it; the order must be locked."""
    latest = (await connection.execute(select(func.max(_COLUMNS.number)))).scalar_one()
    number = (latest or 0) + 1
    results = list[SeatResult]()
    for place, seat in enumerate(seats):
        deleted = seat.user_id == DELETED_USER_ID
        user_id = await anonymous_id(connection) - place if deleted else seat.user_id
        results.append(seat._replace(user_id=UserId(user_id)))
    entrants = [
        Entrant(result.user_id, result.rank, anchor_of(pool, result.anchor)) for result in results
    ]
    before = [await _rating_before(connection, pool, result.user_id, number) for result in results]
    common = {"match_id": match_id, "number": number, "pool": pool, "ended_at": now}
    rows = [
        {**common, **result._asdict(), **rating._asdict()}
        for result, rating in zip(results, rate(entrants, before), strict=True)
    ]
    await connection.execute(insert(rated_results), rows)


async def anonymous_id(connection: Connection) -> UserId:
    """Return an unused user ID for a deleted player."""
    lowest = (await connection.execute(select(func.min(_COLUMNS.user_id)))).scalar_one()
    return UserId(min(lowest or 0, ANONYMOUS) - 1)


async def rating_of(connection: Connection, pool: str, user_id: UserId) -> Rating:
    """Return a player's rating in a pool."""
    return await _latest_rating(connection, _COLUMNS.user_id == user_id, _COLUMNS.pool == pool)


async def _rating_before(connection: Connection, pool: str, user_id: UserId, number: int) -> Rating:
    """Return a player's rating before the result with this number."""
    of_player = (_COLUMNS.user_id == user_id) & (_COLUMNS.pool == pool)
    return await _latest_rating(connection, of_player, _COLUMNS.number < number)


async def _latest_rating(connection: Connection, *conditions: ColumnElement[bool]) -> Rating:
    """Return the rating after the last result that fulfils some conditions."""
    latest = select(_COLUMNS.mu, _COLUMNS.sigma).where(*conditions).order_by(_COLUMNS.number.desc())
    row = (await connection.execute(latest.limit(1))).one_or_none()
    return Rating() if row is None else Rating(*row)


async def pair_is_spent(connection: Connection, user_ids: Collection[UserId], now: float) -> bool:
    """Return whether two of these users have reached the limit of results that count."""
    one, other = rated_results.alias(), rated_results.alias()
    count = select(func.count()).select_from(one.join(other, one.c.match_id == other.c.match_id))
    for pair in combinations(user_ids, 2):
        of_pair = (one.c.user_id == pair[0]) & (other.c.user_id == pair[1])
        result = await connection.execute(count.where(of_pair, one.c.ended_at > now - PAIR_SECONDS))
        if result.scalar_one() >= PAIR_LIMIT:
            return True
    return False


async def timeouts_are_spent(connection: Connection, user_id: UserId, now: float) -> bool:
    """Return whether a user has reached the limit of losses on time that count."""
    timeouts = (_COLUMNS.user_id == user_id) & _COLUMNS.out_of_time
    count = select(func.count()).select_from(rated_results)
    result = await connection.execute(
        count.where(timeouts, _COLUMNS.ended_at > now - TIMEOUT_SECONDS)
    )
    return int(result.scalar_one()) >= TIMEOUT_LIMIT


async def rating_changes(connection: Connection, match_id: MatchId) -> tuple[RatingChange, ...]:
    """Return the rating changes of people by a finished match; empty if it does not count."""
    of_people = (_COLUMNS.match_id == match_id) & _COLUMNS.anchor.is_(None)
    query = select(rated_results).where(of_people).order_by(_COLUMNS.seat)
    return tuple(
        [
            RatingChange(
                row.seat,
                row.pool,
                await _rating_before(connection, row.pool, row.user_id, row.number),
                Rating(row.mu, row.sigma),
            )
            for row in (await connection.execute(query)).all()
        ]
    )


async def differences(connection: Connection) -> tuple[int, list[Difference]]:
    """Rate all results again.

    Returns:
        The number of results, and the stored ratings that differ from the derived ones.
    """
    query = select(rated_results).order_by(_COLUMNS.number, _COLUMNS.seat)
    rows = (await connection.execute(query)).all()
    grouped = [list(group) for __, group in groupby(rows, lambda row: row.number)]
    results = [Result(group[0].pool, tuple(map(_entrant, group))) for group in grouped]
    differing = [
        Difference(row.match_id, row.seat, stored, computed)
        for group, after in zip(grouped, replay(results), strict=True)
        for row, computed in zip(group, after, strict=True)
        if (stored := Rating(row.mu, row.sigma)) != computed
    ]
    return len(results), differing


def _entrant(row: Row[*tuple[Any, ...]]) -> Entrant:
    """Return a stored seat as an entrant; an unknown anchor has its stored rating."""
    anchor = anchor_of(row.pool, row.anchor)
    if row.anchor and anchor is None:
        anchor = Rating(row.mu, row.sigma)
    return Entrant(row.user_id, row.rank, anchor)


async def correct(connection: Connection, corrections: Sequence[Difference]) -> None:
    """Store the ratings derived from the results."""
    for correction in corrections:
        this_result = (_COLUMNS.match_id == correction.match_id) & (
            _COLUMNS.seat == correction.seat
        )
        query = update(rated_results).where(this_result).values(**correction.computed._asdict())
        await connection.execute(query)
