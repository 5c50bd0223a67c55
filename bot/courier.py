"""Carries parcels to Discord: what to show is read now, the view is made now."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable

import aiohttp
import discord
from sqlalchemy import select

from bot import messages
from bot.delivery import LaterError, LostError, Parcel, Receipt
from bot.messages import Message
from bot.players import Players
from bot.storage.database import Database
from bot.storage.schema import surfaces
from bot.tables import RUNNING, Match, Table, Tables
from engine.game import View

log = logging.getLogger(__name__)

UNSURE = 120.0
"""Seconds after which Discord no longer knows a nonce: then the channel is searched first."""

SEARCHED = 50
"""So many messages of the channel are searched."""

TOO_MANY, SERVER_ERRORS = 429, 500
"""HTTP statuses."""

Make = Callable[[], Message]


class DiscordCourier:
    """Sends and edits messages.

    Args:
        client: logged in.
        database: for what to show and where messages are.
        clock: the time in UTC seconds.
    """

    def __init__(
        self, client: discord.Client, database: Database, clock: Callable[[], float] = time.time
    ) -> None:
        self._client = client
        self._database = database
        self._tables = Tables(database)
        self._players = Players(database)
        self._clock = clock
        self._ways: dict[str, Callable[[Parcel], Awaitable[Receipt | None]]] = {
            "challenge": self._challenge,
            "answered": self._answered,
            "turn": self._turn,
            "refresh": self._refresh,
            "end": self._turn,
            "hand": self._hand,
            "nudge": self._nudge,
        }

    async def deliver(self, parcel: Parcel) -> Receipt | None:
        """See `bot.delivery.Courier`."""
        try:
            return await self._ways[parcel.kind](parcel)
        except discord.RateLimited as error:
            raise LaterError("rate limited", error.retry_after) from error
        except discord.HTTPException as error:
            if _may_pass(error):
                raise LaterError(f"Discord answers {error.status}") from error
            raise LostError(f"Discord answers {error.status}, {error.code}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise LaterError(type(error).__name__) from error

    async def _challenge(self, parcel: Parcel) -> Receipt:
        match = await self._tables.match(parcel.match_id)
        sent = await self._post(parcel, match, lambda: messages.challenge(match))
        return Receipt("challenge", sent.channel.id, sent.id, 0)

    async def _answered(self, parcel: Parcel) -> None:
        match = await self._tables.match(parcel.match_id)
        await self._edit(match, "challenge", messages.challenge(match))

    async def _turn(self, parcel: Parcel) -> Receipt:
        lines = parcel.what["lines"]
        table = await self._tables.look(parcel.match_id, lines=lines)
        make = await self._telling(table, lines, parcel.what["version"])
        sent = await self._post(
            parcel, table.match, make, messages.moment_id(table.match.id, lines)
        )
        await self._strip(parcel.match_id, sent.id)
        return Receipt("notice", sent.channel.id, sent.id, lines)

    async def _telling(self, table: Table, lines: int, version: int) -> Make:
        """How to make the message about a moment; the controls are on the present one only."""
        match = table.match
        if table.view.result:
            record = await self._tables.record(match.id)
            return lambda: messages.ending(table, record, lines)
        live = match.status == RUNNING and match.version == version
        legal = await self._legal(match) if live else {}
        return lambda: messages.notice(table, legal, lines, live=live)

    async def _legal(self, match: Match) -> dict[str, View]:
        """The views of those who must decide, for their lists of actions."""
        return {
            seat: (await self._tables.look(match.id, match.players[seat].user_id)).view
            for seat in match.decisions
        }

    async def _refresh(self, parcel: Parcel) -> Receipt | None:
        lines = parcel.what["lines"]
        table = await self._tables.look(parcel.match_id, lines=lines)
        if table.match.version != parcel.what["version"]:
            return None  # a later parcel shows more
        make = await self._telling(table, lines, parcel.what["version"])
        try:
            edited = await self._edit(table.match, "notice", make())
        except discord.HTTPException as error:
            if _may_pass(error):
                raise
            edited = None
        if edited is None:
            return await self._turn(parcel)
        return Receipt("notice", edited.channel.id, edited.id, lines)

    async def _hand(self, parcel: Parcel) -> None:
        user_id = _user(parcel)
        table = await self._tables.look(parcel.match_id, user_id)
        await self._write(parcel, lambda: messages.hand(table, messages.link(table.match)))

    async def _nudge(self, parcel: Parcel) -> None:
        table = await self._tables.look(parcel.match_id, _user(parcel))
        if table.match.version == parcel.what["version"]:
            await self._write(parcel, lambda: messages.nudge(table))

    async def _write(self, parcel: Parcel, make: Make) -> None:
        """Send a DM; a closed one is noticed and never tried again."""
        user_id = _user(parcel)
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await self._send(channel, parcel, make())
        except discord.Forbidden:
            await self._players.prefer(user_id, "closed", value=True)
        else:
            await self._players.prefer(user_id, "closed", value=False)

    async def _post(
        self, parcel: Parcel, match: Match, make: Make, mark: str = ""
    ) -> discord.Message:
        """Send a new message to the match's channel; where that is gone, to the players."""
        channel = self._channel(match.channel_id, match.guild_id)
        if mark and self._clock() - parcel.tried > UNSURE:
            found = await _find(channel, mark)
            if found is not None:
                return found
        try:
            return await self._send(channel, parcel, make())
        except (discord.Forbidden, discord.NotFound):
            log.info("match %s: the channel is closed, trying DMs", match.id)
            return await self._post_to_players(parcel, match, make)

    async def _post_to_players(self, parcel: Parcel, match: Match, make: Make) -> discord.Message:
        sent = None
        for player in match.players.values():
            try:
                channel = await self._client.create_dm(discord.Object(player.user_id))
                sent = await self._send(channel, parcel, make())
            except discord.Forbidden:
                log.info("match %s: a player's DMs are closed as well", match.id)
        if sent is None:
            raise LostError("neither the channel nor the players can be reached")
        return sent

    async def _send(
        self, channel: discord.abc.Messageable, parcel: Parcel, message: Message
    ) -> discord.Message:
        return await channel.send(
            view=message.layout,
            files=message.files,
            allowed_mentions=message.mentions,
            nonce=parcel.nonce,
        )

    async def _edit(self, match: Match, kind: str, message: Message) -> discord.Message | None:
        """Change a living message; None if there is none."""
        where = await self._surface(match.id, kind)
        if where is None:
            return None
        channel = self._channel(where[0], match.guild_id)
        return await channel.get_partial_message(where[1]).edit(
            view=message.layout, attachments=message.files, allowed_mentions=message.mentions
        )

    async def _strip(self, match_id: int, but: int) -> None:
        """Take the controls off the former notice; if that fails, its buttons die politely."""
        where = await self._surface(match_id, "notice")
        if where is None or where[1] == but:
            return
        table = await self._tables.look(match_id, lines=where[2])
        former = messages.former(table, where[2])
        channel = self._channel(where[0], table.match.guild_id)
        try:
            await channel.get_partial_message(where[1]).edit(view=former.layout)
        except discord.HTTPException as error:
            log.info("match %s: the former notice stays as it is: %s", match_id, error.code)

    async def _surface(self, match_id: int, kind: str) -> tuple[int, int, int] | None:
        """Channel, message and moment of a living message."""
        async with self._database.read() as connection:
            chosen = select(surfaces).where(
                surfaces.c.match_id == match_id, surfaces.c.kind == kind
            )
            row = (await connection.execute(chosen)).one_or_none()
            return None if row is None else (row.channel_id, row.message_id, row.shown)

    def _channel(self, channel_id: int, guild_id: int | None) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)


async def _find(channel: discord.PartialMessageable, mark: str) -> discord.Message | None:
    """An own message that carries this custom_id."""
    async for message in channel.history(limit=SEARCHED):
        if any(mark == custom_id for custom_id in _custom_ids(message)):
            return message
    return None


def _custom_ids(message: discord.Message) -> list[str]:
    layout = discord.ui.LayoutView.from_message(message, timeout=None)
    layout.stop()
    return [getattr(item, "custom_id", "") or "" for item in layout.walk_children()]


def _may_pass(error: discord.HTTPException) -> bool:
    """Whether the same request can succeed later: Discord is ill, or we are too fast."""
    return error.status == TOO_MANY or error.status >= SERVER_ERRORS


def _user(parcel: Parcel) -> int:
    return int(parcel.target.removeprefix("user:"))
