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
  const end = performance.now() + 1000;
  const look = () => {{
    const value = {};
    if (value) resolve({{ value }});
    else if (performance.now() > end) resolve(null);
    else setTimeout(look, 50);
  }};
  look();
}})
"""

ANSWER_SECONDS = 30.0
"""Seconds for an answer of the browser; on a busy machine, a promise is sometimes lost."""

OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking")


class ReloadedError(Exception):
    """A script has no answer, mostly because the page was replaced by another one meanwhile."""


class Tab:
    """One page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    async def _call(self, method: str, parameters: dict[str, Any]) -> Any:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                while (answer := json.loads(await self._socket.receive_str())).get("id") != number:
                    pass
        except TimeoutError:
            raise ReloadedError("no answer") from None
        if "error" in answer:
            raise ReloadedError(answer["error"])
        return answer["result"]

    async def resize(self, width: int) -> None:
        """Show the page as on a phone of this width."""
        size = {"width": width, "height": 2 * width, "deviceScaleFactor": 1, "mobile": True}
        await self._call("Emulation.setDeviceMetricsOverride", size)

    async def evaluate(self, script: str) -> Any:
        """Return the value of a script, or of the promise that it makes."""
        parameters = {"expression": script, "awaitPromise": True, "returnByValue": True}
        result = await self._call("Runtime.evaluate", parameters)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    async def until(self, script: str) -> Any:
        """Return the value of a script as soon as it is true, also if the page is reloaded."""
        result = None
        while result is None:
            with suppress(ReloadedError):
                result = await self.evaluate(UNTIL.format(script))
        return result["value"]


def browser_path() -> str | None:
    """Return the path of the browser, or None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@asynccontextmanager
async def opened_tab(address: str, profile: Path, width: int = 0) -> AsyncIterator[Tab]:
    """Open a page in a browser of its own.

    Args:
        profile: an empty folder for the browser's files.
        width: of the page in pixels; 0 for the browser's own.
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
                pages = [page for page in await listed.json() if page["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as ws:
                tab = Tab(ws)
                if width:
                    await tab.resize(width)
                yield tab
        drained.cancel()
    finally:
        process.kill()
        await process.wait()
