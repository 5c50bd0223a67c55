"""Leaderboards: in order, of members who want it, and read by one query with an index."""

from __future__ import annotations

import json
from random import Random
from typing import Any, cast

import pytest
from sqlalchemy import text

from bot.domain.clocks import DAY
from bot.domain.ids import OPEN_USER_ID, GuildId, UserId
from bot.domain.pools import all_pools
from bot.domain.ratings import Rating
from bot.features.leaderboards.service import LeaderboardPlace, Leaderboards, places_of
from bot.features.leaderboards.views import PAGE_SIZE, leaderboard
from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.connection import Connection
from bot.storage.database import Database
from engine import games
from tests.support.leaderboards import CLUB, NOW, POOL, put
from tests.support.matches import ADA, BO, MatchFixture
from tests.support.privacy import export_of, privacy_of
from tests.support.profiles import KINDS, begin, end, play
from tests.support.tiers import sampled

OTHER = GuildId(8)


def boards(database: Database) -> Leaderboards:
    return Leaderboards(database, lambda: NOW)


async def users(database: Database, guild_id: GuildId = CLUB, pool: str = POOL) -> list[UserId]:
    return [place.user_id for place in await boards(database).read(guild_id, pool)]


def shown(
    places: list[LeaderboardPlace], page: int = 0, user: UserId = OPEN_USER_ID, **kwargs: Any
) -> str:
    layout: Any = leaderboard(POOL, places, page, user, listed=bool(user), **kwargs).layout
    return json.dumps(layout.to_components(), ensure_ascii=False)


@pytest.mark.parametrize(
    ("seconds", "holds"),
    [(-1, False), (0, True), (MEMBERSHIP_SECONDS, True), (MEMBERSHIP_SECONDS + 1, False)],
)
def test_answer_about_a_player_holds_for_a_while(seconds: float, *, holds: bool) -> None:
    place = LeaderboardPlace(ADA, "Ada", NOW, Rating(), 1, NOW)
    assert place.is_checked(NOW + seconds) is holds


def test_all_pools_are_those_of_all_games() -> None:
    pools = all_pools()
    assert len(set(pools)) == len(pools) >= 4
    assert {pool.split("/")[0] for pool in pools} == set(games.names())
    assert {"warp6/2", "warp6/3"} <= set(pools)


async def test_provisional_ratings_come_last_without_a_place(database: Database) -> None:
    await put(database, 1, 1500)
    await put(database, 2, 2500, 150.0)
    await put(database, 3, 1700)
    await put(database, 4, 1500)
    places = await boards(database).read(CLUB, POOL)
    assert [(place.user_id, place.number) for place in places] == [(3, 1), (1, 2), (4, 2), (2, 0)]
    assert places[0].rating == Rating(1700, 80)
    assert "**Provisional**" in shown(places)


async def test_only_listed_players_of_the_server_and_pool_are_shown(database: Database) -> None:
    await put(database, 1, 1500)
    await put(database, 2, 1500, listed=0)
    await put(database, 3, 1500, listed=OTHER)
    await put(database, 4, 1500, pool="warp6/3")
    assert await users(database) == [1]
    assert await users(database, OTHER) == [3]
    assert await users(database, CLUB, "warp6/3") == [4]


async def test_results_of_other_pools_do_not_count(database: Database) -> None:
    """Neither as the latest result nor in the number of results."""
    await put(database, 1, 1500, ended_at=NOW - 9)
    await put(database, 1, 1900, pool="warp6/3", number=2, listed=0)
    (place,) = await boards(database).read(CLUB, POOL)
    assert (place.rating, place.results, place.last_at) == (Rating(1500, 80), 1, NOW - 9)


async def test_latest_rating_counts(database: Database) -> None:
    await put(database, 1, 1500)
    await put(database, 1, 1900, number=9, listed=0)
    (place,) = await boards(database).read(CLUB, POOL)
    assert (place.rating.mu, place.results) == (1900, 2)


async def test_players_without_results_for_half_a_year_are_hidden(database: Database) -> None:
    await put(database, 1, 1500, ended_at=NOW - 182 * DAY)
    await put(database, 2, 1500, ended_at=NOW - 182 * DAY + 1)
    assert await users(database) == [2]
    assert "no result here in the last half year" in shown(
        await boards(database).read(CLUB, POOL), user=UserId(1)
    )


async def test_listing_and_leaving(database: Database) -> None:
    await put(database, 1, 1500, listed=0)
    leaderboards = boards(database)
    await leaderboards.join(CLUB, UserId(1), "One")
    await leaderboards.join(CLUB, UserId(1), "Uno")
    assert [place.name for place in await leaderboards.read(CLUB, POOL)] == ["Uno"]
    assert await leaderboards.is_listed(CLUB, UserId(1))
    await leaderboards.leave(CLUB, UserId(1))
    assert await users(database) == []
    assert not await leaderboards.is_listed(CLUB, UserId(1))


async def test_players_leave_the_leaderboards_of_one_server_only(database: Database) -> None:
    await put(database, 1, 1500, listed=0)
    await put(database, 2, 1600, listed=0)
    leaderboards = boards(database)
    for guild in (CLUB, CLUB + 1):
        for user in (1, 2):
            await leaderboards.join(GuildId(guild), UserId(user), f"P{user}")
    await leaderboards.leave(CLUB, UserId(1))
    listed = {
        (guild, user): await leaderboards.is_listed(GuildId(guild), UserId(user))
        for guild in (CLUB, CLUB + 1)
        for user in (1, 2)
    }
    assert [key for key, is_listed in listed.items() if not is_listed] == [(CLUB, 1)]
    assert [place.user_id for place in await leaderboards.read(CLUB, POOL)] == [2]
    await leaderboards.store_check(GuildId(CLUB + 1), {UserId(2): None}, NOW)
    assert [place.user_id for place in await leaderboards.read(GuildId(CLUB + 1), POOL)] == [1]
    assert await leaderboards.is_listed(CLUB, UserId(2)), "still a member of this one"


async def test_checked_players_who_left_are_removed(database: Database) -> None:
    for user in (1, 2, 3):
        await put(database, user, 1500 + user)
    await boards(database).store_check(
        CLUB, {UserId(1): None, UserId(2): "Two", UserId(99): "Stranger"}, NOW
    )
    places = await boards(database).read(CLUB, POOL)
    assert [(place.user_id, place.name) for place in places] == [(3, "P3"), (2, "Two")]


@pytest.mark.parametrize(
    ("asked_at", "listed_at", "counts"),
    [
        (NOW - 1, NOW - 2, True),
        (NOW - 1, NOW - 1, True),
        (NOW - 2, NOW - 1, False),
        (NOW - 2, NOW, False),
        (NOW - 2, NOW + 1, True),
    ],
)
async def test_player_who_is_listed_after_discord_was_asked_stays(
    database: Database, asked_at: float, listed_at: float, *, counts: bool
) -> None:
    """An entry that is stored later than now is older than the clock, which was set back."""
    await put(database, 1, 1500)
    await Leaderboards(database, lambda: listed_at).join(CLUB, UserId(1), "One")
    await boards(database).store_check(CLUB, {UserId(1): None}, asked_at)
    assert await boards(database).is_listed(CLUB, UserId(1)) is not counts


async def test_own_place_is_told_even_far_below(database: Database) -> None:
    for user in range(1, 26):
        await put(database, user, 2000 - user)
    places = await boards(database).read(CLUB, POOL)
    first = shown(places, 0, UserId(25))
    assert "Your place: **25**" in first
    assert "Page 1 of 3" in first
    assert "P10:" in first
    assert "P11:" not in first
    assert first.count("result") >= PAGE_SIZE


async def test_usual_pool_is_that_of_the_latest_result(database: Database) -> None:
    leaderboards = boards(database)
    assert await leaderboards.usual_pool(CLUB, UserId(1)) == all_pools()[0]
    await put(database, 1, 1500, ended_at=NOW - 9, pool="tomtube/2")
    await put(database, 1, 1500, number=9, listed=0)
    await put(database, 1, 1500, number=10, listed=0, pool="chess/2", ended_at=NOW)
    assert await leaderboards.usual_pool(CLUB, UserId(1)) == POOL
    await put(database, 2, 1500, pool="tomtube/2")
    for user in (11, 12, 13):
        await put(database, user, 1500, pool="warp6/3", listed=OTHER)
        await put(database, user + 10, 1500, pool="chess/2")
    assert await leaderboards.usual_pool(CLUB, UserId(3)) == "tomtube/2"
    assert await leaderboards.usual_pool(OTHER, UserId(3)) == "warp6/3"


class Watched:
    """A connection that notes its statements."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.statements: list[str] = []

    async def execute(self, statement: Any, *args: Any) -> Any:
        self.statements.append(str(statement.compile(dialect=self._connection.dialect)))
        return await self._connection.execute(statement, *args)


async def test_results_are_found_by_an_index(database: Database) -> None:
    await put(database, 1, 1500)
    async with database.read() as connection:
        watched = Watched(connection)
        await places_of(cast("Connection", watched), CLUB, POOL, NOW)
        (statement,) = watched.statements
        explained = await connection.execute(text(f"EXPLAIN QUERY PLAN {_inlined(statement)}"))
        plan = [row[-1] for row in explained]
    assert plan
    assert not [line for line in plan if line.startswith("SCAN")], plan


def _inlined(statement: str) -> str:
    """Return a statement with any values, which change nothing in SQLite's plan."""
    return statement.replace("?", "1")


# Leaks


async def walk(env: MatchFixture, seed: int, *, planted: bool = False) -> bool:
    """Play running rated matches; return whether a leaderboard changes meanwhile."""
    random, leaderboards = Random(seed), Leaderboards(env.database, lambda: NOW)
    for user, name in ((ADA, "Ada"), (BO, "Bo"), (UserId(33), "Eve")):
        await leaderboards.join(CLUB, user, name)
    for kind in (2, 3, 4):
        await end(env, await begin(env, *KINDS[kind], rated=True), random, lose=True)

    async def pages() -> list[str]:
        return [
            shown(await leaderboards.read(CLUB, pool), user=user)
            for pool in all_pools()
            for user in (ADA, UserId(9))
        ]

    before = await pages()
    for kind in (0, 2, 3, 4):
        match_id = await begin(env, *KINDS[kind], rated=True)
        await play(env, match_id, random, 9)
        if planted:
            await put(env.database, ADA, 1500, number=1000 + match_id, listed=0)
        if await pages() != before:
            return True
    return False


@sampled(1, 2, 20)
async def test_running_matches_change_no_leaderboard(env: MatchFixture, samples: int) -> None:
    for seed in range(samples):
        assert not await walk(env, seed)


@pytest.mark.slow
async def test_planted_result_of_a_running_match_is_found(env: MatchFixture) -> None:
    assert await walk(env, 1, planted=True)


async def test_deleted_player_is_on_no_leaderboard(env: MatchFixture) -> None:
    await put(env.database, ADA, 1500)
    await put(env.database, BO, 1500)
    exported = await export_of(env.database, ADA)
    assert [entry["guild_id"] for entry in exported["leaderboards"]] == [CLUB]
    await privacy_of(env).erase(ADA)
    assert await users(env.database) == [BO]


@pytest.mark.parametrize("page", [0, 1, 2])
def test_a_page_stays_below_the_limit_of_components(page: int) -> None:
    many = [
        LeaderboardPlace(UserId(n), "W" * 32, NOW, Rating(1500 - n, 80.0), 1000, NOW, number=n + 1)
        for n in range(25)
    ]
    layout: Any = leaderboard(
        POOL, many, page, UserId(24), listed=True, unchecked=[UserId(1)]
    ).layout
    assert layout.total_children_count <= 40
    assert layout.content_length() <= 4000
