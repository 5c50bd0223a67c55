"""The roles that a server gives for ratings, chosen from `/server`."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.domain.pools import all_pools
from bot.features.leaderboards import rank_views as views
from bot.features.leaderboards.ids import RankEndId, RankRoleId, RankRolesId, RankTypedId
from bot.features.leaderboards.pools import require_pool
from bot.features.leaderboards.rank_roles import MAX_RATING, MAX_ROLES, RankRole, RankRoles
from bot.interactions.components import component, selected, typed
from bot.interactions.context import Context
from bot.interactions.permissions import giver_problem, managed_guild_id, rank_problem
from bot.interactions.replies import Interaction, UserError, edit_reply, open_window
from bot.interactions.server_options import Finding
from bot.sanitize import clean
from bot.views import ui
from bot.views.controls import button
from render.i18n import _, ngettext


def _role(interaction: Interaction, role_id: int) -> discord.Role:
    """Return a role that the bot and the user can give.

    Raises:
        UserError: one of them cannot, or there is no such role.
    """
    guild = interaction.guild
    role = guild.get_role(role_id) if guild else None
    if guild is None or guild.me is None or role is None:
        raise UserError(_("I can't see this role; choose another one."))
    if problem := rank_problem(guild.me, role) or giver_problem(interaction.user, role):
        raise UserError(problem)
    return role


async def _show(context: Context, interaction: Interaction, guild_id: GuildId, pool: str) -> None:
    """Show the roles for ratings in a pool."""
    guild = interaction.guild

    def name_of(role_id: int) -> str:
        role = guild.get_role(role_id) if guild else None
        return (clean(role.name) if role else "") or str(role_id)

    roles = await context.of(RankRoles).of_server(guild_id)
    await edit_reply(interaction, views.page(pool, roles, name_of))


@component(RankRolesId)
async def _open(context: Context, interaction: Interaction, id: RankRolesId) -> None:
    """Show the roles for ratings in a pool."""
    guild_id = managed_guild_id(interaction)
    pool = require_pool(selected(interaction) or id.pool or all_pools()[0])
    await _show(context, interaction, guild_id, pool)


@component(RankRoleId)
async def _choose(context: Context, interaction: Interaction, id: RankRoleId) -> None:
    """Ask for the role's minimum rating."""
    guild_id, pool = managed_guild_id(interaction), require_pool(id.pool)
    value = selected(interaction)
    role = _role(interaction, int(value) if value.isdecimal() else 0)
    roles = await context.of(RankRoles).of_server(guild_id)
    threshold = next((r.threshold for r in roles if (r.role_id, r.pool) == (role.id, pool)), None)
    await open_window(
        interaction, views.window(pool, role.id, clean(role.name) or str(role.id), threshold)
    )


@component(RankTypedId)
async def _store(context: Context, interaction: Interaction, id: RankTypedId) -> None:
    """Give a role from a rating on."""
    guild_id, pool = managed_guild_id(interaction), require_pool(id.pool)
    text = typed(interaction).strip()
    role = _role(interaction, id.role_id)
    if not text.isascii() or not text.isdecimal() or int(text) > MAX_RATING:
        raise UserError(_("A rating is a whole number, such as 1500."))
    if not await context.of(RankRoles).choose(guild_id, RankRole(role.id, pool, int(text))):
        sentence = ngettext(
            "A server can have {count} role for ranks; remove the other one first.",
            "A server can have {count} roles for ranks; remove another one first.",
            MAX_ROLES,
        )
        raise UserError(sentence.format(count=MAX_ROLES))
    await _show(context, interaction, guild_id, pool)


@component(RankEndId)
async def _remove(context: Context, interaction: Interaction, id: RankEndId) -> None:
    """Give a role no longer."""
    guild_id, pool = managed_guild_id(interaction), require_pool(id.pool)
    value = selected(interaction)
    for rank in await context.of(RankRoles).of_server(guild_id):
        if str(rank.role_id) == value:
            await context.of(RankRoles).remove(guild_id, rank.role_id)
    await _show(context, interaction, guild_id, pool)


def server_button() -> ui.Button:
    """Return the button of `/server` that opens the roles for ratings."""
    return button(_("Roles for ranks…"), RankRolesId())


async def check_roles(
    context: Context, me: discord.Member, channel_id: ChannelId | None
) -> Sequence[Finding]:
    """Check the roles that a server gives for ratings."""
    ranks = await context.of(RankRoles).of_server(GuildId(me.guild.id))
    if not ranks or channel_id is not None:
        return ()
    roles = [role for rank in ranks if (role := me.guild.get_role(rank.role_id))]
    problems = [problem for role in roles if (problem := rank_problem(me, role))]
    if deleted := len(ranks) - len(roles):
        words = ngettext(
            "{count} of the roles for ranks was deleted.",
            "{count} of the roles for ranks were deleted.",
            deleted,
        )
        problems.append(words.format(count=deleted))
    works = Finding(_("The roles for ranks work."), problem=False)
    return [Finding(problem) for problem in dict.fromkeys(problems)] or [works]


async def forget_role(context: Context, role: discord.Role) -> None:
    """Give a role no longer that was deleted on Discord."""
    await context.of(RankRoles).forget_role(GuildId(role.guild.id), role.id)
