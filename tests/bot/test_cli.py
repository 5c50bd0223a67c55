"""The command `starpost`."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from bot.run import opened

STARPOST = Path(sys.executable).with_name("starpost")


def starpost(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [STARPOST, *arguments], input=text, capture_output=True, text=True, check=False
    )


def test_the_engine_is_reached_through_the_command() -> None:
    record = starpost("engine", "play", "wormholes", "--seed", "3").stdout
    replay = starpost("engine", "replay", "-", text=record)
    assert replay.stdout in ("O base\n", "D base\n")
    assert "follow from the seed" in starpost("engine", "verify", "-", text=record).stdout


def test_the_exit_code_of_the_engine_is_passed_on() -> None:
    assert starpost("engine", "replay", "-", text="Game: chess\n\n").returncode == 1


def test_help_and_version_are_there() -> None:
    assert "engine" in starpost("--help").stdout
    assert "0.1.0" in starpost("--version").stdout


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder of its own, with nothing but these settings."""
    return subprocess.run(
        [STARPOST, *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"DISCORD_TOKEN": "x y"},
        {"DISCORD_TOKEN": "x", "DATABASE_URL": "nonsense"},
        {"DISCORD_TOKEN": "x", "LOG_LEVEL": "LOUD"},
        {"DISCORD_TOKEN": "x", "DATABASE_URL": "sqlite+aiosqlite:////proc/nowhere/all.db"},
    ],
)
def test_a_missing_or_malformed_setting_is_one_line_and_exit_78(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    result = run(tmp_path, "run", **environment)
    assert result.returncode == 78
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("starpost: ")


def test_a_damaged_database_is_one_line_and_exit_78(tmp_path: Path) -> None:
    (tmp_path / "starpost.db").write_bytes(b"This is not a database at all. " * 100)
    result = run(tmp_path, "run", DISCORD_TOKEN="x")
    assert result.returncode == 78
    assert result.stderr.count("\n") == 1


async def test_a_second_start_on_the_same_database_is_one_line_and_exit_75(tmp_path: Path) -> None:
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'starpost.db'}"):
        result = await asyncio.to_thread(run, tmp_path, "run", DISCORD_TOKEN="x")
    assert result.returncode == 75
    assert result.stderr.count("\n") == 1
    assert "Another Starpost" in result.stderr


async def test_the_sandbox_prints_its_address_and_serves_it(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        STARPOST, "sandbox", "--port", "0", cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address, line
    async with aiohttp.ClientSession() as session, session.get(address[0]) as page:
        assert page.status == 200
        assert "html" in await page.text()
    process.send_signal(signal.SIGINT)
    rest = await process.stdout.read()
    assert await process.wait() == 0
    assert b"closed" in rest
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - nothing is left behind
