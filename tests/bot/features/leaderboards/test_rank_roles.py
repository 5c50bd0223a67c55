"""Roles for ranks: when they are due, what changes, and whose they were."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from bot.domain.clocks import DAY
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.terms import Terms
from bot.features.leaderboards.rank_roles import (
    CLAIM_SECONDS,
    FAR_SECONDS,
    MAX_ROLES,
    TOPIC,
    RankRole,
    RankRoles,
    RoleChange,
)
from bot.features.leaderboards.service import Leaderboards
from bot.personal import SCRUB
from bot.storage.schema import facts, guilds, rank_grants
from tests.support.leaderboards import CLUB, POOL, put
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture
from tests.support.privacy import export_of, privacy_of

OTHER = GuildId(8)
GOLD, SILVER = 70, 71


def ranks_of(env: MatchFixture) -> RankRoles:
    return RankRoles(env.database, lambda: env.now)


async def due_at(env: MatchFixture) -> dict[int, float | None]:
    """When each server is due."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(guilds.c.guild_id, guilds.c.ranks_due_at))
        return {row.guild_id: row.ranks_due_at for row in rows}


async def settled(env: MatchFixture) -> RankRoles:
    """A server with a role, and Ada on its leaderboards; nothing is due."""
    ranks = ranks_of(env)
    assert await ranks.choose(CLUB, RankRole(GOLD, POOL, 0))
    await Leaderboards(env.database, lambda: env.now).join(CLUB, ADA, "Ada")
    await ranks.finish(CLUB, await ranks.claim(CLUB))
    assert await ranks.due() == []
    return ranks


async def make(ranks: RankRoles, change: RoleChange, guild_id: GuildId = CLUB) -> None:
    """Make a change as Discord does it at once."""
    assert await ranks.begin_change(guild_id, change)
    await ranks.end_change(guild_id, change)


async def grants(env: MatchFixture) -> list[tuple[int, bool, bool]]:
    """Return the stored gifts: player, whether given, whether to be forgotten."""
    query = select(rank_grants.c.user_id, rank_grants.c.given, rank_grants.c.erased)
    async with env.database.read() as connection:
        return [tuple(row) for row in await connection.execute(query)]


async def begin(env: MatchFixture) -> MatchId:
    terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="B")
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    await env.race(challenge.match_id)
    return challenge.match_id


async def test_result_makes_the_servers_of_its_players_due(env: MatchFixture) -> None:
    ranks = await settled(env)
    match_id = await begin(env)
    assert await ranks.due() == [], "a running match changes nothing"
    await env.matches.act(next(env.ids), match_id, BO, "resign")
    assert await ranks.due() == [CLUB]


async def test_who_comes_back_and_is_listed_again_gets_roles_again(
    env: MatchFixture,
) -> None:
    ranks, boards = await settled(env), Leaderboards(env.database, lambda: env.now)
    await put(env.database, ADA, 2000.0, listed=None)
    (gift,) = await ranks.changes(CLUB)
    await make(ranks, gift)
    await boards.store_check(CLUB, {ADA: None}, env.now)
    await boards.join(CLUB, ADA, "Ada")
    assert await ranks.changes(CLUB) == [gift]
    await make(ranks, gift)
    assert await ranks.changes(CLUB) == []


async def test_update_that_did_not_end_is_repeated(env: MatchFixture) -> None:
    ranks = await settled(env)
    await ranks.remove(CLUB, 99)
    assert await ranks.due() == [CLUB]
    claimed = await ranks.claim(CLUB)
    assert await ranks.due() == []
    env.now += CLAIM_SECONDS
    assert await ranks.due() == [CLUB]
    await ranks.finish(CLUB, claimed)
    assert await due_at(env) == {CLUB: env.now + DAY}


@pytest.mark.parametrize(
    ("ahead", "is_due"), [(DAY, False), (FAR_SECONDS, False), (FAR_SECONDS + 1, True)]
)
async def test_clock_that_was_ahead_delays_no_update(
    env: MatchFixture, ahead: float, *, is_due: bool
) -> None:
    ranks = await settled(env)
    env.now += ahead - CLAIM_SECONDS
    await ranks.claim(CLUB)
    env.now -= ahead - CLAIM_SECONDS
    assert await ranks.due() == ([CLUB] if is_due else [])


async def test_change_during_an_update_is_not_forgotten(env: MatchFixture) -> None:
    ranks = await settled(env)
    claimed = await ranks.claim(CLUB)
    await ranks.choose(CLUB, RankRole(SILVER, POOL, 5))
    await ranks.finish(CLUB, claimed)
    assert await ranks.due() == [CLUB]


async def test_server_without_roles_and_gifts_is_due_no_more(env: MatchFixture) -> None:
    ranks = await settled(env)
    await ranks.choose(OTHER, RankRole(GOLD, POOL, 0))
    await Leaderboards(env.database, lambda: env.now).join(OTHER, ADA, "Ada")
    await make(ranks, RoleChange(ADA, GOLD, give=True), OTHER)
    await ranks.remove(CLUB, GOLD)
    claimed = await ranks.claim(CLUB)
    assert await ranks.claim(OTHER) == claimed
    await ranks.finish(CLUB, claimed)
    assert await due_at(env) == {CLUB: None, OTHER: claimed}


async def test_server_is_due_until_the_last_gift_is_taken(env: MatchFixture) -> None:
    ranks = await settled(env)
    await make(ranks, RoleChange(ADA, GOLD, give=True))
    await ranks.remove(CLUB, GOLD)
    await ranks.finish(CLUB, await ranks.claim(CLUB))
    assert await due_at(env) == {CLUB: env.now + DAY}


async def test_chosen_and_removed_roles_wake_the_job(env: MatchFixture) -> None:
    calls: list[str] = []
    env.database.listen(TOPIC, lambda: calls.append(TOPIC))
    await ranks_of(env).choose(CLUB, RankRole(GOLD, POOL, 0))
    assert calls == [TOPIC]
    await ranks_of(env).remove(CLUB, GOLD)
    assert calls == [TOPIC, TOPIC]


async def test_role_is_given_from_its_rating_on(env: MatchFixture) -> None:
    ranks = ranks_of(env)
    await ranks.choose(CLUB, RankRole(GOLD, POOL, 1300))
    await ranks.choose(CLUB, RankRole(SILVER, POOL, 1200))
    for user, number in ((ADA, 1300), (BO, 1299), (EVE, 1199)):
        await put(env.database, user, number + 3 * 80.0, 80.0, ended_at=env.now)
    assert await ranks.changes(CLUB) == [
        RoleChange(ADA, GOLD, give=True),
        RoleChange(BO, SILVER, give=True),
    ]


async def test_number_of_roles_is_limited(env: MatchFixture) -> None:
    ranks = await settled(env)
    for number in range(1, MAX_ROLES):
        assert await ranks.choose(CLUB, RankRole(GOLD + number, POOL, number))
    assert await ranks.choose(CLUB, RankRole(999, POOL, 1)) is False
    assert await ranks.choose(CLUB, RankRole(GOLD, POOL, 8)), "it only changes"
    assert len(await ranks.of_server(CLUB)) == MAX_ROLES


async def test_change_is_stored_before_and_after_it_is_made(env: MatchFixture) -> None:
    ranks = await settled(env)
    gift = RoleChange(ADA, GOLD, give=True)
    assert await ranks.begin_change(CLUB, gift)
    taken = RoleChange(ADA, GOLD, give=False)
    assert await ranks.changes(CLUB) == [taken], "Ada has no rating, and may have the role"
    assert await ranks.begin_change(CLUB, taken)
    assert await ranks.changes(CLUB) == [taken]
    await make(ranks, taken)
    assert await ranks.changes(CLUB) == []


async def test_gifts_are_exported_and_taken_back(env: MatchFixture) -> None:
    ranks = await settled(env)
    async with env.database.write() as connection:
        for user in (ADA, BO):
            row = {"guild_id": CLUB, "user_id": user, "role_id": GOLD, "given": True}
            await connection.execute(insert(rank_grants).values(row))
    exported = await export_of(env.database, ADA)
    assert [grant["role_id"] for grant in exported["roles for ranks"]] == [GOLD]
    await privacy_of(env).erase(ADA)
    assert CLUB in await ranks.due()
    assert await ranks.changes(CLUB) == [
        RoleChange(ADA, GOLD, give=False, is_last=True),
        RoleChange(BO, GOLD, give=False),
    ]
    await ranks.forget_erased(CLUB)
    async with env.database.read() as connection:
        assert (await connection.execute(select(rank_grants.c.user_id))).scalars().all() == [BO]


async def test_last_trace_of_a_deleted_player_is_overwritten(env: MatchFixture) -> None:
    ranks, privacy = await settled(env), privacy_of(env)
    await make(ranks, RoleChange(ADA, GOLD, give=True))
    await privacy.erase(ADA)
    await privacy.scrub()
    (change,) = await ranks.changes(CLUB)
    assert await ranks.begin_change(CLUB, change)
    assert await ranks.changes(CLUB) == [change], "Discord has not answered yet"
    await make(ranks, change)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(rank_grants))).all()
        noted = select(facts.c.value).where(facts.c.name == SCRUB)
        assert (await connection.execute(noted)).scalar_one() == "due"


async def test_deleted_player_who_comes_back_keeps_the_role(env: MatchFixture) -> None:
    ranks = await settled(env)
    await make(ranks, RoleChange(ADA, GOLD, give=True))
    await privacy_of(env).erase(ADA)
    await put(env.database, ADA, 1500, ended_at=env.now)
    gift = RoleChange(ADA, GOLD, give=True)
    assert await ranks.changes(CLUB) == [gift], "its grant is not to be deleted any more"
    await make(ranks, gift)
    assert await ranks.changes(CLUB) == []
    await Leaderboards(env.database, lambda: env.now).leave(CLUB, ADA)
    assert await ranks.changes(CLUB) == [RoleChange(ADA, GOLD, give=False)]


async def test_role_in_flight_during_a_deletion_is_taken_away(env: MatchFixture) -> None:
    ranks, gift = await settled(env), RoleChange(ADA, GOLD, give=True)
    assert await ranks.begin_change(CLUB, gift)
    await privacy_of(env).erase(ADA)
    await ranks.end_change(CLUB, gift)
    assert await grants(env) == [(ADA, False, True)]
    (last,) = await ranks.changes(CLUB)
    assert last == RoleChange(ADA, GOLD, give=False, is_last=True)
    await make(ranks, last)
    assert await grants(env) == []


async def test_role_is_not_begun_after_a_deletion(env: MatchFixture) -> None:
    ranks, gift = await settled(env), RoleChange(ADA, GOLD, give=True)
    await Leaderboards(env.database, lambda: env.now).join(OTHER, ADA, "Ada")
    await Leaderboards(env.database, lambda: env.now).join(CLUB, BO, "Bo")
    await Leaderboards(env.database, lambda: env.now).leave(CLUB, ADA)
    assert await ranks.begin_change(CLUB, gift) is False
    assert await grants(env) == []
    assert await ranks.begin_change(OTHER, gift)
    assert await ranks.begin_change(CLUB, gift._replace(user_id=BO))


async def test_only_its_own_gift_is_stored_as_given(env: MatchFixture) -> None:
    ranks = await settled(env)
    await Leaderboards(env.database, lambda: env.now).join(CLUB, BO, "Bo")
    gift = RoleChange(ADA, GOLD, give=True)
    for grant in (gift, gift._replace(user_id=BO), gift._replace(role_id=SILVER)):
        assert await ranks.begin_change(CLUB, grant)
    await ranks.end_change(CLUB, gift)
    assert sorted(await grants(env)) == [
        (ADA, False, False),
        (ADA, True, False),
        (BO, False, False),
    ]
