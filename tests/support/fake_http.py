"""Requests to the fake Discord, and its answers."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

Answer = web.StreamResponse
Handler = Callable[[web.Request], Awaitable[Answer]]


Keep = Callable[[str, bytes], str]
"""Keeps a file, by its name and content; returns its URL."""


async def read_payload(
    request: web.Request, keep: Keep = lambda _name, _content: "x"
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The JSON of a request, and what Discord says of its files.

    Raises:
        ConnectionResetError: the bot was killed before it had sent all of it.
    """
    body = await request.read()
    if request.content_type == "application/json":
        return json.loads(body), []
    payload: dict[str, Any] = {}
    files: list[dict[str, Any]] = []
    boundary = f"--{request.headers['Content-Type'].partition('boundary=')[2]}"
    if not body.rstrip().endswith(f"{boundary}--".encode()):
        raise ConnectionResetError("the request is cut off")
    for part in body.split(boundary.encode()):
        head, _, content = part.partition(b"\r\n\r\n")
        if b'name="payload_json"' in head:
            payload = json.loads(content)
        elif b'filename="' in head:
            name = head.partition(b'filename="')[2].partition(b'"')[0].decode()
            content = content.removesuffix(b"\r\n")
            about: dict[str, Any] = {"id": str(len(files)), "filename": name, "size": len(content)}
            url = keep(name, content)
            files.append(about | {"url": url, "proxy_url": url})
    return payload, files


def json_answer(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
    """JSON without a charset, as discord.py wants it."""
    data = json.dumps(body).encode()
    return web.Response(body=data, status=status, headers=headers, content_type="application/json")


def limited_answer(pause: float, code: int = 0) -> Answer:
    """Answer a request that exceeds a limit."""
    body = {"message": "You are being rate limited.", "retry_after": pause, "code": code}
    headers = {"Via": "1.1 fake", "Retry-After": str(math.ceil(pause))}
    return json_answer(body | {"global": False}, status=429, headers=headers)


def error_answer(status: int, code: int, message: str = "no") -> Answer:
    """Refuse with one of Discord's codes."""
    return json_answer({"message": message, "code": code}, status=status)


def refused_answer(status: int) -> Answer:
    """Answer with this status; a 429 is one that lasts, as after 200 new commands in a day."""
    if status != 429:
        return error_answer(status, 0)
    return limited_answer(3600.0)
