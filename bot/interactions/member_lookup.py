"""Ask Discord about several users at once, while a user waits for the reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

import aiohttp
import discord

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.domain.models import Match
from bot.domain.waiting import Absent
from bot.guilds import Guilds
from bot.interactions.context import Context
from bot.interactions.permissions import LOOKUP_TIMEOUT_SECONDS
from bot.interactions.replies import Interaction, user_id_of

T = TypeVar("T")


async def look_up(
    ask: Callable[[UserId], Awaitable[T]], users: Collection[UserId]
) -> dict[UserId, T]:
    """Return user ID → answer; users without an answer by Discord in time are left out."""
    answers: dict[UserId, T] = {}

    async def store(user_id: UserId) -> None:
        answers[user_id] = await ask(user_id)

    tasks = [asyncio.create_task(store(user_id)) for user_id in users]
    if tasks:
        await asyncio.wait(tasks, timeout=LOOKUP_TIMEOUT_SECONDS)
        for task in tasks:
            task.cancel()
        for error in await asyncio.gather(*tasks, return_exceptions=True):
            expected = discord.DiscordException, aiohttp.ClientError, asyncio.CancelledError
            if isinstance(error, BaseException) and not isinstance(error, expected):
                raise error
    return answers


async def gone_seats(
    context: Context, interaction: Interaction, match: Match, *, after: float = 0.0
) -> str:
    """Return the seats that a user waits for and whose players are gone.

    They have left the server of the match, or are not reached in a match that is played by DM.

    Args:
        after: seconds for which they must not have decided, or Discord is not asked.
    """
    if match.seat_of(user_id_of(interaction)) in ("", *match.decisions):
        return ""
    now, guild_id = context.clock(), match.guild_id
    seats = [seat for seat, since in match.waits_since.items() if now - since >= after]
    if guild_id is None:
        return "".join(seat for seat in seats if seat in match.unreachable)
    users = {match.players[seat].user_id: seat for seat in seats}
    guilds = Guilds(interaction.client)
    has_left = await look_up(lambda user_id: guilds.has_left(guild_id, user_id), users)
    return "".join(seat for user_id, seat in users.items() if has_left.get(user_id))


async def absent_players(context: Context, interaction: Interaction, match: Match) -> Absent:
    """Return the seats that a user may be waiting for in vain; see `gone_seats`."""
    gone = await gone_seats(context, interaction, match, after=DAY)
    return Absent.of(match, context.clock(), gone)
