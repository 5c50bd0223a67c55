"""Which servers are to update the roles for ranks, and whose roles are taken away."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from bot.domain.ids import GuildId
from bot.features.leaderboards.rank_queue import (
    AT_ONCE,
    erase_grants,
    on_ratings_changed,
    queue_ranks,
    queue_ranks_of_server,
)
from bot.services.events import RatingsChanged
from bot.storage.schema import guilds, leaderboard_entries, rank_grants, rank_roles
from tests.support.leaderboards import CLUB, POOL
from tests.support.matches import ADA, BO, MatchFixture

BARE, OTHER = GuildId(8), GuildId(9)
"""A server without roles for ranks, on which Ada is listed as in the club; and one with Bo only."""

GOLD = 70
DUE = 50.0


@pytest.fixture(autouse=True)
async def servers(env: MatchFixture) -> None:
    """Three servers; none is due."""
    async with env.database.write() as connection:
        for guild_id, user_id in ((CLUB, ADA), (BARE, ADA), (OTHER, BO)):
            key = {"guild_id": guild_id}
            await connection.execute(insert(guilds).values(key | {"settings": {}}))
            entry = key | {"user_id": user_id, "name": "Player", "checked_at": 1.0}
            await connection.execute(insert(leaderboard_entries).values(entry))
            grant = key | {"user_id": user_id, "role_id": GOLD, "given": True}
            await connection.execute(insert(rank_grants).values(grant))
            if guild_id != BARE:
                role = key | {"role_id": GOLD, "pool": POOL, "threshold": 0}
                await connection.execute(insert(rank_roles).values(role))


async def due_at(env: MatchFixture) -> dict[int, float]:
    """Servers that are due, and when."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(guilds.c.guild_id, guilds.c.ranks_due_at))
        return {row.guild_id: row.ranks_due_at for row in rows if row.ranks_due_at is not None}


async def test_servers_with_roles_and_these_players_are_due(env: MatchFixture) -> None:
    async with env.database.write() as connection:
        await queue_ranks(connection, [ADA], DUE)
    assert await due_at(env) == {CLUB: DUE}
    async with env.database.write() as connection:
        await queue_ranks(connection, [ADA, BO], DUE + 1)
    assert await due_at(env) == {CLUB: DUE + 1, OTHER: DUE + 1}


async def test_rated_match_makes_the_servers_of_its_players_due(env: MatchFixture) -> None:
    async with env.database.write() as connection:
        await on_ratings_changed(connection, RatingsChanged([ADA], DUE))
    assert await due_at(env) == {CLUB: DUE}


async def test_only_this_server_is_due_if_it_has_roles(env: MatchFixture) -> None:
    async with env.database.write() as connection:
        await queue_ranks_of_server(connection, CLUB, DUE)
        await queue_ranks_of_server(connection, BARE, DUE)
    assert await due_at(env) == {CLUB: DUE}


async def test_deleted_player_loses_roles_on_all_servers(env: MatchFixture) -> None:
    async with env.database.write() as connection:
        for statement in erase_grants(ADA):
            await connection.execute(statement)
    assert await due_at(env) == {CLUB: AT_ONCE, BARE: AT_ONCE}
    async with env.database.read() as connection:
        rows = await connection.execute(select(rank_grants.c.guild_id, rank_grants.c.erased))
        assert {row.guild_id: row.erased for row in rows} == {CLUB: True, BARE: True, OTHER: False}
