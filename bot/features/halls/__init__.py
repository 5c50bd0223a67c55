"""Halls of servers: a list of open seats and matches, posts in a forum, and pings of a role."""

import discord

from bot.domain.ids import GuildId
from bot.feature import Feature, Foundation
from bot.features.halls.checks import check_hall
from bot.features.halls.first_lists import jobs
from bot.features.halls.messages import messages
from bot.features.halls.server_options import CHANNEL, ROLE
from bot.features.halls.service import Halls, on_clock_shifted, on_matches_changed, on_seat_opened
from bot.interactions.context import Context
from bot.services.events import MatchesChanged, SeatOpened, SharedClockShifted
from bot.storage.hooks import Handlers


def _services(foundation: Foundation) -> list[object]:
    return [Halls(foundation.database)]


def _hooks(_foundation: Foundation) -> Handlers:
    return {
        MatchesChanged: on_matches_changed,
        SeatOpened: on_seat_opened,
        SharedClockShifted: on_clock_shifted,
    }


async def _refresh(context: Context, guild: discord.Guild) -> None:
    await context.of(Halls).refresh(GuildId(guild.id), context.clock())


FEATURE = Feature(
    "halls",
    services=_services,
    hooks=_hooks,
    jobs=jobs,
    messages=messages,
    server_options=(CHANNEL, ROLE),
    doctor=check_hall,
    on_permissions_changed=_refresh,
)
