"""A page in a real browser: Chromium, driven by its own protocol, without further packages."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")

UNTIL = """
new Promise((resolve) => {{
  const look = () => {{ const value = {}; value ? resolve(value) : setTimeout(look, 50); }};
  look();
}})
"""

OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


class ReloadedError(Exception):
    """The page was replaced by another one while a script was running."""


class Tab:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    async def evaluate(self, script: str) -> Any:
        """Return the value of a script, or of the promise that it makes."""
        number = next(self._numbers)
        parameters = {"expression": script, "awaitPromise": True, "returnByValue": True}
        await self._socket.send_json(
            {"id": number, "method": "Runtime.evaluate", "params": parameters}
        )
        while (answer := json.loads(await self._socket.receive_str())).get("id") != number:
            pass
        if "error" in answer:
            raise ReloadedError(answer["error"])
        result = answer["result"]
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    async def until(self, script: str) -> Any:
        """Return the value of a script as soon as it is true, also if the page is reloaded."""
        while True:
            with suppress(ReloadedError):
                return await self.evaluate(UNTIL.format(script))


def browser_path() -> str | None:
    """Return the path of the browser, or None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@asynccontextmanager
async def opened_tab(address: str, profile: Path) -> AsyncIterator[Tab]:
    """Open a page in a browser of its own.

    Args:
        address: of the page.
        profile: an empty folder for the browser's files.
    """
    if (browser := browser_path()) is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    process = await asyncio.create_subprocess_exec(
        *(browser, *OPTIONS, "--remote-debugging-port=0", f"--user-data-dir={profile}", address),
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stderr
        while b"DevTools listening on" not in (line := await process.stderr.readline()):
            assert line, "the browser has ended"
        port = line.decode().rpartition(" ")[2].split("/")[2].rpartition(":")[2]
        drained = asyncio.create_task(process.stderr.read())
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as listed:
                pages = [each for each in await listed.json() if each["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as ws:
                yield Tab(ws)
        drained.cancel()
    finally:
        process.kill()
        await process.wait()
