"""Roles for ranks in a simulation, on all servers with tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.app.run import open_database
from bot.domain.ids import GuildId
from bot.features.leaderboards.rank_roles import RankRole, RankRoles
from tests.support.fake_objects import RANK
from tests.verification.kills.around_matches import POOL

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

GRANTS = "SELECT guild_id, user_id, role_id FROM rank_grants"


async def choose_ranks(simulation: Simulation) -> None:
    """Have the hosts of all servers choose a role for all who have a rating."""
    async with open_database(simulation.audit_log.url) as database:
        for server in simulation.fake.servers:
            ranks = RankRoles(database, simulation.now)
            await ranks.choose(GuildId(int(server["id"])), RankRole(RANK, POOL, 0))


def wrong_roles(simulation: Simulation) -> Iterator[str]:
    """Yield the roles that members have from the bot, which has forgotten them."""
    fake, granted = simulation.fake, set(simulation.audit_log.rows(GRANTS))
    simulation.report.done["roles given"] = fake.roles_given
    for (guild, user), roles in fake.member_roles.items():
        if any((guild, user, role) not in granted for role in roles):
            yield f"user {user} on server {guild} keeps {roles}"
