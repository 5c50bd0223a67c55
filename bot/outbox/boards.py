"""The boards of matches in channels: post and edit them, and find those that were lost."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.domain.computer_players import has_computer
from bot.domain.models import Match, MatchStatus, Perspective
from bot.domain.outbox import (
    TAKEN_BACK_PREFIX,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
)
from bot.domain.waiting import NO_ONE_ABSENT, Absent
from bot.outbox.feature_messages import Deliver, MessageKit
from bot.outbox.former_boards import FormerBoards
from bot.outbox.pings import Pings
from bot.outbox.questions import answered
from bot.outbox.transport import MessageFactory, is_refused
from bot.services.deliveries import DeliverySnapshot
from bot.services.queries import Queries
from bot.views import public_boards, ui
from bot.views.images import BoardImages
from bot.views.public_boards import BoardState, EndButton

log = logging.getLogger(__name__)


class Boards:
    """Posts and edits boards.

    Args:
        kit: looks up who has left a server, finds messages, and chooses their channels.
        pings: deletes the pings that a new board replaces.
        former: removes the controls of earlier boards.
        computers: whether the computer can play.
        end_buttons: return the buttons of features at the end of a match.
    """

    def __init__(
        self,
        queries: Queries,
        images: BoardImages,
        kit: MessageKit,
        *,
        pings: Pings,
        former: FormerBoards,
        computers: bool,
        end_buttons: Sequence[EndButton],
    ) -> None:
        self._queries = queries
        self._images = images
        self._guilds = kit.guilds
        self._transport = kit.transport
        self._destinations = kit.destinations
        self._pings = pings
        self._former = former
        self._computers = computers
        self._end_buttons = end_buttons
        self._clock = kit.clock

    def deliveries(self) -> dict[OutboxKind, Deliver]:
        """Return kind of message → the method that sends it."""
        return {
            OutboxKind.POST_BOARD: self.post,
            OutboxKind.EDIT_BOARD: self.edit,
            OutboxKind.ENSURE_BOARD: self.ensure,
            OutboxKind.RETIRE_BOARD: self.retire,
            OutboxKind.POST_RESULT: self.post,
        }

    async def post(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage:
        """Post the board in place of the former one."""
        make = await self._factory(queued, delivery)
        former = delivery.posted[PostedKind.BOARD].copies
        copies = await self._destinations.post(queued, delivery, make, former)
        ping, unretired = await self._replace_former(queued, delivery, copies)
        posted = self._posted(queued, delivery, copies, ping)
        return posted._replace(unretired=(*unretired, *posted.unretired))

    async def edit(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Edit the latest board; post it if it was deleted, unless the match is over.

        It is also posted if the edit was queued to show that a player is gone, and one is.
        """
        if delivery.match.version != queued.payload["version"]:
            return await self._adopt(queued, delivery)
        if queued.payload.get("tell") and (await self._absent(queued, delivery.match)).gone:
            return await self.post(queued, delivery)
        make = await self._factory(queued, delivery)
        is_over = bool(delivery.perspective().view.result)
        copies = await self._destinations.edit(
            delivery, PostedKind.BOARD, make, replaced=not is_over
        )
        if copies:
            return self._posted(queued, delivery, copies, await self._pings.delete_old(delivery))
        if is_over:
            return None  # the end of a match is posted only once
        return await self.post(queued, delivery)

    async def ensure(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Post the board again if it was deleted or never arrived."""
        match, posted = delivery.match, delivery.posted[PostedKind.BOARD]
        if match.version != queued.payload["version"]:
            return await self._adopt(queued, delivery)
        if not posted.copies or posted.revision != queued.payload["action_count"]:
            return await self.post(queued, delivery)  # delivery of this board was given up
        try:
            for copy in posted.copies:
                channel = self._transport.channel(copy.channel_id, match.guild_id)
                await channel.fetch_message(copy.message_id)
        except discord.NotFound:
            return await self.post(queued, delivery)
        except discord.Forbidden as error:  # it may still exist
            log.info("cannot search for its message: %s", error.code)
        return None

    async def _adopt(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Return the board of an earlier attempt whose response was lost.

        The match has continued, so a later delivery shows a newer position. That delivery removes
        the controls from this board, so the board has to be stored.
        """
        copies = await self._destinations.lost(queued, delivery)
        if not copies:
            return None
        ping, unretired = await self._replace_former(queued, delivery, copies)
        number = queued.payload["action_count"]
        return SentMessage(PostedKind.BOARD, number, copies, ping, unretired)

    async def _replace_former(
        self, queued: OutboxMessage, delivery: DeliverySnapshot, copies: Sequence[SentCopy]
    ) -> tuple[SentMessage, tuple[SentMessage, ...]]:
        """Remove the controls of the former board, and delete the ping.

        A new board pings as well. It is stored as the ping in place of the former board, which is
        then not deleted as one.

        Returns:
            The new ping; and the former board, if it has copies that have yet to lose their
            controls.
        """
        former = await self._former.retire(delivery, copies)
        await self._pings.delete(delivery)
        ping = SentMessage(PostedKind.PING, queued.payload["version"], copies)
        return ping, (former,) if former else ()

    async def retire(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Remove controls that a former board kept because Discord did not answer.

        One that was deleted or closed has none.
        """
        try:
            await self._former.retire_later(queued, delivery)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("the former board stays as it is: %s", error.code)

    def _posted(
        self,
        queued: OutboxMessage,
        delivery: DeliverySnapshot,
        copies: Sequence[SentCopy],
        ping: SentMessage | None,
    ) -> SentMessage:
        """Return the board now posted on Discord, and remember its content."""
        number = queued.payload["action_count"]
        posted = SentMessage(PostedKind.BOARD, number, copies, ping, answered(delivery))
        self._former.remember(posted, delivery.perspective())
        return posted

    async def _factory(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> MessageFactory:
        """Return a factory for the board after an action; only the latest board has controls."""
        match, action_count = delivery.match, queued.payload["action_count"]
        perspective = delivery.perspective()
        marks = public_boards.marks(perspective.view, delivery.legal)
        style = delivery.server.style
        drawn = await self._images.with_actions(perspective.view, match.names, style, marks)
        if perspective.view.result:
            record = await self._queries.record(match.id)
            rematch = not await self._queries.has_rematch(match.id)
            return lambda: public_boards.result(
                perspective,
                drawn,
                record,
                action_count,
                ratings=delivery.ratings,
                rematch=rematch,
                buttons=self._buttons(perspective),
            )
        live = match.status == MatchStatus.RUNNING and match.version == queued.payload["version"]
        absent = await self._absent(queued, match) if live else NO_ONE_ABSENT
        return lambda: public_boards.board(
            perspective,
            drawn,
            delivery.legal,
            action_count,
            BoardState(
                live=live,
                reminder=bool(queued.payload.get("reminder")),
                absent=absent,
                taken_back=_taken_back(queued, match),
                computers=self._can_play(perspective.match),
            ),
        )

    def _can_play(self, match: Match) -> bool:
        """Return whether the computer can play the game of a match."""
        return self._computers and has_computer(match.game)

    def _buttons(self, perspective: Perspective) -> list[ui.Button]:
        """Return the buttons of features at the end of a match, in the current language."""
        computers = self._can_play(perspective.match)
        buttons = (make(perspective, computers) for make in self._end_buttons)
        return [button for button in buttons if button]

    async def _absent(self, queued: OutboxMessage, match: Match) -> Absent:
        """Return the players who have to decide and may no longer be there.

        Asking Discord costs one request per player, so it is asked only for reminders, and while
        other players can agree on a stand-in.
        """
        asks = {"reminder", "absent"} & queued.payload.keys() or match.agreed_by
        gone_seats = await self._gone_seats(match) if asks or match.guild_id is None else ""
        return Absent.of(match, self._clock(), gone_seats)

    async def _gone_seats(self, match: Match) -> str:
        """Return the seats of players who have to decide but have left, or cannot be reached."""
        if match.guild_id is None:
            return "".join(seat for seat in match.waits_since if seat in match.unreachable)
        people, has_left = match.acting_people.items(), self._guilds.has_left
        deciding = [(seat, player) for seat, player in people if seat in match.decisions]
        return "".join(
            [s for s, player in deciding if await has_left(match.guild_id, player.user_id)]
        )


def _taken_back(queued: OutboxMessage, match: Match) -> list[str]:
    """Return the seats whose choices were just taken back, see `BoardState`."""
    places = {seat: queued.payload.get(f"{TAKEN_BACK_PREFIX}{seat}", 0) for seat in match.players}
    return sorted(filter(places.get, places), key=places.__getitem__)
