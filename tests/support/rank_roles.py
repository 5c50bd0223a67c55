"""Servers with roles for ranks."""

from __future__ import annotations

from typing import Any

import discord
from sqlalchemy import insert

from bot.features.leaderboards.rank_roles import RankRole, RankRoles
from bot.features.leaderboards.service import Leaderboards
from bot.storage.schema import rated_results
from tests.support.harness import Stage

POOL = "warp6/2"


def roles_of(stage: Stage, actor: Any) -> set[int]:
    member = stage.env.backend.guilds[stage.guild.id].members.get(actor.id)
    return set(member.role_ids) if member else set()


def give(stage: Stage, actor: Any, role: Any) -> None:
    """A moderator gives a role by hand."""
    stage.env.backend.add_member_role(stage.guild.id, actor.id, role.id)


def may_manage_roles(stage: Stage, allowed: bool) -> None:
    """Give the bot *Manage Roles*, or take it away."""
    guild = stage.env.backend.guilds[stage.guild.id]
    (bot_role,) = [role for role in guild.roles.values() if role.managed]
    permissions = discord.Permissions(bot_role.permissions)
    permissions.update(manage_roles=allowed)
    stage.env.backend.edit_role(guild.id, bot_role.id, {"permissions": permissions.value})


async def rate(stage: Stage, actor: Any, mu: float, sigma: float = 60.0) -> None:
    """Store a result of a player who is on the leaderboard, as the end of a match does."""
    match_id = await stage.begin(game="warp6")
    row = {"match_id": match_id, "seat": "B", "number": match_id, "pool": POOL, "rank": 0}
    row |= {"user_id": actor.id, "ended_at": stage.clock.now, "mu": mu, "sigma": sigma}
    async with stage.database.write() as connection:
        await connection.execute(insert(rated_results).values(row))
    await stage.client.context.of(Leaderboards).join(stage.guild.id, actor.id, "Ada")


async def work(stage: Stage) -> None:
    """Let the roles be updated."""
    ranks = stage.client.runtime.jobs["the roles for ranks"]
    ranks.wake()
    if ranks.task:
        await ranks.task
    await stage.env.settle()


async def chosen(stage: Stage, name: str, threshold: int, pool: str = POOL) -> Any:
    role = stage.guild.create_role(name)
    await stage.client.context.of(RankRoles).choose(
        stage.guild.id, RankRole(role.id, pool, threshold)
    )
    return role


async def ready(stage: Stage) -> tuple[Any, Any, Any]:
    """Two roles, and another one that Ada has."""
    await stage.without_threads()
    gold, silver = await chosen(stage, "Gold", 1700), await chosen(stage, "Silver", 1400)
    other = stage.guild.create_role("Other")
    give(stage, stage.ada, other)
    return gold, silver, other
