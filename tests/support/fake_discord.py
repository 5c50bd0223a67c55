"""A Discord on loopback that forgets, fails and repeats itself as the real one does.

It speaks as much HTTP and gateway as discord.py needs for the bot: messages with nonces, edits,
history, DMs, threads, answers to interactions. `Trouble` says how often it answers 429, stores
something and then says 502, or stores it and drops the reply.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any, NamedTuple

import discord
import yarl
from aiohttp import WSMsgType, web

BOT = 1
GUILD = 2
REMEMBERED = 120.0
"""Seconds for which a nonce is known."""

UNKNOWN_CHANNEL = 10003
"""Discord's code for a channel or thread that was deleted."""

HELLO, HEARTBEAT, ACK, IDENTIFY, DISPATCH = 10, 1, 11, 2, 0
BOT_USER: dict[str, Any] = {
    "id": str(BOT),
    "username": "starpost",
    "discriminator": "0",
    "avatar": None,
}
BOT_USER |= {"global_name": None, "bot": True}

PERSON = BOT_USER | {"id": "3", "username": "somebody", "bot": False}

Answer = web.StreamResponse
Handler = Callable[[web.Request], Awaitable[Answer]]


class Trouble(NamedTuple):
    """How often (0 to 1) a request meets each fault."""

    limited: float = 0.0
    bad_gateway: float = 0.0
    dropped: float = 0.0


CALM = Trouble()


@dataclass
class Posted:
    """A message as it was when it was new.

    Attributes:
        id: number of the message; later ones are higher.
        channel: where it is.
        marks: its custom_ids and texts.
        nonce: what the bot called it.
        at: UTC seconds.
        mark: id of its first component, see `bot.services.outbox.OutboxMessage.mark`.
    """

    id: int
    channel: int
    marks: frozenset[str]
    nonce: str
    at: float
    mark: int = 0


@dataclass
class Asked:
    """A request for a new message, or a look into a channel.

    Attributes:
        at: UTC seconds.
        channel: which one.
        nonce: of the new message; empty for a look.
        did: what became of it, and which message that is about.
        fate: which fault its answer met.
    """

    at: float
    channel: int
    nonce: str
    did: str
    fate: str = "answered"

    def __str__(self) -> str:
        return f"{self.at:.3f} {self.nonce or 'history'} in {self.channel}: {self.did}, {self.fate}"


ASKED = web.RequestKey("asked", Asked)


class FakeDiscord:
    """The server.

    Args:
        clock: UTC seconds; nonces are forgotten by it.
        random: decides about faults.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        self.clock = clock
        self.random = random or Random(0)
        self.trouble = CALM
        self.port = 0
        self.posted: list[Posted] = []
        self.asked: list[Asked] = []
        self.channels: dict[int, dict[int, dict[str, Any]]] = {}
        self.asleep: set[int] = set()
        self.locked: set[int] = set()
        self.silenced: set[int] = set()
        self.refusals: dict[int, tuple[int, int]] = {}
        self.gates: dict[int, asyncio.Event] = {}
        self.latency = 0.0
        self.servers: list[dict[str, Any]] = []
        self.locales: dict[int, str] = {}
        self.left: set[int] = set()
        self.hidden: dict[int, set[int]] = {}
        self.homes: dict[int, int] = {}
        self.deleted: set[int] = set()
        self.watched_words: dict[str, float] = {}
        self.said_again: list[str] = []
        self.pings: list[set[int]] = []
        self.lost_replies: set[int] = set()
        self.threads: dict[int, dict[str, Any]] = {}
        self.away = False
        self.threads_asked = 0
        self.thread_gate: asyncio.Event | None = None
        self.thread_refusal: tuple[int, int] | None = None
        self.greeted = 0
        self.requests = 0
        self.synced = 0
        self.login_refusals: list[int] = []
        self.gateway_refusals: list[int] = []
        self.sync_refusals: list[int] = []
        self.faults: dict[str, int] = {}
        self.arrival: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._nonces: dict[str, tuple[float, int, int]] = {}
        self._sockets: dict[int, web.WebSocketResponse] = {}
        self._shards = 1
        self._newest = 1_000_000

    @asynccontextmanager
    async def open(self) -> AsyncIterator[FakeDiscord]:
        """Serve on a free port of this machine."""
        app = web.Application()
        base = "/api/v10"
        app.router.add_get(base + "/users/@me", self._me)
        app.router.add_get(base + "/oauth2/applications/@me", self._application)
        app.router.add_put(base + "/applications/{id}/commands", self._commands)
        app.router.add_post(base + "/users/@me/channels", self._dm)
        app.router.add_get(base + "/channels/{channel}", self._channel)
        app.router.add_patch(base + "/channels/{channel}", self._wake)
        path = base + "/channels/{channel}/messages"
        app.router.add_post(path, self._faulty(self._create))
        app.router.add_get(path, self._faulty(self._history))
        app.router.add_get(path + "/{message}", self._faulty(self._look_up))
        app.router.add_patch(path + "/{message}", self._faulty(self._edit))
        app.router.add_post(path + "/{message}/threads", self._faulty(self._start_thread))
        app.router.add_get(base + "/guilds/{guild}", self._guild)
        app.router.add_get(base + "/guilds/{guild}/members/{user}", self._member)
        path = base + "/interactions/{id}/{token}/callback"
        app.router.add_post(path, self._faulty(self._callback))
        path = base + "/webhooks/{id}/{token}/messages/@original"
        app.router.add_patch(path, self._faulty(self._follow))
        app.router.add_get(base + "/gateway/bot", self._limits)
        app.router.add_get("/gateway", self._gateway)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        try:
            yield self
        finally:
            await runner.cleanup()

    @property
    def connected(self) -> bool:
        """Whether a bot is at the gateway."""
        return any(not each.closed for each in self._sockets.values())

    async def interact(self, payload: dict[str, Any]) -> bool:
        """Send an interaction to the bot; whether a bot was there to get it."""
        socket = self._sockets.get((int(payload["guild_id"]) >> 22) % self._shards)
        if socket is None or socket.closed:
            return False
        event = {"op": DISPATCH, "t": "INTERACTION_CREATE", "s": 2, "d": payload}
        with suppress(ConnectionError):
            await socket.send_str(json.dumps(event))
            return True
        return False

    async def leave(self) -> None:
        """Close all connections to the gateway, and refuse new ones until `away` is unset."""
        self.away = True
        for socket in self._sockets.values():
            await socket.close(code=1001)

    async def delete_thread(self, thread: int) -> None:
        """Delete a thread with its messages, and tell the bot that serves its server."""
        made = self.threads[thread]
        self.deleted.add(thread)
        self.channels.pop(thread, None)
        guild = int(made["guild_id"])
        socket = self._sockets.get((guild >> 22) % self._shards)
        if socket is None or socket.closed:
            return
        about = {"id": str(thread), "guild_id": str(guild), "parent_id": made["parent_id"]}
        event = {"op": DISPATCH, "t": "THREAD_DELETE", "s": 2, "d": about | {"type": 11}}
        with suppress(ConnectionError):
            await socket.send_str(json.dumps(event))

    def lock_thread(self, thread: int) -> None:
        """Archive a thread so that only moderators can wake it."""
        self.asleep.add(thread)
        self.locked.add(thread)

    def answer(self, interaction: int) -> asyncio.Future[dict[str, Any]]:
        """What the bot answers to an interaction, once it does."""
        if interaction not in self._waiting:
            self._waiting[interaction] = asyncio.get_running_loop().create_future()
        return self._waiting[interaction]

    def texts(self, channel: int) -> list[str]:
        """What the messages of a channel say now, the oldest first."""
        return [" ".join(texts(each["components"])) for each in self._in(channel).values()]

    def marks(self, channel: int, message: int) -> set[str]:
        """What a message can be recognised by now."""
        return marks(self._in(channel)[message]["components"])

    def _in(self, channel: int) -> dict[int, dict[str, Any]]:
        return self.channels.setdefault(channel, {})

    def _faulty(self, handle: Handler) -> Handler:
        async def run(request: web.Request) -> Answer:
            self.requests += 1
            if self.latency and not request.path.endswith("/callback"):
                await asyncio.sleep(self.latency)
            dice, trouble = self.random.random(), self.trouble
            if dice < trouble.limited:
                self._count("429")
                body = {"message": "You are being rate limited.", "retry_after": 0.02}
                headers = {"Via": "1.1 fake", "Retry-After": "1"}
                return _json(body | {"global": False}, status=429, headers=headers)
            try:
                answer = await handle(request)
            except ConnectionResetError:  # the bot was killed while it asked
                return web.Response()
            dice -= trouble.limited
            if dice < trouble.bad_gateway:
                self._count("502 after storing", request)
                return web.Response(status=502, text="bad gateway")
            if dice < trouble.bad_gateway + trouble.dropped and request.transport:
                self._count("reply dropped", request)
                request.transport.abort()
            return answer

        return run

    def _count(self, fault: str, request: web.Request | None = None) -> None:
        self.faults[fault] = self.faults.get(fault, 0) + 1
        if request is not None and ASKED in request:
            request[ASKED].fate = fault

    def _note(self, request: web.Request, channel: int, nonce: str, did: str) -> None:
        request[ASKED] = Asked(self.clock(), channel, nonce, did)
        self.asked.append(request[ASKED])

    async def _me(self, request: web.Request) -> Answer:
        if self.login_refusals:
            return _refused(self.login_refusals.pop(0))
        return _json(BOT_USER)

    async def _application(self, request: web.Request) -> Answer:
        about: dict[str, Any] = {
            "id": str(BOT),
            "name": "Starpost",
            "description": "",
            "icon": None,
            "flags": 0,
        }
        about |= {"verify_key": "", "bot_public": True, "bot_require_code_grant": False}
        about |= {"team": None, "owner": BOT_USER, "summary": ""}
        return _json(about)

    async def _limits(self, request: web.Request) -> Answer:
        if self.gateway_refusals:
            return _refused(self.gateway_refusals.pop(0))
        limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        url = f"ws://127.0.0.1:{self.port}/gateway"
        return _json({"url": url, "shards": 1, "session_start_limit": limit})

    async def _commands(self, request: web.Request) -> Answer:
        if self.sync_refusals:
            return _refused(self.sync_refusals.pop(0))
        self.synced += 1
        return _json([])

    async def _dm(self, request: web.Request) -> Answer:
        user = int((await request.json())["recipient_id"])
        person = {"id": str(user), "username": f"user{user}", "discriminator": "0", "avatar": None}
        return _json({"id": str(dm(user)), "type": 1, "recipients": [person]})

    async def _channel(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        if channel in self.deleted:
            return _error(404, UNKNOWN_CHANNEL)
        guild = self._guild_of(channel)
        if channel in self.hidden:
            return _json(_text_channel(channel, self.hidden[channel], guild))
        metadata: dict[str, Any] = {"archived": channel in self.asleep, "auto_archive_duration": 60}
        metadata |= {"archive_timestamp": _now(), "locked": False}
        about: dict[str, Any] = {
            "id": str(channel),
            "type": 11,
            "guild_id": str(guild),
            "parent_id": self.threads.get(channel, {"parent_id": "9"})["parent_id"],
        }
        about |= {"name": "thread", "owner_id": str(BOT), "thread_metadata": metadata}
        return _json(about | {"message_count": 0, "member_count": 1})

    async def _guild(self, request: web.Request) -> Answer:
        """A server as `GET /guilds` has it, with the locale that a test has chosen."""
        guild = int(request.match_info["guild"])
        about: dict[str, Any] = {"id": str(guild), "name": "Club", "owner_id": "9", "features": []}
        everyone: dict[str, Any] = {"id": str(guild), "name": "@everyone", "permissions": "1024"}
        everyone |= {"position": 0, "color": 0, "hoist": False, "managed": False, "flags": 0}
        about |= {"roles": [everyone | {"mentionable": False}], "emojis": [], "stickers": []}
        return _json(about | {"preferred_locale": self.locales.get(guild, "en-US")})

    async def _member(self, request: web.Request) -> Answer:
        user = int(request.match_info["user"])
        if user in self.left:
            return _error(404, 10007)
        person = PERSON | {"id": str(user), "username": f"user{user}"}
        return _json({"user": person, "roles": [], "joined_at": _now(), "flags": 0})

    async def _start_thread(self, request: web.Request) -> Answer:
        """A thread has the number of the message under which it is."""
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        self.threads_asked += 1
        if self.thread_gate:
            await self.thread_gate.wait()
        if self.thread_refusal:
            return _error(*self.thread_refusal)
        if message in self.threads:
            return _error(400, 160004)
        if message not in self._in(channel):
            return _error(404, 10008)
        asked, _ = await _payload(request)
        metadata: dict[str, Any] = {"archived": False, "auto_archive_duration": 10080}
        metadata |= {"archive_timestamp": _now(), "locked": False}
        made: dict[str, Any] = {"id": str(message), "type": 11, "parent_id": str(channel)}
        made |= {"name": asked["name"], "owner_id": str(BOT), "thread_metadata": metadata}
        made |= {"guild_id": str(self._guild_of(channel)), "message_count": 0, "member_count": 1}
        self._watch(asked)
        self.threads[message] = made
        return _json(made)

    def _guild_of(self, channel: int) -> int:
        """The server of a channel, or of a thread."""
        thread = self.threads.get(channel)
        return self.homes.get(channel if thread is None else int(thread["parent_id"]), GUILD)

    async def _wake(self, request: web.Request) -> Answer:
        if int(request.match_info["channel"]) in self.locked:
            return _error(403, 50013)
        self.asleep.discard(int(request.match_info["channel"]))
        return await self._channel(request)

    async def _create(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        payload, files = await _payload(request)
        if channel in self.gates:
            await self.gates[channel].wait()
        if closed := self._closed(channel):
            return closed
        if refusal := self._refusal(channel):
            return refusal
        self._watch(payload)
        nonce = str(payload.get("nonce", ""))
        at, where, message = self._nonces.get(nonce, (-REMEMBERED, 0, 0))
        if nonce and 0 <= self.clock() - at < REMEMBERED and payload.get("enforce_nonce"):
            self._note(request, channel, nonce, f"known as {message}")
            return _json(self._in(where)[message])
        made = self._message(channel)
        number = int(made["id"])
        self._note(request, channel, nonce, f"posted as {number}")
        made |= {"flags": payload.get("flags", 0), "attachments": files}
        made |= {"components": payload.get("components", [])}
        self._in(channel)[number] = made
        self._nonces[nonce] = (self.clock(), channel, number)
        shown = frozenset(marks(made["components"]))
        first = next((each.get("id", 0) for each in made["components"]), 0)
        self.posted.append(Posted(number, channel, shown, nonce, self.clock(), first))
        allowed = payload.get("allowed_mentions") or {}
        self.pings.append(set(map(int, allowed.get("users", []))))
        if channel in self.lost_replies and request.transport:
            request.transport.abort()
        return _json(made)

    async def _edit(self, request: web.Request) -> Answer:
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        payload, _ = await _payload(request)
        if channel in self.deleted:
            return _error(404, UNKNOWN_CHANNEL)
        if channel in self.asleep:
            return _error(400, 50083)
        if refusal := self._refusal(channel):
            return refusal
        if message not in self._in(channel):
            return _error(404, 10008)
        self._watch(payload)
        self._in(channel)[message]["components"] = payload["components"]
        return _json(self._in(channel)[message])

    async def _look_up(self, request: web.Request) -> Answer:
        channel, message = (int(request.match_info[name]) for name in ("channel", "message"))
        if channel in self.deleted:
            return _error(404, UNKNOWN_CHANNEL)
        if message not in self._in(channel):
            return _error(404, 10008)
        return _json(self._in(channel)[message])

    async def _history(self, request: web.Request) -> Answer:
        channel = int(request.match_info["channel"])
        if channel in self.deleted:
            return _error(404, UNKNOWN_CHANNEL)
        limit = int(request.query.get("limit", 50))
        here = sorted(self._in(channel).items(), reverse=True)
        if "after" in request.query:
            found = [m for n, m in here if n > int(request.query["after"])][-limit:]
        else:
            found = [m for n, m in here if n < int(request.query.get("before", 1 << 62))][:limit]
        newest = max(self._in(channel), default=0)
        self._note(request, channel, "", f"{len(found)} messages, the newest {newest}")
        return _json(found)

    async def _callback(self, request: web.Request) -> Answer:
        interaction = int(request.match_info["id"])
        payload, _ = await _payload(request)
        waiting = self.answer(interaction)
        if waiting.done():
            return _error(400, 40060)
        waiting.set_result(payload)
        about = {"id": str(interaction), "type": 3, "response_message_ephemeral": True}
        return _json({"interaction": about})

    async def _follow(self, request: web.Request) -> Answer:
        """Another answer in place of the first one."""
        await _payload(request)
        return _json(self._message(0))

    def chat(self, channel: int, number: int) -> None:
        """Post messages of another user."""
        for _ in range(number):
            said = self._message(channel) | {"author": PERSON, "content": "hello"}
            self._in(channel)[int(said["id"])] = said

    def _message(self, channel: int) -> dict[str, Any]:
        """A new message without anything in it."""
        made: dict[str, Any] = {
            "id": str(self._number()),
            "channel_id": str(channel),
            "author": BOT_USER,
            "content": "",
        }
        made |= {"timestamp": _now(), "edited_timestamp": None, "tts": False, "embeds": []}
        made |= {"mention_everyone": False, "mentions": [], "mention_roles": [], "pinned": False}
        return made | {"type": 0, "flags": 0, "attachments": [], "components": []}

    def _number(self) -> int:
        """A new number: as Discord's it tells the time, and it is higher than all before."""
        now = int(self.clock() * 1000) - discord.utils.DISCORD_EPOCH
        self._newest = max(now << 22, self._newest + 1)
        return self._newest

    def _closed(self, channel: int) -> Answer | None:
        """What is said to a bot that writes where it must not, if it must not."""
        if channel in self.deleted:
            return _error(404, UNKNOWN_CHANNEL)
        if channel in self.asleep and channel in self.locked:
            return _error(400, 50083)
        return _error(403, 50013) if channel in self.silenced else None

    def _watch(self, payload: dict[str, Any]) -> None:
        """Note words that must not be said any more, from a time of the monotonic clock on."""
        if not self.watched_words:
            return
        now, text = time.monotonic(), json.dumps(payload)
        self.said_again += [w for w, at in self.watched_words.items() if at <= now and w in text]

    def _refusal(self, channel: int) -> Answer | None:
        return _error(*self.refusals[channel]) if channel in self.refusals else None

    def _is_served(self, guild: int, shard: int) -> bool:
        return (guild >> 22) % self._shards == shard

    async def _gateway(self, request: web.Request) -> Answer:
        if self.away:
            self._count("gateway refused")
            return _error(503, 0)
        socket = web.WebSocketResponse()
        with suppress(ConnectionResetError):  # the process was killed
            await socket.prepare(request)
            await self._talk(socket)
        return socket

    async def _talk(self, socket: web.WebSocketResponse) -> None:
        """Serve a gateway connection until it is closed."""
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 45_000}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            sent = message.json()
            op = sent["op"]
            if op == HEARTBEAT:
                await socket.send_json({"op": ACK})
            elif op == IDENTIFY:
                shard, self._shards = sent["d"].get("shard", (0, 1))
                url = f"ws://127.0.0.1:{self.port}/gateway"
                ready: dict[str, Any] = {"v": 10, "user": BOT_USER, "session_id": "s"}
                served = [e for e in self.servers if self._is_served(int(e["id"]), shard)]
                known = [{"id": each["id"], "unavailable": True} for each in served]
                ready["guilds"] = known
                ready |= {"resume_gateway_url": url, "application": {"id": str(BOT), "flags": 0}}
                ready |= {"shard": [shard, self._shards]}
                await socket.send_json({"op": DISPATCH, "t": "READY", "s": 1, "d": ready})
                self._sockets[shard] = socket
                for each in served:
                    await socket.send_json({"op": DISPATCH, "t": "GUILD_CREATE", "s": 1, "d": each})
                self.greeted += 1
                arrived, self.arrival = self.arrival, asyncio.get_running_loop().create_future()
                arrived.set_result(None)


def _text_channel(channel: int, hidden_from: set[int], guild: int) -> dict[str, Any]:
    """A channel of the server that some of its members cannot see."""
    denied = [{"id": str(user), "type": 1, "allow": "0", "deny": "1024"} for user in hidden_from]
    about: dict[str, Any] = {"id": str(channel), "type": 0, "guild_id": str(guild)}
    return about | {"name": "games", "position": 0, "permission_overwrites": denied}


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens in another process."""
    while not condition():  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.01)


def point_at(port: int) -> None:
    """Have discord.py of this process talk to a fake on this port."""
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    gateway = yarl.URL(f"ws://127.0.0.1:{port}/gateway")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway


def dm(user: int) -> int:
    """The DM channel of a user."""
    return 10**9 + user


def is_dm(channel: int) -> bool:
    """Whether this is the DM channel of a user."""
    return dm(0) <= channel < dm(dm(0))


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components, nested ones too."""
    for each in components:
        yield each
        yield from walk(each.get("components", []))


def texts(components: list[dict[str, Any]]) -> list[str]:
    """All texts, in order."""
    return [each["content"] for each in walk(components) if each.get("content")]


def marks(components: list[dict[str, Any]]) -> set[str]:
    """All custom_ids and texts."""
    ids = {each["custom_id"] for each in walk(components) if each.get("custom_id")}
    return ids | set(texts(components))


async def _payload(request: web.Request) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The JSON of a request, and what Discord says of its files."""
    body = await request.read()
    if request.content_type == "application/json":
        return json.loads(body), []
    payload: dict[str, Any] = {}
    files: list[dict[str, Any]] = []
    boundary = f"--{request.headers['Content-Type'].partition('boundary=')[2]}"
    for part in body.split(boundary.encode()):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="payload_json"' in head:
            payload = json.loads(content)
        elif b'filename="' in head:
            name = head.partition(b'filename="')[2].partition(b'"')[0].decode()
            about: dict[str, Any] = {"id": str(len(files)), "filename": name, "size": len(content)}
            files.append(about | {"url": "x", "proxy_url": "x"})
    return payload, files


def _json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    """JSON without a charset, as discord.py wants it."""
    data = json.dumps(body).encode()
    return web.Response(body=data, status=status, headers=headers, content_type="application/json")


def _error(status: int, code: int) -> Answer:
    return _json({"message": "no", "code": code}, status=status)


def _refused(status: int) -> Answer:
    """Answer with this status; a 429 is one that lasts, as after 200 new commands in a day."""
    if status != 429:
        return _error(status, 0)
    body = {"message": "You are being rate limited.", "retry_after": 3600.0, "global": False}
    return _json(body, status=429, headers={"Via": "1.1 fake", "Retry-After": "3600"})


def _now() -> str:
    return datetime.now(UTC).isoformat()
