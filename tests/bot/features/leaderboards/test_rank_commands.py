"""Roles for ranks: chosen in `/server`, given after results, and no other role is touched."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from sqlalchemy import select

from bot.features.leaderboards import rank_sender as sender
from bot.features.leaderboards.rank_roles import RankRole, RankRoles
from bot.features.leaderboards.service import Leaderboards
from bot.storage.schema import guilds, leaderboard_entries, rank_grants
from tests.support.harness import Stage, ids, words
from tests.support.rank_roles import (
    POOL,
    chosen,
    give,
    may_manage_roles,
    rate,
    ready,
    roles_of,
    work,
)
from tests.support.server_panel import check_server

HOUR = 3600.0
DAY = 24 * HOUR


@pytest.fixture
def host(stage: Stage) -> Any:
    """A member who may manage the server and its roles; the role is above those made later."""
    permissions = discord.Permissions(manage_guild=True, manage_roles=True)
    role = stage.guild.create_role("Host", permissions=permissions)
    stage.env.backend.edit_role(stage.guild.id, role.id, {"position": 50})
    return stage.guild.add_member(stage.env.create_user("host", global_name="Host"), roles=[role])


@pytest.mark.slow
async def test_highest_role_is_given_and_changes_with_the_rating(stage: Stage) -> None:
    gold, silver, other = await ready(stage)
    await rate(stage, stage.ada, 1600)
    await work(stage)
    assert roles_of(stage, stage.ada) == {silver.id, other.id}
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert roles_of(stage, stage.ada) == {gold.id, other.id}
    await rate(stage, stage.ada, 1500)
    await work(stage)
    assert roles_of(stage, stage.ada) == {other.id}


@pytest.mark.slow
async def test_leaving_the_leaderboard_ends_the_role(stage: Stage) -> None:
    gold, _, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)
    await stage.client.context.of(Leaderboards).leave(stage.guild.id, stage.ada.id)
    await work(stage)
    assert roles_of(stage, stage.ada) == {other.id}


@pytest.mark.slow
async def test_roles_that_the_bot_has_not_given_stay(stage: Stage) -> None:
    gold, *_ = await ready(stage)
    give(stage, stage.eve, gold)
    await rate(stage, stage.ada, 1000)
    await work(stage)
    assert roles_of(stage, stage.eve) == {gold.id}


@pytest.mark.slow
async def test_provisional_ratings_get_no_role(stage: Stage) -> None:
    _, _, other = await ready(stage)
    await rate(stage, stage.ada, 2500, 150.0)
    await work(stage)
    assert roles_of(stage, stage.ada) == {other.id}


@pytest.mark.slow
async def test_removed_role_is_taken_away(stage: Stage) -> None:
    gold, silver, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    await stage.client.context.of(RankRoles).remove(stage.guild.id, gold.id)
    await work(stage)
    assert roles_of(stage, stage.ada) == {silver.id, other.id}


@pytest.mark.slow
async def test_server_without_changes_is_updated_a_day_later(stage: Stage) -> None:
    await ready(stage)
    await work(stage)
    async with stage.database.read() as connection:
        due = (await connection.execute(select(guilds.c.ranks_due_at))).scalar_one()
    assert due == pytest.approx(stage.clock.now + DAY, abs=HOUR)


@pytest.mark.slow
async def test_deleted_role_gives_way_to_the_next(stage: Stage) -> None:
    gold, silver, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    stage.env.backend.delete_role(stage.guild.id, gold.id)
    await stage.env.settle()
    await work(stage)
    (kept,) = await stage.client.context.of(RankRoles).of_server(stage.guild.id)
    assert kept.role_id == silver.id
    assert roles_of(stage, stage.ada) == {silver.id, other.id}


@pytest.mark.slow
async def test_role_deleted_unnoticed_gives_way_to_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold, silver, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    monkeypatch.delattr(stage.client, "on_guild_role_delete")
    stage.env.backend.delete_role(stage.guild.id, gold.id)
    await rate(stage, stage.bo, 2000)  # the update that finds out
    await work(stage)
    await work(stage)
    assert roles_of(stage, stage.ada) == {silver.id, other.id}
    assert roles_of(stage, stage.bo) == {silver.id}
    assert await grants(stage) == 2


@pytest.mark.slow
async def test_failed_change_is_repeated_after_a_restart(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    gold, _, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    path = f"/guilds/{stage.guild.id}/members/{stage.ada.id}/roles/{gold.id}"
    stage.env.inject_error("PUT", path, status=403, code=50013, times=3)
    for _ in range(3):
        await work(stage)
        await stage.spend(HOUR + 1)
    assert roles_of(stage, stage.ada) == {other.id}
    assert caplog.text.count("roles of a server cannot be changed") == 1
    async with stage.database.read() as connection:
        (row,) = (await connection.execute(select(rank_grants))).all()
    assert not row.given, "the gift was stored before it was tried"
    await stage.restart()
    await stage.spend(HOUR + 1)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)
    async with stage.database.read() as connection:
        (row,) = (await connection.execute(select(rank_grants))).all()
    assert row.given


@pytest.mark.slow
async def test_dangerous_roles_are_never_given(stage: Stage) -> None:
    await stage.without_threads()
    role = stage.guild.create_role("Mod", permissions=discord.Permissions(kick_members=True))
    await stage.client.context.of(RankRoles).choose(stage.guild.id, RankRole(role.id, POOL, 1000))
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert roles_of(stage, stage.ada) == set()


@pytest.mark.slow
async def test_members_who_left_are_forgotten(stage: Stage) -> None:
    await ready(stage)
    await rate(stage, stage.ada, 2000)
    stage.guild.remove_member(stage.ada)
    await work(stage)
    async with stage.database.read() as connection:
        for table in (rank_grants, leaderboard_entries):
            assert not (await connection.execute(select(table))).all()


async def erase(stage: Stage, actor: Any) -> None:
    """A player has their data deleted."""
    about = await actor.slash(stage.channel, "privacy")
    question = await stage.click(actor, about.response, "erase:")
    await stage.click(actor, question.response, "erase:yes")
    await work(stage)


async def grants(stage: Stage) -> int:
    async with stage.database.read() as connection:
        return len((await connection.execute(select(rank_grants))).all())


@pytest.mark.slow
async def test_role_of_a_deleted_player_is_taken_away(stage: Stage) -> None:
    gold, _, other = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    assert gold.id in roles_of(stage, stage.ada)
    await erase(stage, stage.ada)
    assert roles_of(stage, stage.ada) == {other.id}
    assert not await grants(stage)


@pytest.mark.slow
@pytest.mark.parametrize("answers", [True, False])
async def test_deleted_player_is_forgotten_if_the_role_must_stay(
    stage: Stage, answers: bool
) -> None:
    gold, *_ = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await work(stage)
    if answers:
        path = f"/guilds/{stage.guild.id}/members/{stage.ada.id}/roles/{gold.id}"
        stage.env.inject_error("DELETE", path, status=403, code=50013)
    else:
        may_manage_roles(stage, allowed=False)
    await erase(stage, stage.ada)
    assert gold.id in roles_of(stage, stage.ada)
    assert not await grants(stage)


@pytest.mark.slow
async def test_many_changes_are_made_in_several_updates(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "MAX_CHANGES", 1)
    gold, *_ = await ready(stage)
    await rate(stage, stage.ada, 2000)
    await rate(stage, stage.bo, 2000)
    await work(stage)
    assert sum(gold.id in roles_of(stage, player) for player in (stage.ada, stage.bo)) == 1
    await stage.spend(HOUR + 1)
    await work(stage)
    assert all(gold.id in roles_of(stage, player) for player in (stage.ada, stage.bo))


async def test_servers_without_roles_are_never_due(stage: Stage) -> None:
    await stage.without_threads()
    await rate(stage, stage.ada, 2000)
    async with stage.database.read() as connection:
        assert not any((await connection.execute(select(guilds.c.ranks_due_at))).scalars())


# Choosing


async def choose(stage: Stage, host: Any, role: Any, rating: str) -> Any:
    """Choose a role from `/server`, and type a rating."""
    panel = await host.slash(stage.channel, "server")
    page = await stage.click(host, panel.response, "ranks")
    lists = ids(page.response)
    (pools,) = [custom_id for custom_id in lists if custom_id.startswith("ranks")]
    page = await host.select(page.response, [POOL], custom_id=pools)
    window = await host.select(page.response, [role], custom_id=f"rank:{POOL}")
    if window.modal is None:
        return window
    return await host.submit_modal(window, {"rating": rating})


async def test_host_chooses_a_role_and_removes_it(stage: Stage, host: Any) -> None:
    gold = stage.guild.create_role("Gold")
    reply = await choose(stage, host, gold, "1700")
    assert f"- <@&{gold.id}> from 1700 on" in words(reply.response)
    after = await host.select(reply.response, [str(gold.id)], custom_id=f"unrank:{POOL}")
    assert "from 1700 on" not in words(after.response)


async def test_host_is_told_what_is_missing(stage: Stage, host: Any) -> None:
    gold = stage.guild.create_role("Gold")
    may_manage_roles(stage, False)
    missing = await choose(stage, host, gold, "1700")
    assert "I need Manage Roles on this server" in words(missing.response)
    may_manage_roles(stage, True)
    mod = stage.guild.create_role("Mod", permissions=discord.Permissions(ban_members=True))
    assert "manage or moderate" in words((await choose(stage, host, mod, "1700")).response)
    high = stage.guild.create_role("High")
    stage.env.backend.edit_role(stage.guild.id, high.id, {"position": 99})
    assert "move mine above it" in words((await choose(stage, host, high, "1700")).response)
    assert "whole number" in words((await choose(stage, host, gold, "many")).response)


async def test_host_gives_no_role_that_they_could_not_give_themselves(
    stage: Stage, host: Any
) -> None:
    gold = stage.guild.create_role("Gold")
    backend = stage.env.backend
    (role_id,) = backend.guilds[stage.guild.id].members[host.id].role_ids
    manages_server = {"permissions": discord.Permissions(manage_guild=True).value}
    manages_roles = discord.Permissions(manage_guild=True, manage_roles=True)
    backend.edit_role(stage.guild.id, role_id, manages_server)
    refused = await choose(stage, host, gold, "1700")
    assert "You can't grant Gold yourself" in words(refused.response)
    backend.edit_role(stage.guild.id, role_id, {"permissions": manages_roles.value, "position": 1})
    backend.edit_role(stage.guild.id, gold.id, {"position": 2})
    refused = await choose(stage, host, gold, "1700")
    assert "You can't grant Gold yourself" in words(refused.response)
    assert not await stage.client.context.of(RankRoles).of_server(stage.guild.id)
    backend.edit_role(stage.guild.id, role_id, {"position": 50})
    assert "from 1700 on" in words((await choose(stage, host, gold, "1700")).response)


async def test_owner_of_the_server_gives_any_role(stage: Stage, host: Any) -> None:
    gold = stage.guild.create_role("Gold")
    backend = stage.env.backend
    (role_id,) = backend.guilds[stage.guild.id].members[host.id].role_ids
    permissions = discord.Permissions(manage_guild=True).value
    backend.edit_role(stage.guild.id, role_id, {"permissions": permissions})
    guild: Any = stage.client.get_guild(stage.guild.id)
    guild.owner_id = host.id
    assert "from 1700 on" in words((await choose(stage, host, gold, "1700")).response)


async def test_doctor_checks_the_roles(stage: Stage, host: Any) -> None:
    await chosen(stage, "Gold", 1700)
    may_manage_roles(stage, False)
    before = await check_server(stage, host)
    assert "I can't grant roles for ranks yet: I need Manage Roles" in words(before.response)
    may_manage_roles(stage, True)
    after = await check_server(stage, host)
    assert "The roles for ranks work." in words(after.response)


async def test_members_cannot_choose_roles(stage: Stage, host: Any) -> None:
    panel = await host.slash(stage.channel, "server")
    stage.env.backend.guilds[stage.guild.id].members[host.id].role_ids.clear()
    refused = await stage.click(host, panel.response, "ranks")
    assert "Only members who can manage" in words(refused.response)
