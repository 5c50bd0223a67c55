"""The deliveries of halls' messages."""

from __future__ import annotations

from collections.abc import Callable

from bot.domain.outbox import (
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentMessage,
)
from bot.features.halls.audiences import Audiences
from bot.features.halls.forum_posts import ForumThreads
from bot.features.halls.message_kinds import COALESCED, HallKind
from bot.features.halls.posts import HallSender
from bot.features.halls.service import Halls
from bot.outbox.feature_messages import Deliver, DeliverQueued, MessageKinds, MessageKit
from bot.outbox.store import DeliveryResult
from bot.outbox.threads import ThreadNames
from bot.services.deliveries import DeliverySnapshot


def messages(kit: MessageKit) -> MessageKinds:
    """Return the deliveries of lists, pings of roles and posts."""
    halls, audiences = Halls(kit.database), Audiences(kit.client, kit.guilds)
    sender = HallSender(
        kit.client,
        audiences,
        kit.guilds,
        halls=halls,
        transport=kit.transport,
        clock=kit.clock,
    )
    posts = ForumThreads(
        kit.client,
        audiences,
        kit.guilds,
        halls=halls,
        places=kit.places,
        destinations=kit.destinations,
        transport=kit.transport,
    )
    deliveries: dict[str, DeliverQueued] = {
        HallKind.UPDATE_LIST: sender.deliver,
        HallKind.CALL_ROLE: sender.deliver,
        OutboxKind.START_POST: kit.about_match(posts.start),
        OutboxKind.UPDATE_POST: kit.about_match(_named(posts.update, kit.thread_names)),
    }
    coalesced = {
        kind: _collected(deliver, halls, kit.clock)
        for kind, deliver in deliveries.items()
        if kind in COALESCED
    }
    return MessageKinds(deliveries | coalesced, posts.enter)


def _collected(deliver: DeliverQueued, halls: Halls, clock: Callable[[], float]) -> DeliverQueued:
    """Return a delivery that first replaces all waiting messages of its kind and target."""

    async def collect_and_deliver(queued: OutboxMessage) -> DeliveryResult | None:
        return await deliver(queued) if await halls.collect(queued, clock()) else None

    return collect_and_deliver


def _named(update: Deliver, thread_names: ThreadNames) -> Deliver:
    """Return an update of a post that then renames it after the players' present names."""

    async def update_and_name(
        queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        posted = await update(queued, delivery)
        for copy in delivery.posted[PostedKind.POST].copies:
            await thread_names.update(delivery.match, copy.channel_id)
        return posted

    return update_and_name
