"""`/leaderboard`: the ratings of members of a server who want to be listed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import GuildId, UserId
from bot.features.leaderboards import views
from bot.features.leaderboards.ids import LeaderboardId, ListMeId
from bot.features.leaderboards.pools import require_pool
from bot.features.leaderboards.service import LeaderboardPlace, Leaderboards
from bot.features.leaderboards.views import PAGE_SIZE, on_page, page_count
from bot.guilds import Guilds
from bot.interactions.command import IN_SERVERS, CheckedCommand, command
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.member_lookup import look_up
from bot.interactions.replies import Interaction, UserError, edit_reply, reply, user_id_of
from bot.sanitize import clean_name
from bot.views.message import Message
from render.i18n import N_, _

MAX_LOOKUPS = 2 * PAGE_SIZE
"""Maximum number of members that are looked up for one page."""


def _guild_id(interaction: Interaction) -> GuildId:
    """Return the ID of the server.

    Raises:
        UserError: it is a DM.
    """
    if interaction.guild_id is None:
        raise UserError(_("Leaderboards belong to servers; try it in a channel of one."))
    return GuildId(interaction.guild_id)


@component(LeaderboardId)
async def _turn(context: Context, interaction: Interaction, id: LeaderboardId) -> None:
    """Show a page of a leaderboard."""
    pool = require_pool(selected(interaction) or id.pool)
    await edit_reply(interaction, await _page(context, interaction, pool, id.page))


@component(ListMeId)
async def _list_me(context: Context, interaction: Interaction, id: ListMeId) -> None:
    """List the user on the leaderboards of this server, or no longer."""
    guild_id, user, pool = _guild_id(interaction), interaction.user, require_pool(id.pool)
    if id.listed:
        await context.of(Leaderboards).join(
            guild_id, UserId(user.id), clean_name(user.display_name)
        )
    else:
        await context.of(Leaderboards).leave(guild_id, UserId(user.id))
    await edit_reply(interaction, await _page(context, interaction, pool, 0))


async def _page(context: Context, interaction: Interaction, pool: str, page: int) -> Message:
    """Return a page of a leaderboard, or the last one if there are fewer."""
    guild_id, user_id = _guild_id(interaction), user_id_of(interaction)
    places = await context.of(Leaderboards).read(guild_id, pool)
    checked = await _check(context, interaction, places, page)
    if checked:
        places = await context.of(Leaderboards).read(guild_id, pool)
    page = min(page, page_count(places) - 1)
    now = context.clock()
    unchecked = [place.user_id for place in on_page(places, page) if not place.is_checked(now)]
    return views.leaderboard(
        pool,
        places,
        page,
        user_id,
        listed=await context.of(Leaderboards).is_listed(guild_id, user_id),
        unchecked=unchecked,
    )


async def _check(
    context: Context, interaction: Interaction, places: Sequence[LeaderboardPlace], page: int
) -> int:
    """Ask Discord which players around a page are still members, if that is not known.

    Those on the page come first, then those who take their places if they have left, then those
    ahead of them, on whom the numbers of the places depend.

    Returns:
        The number of answers.
    """
    now, start = context.clock(), page * PAGE_SIZE
    stale = [place for place in (*places[start:], *places[:start]) if not place.is_checked(now)]
    user_ids = [place.user_id for place in stale[:MAX_LOOKUPS]]
    guilds, guild_id = Guilds(interaction.client), _guild_id(interaction)

    async def ask(user_id: UserId) -> str | None:
        name = await guilds.member_name(guild_id, user_id)
        return None if name is None else clean_name(name)

    names = await look_up(ask, user_ids)
    if names:
        await context.of(Leaderboards).store_check(guild_id, names, now)
    return len(names)


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""

    @command(
        name=N_("leaderboard"),
        description=N_("See the ratings of members of this server who want to be listed"),
        offered=IN_SERVERS,
    )
    async def leaderboard(interaction: Interaction) -> None:
        guild_id, user_id = _guild_id(interaction), user_id_of(interaction)
        pool = await context.of(Leaderboards).usual_pool(guild_id, user_id)
        await reply(interaction, await _page(context, interaction, pool, 0))

    return [leaderboard]
