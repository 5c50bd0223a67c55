"""Messages to systemd: the bot has started, is alive, is stopping (sd_notify(3))."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

MICROSECOND = 1e-6


@asynccontextmanager
async def supervised() -> AsyncIterator[None]:
    """Tell systemd that the bot has started, and inside the block that its event loop runs.

    Without systemd, or if the unit's type is another one, nothing is told.
    """
    _notify("READY=1")
    watchdog = asyncio.create_task(_report_life(), name="watchdog")
    try:
        yield
    finally:
        watchdog.cancel()
        _notify("STOPPING=1")


async def _report_life() -> None:
    """Report twice in the time after which systemd ends a silent program, if it watches."""
    limit_seconds = int(os.environ.get("WATCHDOG_USEC") or 0) * MICROSECOND
    while limit_seconds:
        _notify("WATCHDOG=1")
        await asyncio.sleep(limit_seconds / 2)


def _notify(state: str) -> None:
    """Send a message to the socket that systemd has named, if it has."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):  # an abstract one
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(state.encode(), address)
