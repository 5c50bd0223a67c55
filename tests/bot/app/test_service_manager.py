"""systemd is told when the bot has started, that it is alive, and that it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.service_manager import supervised
from tests.support.command import ROOT, TOKEN
from tests.support.fake_discord import FakeDiscord, until


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        yield listening


def received(manager: socket.socket) -> list[str]:
    """Return all messages so far."""
    messages = []
    while True:
        try:
            messages.append(manager.recv(100).decode())
        except BlockingIOError:
            return messages


async def test_start_life_and_stop_are_reported(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(manager.getsockname()))
    monkeypatch.setenv("WATCHDOG_USEC", "2000")
    reports: list[str] = []

    def is_alive_twice() -> bool:
        reports.extend(received(manager))
        return reports.count("WATCHDOG=1") >= 2

    async with supervised():
        assert received(manager) == ["READY=1"]
        await until(is_alive_twice)
    assert received(manager)[-1] == "STOPPING=1"
    assert set(reports) == {"WATCHDOG=1"}


async def test_without_a_watchdog_only_start_and_stop_are_reported(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(manager.getsockname()))
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    async with supervised():
        await asyncio.sleep(0)
    assert received(manager) == ["READY=1", "STOPPING=1"]


async def test_without_systemd_nothing_is_reported(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    async with supervised():
        await asyncio.sleep(0)
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/notify")
    async with supervised():
        await asyncio.sleep(0)
    assert received(manager) == []


@pytest.mark.slow
async def test_a_bot_that_cannot_connect_has_started_and_is_alive(
    manager: socket.socket, tmp_path: Path
) -> None:
    """Systemd does not end a bot that waits for Discord."""
    fake_discord = FakeDiscord(time.time)
    fake_discord.is_unreachable = True
    async with fake_discord.open():
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.against_fake", str(fake_discord.port), "run"),
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "DISCORD_TOKEN": TOKEN,
                "NOTIFY_SOCKET": str(manager.getsockname()),
                "WATCHDOG_USEC": "100000",
            },
            stderr=asyncio.subprocess.DEVNULL,
        )
        reports: list[str] = []

        def is_alive() -> bool:
            reports.extend(received(manager))
            return reports.count("WATCHDOG=1") >= 2

        await until(is_alive)
        assert reports[0] == "READY=1"
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
    assert received(manager)[-1] == "STOPPING=1"
