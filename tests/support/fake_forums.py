"""The threads and forums of the fake Discord, and the list of a server's channels."""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import Callable, Collection
from random import Random
from typing import Any

from aiohttp import web

from tests.support import fake_objects
from tests.support.fake_faults import FakeFaults
from tests.support.fake_http import (
    Answer,
    error_answer,
    json_answer,
    limited_answer,
    read_payload,
)
from tests.support.fake_log import MessageState
from tests.support.fake_objects import GUILD, marks

MANAGED = frozenset({"name", "applied_tags", "flags"})
"""Fields of a thread that only moderators change, and here the bot with `may_manage`."""

REQUIRE_TAG = 1 << 4
"""Discord's flag of a forum in which each post needs a tag."""

SLOW_MODE = 20016
"""Discord's code for a message that comes too soon in slow mode."""

ARCHIVE_MINUTES = frozenset({60, 1440, 4320, 10080})
"""The durations of silence after which a thread can be archived."""


class FakeForums(FakeFaults):
    """Threads below messages, and forums with tags, whose posts are threads as well.

    Args:
        clock: UTC seconds.

    Attributes:
        forums: forum → name of each tag → its number.
        bad_gateways: forums whose next new post is answered with 502.
        post_refusals: status and code with which the next requests for new posts are refused.
        resets_thread_requests: whether the connection of each request for a thread is reset.
        silenced: channels, threads and forums in which the bot may write nothing.
        refused_with: of these → status and code with which its messages are refused there.
        may_manage: whether the bot may change tags, pin posts and delete them.
        tags_required: forums in which each post needs a tag.
        moderated: numbers of the tags that only moderators may apply.
        stale: forums whose list of channels still has these tags, in place of those of today.
        blocked_words: words that names of posts must not have.
        full: forums of a server with too many active threads.
        slow: channels and forums in slow mode → seconds between two messages, or two posts.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        super().__init__(clock, random)
        self.posted: list[MessageState] = []
        self.pings: list[set[int]] = []
        self.role_pings: list[set[int]] = []
        self.channels: dict[int, dict[int, dict[str, Any]]] = {}
        self.asleep: set[int] = set()
        self.locked: set[int] = set()
        self.silenced: set[int] = set()
        self.refused_with: dict[int, tuple[int, int]] = {}
        self.allowed_again: set[int] = set()
        self.hidden: dict[int, set[int]] = {}
        self.homes: dict[int, int] = {}
        self.deleted: set[int] = set()
        self.removed: set[int] = set()
        self.threads: dict[int, dict[str, Any]] = {}
        self.threads_asked = 0
        self.thread_gate: asyncio.Event | None = None
        self.thread_refusal: tuple[int, int] | None = None
        self.resets_thread_requests = False
        self.lost_replies: set[int] = set()
        self.bad_gateways: set[int] = set()
        self.post_refusals: list[tuple[int, int]] = []
        self.text_channels: set[int] = set()
        self.forums: dict[int, dict[str, int]] = {}
        self.may_manage = True
        self.tags_required: set[int] = set()
        self.moderated: set[int] = set()
        self.stale: dict[int, dict[str, int]] = {}
        self.blocked_words: set[str] = set()
        self.full: set[int] = set()
        self.slow: dict[int, float] = {}
        self._spoke_at: dict[int, float] = {}

    async def delete_thread(self, thread: int) -> None:
        """Delete a thread with its messages, and tell the bot that serves its server."""
        data = self.threads[thread]
        self.deleted.add(thread)
        self.channels.pop(thread, None)
        about = {name: data[name] for name in ("id", "guild_id", "parent_id", "type")}
        await self.dispatch("THREAD_DELETE", about)

    async def delete_channel(self, channel: int) -> None:
        """Delete a text channel with its threads, and tell the bot that serves its server."""
        about = self._about(channel)
        threads = {n for n, thread in self.threads.items() if thread["parent_id"] == str(channel)}
        for place in (channel, *sorted(threads)):
            self.deleted.add(place)
            self.channels.pop(place, None)
        for server in self.servers:
            listed = server["channels"]
            listed[:] = [data for data in listed if data["id"] != str(channel)]
        await self.dispatch("CHANNEL_DELETE", about)

    async def tell_of_channel(self, channel: int) -> None:
        """Tell the bot that serves its server how a channel is now."""
        about = self._about(channel)
        for server in self.servers:
            listed = server["channels"]
            listed[:] = [about if data["id"] == str(channel) else data for data in listed]
        await self.dispatch("CHANNEL_UPDATE", about)

    def delete_tags(self, forum: int, names: Collection[str]) -> None:
        """Delete tags of a forum, and so of its posts."""
        tags = self.forums[forum]
        self.forums[forum] = {name: tags[name] for name in tags if name not in names}
        left = set(map(str, self.forums[forum].values()))
        for post in self.posts(forum):
            applied = self.threads[post].get("applied_tags", [])
            self.threads[post]["applied_tags"] = [tag for tag in applied if tag in left]

    def _too_soon(self, channel: int) -> Answer | None:
        """Return the refusal of slow mode in a channel or forum, or in its threads, if any."""
        parent = int(self.threads.get(channel, {}).get("parent_id", channel))
        seconds, now = self.slow.get(parent, 0.0), self.clock()
        pause = self._spoke_at.get(channel, -seconds) + seconds - now
        if 0 < pause <= seconds:
            return limited_answer(pause, SLOW_MODE)
        self._spoke_at[channel] = now
        return None

    def remove(self, channel: int, message: int) -> None:
        """Delete a message, as a moderator does."""
        del self._in(channel)[message]
        self.removed.add(message)

    def lock_thread(self, thread: int) -> None:
        """Archive a thread so that only moderators can wake it."""
        self.asleep.add(thread)
        self.locked.add(thread)

    def tags(self, post: int) -> set[str]:
        """The names of the tags on a post."""
        thread = self.threads[post]
        names = {str(number): name for name, number in self._tags_of(thread).items()}
        return {names[tag] for tag in thread.get("applied_tags", [])}

    def posts(self, forum: int) -> list[int]:
        """The posts of a forum, the oldest first."""
        threads = (n for n, thread in self.threads.items() if thread["parent_id"] == str(forum))
        return sorted(set(threads) - self.deleted)

    def _tags_of(self, thread: dict[str, Any]) -> dict[str, int]:
        return self.forums[int(thread["parent_id"])]

    async def _channels_of(self, request: web.Request) -> Answer:
        guild = int(request.match_info["guild"])
        today, self.forums = self.forums, self.forums | self.stale
        channels = [self._about(channel) for channel in (*self.text_channels, *self.forums)]
        self.forums = today
        of_guild = [channel for channel in channels if int(channel["guild_id"]) == guild]
        return json_answer(
            [channel for channel in of_guild if int(channel["id"]) not in self.deleted]
        )

    def described(self, channel: int) -> dict[str, Any]:
        """Describe a channel of a server, or a forum.

        Raises:
            web.HTTPForbidden: it is hidden from the bot.
        """
        if fake_objects.BOT in self.hidden.get(channel, set()):
            code = json.dumps({"message": "no", "code": 50001})
            raise web.HTTPForbidden(text=code, content_type="application/json")
        return self._about(channel)

    def _about(self, channel: int) -> dict[str, Any]:
        """Describe a channel as the list of all channels does, which includes hidden ones."""
        hidden = self.hidden.get(channel, set())
        about = fake_objects.text_channel(channel, hidden, self._guild_of(channel))
        if channel in self.forums:
            tags = [
                _tag(name, number, moderated=number in self.moderated)
                for name, number in self.forums[channel].items()
            ]
            flags = REQUIRE_TAG if channel in self.tags_required else 0
            about |= {"type": 15, "available_tags": tags, "flags": flags}
        return about

    async def _active_threads(self, request: web.Request) -> Answer:
        awake = [n for n in self.threads if n not in self.asleep | self.deleted]
        return json_answer({"threads": [self.threads[n] for n in awake], "members": []})

    async def _archived_threads(self, request: web.Request) -> Answer:
        parent = request.match_info["channel"]
        if int(parent) not in self.text_channels | self.forums.keys():
            return error_answer(404, 10003)
        asleep = [self.threads[n] for n in self.asleep - self.deleted if n in self.threads]
        archived = [thread for thread in asleep if thread["parent_id"] == parent]
        return json_answer({"threads": archived, "members": [], "has_more": False})

    async def _start_post(self, request: web.Request) -> Answer:
        forum = int(request.match_info["channel"])
        self.threads_asked += 1
        if self.thread_gate:
            await self.thread_gate.wait()
        if closed := self._closed_forum(forum):
            return closed
        if request.query.get("use_nested_fields") != "1":
            return error_answer(400, 50035)
        payload, _ = await read_payload(request)
        tags = payload.get("applied_tags", [])
        if refusal := self._refused_head(forum, payload):
            return refusal
        if payload["auto_archive_duration"] not in ARCHIVE_MINUTES:
            return error_answer(400, 50035)
        self._watch(payload)
        message = self._new_message(0)
        number = int(message["id"])
        message |= {"channel_id": str(number), "components": payload["message"]["components"]}
        self._in(number)[number] = message
        self._note_posted(message, payload["message"], "")
        thread = fake_objects.thread(number, str(forum), self._guild_of(forum), payload["name"])
        self.threads[number] = thread | {"applied_tags": tags}
        if forum in self.lost_replies and request.transport:
            request.transport.abort()
        if forum in self.bad_gateways:
            self.bad_gateways.remove(forum)
            return web.Response(status=502, text="bad gateway")
        return json_answer(self.threads[number] | {"message": message})

    def _closed_forum(self, forum: int) -> Answer | None:
        """Return the error for creating a post now, or None."""
        if forum not in self.forums or forum in self.deleted:
            return error_answer(404, 10003)
        if forum in self.silenced:
            return error_answer(403, 50013)
        if forum in self.full:
            return error_answer(400, 160006)
        if self.post_refusals:
            return error_answer(*self.post_refusals.pop(0))
        return self._too_soon(forum)

    def _refused_head(self, forum: int, asked: dict[str, Any]) -> Answer | None:
        """Return the error for a post with this name or these tags, or None."""
        if any(word in asked.get("name", "") for word in self.blocked_words):
            return error_answer(400, 200001)
        if "applied_tags" not in asked or forum not in self.forums:
            return None
        tags = set(map(int, asked["applied_tags"]))
        if not tags and forum in self.tags_required:
            return error_answer(400, 40067)
        if not tags <= set(self.forums[forum].values()):
            return error_answer(400, 10087)
        return error_answer(403, 50013) if tags & self.moderated and not self.may_manage else None

    async def _start_thread(self, request: web.Request) -> Answer:
        """A thread has the number of the message under which it is."""
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        self.threads_asked += 1
        if self.thread_gate:
            await self.thread_gate.wait()
        if self.resets_thread_requests and request.transport:
            request.transport.abort()
        if self.thread_refusal:
            return error_answer(*self.thread_refusal)
        if channel in self.threads:
            return error_answer(400, 50024)
        if message in self.threads:
            return error_answer(400, 160004)
        if message not in self._in(channel):
            return error_answer(404, 10008)
        payload, _ = await read_payload(request)
        if payload["auto_archive_duration"] not in ARCHIVE_MINUTES:
            return error_answer(400, 50035)
        thread = fake_objects.thread(
            message, str(channel), self._guild_of(channel), payload["name"]
        )
        self._watch(payload)
        self.threads[message] = thread
        return json_answer(thread)

    def _note_posted(self, message: dict[str, Any], payload: dict[str, Any], nonce: str) -> None:
        custom_ids = frozenset(marks(message["components"]))
        first = next((component.get("id", 0) for component in message["components"]), 0)
        number, channel = int(message["id"]), int(message["channel_id"])
        self.posted.append(MessageState(number, channel, custom_ids, nonce, self.clock(), first))
        allowed = payload.get("allowed_mentions") or {}
        self.pings.append(set(map(int, allowed.get("users", []))))
        self.role_pings.append(set(map(int, allowed.get("roles", []))))

    def _guild_of(self, channel: int) -> int:
        """The server of a channel, or of a thread."""
        thread = self.threads.get(channel)
        return self.homes.get(channel if thread is None else int(thread["parent_id"]), GUILD)

    def _in(self, channel: int) -> dict[int, dict[str, Any]]:
        return self.channels.setdefault(channel, {})

    async def _delete_channel(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        if not self.may_manage:
            return error_answer(403, 50013)
        self.deleted.add(channel)
        return json_answer(self.threads[channel])

    async def _change_thread(self, request: web.Request) -> Answer | None:
        """Change the name and tags of a post; return a refusal, if there is one."""
        payload = await request.json()
        if not MANAGED & payload.keys():
            return None
        if self.thread_refusal:
            return error_answer(*self.thread_refusal)
        channel = int(request.match_info["channel"])
        if not self.may_manage or channel not in self.threads:
            return error_answer(403, 50013)
        if channel in self.asleep:
            return error_answer(400, 50083)
        if refusal := self._refused_head(int(self.threads[channel]["parent_id"]), payload):
            return refusal
        self._watch(payload)
        self.threads[channel] |= {name: payload[name] for name in MANAGED & payload.keys()}
        return None

    @abstractmethod
    def _new_message(self, channel: int) -> dict[str, Any]:
        """Return a new message of a channel."""

    @abstractmethod
    def _watch(self, payload: dict[str, Any]) -> None:
        """Note words that must not be said any more."""


def _tag(name: str, number: int, *, moderated: bool) -> dict[str, Any]:
    about = {"id": str(number), "name": name, "moderated": moderated}
    return about | {"emoji_id": None, "emoji_name": None}
