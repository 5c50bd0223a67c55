"""Kinds of messages that features deliver, and the services that their deliveries use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

import discord

from bot.domain.outbox import OutboxMessage, SentMessage
from bot.guilds import Guilds
from bot.outbox.destinations import Destinations
from bot.outbox.store import DeliveryResult
from bot.outbox.threads import ThreadNames
from bot.outbox.transport import Transport
from bot.services.deliveries import DeliverySnapshot
from bot.services.match_location import MatchLocations
from bot.storage.database import Database

DeliverQueued = Callable[[OutboxMessage], Awaitable[DeliveryResult | None]]
"""Delivers a message, and reads its content itself."""

Deliver = Callable[[OutboxMessage, DeliverySnapshot], Awaitable[SentMessage | None]]
"""Delivers a message about a match, given the match, in the language of the recipients."""

Enter = Callable[[OutboxMessage, DeliverySnapshot], Awaitable[tuple[bool, SentMessage | None]]]
"""Moves a match that is about to begin to a separate place; returns whether it did, and the message
that was posted for it."""


class MessageKit(NamedTuple):
    """The services that deliveries of features use.

    Attributes:
        destinations: posts and edits the messages of a match.
        thread_names: keeps threads named after the players.
        about_match: turns a function that is given a match into the delivery of a message.
    """

    client: discord.Client
    database: Database
    clock: Callable[[], float]
    guilds: Guilds
    transport: Transport
    destinations: Destinations
    places: MatchLocations
    thread_names: ThreadNames
    about_match: Callable[[Deliver], DeliverQueued]


class MessageKinds(NamedTuple):
    """The deliveries of a feature.

    Attributes:
        deliveries: kind of message → its delivery; the kinds of a feature are its own.
        enter: finds a place for a match that is about to begin; the first feature that has one
            for it takes it.
    """

    deliveries: Mapping[str, DeliverQueued]
    enter: Enter | None = None


RegisterMessages = Callable[[MessageKit], MessageKinds]
"""Returns the deliveries of a feature."""
