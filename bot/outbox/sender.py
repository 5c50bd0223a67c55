"""Send the messages of the outbox; their content is read at that time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import aiohttp
import discord

from bot.clicked_messages import ClickedMessages
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.domain.outbox import OutboxKind, OutboxMessage, SentMessage
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.boards import Boards
from bot.outbox.challenges import ChallengeMessages
from bot.outbox.destinations import Destinations
from bot.outbox.feature_messages import Deliver, DeliverQueued, MessageKit, RegisterMessages
from bot.outbox.former_boards import FormerBoards
from bot.outbox.languages import Languages
from bot.outbox.notifications import Notifications
from bot.outbox.pings import Pings
from bot.outbox.refusals import Refusals
from bot.outbox.store import DeliveryResult
from bot.outbox.threads import ThreadNames
from bot.outbox.transport import Transport, may_pass, pause
from bot.outbox.worker import LONGEST_PAUSE_SECONDS, RetryLaterError, UndeliverableError
from bot.services.deliveries import Deliveries, DeliverySnapshot
from bot.services.match_location import MatchLocations
from bot.services.match_repository import AbsentGameError, OutdatedMatchError
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.views.images import NO_EMOJIS, BoardImages
from bot.views.public_boards import EndButton
from render.i18n import using

_NAMING = frozenset({OutboxKind.POST_BOARD, OutboxKind.EDIT_BOARD})
"""Kinds of messages that are followed by a check of a thread's name against the players' names."""

_POSITIONS = _NAMING | {OutboxKind.POST_RESULT}
"""Kinds of messages that show a new position."""


class SenderServices(NamedTuple):
    """The services that messages are made with.

    Attributes:
        preferences: records whether DMs get through.
        computers: whether the computer can play.
        match_changed: called when a match has shown a new position.
    """

    queries: Queries
    preferences: Preferences
    images: BoardImages
    clicked: ClickedMessages
    clock: Callable[[], float] = time.time
    computers: bool = False
    match_changed: Callable[[MatchId], None] = lambda _match_id: None


class DiscordSender:
    """Sends and edits messages.

    Args:
        messages: return the deliveries of features.
        end_buttons: return the buttons of features at the end of a match.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        services: SenderServices,
        *,
        messages: Sequence[RegisterMessages],
        end_buttons: Sequence[EndButton] = (),
    ) -> None:
        queries, preferences, images, clicked, clock, computers, match_changed = services
        places, guilds = MatchLocations(database, clock), Guilds(client, clock)
        transport = Transport(client, clock, clicked, Refusals(database))
        self._images = images
        self._match_changed = match_changed
        self._deliveries = Deliveries(database, queries, clock)
        self._languages = Languages(guilds)
        self._thread_names = ThreadNames(client)
        self.kit = kit = MessageKit(
            client,
            database,
            clock,
            guilds,
            transport,
            Destinations(
                client, transport, places, self._languages, preferences=preferences, images=images
            ),
            places,
            self._thread_names,
            self._about_match,
        )
        pings = Pings(transport, self._languages)
        self.boards = Boards(
            queries,
            images,
            kit,
            pings=pings,
            former=FormerBoards(queries, transport, self._languages),
            computers=computers,
            end_buttons=end_buttons,
        )
        kinds = [register(kit) for register in messages]
        challenges = ChallengeMessages(kit, images, [kind.enter for kind in kinds if kind.enter])
        self.notifications = Notifications(
            kit, queries, preferences, images, boards=self.boards, pings=pings
        )
        core = self.boards.deliveries() | challenges.deliveries() | self.notifications.deliveries()
        self._delivery_by_kind: dict[str, DeliverQueued] = {
            kind: self._about_match(deliver) for kind, deliver in core.items()
        }
        for kind in kinds:
            self._delivery_by_kind |= kind.deliveries

    def _about_match(self, deliver: Deliver) -> DeliverQueued:
        """Return a delivery that reads the match, and chooses the language."""

        async def read_and_deliver(queued: OutboxMessage) -> SentMessage | None:
            delivery = await self._deliveries.read(queued)
            with using(catalogue(await self._languages.of_queued(queued, delivery))):
                posted = await deliver(queued, delivery)
                if queued.kind in _POSITIONS:
                    self._match_changed(queued.match_id)
                await self._update_names(queued, delivery)
                return posted

        return read_and_deliver

    async def deliver(self, queued: OutboxMessage) -> DeliveryResult | None:
        """See `bot.outbox.worker.Sender`; messages of features that are left out are dropped."""
        deliver = self._delivery_by_kind.get(queued.kind)
        if deliver is None:
            return None
        try:
            return await deliver(queued)
        except discord.RateLimited as error:
            raise RetryLaterError("rate limited", error.retry_after) from error
        except discord.HTTPException as error:
            if self._images.needs_no_emojis(error):
                self._images.emojis = NO_EMOJIS
                raise RetryLaterError("an emoji is gone") from error
            if may_pass(error):
                raise RetryLaterError(f"Discord answers {error.status}", pause(error)) from error
            raise UndeliverableError(f"Discord answers {error.status}, {error.code}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise RetryLaterError(type(error).__name__) from error
        except AbsentGameError as error:
            raise RetryLaterError("its game is not installed", LONGEST_PAUSE_SECONDS) from error
        except OutdatedMatchError as error:
            raise UndeliverableError("its game has other rules now") from error

    async def _update_names(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Rename the thread of a match after its players' present names."""
        match = delivery.match
        if queued.kind in _NAMING and match.status == MatchStatus.RUNNING:
            await self._thread_names.update(match, match.channel_id)
