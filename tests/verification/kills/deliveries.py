"""All that was ever to be sent in a simulation, and the messages in which it stands on Discord."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bot.domain.ids import ChannelId, GuildId
from bot.domain.outbox import mark_of
from bot.features.halls.service import first_list_key
from bot.services.servers import ServerSettings
from tests.support.fake_log import MessageState
from tests.verification.kills.audit_log import Queued
from tests.verification.kills.daily import SQUARE

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

ALL_CLOSED = "neither the channel nor the players can be reached"
"""The only reason for which something is not announced."""


class Deliveries:
    """Queued messages, and their posts.

    Attributes:
        queued: every delivery, in the order in which it was queued.
        posts: the messages of each delivery, by its number, which its mark and nonce show.
        unknown: number of messages that were never queued.
    """

    def __init__(self, simulation: Simulation) -> None:
        self.queued = list(simulation.audit_log.queued())
        by_mark: defaultdict[int, list[Queued]] = defaultdict(list)
        for queued in self.queued:
            by_mark[queued.message.mark].append(queued)
        self.posts: defaultdict[int, list[MessageState]] = defaultdict(list)
        keys = [key for (key,) in simulation.audit_log.rows("SELECT key FROM cups")]
        parts = ("", ":1", ":2", ":refused")  # the post, the announcements, a DM to the organiser
        unqueued = {mark_of(f"{key}{part}") for key in keys for part in parts}
        unqueued |= {
            mark_of(first_list_key(GuildId(guild_id), ServerSettings.of(stored)))
            for guild_id, stored in _stored_settings(simulation)
        }
        posted = [
            post
            for post in simulation.fake.posted
            if post.channel != SQUARE and post.mark not in unqueued
        ]
        for post in posted:
            named = [
                e
                for e in by_mark[post.mark]
                if e.message.nonce(ChannelId(post.channel)) == post.nonce
            ]
            for queued in (named or by_mark[post.mark])[:1]:
                self.posts[queued.number].append(post)
        self.unknown = len(posted) - sum(map(len, self.posts.values()))


def _stored_settings(simulation: Simulation) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each server with its settings; SQLite returns JSON as text."""
    for guild_id, settings in simulation.audit_log.rows("SELECT guild_id, settings FROM guilds"):
        yield guild_id, json.loads(settings) if isinstance(settings, str) else settings
