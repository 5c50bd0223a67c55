"""Roles for ranks of one server: what another server has stays as it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.features.leaderboards.rank_roles import TOPIC, RankRole, RankRoles, RoleChange
from bot.features.leaderboards.service import Leaderboards
from bot.personal import SCRUB
from bot.storage.schema import facts, guilds, leaderboard_entries, rank_grants, rank_roles
from tests.support.leaderboards import CLUB, POOL, put
from tests.support.matches import ADA, BO, EVE, MatchFixture

OTHER, GOLD, SILVER = GuildId(8), 70, 71

TABLES = (guilds, rank_roles, rank_grants, leaderboard_entries)


async def twins(env: MatchFixture) -> RankRoles:
    """Two servers with the same roles, members and gifts; neither is due for a while."""
    ranks = RankRoles(env.database, lambda: env.now)
    for guild_id in (CLUB, OTHER):
        for role_id, threshold in ((GOLD, 1700), (SILVER, 1400)):
            await ranks.choose(guild_id, RankRole(role_id, POOL, threshold))
        for user_id in (ADA, BO):
            await Leaderboards(env.database, lambda: env.now).join(guild_id, user_id, "player")
        gifts = [(ADA, GOLD, False), (ADA, SILVER, False), (BO, GOLD, False), (EVE, SILVER, True)]
        async with env.database.write() as connection:
            for user_id, role_id, erased in gifts:
                gift = {"guild_id": guild_id, "user_id": user_id, "role_id": role_id}
                gift |= {"given": True, "erased": erased}
                await connection.execute(insert(rank_grants).values(gift))
        await ranks.finish(guild_id, await ranks.claim(guild_id))
    env.now += 60
    return ranks


async def rows_of(env: MatchFixture, guild_id: GuildId) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that is stored about the ranks of a server."""
    rows_by_table = {}
    async with env.database.read() as connection:
        for table in TABLES:
            rows = await connection.execute(select(table).where(table.c.guild_id == guild_id))
            rows_by_table[table.name] = sorted(map(tuple, rows), key=str)
    return rows_by_table


async def finish(ranks: RankRoles) -> None:
    await ranks.finish(CLUB, await ranks.claim(CLUB))


GIFT = RoleChange(BO, SILVER, give=True)

CHANGES: dict[str, Callable[[RankRoles], Awaitable[object]]] = {
    "choose": lambda ranks: ranks.choose(CLUB, RankRole(GOLD, POOL, 1800)),
    "remove": lambda ranks: ranks.remove(CLUB, GOLD),
    "claim": lambda ranks: ranks.claim(CLUB),
    "finish": finish,
    "begin": lambda ranks: ranks.begin_change(CLUB, GIFT),
    "give": lambda ranks: ranks.end_change(CLUB, RoleChange(ADA, GOLD, give=True)),
    "take": lambda ranks: ranks.end_change(CLUB, RoleChange(ADA, GOLD, give=False)),
    "member": lambda ranks: ranks.forget_member(CLUB, ADA),
    "role": lambda ranks: ranks.forget_role(CLUB, GOLD),
    "erased": lambda ranks: ranks.forget_erased(CLUB),
}


@pytest.mark.first(test=3)
@pytest.mark.parametrize("name", CHANGES)
async def test_change_on_one_server_leaves_the_other_alone(env: MatchFixture, name: str) -> None:
    ranks = await twins(env)
    on_club, there = await rows_of(env, CLUB), await rows_of(env, OTHER)
    await CHANGES[name](ranks)
    assert await rows_of(env, OTHER) == there
    assert (await rows_of(env, CLUB) == on_club) is (name == "give"), "it was given before"


async def test_changes_of_a_server_are_its_own(env: MatchFixture) -> None:
    """Those of deleted players come first: they wait for no other."""
    ranks = await twins(env)
    changes = await ranks.changes(CLUB)
    assert changes[0] == RoleChange(EVE, SILVER, give=False, is_last=True)
    assert [(change.user_id, change.role_id) for change in changes[1:]] == [
        (ADA, GOLD),
        (ADA, SILVER),
        (BO, GOLD),
    ]
    async with env.database.write() as connection:
        await connection.execute(delete(rank_grants).where(rank_grants.c.guild_id == CLUB))
    assert await ranks.changes(CLUB) == []
    assert len(await ranks.changes(OTHER)) == 4


async def test_deleted_role_gives_way_at_once_if_it_was_chosen(env: MatchFixture) -> None:
    ranks, topics = await twins(env), list[str]()
    env.database.listen(TOPIC, lambda: topics.append(TOPIC))
    await ranks.forget_role(CLUB, GOLD + 9)
    assert await ranks.due() == []
    await ranks.forget_role(CLUB, GOLD)
    assert await ranks.due() == [CLUB]
    assert topics == [TOPIC]
    gifts = (await rows_of(env, CLUB))["rank_grants"]
    assert all(GOLD not in gift for gift in gifts)
    assert len(gifts) == 2


@pytest.mark.parametrize(("user_id", "is_due"), [(ADA, False), (EVE, True)])
async def test_files_are_overwritten_only_for_a_deleted_player(
    env: MatchFixture, user_id: UserId, is_due: bool
) -> None:
    ranks = await twins(env)
    await ranks.forget_member(CLUB, user_id)
    async with env.database.read() as connection:
        fact = await connection.execute(select(facts.c.value).where(facts.c.name == SCRUB))
        assert (fact.scalar() == "due") is is_due


async def test_provisional_rating_gets_no_role(env: MatchFixture) -> None:
    ranks = RankRoles(env.database, lambda: env.now)
    await ranks.choose(CLUB, RankRole(GOLD, POOL, 0))
    await put(env.database, ADA, 2500, 150.0, ended_at=env.now)
    await put(env.database, BO, 1500, 80.0, ended_at=env.now)
    assert await ranks.changes(CLUB) == [RoleChange(BO, GOLD, give=True)]


@pytest.mark.parametrize("is_listed", [False, True])
async def test_change_of_a_leaderboard_changes_roles_soon(
    env: MatchFixture, is_listed: bool
) -> None:
    ranks, boards = await twins(env), Leaderboards(env.database, lambda: env.now)
    assert await ranks.due() == []
    if is_listed:
        await boards.join(CLUB, EVE, "Eve")
    else:
        await boards.leave(CLUB, ADA)
    assert await ranks.due() == [CLUB]
    await ranks.finish(CLUB, await ranks.claim(CLUB))
    env.now += DAY - 1
    assert CLUB not in await ranks.due()
