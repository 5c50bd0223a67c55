"""`/games`: the matches of a user, and open seats of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bot.domain.ids import GuildId, UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import Interaction, edit_reply, reply, user_id_of
from bot.interactions.visibility import sees_channel
from bot.services.match_repository import NoMatchError, OutdatedMatchError
from bot.services.match_summaries import MatchSummary
from bot.views import inbox
from bot.views.custom_ids import GamesId
from bot.views.inbox import MAX_OPEN_SEATS, PAGE_SIZE, InboxRow, Offers
from bot.views.message import Message
from engine.game import PUBLIC
from render.i18n import N_
from render.renderer import Style

DRAWING_TIMEOUT_SECONDS = 1.5
"""Timeout for the pictures of a page, which is then sent without them: a command must be answered
within 3 s."""

DRAWN_AT_ONCE = 2
"""Number of pictures of a page that are drawn at the same time: one more would start a process that
draws (`bot.app.drawing.START_WAITING`), which few bots need."""

MAX_CHECKED_SEATS = 12
"""Maximum number of open seats whose channels are checked."""

OfferReader = Callable[[Context, Interaction], Awaitable[Offers]]
"""Returns the offers that a user can join on a server."""


class OfferReaders(NamedTuple):
    """The offers of features in `/games`, above open seats.

    Attributes:
        readers: the readers in the order of the list.
    """

    readers: Sequence[OfferReader]


@component(GamesId)
async def _turn(context: Context, interaction: Interaction, id: GamesId) -> None:
    """Show a page of the list."""
    await edit_reply(interaction, await _page(context, interaction, id.page))


async def _page(context: Context, interaction: Interaction, page: int) -> Message:
    """Return a page of the list, or the last one if there are fewer."""
    user_id = user_id_of(interaction)
    own_matches = await context.queries.page_of(user_id, page, PAGE_SIZE)
    rows = await _pictured(context, interaction, own_matches.rows)
    offers = [await read(context, interaction) for read in context.of(OfferReaders).readers]
    offers.append(inbox.open_seats(await _open_seats(context, interaction)))
    numbers, now = (own_matches.number, own_matches.pages), context.clock()
    return inbox.inbox(
        rows,
        offers,
        user_id,
        numbers,
        now=now,
        computers=context.computers,
        on_server=interaction.guild_id is not None,
    )


async def _pictured(
    context: Context, interaction: Interaction, matches: Sequence[MatchSummary]
) -> list[InboxRow]:
    """Return matches with their pictures, as far as these are drawn in time."""
    user_id = user_id_of(interaction)
    style = await context.preferences.style(user_id, guild_id_of(interaction))
    rows = [
        InboxRow(summary, await _perspective(context, summary.match, user_id))
        for summary in matches
    ]
    few_at_once = asyncio.Semaphore(DRAWN_AT_ONCE)

    async def draw(number: int, row: InboxRow) -> None:
        async with few_at_once:
            rows[number] = row._replace(picture=await _picture(context, row, style))

    try:
        async with asyncio.timeout(DRAWING_TIMEOUT_SECONDS), asyncio.TaskGroup() as drawing:
            for number, row in enumerate(rows):
                drawing.create_task(draw(number, row))
    except TimeoutError:
        pass
    return rows


async def _perspective(context: Context, match: Match, user_id: UserId) -> Perspective | None:
    """Return a match as this user may see it; None if it has not begun, or cannot be shown."""
    if match.status == MatchStatus.CHALLENGE:
        return None
    try:
        return await context.queries.view(match.id, user_id)
    except (NoMatchError, OutdatedMatchError):  # it has just been deleted, or has other rules now
        return None


async def _picture(context: Context, row: InboxRow, style: Style) -> bytes | None:
    """Return the board of a match as its reader may see it, or the cover of a challenge."""
    match = row.summary.match
    if match.status == MatchStatus.CHALLENGE:
        return await context.images.small_cover(match.game, style.theme)
    if row.perspective is None:
        return None
    return await context.images.thumbnail(row.perspective, style)


async def _open_seats(context: Context, interaction: Interaction) -> list[MatchSummary]:
    """Return open seats of the server that this user can see and take."""
    open_seats: list[MatchSummary] = []
    if interaction.guild_id is None:
        return open_seats
    for seat in await context.queries.open_seats(GuildId(interaction.guild_id), MAX_CHECKED_SEATS):
        if len(open_seats) == MAX_OPEN_SEATS:
            break
        is_own = seat.match.seat_of(user_id_of(interaction)) != PUBLIC
        if not is_own and await sees_channel(interaction, seat.match):
            open_seats.append(seat)
    return open_seats


def _games(context: Context) -> CheckedCommand:
    @command(
        name=N_("games"),
        description=N_("List your matches and whose turn it is"),
        offered=EVERYWHERE,
    )
    async def list_games(interaction: Interaction) -> None:
        await reply(interaction, await _page(context, interaction, 0))

    return list_games


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_games(context)]
