"""The custom_ids of leaderboards, and of roles for ranks."""

from __future__ import annotations

from dataclasses import dataclass

from bot.views.custom_id_codec import CustomId


@dataclass(frozen=True)
class LeaderboardId(CustomId, prefix="leaders"):
    """Show a page of a leaderboard, from 0, or the leaderboard of the pool selected in a menu."""

    page: int
    pool: str


@dataclass(frozen=True)
class ListMeId(CustomId, prefix="listme"):
    """List the user on the leaderboards of a server, or (0) no longer."""

    listed: int
    pool: str


@dataclass(frozen=True)
class RankRolesId(CustomId, prefix="ranks"):
    """Show the roles that a server gives for ratings in a pool, or in the one selected."""

    pool: str = ""


@dataclass(frozen=True)
class RankRoleId(CustomId, prefix="rank"):
    """Open a form for the rating at which the selected role is granted."""

    pool: str


@dataclass(frozen=True)
class RankTypedId(CustomId, prefix="ranked"):
    """Grant a role from the rating typed into a form."""

    role_id: int
    pool: str


@dataclass(frozen=True)
class RankEndId(CustomId, prefix="unrank"):
    """Give the role selected in a list no longer."""

    pool: str
