"""The custom_ids of leaderboards, and of roles for ranks."""

from __future__ import annotations

from bot.views.custom_id_codec import CustomId


class LeaderboardId(CustomId, prefix="leaders"):
    """Show a page of a leaderboard, from 0, or the leaderboard of the pool selected in a menu."""

    page: int
    pool: str


class ListMeId(CustomId, prefix="listme"):
    """List the user on the leaderboards of a server, or (0) no longer."""

    listed: int
    pool: str


class RankRolesId(CustomId, prefix="ranks"):
    """Show the roles that a server gives for ratings in a pool, or in the one selected."""

    pool: str = ""


class RankRoleId(CustomId, prefix="rank"):
    """Open a form for the rating at which the selected role is granted."""

    pool: str


class RankTypedId(CustomId, prefix="ranked"):
    """Grant a role from the rating typed into a form."""

    role_id: int
    pool: str


class RankEndId(CustomId, prefix="unrank"):
    """Give the role selected in a list no longer."""

    pool: str
