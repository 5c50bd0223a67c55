"""Halls in a simulation: a channel in the first server, a forum in the second one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.app.run import open_database
from bot.domain.ids import ChannelId, GuildId
from bot.domain.models import Stage
from bot.domain.outbox import SERVER_PREFIX
from bot.features.halls.service import Halls
from bot.services.servers import Servers
from tests.support.fake_discord import until
from tests.support.fake_objects import texts
from tests.verification.kills.audit_log import Queued

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

HALL, FORUM, ROLE = ChannelId(4001), ChannelId(4002), 77

TAGS = {"Wormholes": 501, "Warp 6": 502, "Tom Tube": 503, "Open seat": 504, "Finished": 505}

TITLE_END = r"#(\d+)[]*]"
"""The number of a match at the end of its title, which is a link if a message is posted."""

LIST_TITLES = "## Open", "## Freie"
"""First words of a hall's list, by language."""

CALL_PAUSE_SECONDS = 15.0
"""Pause between two calls of the role, in place of an hour."""

HALL_TIMEOUT_SECONDS = 4.0
"""Maximum seconds for which an open seat waits for a post in the hall, or a call of the role."""

LATENCY_SECONDS = 5.0
"""Maximum seconds from the decision to call until the message is there."""


def open_halls(simulation: Simulation) -> None:
    """Have a channel and a forum for the halls on Discord."""
    fake = simulation.fake
    first, second = (int(server["id"]) for server in fake.servers[:2])
    fake.forums[FORUM] = TAGS
    simulation.open_channel(first, HALL)
    simulation.open_channel(second, FORUM)


async def choose_halls(simulation: Simulation) -> None:
    """Have the hosts of two servers choose their halls."""
    async with open_database(simulation.audit_log.url) as database:
        for server, hall in zip(simulation.fake.servers, (HALL, FORUM), strict=False):
            guild_id = int(server["id"])
            await Servers(database).choose(GuildId(guild_id), hall_role=ROLE)
            await Halls(database).choose(
                GuildId(guild_id), ChannelId(hall), is_forum=hall == FORUM, now=simulation.now()
            )


async def wait_for_hall(simulation: Simulation, match: int) -> None:
    """Look at the hall until it shows an open seat, but not for long."""
    fake = simulation.fake

    def is_shown() -> bool:
        places = {HALL, *fake.posts(FORUM)}
        newest = [post for post in fake.posted[-999:] if post.channel in places]
        return any(f"accept:{match}" in post.marks for post in newest)

    with suppress(TimeoutError):
        async with asyncio.timeout(HALL_TIMEOUT_SECONDS):
            await until(is_shown)


class HallAudit:
    """Compares halls with the matches of their servers, at the end."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._fake, self._audit_log = simulation.fake, simulation.audit_log

    def wrong(self) -> Iterator[str]:
        """Yield the faults of lists, posts and pings."""
        for server, hall in zip(self._fake.servers, (HALL, FORUM), strict=False):
            yield from self._wrong_lists(int(server["id"]), hall)
        yield from self._wrong_posts()
        yield from self._wrong_calls()

    def is_here(self, queued: Queued, channel: int) -> bool:
        """Return whether a message of a delivery may be in a place because of a hall."""
        parent = int(self._fake.threads.get(channel, {}).get("parent_id", 0))
        if queued.message.target.place.startswith(SERVER_PREFIX):
            return channel == HALL or parent == FORUM
        return parent == FORUM

    def _is_open(self, channel: int) -> bool:
        """Return whether the bot could always write in a channel."""
        fake = self._fake
        return channel not in fake.deleted | fake.locked | fake.silenced | fake.allowed_again

    def _wrong_lists(self, guild_id: int, hall: int) -> Iterator[str]:
        """A hall has one list, which shows the active matches in channels that exist.

        It may be posted before the first match on the server, and is posted with it at the latest.
        """
        if not self._is_open(hall):
            return
        places = [hall] if hall == HALL else self._fake.posts(hall)
        if set(places) & self._fake.locked:  # one of them may be a list that cannot be edited
            return
        contents = [
            " ".join(texts(message["components"]))
            for place in places
            for message in self._fake.channels.get(place, {}).values()
        ]
        lists = [text for text in contents if text.startswith(LIST_TITLES)]
        begun = self._audit_log.rows("SELECT 1 FROM matches WHERE guild_id=? LIMIT 1", guild_id)
        if not len(begun) <= len(lists) <= 1:
            yield f"hall {hall} has {len(lists)} lists, expected 1"
        query = "SELECT id, channel_id FROM matches WHERE guild_id=? AND status=?"
        running = self._audit_log.rows(query, guild_id, "running")
        expected = {match for match, channel in running if channel not in self._fake.deleted}
        listed_matches = {int(number) for text in lists for number in re.findall(TITLE_END, text)}
        hidden = {match for match, channel in running if channel in self._fake.deleted}
        if lists and listed_matches - hidden != expected:
            yield f"hall {hall} shows {listed_matches}, expected {expected}"

    def _wrong_posts(self) -> Iterator[str]:
        """All posts are known, and those that can be changed are up to date, with their tags."""
        query = (
            "SELECT match_id, posted_messages.channel_id, action_count, status FROM posted_messages"
            " JOIN matches ON matches.id = match_id WHERE kind='post'"
        )
        stored_posts = {post for _, post, _, _ in self._audit_log.rows(query)}
        for post in set(self._fake.posts(FORUM)) - stored_posts:
            text = " ".join(texts(self._fake.channels[post][post]["components"]))
            if not text.startswith(LIST_TITLES):
                yield f"a post is never updated: {text}"
        for match, post, stage, status in self._audit_log.rows(query):
            if post in self._fake.deleted | self._fake.locked:
                continue
            first = self._fake.channels[post][post]
            text = " ".join(texts(first["components"]))
            over = status in ("finished", "closed")
            if over and (stage != Stage.OVER or re.search("Turn:|Am Zug:", text)):
                yield f"the post of match {match}, {status}, shows {text}"
            tags = self._fake.tags(post) if self._are_tags_usual() else set()
            if tags and over != ("Finished" in tags):
                yield f"the post of match {match}, {status}, has {self._fake.tags(post)}"

    def _are_tags_usual(self) -> bool:
        """Return whether nothing about the forum and its tags was ever changed."""
        return not any(what.startswith("forum") for what in self._simulation.report.done)

    def _wrong_calls(self) -> Iterator[str]:
        """The role is not called twice within the pause."""
        calls = [
            post
            for post, roles in zip(self._fake.posted, self._fake.role_pings, strict=True)
            if ROLE in roles
        ]
        self._simulation.report.done["calls of a role"] = len(calls)
        for hall in (HALL, FORUM):
            times = [post.at for post in calls if (post.channel == HALL) == (hall == HALL)]
            for before, after in pairwise(times):
                if after - before < CALL_PAUSE_SECONDS - LATENCY_SECONDS:
                    yield f"the role was called after {after - before:.1f} s in hall {hall}"
