"""The order of the results of rated matches, their limits, and the ratings after them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import select, update

from bot.domain.clocks import DAY
from bot.domain.ids import COMPUTER_USER_ID, DELETED_USER_ID, UserId
from bot.domain.ratings import Entrant, Rating, rate
from bot.services.rated_results import (
    SeatResult,
    append_result,
    correct,
    lock_order,
    pair_is_spent,
    rating_changes,
    timeouts_are_spent,
)
from bot.storage.schema import facts, rated_results
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.rated import recalculated

DELETED = DELETED_USER_ID

NOW = 1e9

LOSS = [Entrant(BO, 0), Entrant(ADA, 1)]


async def append(env: MatchFixture, *users: int, late: bool = False, ago: float = 0.0) -> None:
    """Store a result of some users, of whom the first has won; `late`: the others lost on time."""
    match_id = await env.begin()
    seats = [SeatResult("B", UserId(users[0]), 0)]
    for seat, user in zip("YW", users[1:], strict=False):
        lost = SeatResult(seat, UserId(user), 1)
        seats.append(lost._replace(out_of_time=True) if late else lost)
    async with env.database.write() as connection:
        await append_result(connection, match_id, f"warp6/{len(users)}", seats, NOW - ago)


async def stored(env: MatchFixture, *columns: str) -> list[tuple[Any, ...]]:
    """Return columns of all results, in order."""
    query = select(*(rated_results.c[name] for name in columns))
    async with env.database.read() as connection:
        ordered = query.order_by(rated_results.c.match_id, rated_results.c.seat)
        return [tuple(row) for row in await connection.execute(ordered)]


async def test_results_are_numbered_with_a_user_for_each_seat(env: MatchFixture) -> None:
    await append(env, DELETED, DELETED, ADA)
    await append(env, DELETED, ADA)
    await append(env, EVE, BO, late=True)
    columns = "number", "pool", "seat", "user_id", "rank", "out_of_time", "ended_at"
    assert await stored(env, *columns) == [
        (1, "warp6/3", "B", -1001, 0, False, NOW),
        (1, "warp6/3", "W", ADA, 1, False, NOW),
        (1, "warp6/3", "Y", -1002, 1, False, NOW),
        (2, "warp6/2", "B", -1003, 0, False, NOW),
        (2, "warp6/2", "Y", ADA, 1, False, NOW),
        (3, "warp6/2", "B", EVE, 0, False, NOW),
        (3, "warp6/2", "Y", BO, 1, True, NOW),
    ]


async def test_order_is_locked_by_the_same_row_in_all_versions(env: MatchFixture) -> None:
    for _ in range(2):
        async with env.database.write() as connection:
            await lock_order(connection)
            rows = (await connection.execute(select(facts).where(facts.c.name == "ratings"))).all()
            assert [tuple(row) for row in rows] == [("ratings", "")]


async def test_pair_counts_three_times_in_thirty_days(env: MatchFixture) -> None:
    await append(env, ADA, BO, ago=30 * DAY)
    await append(env, BO, ADA, ago=30 * DAY - 1)
    for users in ((ADA, BO), (ADA, EVE), (EVE, ADA), (EVE, BO)):
        await append(env, *users)

    async def spent(users: Collection[UserId], ago: float = 0.0) -> bool:
        async with env.database.read() as connection:
            return await pair_is_spent(connection, users, NOW - ago)

    assert [await spent([ADA, BO]), await spent([ADA, BO], 1)] == [False, True]
    assert await spent([EVE, BO, ADA], 1)
    assert [await spent([EVE, BO], 1), await spent([BO], 1)] == [False, False]


async def test_three_losses_on_time_count_in_a_week(env: MatchFixture) -> None:
    await append(env, BO, ADA, late=True, ago=7 * DAY)
    await append(env, EVE, ADA, late=True, ago=7 * DAY - 1)
    await append(env, EVE, ADA, late=True)
    await append(env, EVE, ADA)
    await append(env, ADA, BO, late=True)

    async def spent(user: UserId, ago: float) -> bool:
        async with env.database.read() as connection:
            return await timeouts_are_spent(connection, user, NOW - ago)

    assert [await spent(ADA, 0), await spent(ADA, 1)] == [False, True]
    assert [await spent(BO, 1), await spent(EVE, 1)] == [False, False]


async def test_stored_ratings_follow_from_the_results(env: MatchFixture) -> None:
    for users in ((ADA, BO), (EVE, ADA, BO)) * 3:
        await append(env, *users)
    right = await stored(env, "mu", "sigma")
    assert await recalculated(env) == (6, [])
    async with env.database.write() as connection:
        await connection.execute(update(rated_results).values(mu=rated_results.c.mu + 1e-9))
    __, corrections = await recalculated(env)
    assert len(corrections) == 3 * 2 + 3 * 3
    async with env.database.write() as connection:
        await correct(connection, corrections)
    assert await recalculated(env) == (6, [])
    assert await stored(env, "mu", "sigma") == right


async def test_the_computer_has_no_rating_change(env: MatchFixture) -> None:
    match_id = await env.begin()
    seats = [SeatResult("B", ADA, 0), SeatResult("Y", COMPUTER_USER_ID, 1, anchor="cadet/1")]
    async with env.database.write() as connection:
        await append_result(connection, match_id, "warp6/computer", seats, NOW)
    async with env.database.read() as connection:
        changes = await rating_changes(connection, match_id)
    assert [change.seat for change in changes] == ["B"]


async def test_a_rating_of_an_unknown_level_stays(env: MatchFixture) -> None:
    await append(env, ADA, BO)
    async with env.database.write() as connection:
        level = update(rated_results).where(rated_results.c.seat == "Y")
        await connection.execute(level.values(anchor="gone/0", mu=1234.0, sigma=0.0))
    __, corrections = await recalculated(env)
    assert [correction.seat for correction in corrections] == ["B"], (
        "whose rating follows from that of the level"
    )


async def test_results_follow_by_number_not_by_match(env: MatchFixture) -> None:
    await append(env, ADA, BO)
    await append(env, BO, ADA)
    async with env.database.write() as connection:
        later = update(rated_results).where(rated_results.c.number == 1)
        await connection.execute(later.values(number=3))
    __, corrections = await recalculated(env)
    first = [
        correction
        for correction in corrections
        if correction.match_id == max(e.match_id for e in corrections)
    ]
    assert {correction.computed for correction in first} == set(rate(LOSS, [Rating(), Rating()]))
