"""Cups of servers: their players, matches, standings and posts."""

from bot.feature import Delivery, Feature, Foundation, ScheduledJob
from bot.features.cups import commands
from bot.features.cups.channel_check import check_channels
from bot.features.cups.dates import CUP_DATES_DUE, CupDates
from bot.features.cups.due_posts import CUP_POSTS_DUE, CupPosts
from bot.features.cups.hooks import handlers
from bot.features.cups.ids import (
    CupCancelId,
    CupJoinId,
    CupLeaveId,
    CupMineId,
    CupRemoveId,
    CupStartId,
    CupStatusId,
    CupWithdrawId,
)
from bot.features.cups.matches import TOPIC, CupMatches
from bot.features.cups.member_check import CupMemberCheck
from bot.features.cups.members import CUP_MEMBERS_DUE, CupMembers
from bot.features.cups.notices import OrganiserNotices
from bot.features.cups.offers import joinable_cups
from bot.features.cups.personal import PERSONAL
from bot.features.cups.posts import CupDelivery, CupSender
from bot.features.cups.service import Cups
from render.i18n import N_


def _services(foundation: Foundation) -> list[object]:
    match_store, matches = foundation.core.match_store, foundation.core.matches
    cup_matches = CupMatches(match_store, foundation.core.challenges)
    cups = Cups(match_store, matches, cup_matches)
    return [
        cups,
        CupDates(match_store, matches, cups, cup_matches),
        CupMembers(foundation.database, foundation.clock),
        CupPosts(foundation.database),
    ]


def _jobs(delivery: Delivery) -> list[ScheduledJob]:
    client, context, leases, transport, guilds = delivery
    cups = context.of(Cups)
    sender = CupSender(
        cups,
        context.of(CupPosts),
        OrganiserNotices(client, transport, cups, context.preferences),
        CupDelivery(leases, context.images, transport, guilds, context.clock),
    )
    check = CupMemberCheck(context.of(CupMembers), guilds, leases)
    return [
        ScheduledJob("the dates of cups", context.of(CupDates).run, CUP_DATES_DUE),
        ScheduledJob("the members of cups", check.run, CUP_MEMBERS_DUE),
        ScheduledJob("the posts of cups", sender.run, CUP_POSTS_DUE, TOPIC),
    ]


FEATURE = Feature(
    "cups",
    services=_services,
    commands=commands.commands,
    components=(
        CupJoinId,
        CupLeaveId,
        CupWithdrawId,
        CupStartId,
        CupMineId,
        CupStatusId,
        CupRemoveId,
        CupCancelId,
    ),
    jobs=_jobs,
    hooks=handlers,
    doctor=check_channels,
    help_line=N_("**Cups:** `/cup` lets 3 to 16 players of a server compete."),
    offers=joinable_cups,
    personal=(PERSONAL,),
)
