"""Carries parcels to Discord: what to show is read now, the view is made now."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Literal, TypeVar

import aiohttp
import discord
from sqlalchemy import select

from bot import messages
from bot.delivery import LaterError, LostError, Parcel, Receipt
from bot.emojis import is_about_emojis
from bot.guilds import Guilds
from bot.language import catalogue
from bot.messages import Message
from bot.pictures import NO_SIGNS, Artist
from bot.players import Players
from bot.servers import Servers
from bot.storage.database import Database
from bot.storage.schema import surfaces
from bot.tables import RUNNING, Match, Table, Tables
from engine.game import View
from render import for_game
from render.language import speaking

log = logging.getLogger(__name__)

UNSURE = 60.0
"""Seconds after which the channel is searched first: Discord knows a nonce for two minutes, and an
attempt that begins now may last for a while (`bot.delivery.ATTEMPT`)."""

SEARCHED = 200
"""So many of the newest messages of the channel are searched, whatever the clocks say."""

FARTHEST = 1000
"""So many are searched from the first attempt on, where others have written more since."""

AHEAD = 60.0
"""Seconds by which our clock may be ahead of Discord's."""

UNAUTHORIZED, SERVER_ERRORS = 401, 500
PASSING = frozenset({UNAUTHORIZED, 408, 429})
"""HTTP statuses that say nothing about the message: the token was changed, it took too long, we are
too fast. So do all from 500."""

LONG = 60.0
"""Seconds until the next attempt when Discord does not know us."""

EVERYBODY = "channel"
"""The target of what is not for one player's eyes only."""

ENOUGH = 3
"""Attempts to make a thread: a match can do without it, but not without its board."""

HAS_THREAD = 160004
"""Discord's code for a message that has a thread already."""

A_WEEK: Literal[10080] = 10080
"""Minutes of silence after which Discord archives a thread; a new message wakes it."""

ARCHIVED = 50083
"""Discord's code for a thread that has gone to sleep."""

Make = Callable[[], Message]
Channel = discord.PartialMessageable | discord.DMChannel
T = TypeVar("T")


class DiscordCourier:
    """Sends and edits messages.

    Args:
        client: logged in.
        database: for what to show and where messages are.
        artist: draws the boards.
        clock: the time in UTC seconds.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        artist: Artist,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._database = database
        self._artist = artist
        self._tables = Tables(database)
        self._players = Players(database)
        self._servers = Servers(database)
        self._guilds = Guilds(client, clock)
        self._clock = clock
        self._ways: dict[str, Callable[[Parcel], Awaitable[Receipt | None]]] = {
            "challenge": self._challenge,
            "answered": self._answered,
            "thread": self._thread,
            "turn": self._turn,
            "refresh": self._refresh,
            "mend": self._mend,
            "end": self._turn,
            "plea": self._plea,
            "hand": self._hand,
            "nudge": self._nudge,
        }

    async def deliver(self, parcel: Parcel) -> Receipt | None:
        """See `bot.delivery.Courier`."""
        try:
            with speaking(catalogue(await self._language(parcel))):
                return await self._ways[parcel.kind](parcel)
        except discord.RateLimited as error:
            raise LaterError("rate limited", error.retry_after) from error
        except discord.HTTPException as error:
            if is_about_emojis(error) and self._artist.signs:
                self._artist.signs = NO_SIGNS
                raise LaterError("an emoji is gone") from error
            if _may_pass(error):
                raise LaterError(f"Discord answers {error.status}", _pause(error)) from error
            raise LostError(f"Discord answers {error.status}, {error.code}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise LaterError(type(error).__name__) from error

    async def _language(self, parcel: Parcel) -> str:
        """The language of the player, or of the server where everybody is to see it."""
        if parcel.target != EVERYBODY:
            return await self._players.language(_user(parcel))
        guild_id = await self._tables.server(parcel.match_id)
        locale = await self._guilds.locale(guild_id)
        return await self._servers.language(guild_id, locale)

    async def _challenge(self, parcel: Parcel) -> Receipt:
        match = await self._tables.match(parcel.match_id)
        sent = await self._post(parcel, match, lambda: messages.challenge(match))
        return Receipt("challenge", sent.channel.id, sent.id, 0)

    async def _answered(self, parcel: Parcel) -> Receipt:
        match = await self._tables.match(parcel.match_id)
        edited = await self._edit(match, "challenge", lambda: messages.challenge(match))
        if edited is None:
            return await self._challenge(parcel)
        return Receipt("challenge", edited.channel.id, edited.id, 0)

    async def _thread(self, parcel: Parcel) -> None:
        """Give a match a thread of its own under its challenge, where that is allowed.

        A thread has the number of the message under which it is: it is made once, however often
        it is tried.
        """
        match = await self._tables.match(parcel.match_id)
        where = await self._surface(match.id, "challenge")
        if where is None or match.guild_id is None or where[0] != match.channel_id:
            return
        if not await self._servers.wants_threads(match.guild_id):
            return
        try:  # not by discord.py's PartialMessage, which needs the server in the cache
            await self._client.http.start_thread_with_message(
                *where[:2], name=messages.thread_name(match), auto_archive_duration=A_WEEK
            )
        except discord.HTTPException as error:
            if _may_pass(error) and parcel.attempts < ENOUGH:
                raise
            if error.code != HAS_THREAD:
                log.info("no thread: %s", error.code)
                return
        await self._tables.move(match.id, where[1])

    async def _turn(self, parcel: Parcel) -> Receipt:
        lines = parcel.what["lines"]
        table = await self._tables.look(parcel.match_id, lines=lines)
        make = await self._telling(table, parcel)
        sent = await self._post(parcel, table.match, make)
        await self._strip(parcel.match_id, sent.id)
        return Receipt("notice", sent.channel.id, sent.id, lines)

    async def _telling(self, table: Table, parcel: Parcel) -> Make:
        """How to make the message about a moment; the controls are on the present one only."""
        match, lines = table.match, parcel.what["lines"]
        drawn = await self._artist.board(table)
        if table.view.result:
            record = await self._tables.record(match.id)
            return lambda: messages.ending(table, drawn, record, lines)
        live = match.status == RUNNING and match.version == parcel.what["version"]
        reminder = bool(parcel.what.get("reminder"))
        legal = await self._legal(match) if live else {}
        left = await self._who_left(match) if live and reminder else ""
        return lambda: messages.notice(
            table, drawn, legal, lines, live=live, reminder=reminder, left=left
        )

    async def _who_left(self, match: Match) -> str:
        """The seats of those who have to decide and are not in the match's server any more.

        It costs a request each, so it is asked only when somebody takes long.
        """
        if match.guild_id is None:
            return ""
        asked = {seat: match.players[seat].user_id for seat in match.decisions}
        return "".join(
            [
                seat
                for seat, user in asked.items()
                if await self._guilds.has_left(match.guild_id, user)
            ]
        )

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
        make = await self._telling(table, parcel)
        edited = await self._edit(table.match, "notice", make)
        if edited is None:
            return await self._turn(parcel)
        return Receipt("notice", edited.channel.id, edited.id, lines)

    async def _mend(self, parcel: Parcel) -> Receipt | None:
        """Post the notice again if it was deleted."""
        match = await self._tables.match(parcel.match_id)
        where = await self._surface(match.id, "notice")
        if where is None or match.version != parcel.what["version"]:
            return None  # a later parcel shows more
        try:
            await self._channel(where[0], match.guild_id).fetch_message(where[1])
        except discord.NotFound:
            return await self._turn(parcel)
        except discord.Forbidden as error:  # it may well be there
            log.info("its notice cannot be looked for: %s", error.code)
        return None

    async def _plea(self, parcel: Parcel) -> None:
        table = await self._tables.look(parcel.match_id)
        version = parcel.what["version"]
        if table.match.version == version:
            actions = (await self._tables.record(parcel.match_id)).actions
            await self._post(parcel, table.match, lambda: messages.plea(table, actions, version))

    async def _hand(self, parcel: Parcel) -> None:
        user_id = _user(parcel)
        table = await self._tables.look(parcel.match_id, user_id)
        if not table.seat or not for_game(table.match.game).hand(table.view):
            return  # gone meanwhile, or nothing is hidden
        await self._write(parcel, lambda: messages.hand(table, messages.link(table.match)))

    async def _nudge(self, parcel: Parcel) -> None:
        table = await self._tables.look(parcel.match_id, _user(parcel))
        if table.seat and table.match.version == parcel.what["version"]:
            await self._write(parcel, lambda: messages.nudge(table))

    async def _write(self, parcel: Parcel, make: Make) -> None:
        """Send a DM; a closed one is noticed and never tried again."""
        user_id = _user(parcel)
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await self._send(channel, parcel, make)
        except discord.Forbidden:
            await self._players.reached(user_id, by_dm=False)
        else:
            await self._players.reached(user_id, by_dm=True)

    async def _post(self, parcel: Parcel, match: Match, make: Make) -> discord.Message:
        """Send a new message to the match's channel; where that is gone, to the players."""
        channel = self._channel(match.channel_id, match.guild_id)
        try:
            return await self._send(channel, parcel, make)
        except (discord.Forbidden, discord.NotFound):
            log.info("the channel is closed, trying DMs")
            return await self._post_to_players(parcel, match, make)

    async def _post_to_players(self, parcel: Parcel, match: Match, make: Make) -> discord.Message:
        sent = None
        for player in match.people.values():
            try:
                channel = await self._client.create_dm(discord.Object(player.user_id))
                with speaking(catalogue(await self._players.language(player.user_id))):
                    told = partial(_stranded, make)
                    sent = await self._send(channel, parcel, told)
            except discord.Forbidden:
                log.info("a player's DMs are closed as well")
        if sent is None:
            raise LostError("neither the channel nor the players can be reached")
        return sent

    async def _send(self, channel: Channel, parcel: Parcel, make: Make) -> discord.Message:
        """Send a message once: a nonce sees to that, and when Discord has forgotten it, a search.

        Args:
            channel: where to.
            parcel: what is sent; its mark is the id of the message's first component.
            make: makes the message, anew for each attempt.
        """
        if not 0 <= self._clock() - parcel.tried <= UNSURE:
            found = await self._find(channel, parcel)
            if found is not None:
                return found

        async def send() -> discord.Message:
            message = make()
            message.layout.children[0].id = parcel.mark
            return await channel.send(
                view=message.layout,
                files=message.files,
                allowed_mentions=message.mentions,
                nonce=parcel.nonce(channel.id),
            )

        return await self._awake(channel.id, send)

    async def _find(self, channel: Channel, parcel: Parcel) -> discord.Message | None:
        """Return the message of an earlier attempt at the same delivery."""
        async for message in _since(channel, parcel.tried):
            marked = any(getattr(each, "id", None) == parcel.mark for each in message.components)
            if marked and message.author == self._client.user:
                return message
        return None

    async def _edit(self, match: Match, kind: str, make: Make) -> discord.Message | None:
        """Change a living message; None if there is none, or none that can be changed."""
        where = await self._surface(match.id, kind)
        if where is None:
            return None
        message = self._channel(where[0], match.guild_id).get_partial_message(where[1])

        async def edit() -> discord.Message:
            new = make()
            return await message.edit(
                view=new.layout, attachments=new.files, allowed_mentions=new.mentions
            )

        try:
            return await self._awake(where[0], edit)
        except discord.HTTPException as error:
            if _may_pass(error):
                raise
            log.info("its %s is gone: %s", kind, error.code)
            return None

    async def _awake(self, channel_id: int, attempt: Callable[[], Awaitable[T]]) -> T:
        """Do something in a channel; a thread that has gone to sleep is woken first."""
        try:
            return await attempt()
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        thread = await self._client.fetch_channel(channel_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
        return await attempt()

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
            log.info("the former notice stays as it is: %s", error.code)

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


async def _since(channel: Channel, tried: float) -> AsyncIterator[discord.Message]:
    """Where a message may be that was first sent at this time: among the newest, or not long after.

    While it was not known to have arrived, others can have written any number of messages.
    """
    begin = datetime.fromtimestamp(tried - AHEAD, UTC)
    newest = [message async for message in channel.history(limit=SEARCHED)]
    for message in newest:
        yield message
    if len(newest) == SEARCHED and newest[-1].created_at > begin:
        async for message in channel.history(limit=FARTHEST, before=newest[-1], after=begin):
            yield message


def _stranded(make: Make) -> Message:
    return messages.stranded(make())


def _may_pass(error: discord.HTTPException) -> bool:
    """Whether the same request can succeed later: it is not the message that is wrong."""
    return error.status in PASSING or error.status >= SERVER_ERRORS


def _pause(error: discord.HTTPException) -> float:
    """Seconds that Discord wants us to wait."""
    if error.status == UNAUTHORIZED:
        return LONG
    wait = error.response.headers.get("Retry-After", "")
    return float(wait) if wait.isdecimal() else 0.0


def _user(parcel: Parcel) -> int:
    return int(parcel.target.removeprefix("user:"))
