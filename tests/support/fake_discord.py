"""A Discord on loopback that forgets, fails and repeats itself as the real one does.

It speaks as much HTTP and gateway as discord.py needs for the bot: messages with nonces, edits,
history, DMs, threads, answers to interactions. `Trouble` says how often it answers 429, stores
something and then says 502, or stores it and drops the reply (`fake_faults`).
"""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import discord
import yarl
from aiohttp import web

from tests.support import fake_objects
from tests.support.fake_application import FakeApplication
from tests.support.fake_http import (
    Answer,
    error_answer,
    json_answer,
    limited_answer,
    read_payload,
    refused_answer,
)
from tests.support.fake_objects import BOT_USER, PERSON, dm, marks, texts

REMEMBERED = 120.0
"""Seconds for which a nonce is known."""

SEARCHED_POSTS = 100
"""Number of the newest messages in which a button is searched for."""

DEFERRED_UPDATE = 6
"""Type of an answer that leaves the clicked message as it is."""

POLL_SECONDS = 0.01
"""Seconds between two looks of `until`."""

UNTIL_SECONDS = 300.0
"""Seconds that `until` waits by default: less than the limit of a test, so that it says for what.
Tests that know better have a limit of their own around it."""

RECORD = ".match"
"""File extension of downloads from here."""

MISSING_PERMISSIONS = (403, 50013)
"""Discord's answer to a bot that may not write in a channel."""

UNKNOWN_CHANNEL = 10003
"""Discord's code for a channel or thread that was deleted."""


class FakeDiscord(FakeApplication):
    """The server: HTTP, beside the gateway.

    Args:
        clock: UTC seconds; nonces are forgotten by it.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        super().__init__(clock, random)
        self.refusals: dict[int, tuple[int, int] | tuple[int, int, str]] = {}
        self.edit_refusals: dict[int, tuple[int, int]] = {}
        self.history_refusals: dict[int, tuple[int, int]] = {}
        self.gates: dict[int, asyncio.Event] = {}
        self.worn_out: set[int] = set()
        self.edit_pause = 0.01
        self.watched_words: dict[str, float] = {}
        self.said_again: list[str] = []
        self.synced = 0
        self.login_refusals: list[int] = []
        self.gateway_refusals: list[int] = []
        self.sync_refusals: list[int] = []
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.edited: list[int] = []
        self.edits: dict[str, dict[str, Any]] = {}
        self._clicked: dict[str, tuple[int, int]] = {}
        self._records: list[bytes] = []
        self._nonces: dict[str, tuple[float, int, int]] = {}
        self._newest = 1_000_000

    @asynccontextmanager
    async def open(self) -> AsyncIterator[FakeDiscord]:
        """Serve on a free port of this machine."""
        app = web.Application(middlewares=[self._reply_later])
        base = "/api/v10"
        app.router.add_get(base + "/users/@me", self._me)
        app.router.add_get(base + "/oauth2/applications/@me", self._application)
        app.router.add_patch(base + "/applications/@me", self._change_application)
        app.router.add_put(base + "/applications/{id}/commands", self._commands)
        app.router.add_post(base + "/users/@me/channels", self._dm)
        app.router.add_get(base + "/channels/{channel}", self._channel)
        app.router.add_patch(base + "/channels/{channel}", self._wake)
        app.router.add_delete(base + "/channels/{channel}", self._delete_channel)
        app.router.add_post(base + "/channels/{channel}/threads", self._faulty(self._start_post))
        archived = base + "/channels/{channel}/threads/archived/public"
        app.router.add_get(archived, self._archived_threads)
        path = base + "/channels/{channel}/messages"
        app.router.add_post(path, self._faulty(self._create))
        app.router.add_get(path, self._faulty(self._history))
        app.router.add_get(path + "/{message}", self._faulty(self._look_up))
        app.router.add_patch(path + "/{message}", self._faulty(self._edit))
        app.router.add_delete(path + "/{message}", self._faulty(self._delete))
        app.router.add_post(path + "/{message}/threads", self._faulty(self._start_thread))
        app.router.add_get(base + "/guilds/{guild}", self._guild)
        app.router.add_get(base + "/guilds/{guild}/channels", self._channels_of)
        app.router.add_get(base + "/guilds/{guild}/threads/active", self._active_threads)
        path = base + "/guilds/{guild}/members/{user}"
        app.router.add_get(path, self._member)
        app.router.add_route("*", path + "/roles/{role}", self._faulty(self._change_role))
        path = base + "/interactions/{id}/{token}/callback"
        app.router.add_post(path, self._faulty(self._callback))
        path = base + "/webhooks/{id}/{token}/messages/{message}"
        app.router.add_route("*", path, self._faulty(self._follow))
        app.router.add_get("/records/{number}", self._record)
        app.router.add_get(base + "/gateway/bot", self._limits)
        app.router.add_get("/gateway", self.serve_gateway)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        try:
            yield self
        finally:
            await runner.cleanup()

    async def interact(self, payload: dict[str, Any]) -> bool:
        """See `FakeGateway`; remember which message was clicked."""
        if "message" in payload:
            message, channel_id = int(payload["message"]["id"]), int(payload["channel"]["id"])
            newest = self.posted[-SEARCHED_POSTS:]
            channel = next((post.channel for post in newest if post.id == message), channel_id)
            self._clicked[payload["token"]] = channel, message
        return await super().interact(payload)

    def answer(self, interaction: int) -> asyncio.Future[dict[str, Any]]:
        """Return the bot's answer to an interaction, as a future."""
        if interaction not in self._waiting:
            self._waiting[interaction] = asyncio.get_running_loop().create_future()
        return self._waiting[interaction]

    def texts(self, channel: int) -> list[str]:
        """Return the current texts of a channel's messages, the oldest first."""
        return [" ".join(texts(message["components"])) for message in self._in(channel).values()]

    def marks(self, channel: int, message: int) -> set[str]:
        """Return the current marks of a message."""
        return marks(self._in(channel)[message]["components"])

    def message_with(self, custom_id: str) -> int:
        """Return the newest message with this button; 1 if there is none."""
        for post in reversed(self.posted[-SEARCHED_POSTS:]):
            there = post.id in self._in(post.channel)
            if there and custom_id in self.marks(post.channel, post.id):
                return post.id
        return 1

    async def _me(self, request: web.Request) -> Answer:
        if self.login_refusals:
            return refused_answer(self.login_refusals.pop(0))
        return json_answer(BOT_USER)

    async def _limits(self, request: web.Request) -> Answer:
        if self.gateway_refusals:
            return refused_answer(self.gateway_refusals.pop(0))
        return json_answer(fake_objects.gateway(self.port))

    async def _commands(self, request: web.Request) -> Answer:
        if self.sync_refusals:
            return refused_answer(self.sync_refusals.pop(0))
        self.synced += 1
        return json_answer([])

    async def _dm(self, request: web.Request) -> Answer:
        user = int((await request.json())["recipient_id"])
        person = {"id": str(user), "username": f"user{user}", "discriminator": "0", "avatar": None}
        return json_answer({"id": str(dm(user)), "type": 1, "recipients": [person]})

    async def _channel(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        if channel in self.deleted:
            return error_answer(404, UNKNOWN_CHANNEL)
        guild = self._guild_of(channel)
        if channel in self.hidden.keys() | self.text_channels | self.forums.keys():
            return json_answer(self.described(channel))
        parent = self.threads.get(channel, {"parent_id": "9"})["parent_id"]
        about = fake_objects.thread(channel, parent, guild)
        metadata = {"archived": channel in self.asleep, "auto_archive_duration": 60}
        about["thread_metadata"] |= metadata
        return json_answer(about)

    async def _wake(self, request: web.Request) -> Answer:
        if int(request.match_info["channel"]) in self.locked:
            return error_answer(403, 50013)
        if refusal := await self._change_thread(request):
            return refusal
        if not (await request.json()).get("archived"):
            self.asleep.discard(int(request.match_info["channel"]))
        return await self._channel(request)

    async def _create(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        payload, files = await read_payload(request)
        if channel in self.gates:
            await self.gates[channel].wait()
        if closed := self._closed(channel):
            return closed
        if refusal := self._refusal(channel) or self._too_soon(channel):
            return refusal
        self._watch(payload)
        nonce = str(payload.get("nonce", ""))
        at, where, message = self._nonces.get(nonce, (-REMEMBERED, 0, 0))
        is_remembered = 0 <= self.clock() - at < REMEMBERED and message in self._in(where)
        if nonce and is_remembered and payload.get("enforce_nonce"):
            self._note(request, channel, nonce, f"known as {message}")
            return json_answer(self._in(where)[message])
        data = self._new_message(channel)
        number = int(data["id"])
        self._note(request, channel, nonce, f"posted as {number}")
        data |= {"flags": payload.get("flags", 0), "attachments": files}
        data |= {"components": payload.get("components", [])}
        self._in(channel)[number] = data
        self._nonces[nonce] = (self.clock(), channel, number)
        self._note_posted(data, payload, nonce)
        if channel in self.lost_replies and request.transport:
            request.transport.abort()
        return json_answer(data)

    async def _edit(self, request: web.Request) -> Answer:
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        payload, _ = await read_payload(request)
        answer = self._edited(channel, message, payload)
        if channel in self.lost_replies and answer.status == 200 and request.transport:
            request.transport.abort()
        return answer

    def _edited(self, channel: int, message: int, payload: dict[str, Any]) -> Answer:
        if unavailable := self._unavailable(channel, message):
            return unavailable
        if message in self.worn_out:
            return limited_answer(self.edit_pause, 30046)
        self.edited.append(message)
        self._watch(payload)
        self._in(channel)[message]["components"] = payload["components"]
        return json_answer(self._in(channel)[message])

    async def _delete(self, request: web.Request) -> Answer:
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        if unavailable := self._unavailable(channel, message):
            return unavailable
        del self._in(channel)[message]
        return web.Response(status=204)

    async def _look_up(self, request: web.Request) -> Answer:
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        if channel in self.deleted:
            return error_answer(404, UNKNOWN_CHANNEL)
        if message not in self._in(channel):
            return error_answer(404, 10008)
        return json_answer(self._in(channel)[message])

    async def _history(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        if channel in self.deleted:
            return error_answer(404, UNKNOWN_CHANNEL)
        if channel in self.history_refusals:
            return error_answer(*self.history_refusals[channel])
        limit = int(request.query.get("limit", 50))
        history = sorted(self._in(channel).items(), reverse=True)
        if "after" in request.query:
            messages = [m for n, m in history if n > int(request.query["after"])][-limit:]
        else:
            messages = [m for n, m in history if n < int(request.query.get("before", 1 << 62))][
                :limit
            ]
        newest = max(self._in(channel), default=0)
        self._note(request, channel, "", f"{len(messages)} messages, the newest {newest}")
        return json_answer(messages)

    async def _callback(self, request: web.Request) -> Answer:
        interaction = int(request.match_info["id"])
        payload, files = await read_payload(request, self._keep)
        waiting, token = self.answer(interaction), request.match_info["token"]
        if waiting.done():
            return error_answer(400, 40060)
        waiting.set_result(payload | {"files": files, "token": token})
        if payload["type"] != DEFERRED_UPDATE:
            self._clicked.pop(token, None)
        about = {"id": str(interaction), "type": 3, "response_message_ephemeral": True}
        return json_answer({"interaction": about})

    async def _follow(self, request: web.Request) -> Answer:
        """Another answer in place of the first one, or an edit of the clicked message, or none."""
        if request.method == "DELETE":
            return web.Response(status=204)
        payload, files = await read_payload(request, self._keep)
        token = request.match_info["token"]
        if token in self._clicked:
            return self._edited(*self._clicked[token], payload)
        self.edits[token] = {"type": 4, "data": payload, "files": files}
        return json_answer(self._new_message(0))

    def _keep(self, name: str, content: bytes) -> str:
        """Keep a record; return its URL."""
        if not name.endswith(RECORD):
            return "x"
        self._records.append(content)
        return f"http://127.0.0.1:{self.port}/records/{len(self._records) - 1}"

    async def _record(self, request: web.Request) -> Answer:
        return web.Response(body=self._records[int(request.match_info["number"])])

    def chat(self, channel: int, number: int) -> None:
        """Post messages of another user."""
        for _ in range(number):
            message = self._new_message(channel) | {"author": PERSON, "content": "hello"}
            self._in(channel)[int(message["id"])] = message

    def _new_message(self, channel: int) -> dict[str, Any]:
        return fake_objects.message(self._number(), channel)

    def _number(self) -> int:
        """A new number: as Discord's it tells the time, and it is higher than all before."""
        now = int(self.clock() * 1000) - discord.utils.DISCORD_EPOCH
        self._newest = max(now << 22, self._newest + 1)
        return self._newest

    def _closed(self, channel: int) -> Answer | None:
        """Return the error for writing to a channel that is closed to the bot, or None."""
        if channel in self.deleted:
            return error_answer(404, UNKNOWN_CHANNEL)
        if channel in self.asleep and channel in self.locked:
            return error_answer(400, 50083)
        if channel in self.silenced:
            return error_answer(*self.refused_with.get(channel, MISSING_PERMISSIONS))
        return None

    def _unavailable(self, channel: int, message: int) -> Answer | None:
        """Return the error for changing a message that the bot cannot change, or None."""
        if channel in self.deleted:
            return error_answer(404, UNKNOWN_CHANNEL)
        if channel in self.asleep:
            return error_answer(400, 50083)
        if refusal := self._refusal(channel):
            return refusal
        if message in self.edit_refusals:
            return error_answer(*self.edit_refusals[message])
        return None if message in self._in(channel) else error_answer(404, 10008)

    def _watch(self, payload: dict[str, Any]) -> None:
        """Note words that must not be said any more, from a time of the monotonic clock on."""
        if not self.watched_words:
            return
        now, text = time.monotonic(), json.dumps(payload)
        self.said_again += [w for w, at in self.watched_words.items() if at <= now and w in text]

    def _refusal(self, channel: int) -> Answer | None:
        return error_answer(*self.refusals[channel]) if channel in self.refusals else None


async def until(condition: Callable[[], bool], seconds: float = UNTIL_SECONDS) -> None:
    """Wait for something that happens in another process.

    Raises:
        TimeoutError: it has not happened in so many seconds; the message is the condition.
    """
    try:
        async with asyncio.timeout(seconds):
            while not condition():  # noqa: ASYNC110 - there is no event to wait for
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError as error:
        message = f"still false after {seconds:g} s: {_source(condition)}"
        raise TimeoutError(message) from error


def _source(function: Any) -> str:
    """Return the source of a function, and where it stands."""
    code = getattr(function, "__code__", None)
    if code is None:  # it is not written in Python
        return repr(function)
    return f"{inspect.getsource(code).strip()} ({code.co_filename}:{code.co_firstlineno})"


def point_at(port: int) -> None:
    """Have discord.py of this process talk to a fake on this port."""
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    gateway = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
