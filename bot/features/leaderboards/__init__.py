"""Leaderboards of servers, and the roles that servers give for ratings."""

from bot.feature import Delivery, Feature, Foundation, ScheduledJob
from bot.features.leaderboards import commands, rank_commands
from bot.features.leaderboards.hooks import hooks
from bot.features.leaderboards.ids import (
    LeaderboardId,
    ListMeId,
    RankEndId,
    RankRoleId,
    RankRolesId,
    RankTypedId,
)
from bot.features.leaderboards.rank_queue import erase_grants
from bot.features.leaderboards.rank_roles import RANKS_DUE, TOPIC, RankRoles
from bot.features.leaderboards.rank_sender import RankRoleSender
from bot.features.leaderboards.service import Leaderboards
from bot.personal import rows_of_user
from bot.storage.schema import leaderboard_entries, rank_grants
from render.i18n import N_


def _services(foundation: Foundation) -> list[object]:
    database, clock = foundation.database, foundation.clock
    return [Leaderboards(database, clock), RankRoles(database, clock)]


def _jobs(delivery: Delivery) -> list[ScheduledJob]:
    sender = RankRoleSender(delivery.guilds, delivery.context.of(RankRoles), delivery.leases)
    return [ScheduledJob("the roles for ranks", sender.run, RANKS_DUE, TOPIC)]


FEATURE = Feature(
    "leaderboards",
    services=_services,
    commands=commands.commands,
    components=(LeaderboardId, ListMeId, RankRolesId, RankRoleId, RankTypedId, RankEndId),
    jobs=_jobs,
    hooks=hooks,
    help_line=N_("**Ratings:** `/leaderboard` ranks the players of a server."),
    server_buttons=(rank_commands.server_button,),
    doctor=rank_commands.check_roles,
    on_role_deleted=rank_commands.forget_role,
    personal=(
        rows_of_user(leaderboard_entries, "leaderboards"),
        rows_of_user(rank_grants, "roles for ranks")._replace(erase=erase_grants),
    ),
)
