"""Send messages of the outbox: what to show is read at the moment of sending."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import aiohttp
import discord

from bot.discord_errors import is_about_emojis
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.languages import Languages
from bot.outbox.threads import start_thread
from bot.outbox.transport import Make, Transport, is_closed, may_pass, pause
from bot.outbox.worker import RetryLaterError, UndeliverableError
from bot.services.models import Match, MatchStatus, Perspective
from bot.services.outbox import Copy, OutboxKind, OutboxMessage, PostedKind, PostedMessage
from bot.services.places import Places
from bot.services.preferences import Preferences
from bot.services.queries import OutdatedMatchError, Queries
from bot.services.servers import Servers
from bot.storage.database import Database
from bot.views import challenges, inbox, links, notices, takebacks
from bot.views.images import NO_SIGNS, BoardImages
from bot.views.message import Message
from bot.views.places import left_behind, moved, stranded
from render import for_game
from render.i18n import using

log = logging.getLogger(__name__)


class DiscordSender:
    """Sends and edits messages.

    Args:
        client: logged in.
        database: for what to show and where messages are.
        images: draws the boards.
        clock: the time in UTC seconds.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        images: BoardImages,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        self._database = database
        self._images = images
        self._queries = Queries(database)
        self._players = Preferences(database)
        self._places = Places(database)
        self._servers = Servers(database)
        self._guilds = Guilds(client, clock)
        self._transport = Transport(client, clock)
        self._languages = Languages(self._queries, self._players, self._servers, self._guilds)
        self._ways: dict[OutboxKind, Callable[[OutboxMessage], Awaitable[PostedMessage | None]]] = {
            OutboxKind.POST_CHALLENGE: self._post_challenge,
            OutboxKind.UPDATE_CHALLENGE: self._update_challenge,
            OutboxKind.START_THREAD: self._start_thread,
            OutboxKind.POST_BOARD: self._post_board,
            OutboxKind.EDIT_BOARD: self._edit_board,
            OutboxKind.ENSURE_BOARD: self._ensure_board,
            OutboxKind.POST_RESULT: self._post_board,
            OutboxKind.TAKEBACK_REQUEST: self._request_takeback,
            OutboxKind.PRIVATE_HAND: self._send_hand,
            OutboxKind.TURN_DM: self._send_turn_dm,
        }

    async def deliver(self, queued: OutboxMessage) -> PostedMessage | None:
        """See `bot.outbox.worker.Sender`."""
        try:
            with using(catalogue(await self._languages.of_queued(queued))):
                return await self._ways[queued.kind](queued)
        except discord.RateLimited as error:
            raise RetryLaterError("rate limited", error.retry_after) from error
        except discord.HTTPException as error:
            if is_about_emojis(error) and self._images.signs:
                self._images.signs = NO_SIGNS
                raise RetryLaterError("an emoji is gone") from error
            if may_pass(error):
                raise RetryLaterError(f"Discord answers {error.status}", pause(error)) from error
            raise UndeliverableError(f"Discord answers {error.status}, {error.code}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise RetryLaterError(type(error).__name__) from error
        except OutdatedMatchError as error:
            raise UndeliverableError("its game has other rules now") from error

    async def _post_challenge(self, queued: OutboxMessage) -> PostedMessage:
        match = await self._queries.match(queued.match_id)
        closed_by = queued.payload.get("closed_by", 0)
        copies = await self._post(queued, match, lambda: challenges.challenge(match, closed_by))
        return _receipt(PostedKind.CHALLENGE, copies, 0)

    async def _update_challenge(self, queued: OutboxMessage) -> PostedMessage:
        match = await self._queries.match(queued.match_id)
        closed_by = queued.payload.get("closed_by", 0)
        copies = await self._edit(
            match, PostedKind.CHALLENGE, lambda: challenges.challenge(match, closed_by)
        )
        return (
            _receipt(PostedKind.CHALLENGE, copies, 0)
            if copies
            else await self._post_challenge(queued)
        )

    async def _start_thread(self, queued: OutboxMessage) -> None:
        """Give a match a thread of its own under its challenge, where that is allowed.

        A thread has the number of the message under which it is: it is made once, however often
        it is tried.
        """
        match = await self._queries.match(queued.match_id)
        copies, _ = await self._places.posted(match.id, PostedKind.CHALLENGE)
        here = [copy for copy in copies if copy.channel_id == match.channel_id]
        if not here or match.guild_id is None or match.parent_channel_id is not None:
            return
        if not await self._servers.wants_threads(match.guild_id):
            return
        if not self._guilds.may_write_in_threads(match.guild_id, match.channel_id):
            return
        if await start_thread(self._client, queued, match, here[0].message_id):
            await self._places.enter_thread(queued.id, match.id, here[0].message_id)

    async def _post_board(self, queued: OutboxMessage) -> PostedMessage:
        lines = queued.payload["action_count"]
        perspective = await self._queries.view(queued.match_id, lines=lines)
        make = await self._telling(perspective, queued)
        former, _ = await self._places.posted(perspective.match.id, PostedKind.NOTICE)
        copies = await self._post(queued, perspective.match, make, former)
        await self._strip(perspective.match, copies)
        return _receipt(PostedKind.NOTICE, copies, lines)

    async def _telling(self, perspective: Perspective, queued: OutboxMessage) -> Make:
        """How to make the message about a moment; the controls are on the present one only."""
        match, lines = perspective.match, queued.payload["action_count"]
        drawn = await self._images.board(perspective)
        if perspective.view.result:
            record = await self._queries.record(match.id)
            rematch = not await self._queries.has_rematch(match.id)
            return lambda: notices.ending(perspective, drawn, record, lines, rematch=rematch)
        live = match.status == MatchStatus.RUNNING and match.version == queued.payload["version"]
        reminder = bool(queued.payload.get("reminder"))
        legal = await self._queries.deciding(match) if live else {}
        left = await self._who_left(match) if live and reminder else ""
        return lambda: notices.notice(
            perspective, drawn, legal, lines, live=live, reminder=reminder, left=left
        )

    async def _who_left(self, match: Match) -> str:
        """The seats of those who have to decide and are not in the match's server any more.

        It costs a request each, so it is done only for reminders.
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

    async def _edit_board(self, queued: OutboxMessage) -> PostedMessage | None:
        lines = queued.payload["action_count"]
        perspective = await self._queries.view(queued.match_id, lines=lines)
        if perspective.match.version != queued.payload["version"]:
            return await self._adopt(queued, perspective.match)
        make = await self._telling(perspective, queued)
        copies = await self._edit(perspective.match, PostedKind.NOTICE, make)
        if not copies and perspective.view.result:
            return None  # the end of a match is posted only once
        return (
            _receipt(PostedKind.NOTICE, copies, lines) if copies else await self._post_board(queued)
        )

    async def _ensure_board(self, queued: OutboxMessage) -> PostedMessage | None:
        """Post the notice again if it was deleted, or never came."""
        match = await self._queries.match(queued.match_id)
        if match.version != queued.payload["version"]:
            return await self._adopt(queued, match)
        copies, shown = await self._places.posted(match.id, PostedKind.NOTICE)
        if not copies or shown != queued.payload["action_count"]:
            return await self._post_board(queued)  # what showed this moment was given up
        try:
            for copy in copies:
                channel = self._transport.channel(copy.channel_id, match.guild_id)
                await channel.fetch_message(copy.message_id)
        except discord.NotFound:
            return await self._post_board(queued)
        except discord.Forbidden as error:  # it may well be there
            log.info("its notice cannot be looked for: %s", error.code)
        return None

    async def _adopt(self, queued: OutboxMessage, match: Match) -> PostedMessage | None:
        """Return the board that an earlier attempt posted while its reply was lost.

        The match has gone on, so a later delivery shows more. It takes the controls off this
        board, for which the board has to be known.
        """
        if queued.attempts <= 1:
            return None
        places = filter(None, (match.channel_id, match.parent_channel_id))
        copies = await self._arrived_in(queued, match, (*places, *await self._places.left(queued)))
        if not copies:
            return None
        await self._strip(match, copies)
        return _receipt(PostedKind.NOTICE, copies, queued.payload["action_count"])

    async def _request_takeback(self, queued: OutboxMessage) -> None:
        perspective = await self._queries.view(queued.match_id)
        version = queued.payload["version"]
        if perspective.match.version == version:
            actions = (await self._queries.record(queued.match_id)).actions
            await self._post(
                queued,
                perspective.match,
                lambda: takebacks.takeback_request(perspective, actions, version),
            )

    async def _send_hand(self, queued: OutboxMessage) -> None:
        user_id = queued.target.user_id
        perspective = await self._queries.view(queued.match_id, user_id)
        if not perspective.seat or not for_game(perspective.match.game).hand(perspective.view):
            return  # gone meanwhile, or nothing is hidden
        await self._write(queued, lambda: inbox.hand(perspective, links.link(perspective.match)))

    async def _send_turn_dm(self, queued: OutboxMessage) -> None:
        perspective = await self._queries.view(queued.match_id, queued.target.user_id)
        if perspective.seat and perspective.match.version == queued.payload["version"]:
            await self._write(queued, lambda: inbox.turn_dm(perspective))

    async def _write(self, queued: OutboxMessage, make: Make) -> None:
        """Send a DM; a closed one is noticed and never tried again."""
        user_id = queued.target.user_id
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await self._transport.post(channel, queued, make)
        except discord.Forbidden:
            await self._players.record_dm_result(user_id, by_dm=False)
        else:
            await self._players.record_dm_result(user_id, by_dm=True)

    async def _post(
        self,
        queued: OutboxMessage,
        match: Match,
        make: Make,
        former: Sequence[Copy] = (),
    ) -> list[Copy]:
        """Send a new message to the match's thread, else to the channel above, else by DM.

        Args:
            queued: what is sent.
            match: the match it is about.
            make: makes the message, again for each attempt.
            former: the copies of the message before this one, to tell whether the match has moved.
        """
        if before := await self._posted_before_move(queued, match):
            return before
        for channel_id in filter(None, (match.channel_id, match.parent_channel_id)):
            channel = self._transport.channel(channel_id, match.guild_id)
            try:
                told = self._told(queued, match, make, channel_id, former)
                sent = await self._transport.post(channel, queued, told)
            except discord.HTTPException as error:
                if not is_closed(error):
                    raise
                log.info("the channel is closed: %s", error.code)
                arrived = await self._transport.arrived(channel, queued)
                if arrived is None:
                    continue
                sent = arrived
            if channel_id != match.channel_id:
                await self._places.leave_thread(match.id, match.channel_id)
            return [Copy(0, channel_id, sent.id)]
        return await self._post_to_players(queued, match, make)

    async def _posted_before_move(self, queued: OutboxMessage, match: Match) -> list[Copy]:
        """Return what an attempt had posted in a place that the match was moved away from."""
        left = await self._places.left(queued)
        return await self._arrived_in(queued, match, left) if left else []

    async def _arrived_in(
        self, queued: OutboxMessage, match: Match, channel_ids: Sequence[int]
    ) -> list[Copy]:
        """Return what an attempt had posted in one of these channels, else by DM."""
        for channel_id in channel_ids:
            found = await self._transport.arrived(
                self._transport.channel(channel_id, match.guild_id), queued
            )
            if found is not None:
                return [Copy(0, channel_id, found.id)]
        copies: list[Copy] = []
        for player in match.people.values():
            channel = await self._client.create_dm(discord.Object(player.user_id))
            found = await self._transport.arrived(channel, queued)
            copies += [Copy(player.user_id, channel.id, found.id)] if found else []
        return copies

    @staticmethod
    def _told(
        queued: OutboxMessage, match: Match, make: Make, channel_id: int, former: Sequence[Copy]
    ) -> Make:
        """Return how to make a message that says so if the match goes on in another place."""
        if channel_id != match.channel_id:
            return lambda: stranded(make(), match, by_dm=False)
        if queued.payload.get("moved") or (
            former and all(copy.channel_id != channel_id for copy in former)
        ):
            return lambda: moved(make(), match)
        return make

    async def _post_to_players(self, queued: OutboxMessage, match: Match, make: Make) -> list[Copy]:
        """Send a DM to each player, but none to those who were only challenged."""
        copies: list[Copy] = []
        for seat, player in match.people.items():
            if seat in match.waiting:
                continue
            try:
                channel = await self._client.create_dm(discord.Object(player.user_id))
                with using(catalogue(await self._players.language(player.user_id))):
                    sent = await self._transport.post(
                        channel, queued, lambda: stranded(make(), match, by_dm=True)
                    )
            except discord.Forbidden:
                log.info("a player's DMs are closed as well")
            else:
                copies.append(Copy(player.user_id, channel.id, sent.id))
        if not copies:
            raise UndeliverableError("neither the channel nor the players can be reached")
        return copies

    async def _edit(self, match: Match, kind: PostedKind, make: Make) -> list[Copy]:
        """Change all copies of a living message; none if one of them cannot be changed."""
        copies, _ = await self._places.posted(match.id, kind)
        try:
            for copy in copies:
                with using(catalogue(await self._languages.of_copy(copy, match.guild_id))):
                    told = (lambda: stranded(make(), match, by_dm=True)) if copy.user_id else make
                    await self._edit_copy(copy, match, told)
        except discord.HTTPException as error:
            if may_pass(error):
                raise
            log.info("its %s is gone: %s", kind, error.code)
            return []
        return copies

    async def _edit_copy(self, copy: Copy, match: Match, make: Make) -> None:
        channel = self._transport.channel(copy.channel_id, match.guild_id)

        async def edit() -> None:
            new = make()
            message = channel.get_partial_message(copy.message_id)
            await message.edit(
                view=new.layout, attachments=new.files, allowed_mentions=new.mentions
            )

        await self._transport.awake(copy.channel_id, edit)

    async def _strip(self, match: Match, new: Sequence[Copy]) -> None:
        """Take the controls off all copies of the former notice, and say where the match goes on.

        If that fails, its buttons die politely.
        """
        copies, shown = await self._places.posted(match.id, PostedKind.NOTICE)
        kept = {copy.message_id for copy in new}
        old = [copy for copy in copies if copy.message_id not in kept]
        if not old:
            return
        perspective = await self._queries.view(match.id, lines=shown)
        for copy in old:
            with using(catalogue(await self._languages.of_copy(copy, match.guild_id))):
                await self._strip_copy(
                    copy, new, partial(notices.former, perspective, shown), match
                )

    async def _strip_copy(self, copy: Copy, new: Sequence[Copy], make: Make, match: Match) -> None:
        channel = self._transport.channel(copy.channel_id, match.guild_id)

        async def edit() -> None:
            layout = _former(make(), match, copy, new).layout
            await channel.get_partial_message(copy.message_id).edit(view=layout)

        try:
            await self._transport.awake(copy.channel_id, edit)
        except discord.HTTPException as error:
            log.info("the former notice stays as it is: %s", error.code)


def _former(message: Message, match: Match, copy: Copy, new: Sequence[Copy]) -> Message:
    """Say under a former notice where the match goes on, if that is another place."""
    if copy.channel_id in {each.channel_id for each in new}:
        return message
    first = new[0]
    link = "" if first.user_id else links.link_to(match.guild_id, *first[1:])
    return left_behind(message, link)


def _receipt(kind: PostedKind, copies: Sequence[Copy], action_count: int) -> PostedMessage:
    return PostedMessage(
        kind, copies[0].channel_id, copies[0].message_id, action_count, tuple(copies)
    )
