"""The roles that a server gives for ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import discord

from bot.domain.pools import pool_title
from bot.features.leaderboards.ids import RankEndId, RankRoleId, RankRolesId, RankTypedId
from bot.features.leaderboards.pools import pool_list
from bot.features.leaderboards.rank_roles import MAX_RATING, RankRole
from bot.views import ui
from bot.views.controls import MODAL_TITLE_LIMIT
from bot.views.message import Message, note
from render.i18n import _, truncate


def page(pool: str, roles: Sequence[RankRole], name_of: Callable[[int], str]) -> Message:
    """Return the roles for ratings in a pool, with lists to add and remove them.

    Args:
        roles: all roles of the server.
        name_of: returns the name of a role.
    """
    pool_roles = [role for role in roles if role.pool == pool]
    text = _(
        "**Roles for ranks: {pool}.** Players on the leaderboard get the highest role that their "
        "rating reaches, and lose it when they no longer reach it. Provisional ratings get none. I "
        "never touch other roles."
    )
    line = _("- <@&{role}> from {rating} on")
    lines = [line.format(role=rank.role_id, rating=rank.threshold) for rank in pool_roles]
    add = ui.RoleSelect(
        custom_id=str(RankRoleId(pool)), placeholder=_("Add or change a role"), min_values=1
    )
    items: list[ui.Item] = [ui.ActionRow(pool_list(RankRolesId(), pool)), ui.ActionRow(add)]
    if pool_roles:
        options = [
            discord.SelectOption(
                label=truncate(name_of(rank.role_id), 100), value=str(rank.role_id)
            )
            for rank in pool_roles
        ]
        remove = ui.Select(
            custom_id=str(RankEndId(pool)), placeholder=_("Remove a role"), options=options
        )
        items.append(ui.ActionRow(remove))
    return note("\n".join([text.format(pool=pool_title(pool)), *lines]), *items)


def window(pool: str, role_id: int, name: str, threshold: int | None) -> ui.Modal:
    """Return a form for the rating at which a role is granted."""
    title = truncate(_("Role {role}").format(role=name), MODAL_TITLE_LIMIT)
    modal = ui.Modal(title=title, custom_id=str(RankTypedId(role_id, pool)), timeout=None)
    box = ui.TextInput(
        custom_id="rating",
        default=None if threshold is None else str(threshold),
        placeholder=_("a number, such as 1500"),
        max_length=len(str(MAX_RATING)),
    )
    label = truncate(_("Minimum rating"), MODAL_TITLE_LIMIT)
    modal.add_item(ui.Label(text=label, component=box))
    return modal
