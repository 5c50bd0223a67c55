"""The gateway of the fake Discord."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from tests.support.fake_http import Answer, error_answer
from tests.support.fake_objects import BOT, BOT_USER

HELLO, HEARTBEAT, ACK, IDENTIFY, DISPATCH, RESUME, INVALID = 10, 1, 11, 2, 0, 6, 9


class FakeGateway:
    """Connections of the bot's shards, one each.

    Attributes:
        close_code: with which each shard that identifies is refused; 0 for none.
    """

    def __init__(self) -> None:
        self.port = 0
        self.is_unreachable = False
        self.close_code = 0
        self.servers: list[dict[str, Any]] = []
        self.greeted = 0
        self.faults: dict[str, int] = {}
        self.arrival: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sockets: dict[int, web.WebSocketResponse] = {}
        self._shards = 1

    @property
    def connected(self) -> bool:
        """Whether a bot is at the gateway."""
        return any(not socket.closed for socket in self._sockets.values())

    async def interact(self, payload: dict[str, Any]) -> bool:
        """Send an interaction to the bot; whether a bot was there to get it."""
        return await self.dispatch("INTERACTION_CREATE", payload)

    def session(self, payload: dict[str, Any]) -> web.WebSocketResponse | None:
        """Return the connection of the shard that gets an event; None if there is none."""
        return self._sockets.get((int(payload["guild_id"]) >> 22) % self._shards)

    async def dispatch(self, event: str, payload: dict[str, Any]) -> bool:
        """Send an event to the shard of its server; whether a bot was there to get it."""
        socket = self.session(payload)
        if socket is None or socket.closed:
            return False
        with suppress(ConnectionError):
            await socket.send_json({"op": DISPATCH, "t": event, "s": 2, "d": payload})
            return True
        return False

    async def leave(self) -> None:
        """Close all connections to the gateway, and refuse new ones while `is_unreachable`."""
        self.is_unreachable = True
        for socket in self._sockets.values():
            await socket.close(code=1001)

    def count(self, fault: str) -> None:
        """Note that a fault has happened."""
        self.faults[fault] = self.faults.get(fault, 0) + 1

    def _is_served(self, guild: int, shard: int) -> bool:
        return (guild >> 22) % self._shards == shard

    async def serve_gateway(self, request: web.Request) -> Answer:
        """Answer a request for a connection, and serve it."""
        if self.is_unreachable:
            self.count("gateway refused")
            return error_answer(503, 0)
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
            elif op == RESUME:  # no events are kept for it
                await socket.send_json({"op": INVALID, "d": False})
            elif op == IDENTIFY and self.close_code:
                await socket.close(code=self.close_code)
            elif op == IDENTIFY:
                shard, self._shards = sent["d"].get("shard", (0, 1))
                url = f"ws://127.0.0.1:{self.port}/gateway"
                ready: dict[str, Any] = {"v": 10, "user": BOT_USER, "session_id": "s"}
                served = [e for e in self.servers if self._is_served(int(e["id"]), shard)]
                guilds = [{"id": guild["id"], "unavailable": True} for guild in served]
                ready["guilds"] = guilds
                ready |= {"resume_gateway_url": url, "application": {"id": str(BOT), "flags": 0}}
                ready |= {"shard": [shard, self._shards]}
                await socket.send_json({"op": DISPATCH, "t": "READY", "s": 1, "d": ready})
                self._sockets[shard] = socket
                for guild in served:
                    await socket.send_json(
                        {"op": DISPATCH, "t": "GUILD_CREATE", "s": 1, "d": guild}
                    )
                self.greeted += 1
                arrived, self.arrival = self.arrival, asyncio.get_running_loop().create_future()
                arrived.set_result(None)
