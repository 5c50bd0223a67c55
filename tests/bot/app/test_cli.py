"""The command `starpost`."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.app.invite import link, user_link
from bot.app.run import open_database
from bot.storage.file_lock import DatabaseLock, lock_path
from bot.version import version
from tests.support.command import APPLICATION, ROOT, STARPOST, TOKEN, run
from tests.support.databases import age, change, count, fill
from tests.support.fake_discord import FakeDiscord, until
from tests.support.postgres import Outside, Server


def starpost(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*STARPOST, *arguments], input=text, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_engine_is_reached_through_the_command() -> None:
    record = starpost("engine", "play", "wormholes", "--seed", "3").stdout
    replay = starpost("engine", "replay", "-", text=record)
    assert replay.stdout in ("O base\n", "D base\n")
    assert "follow from the seed" in starpost("engine", "verify", "-", text=record).stdout


@pytest.mark.slow
def test_the_exit_code_of_the_engine_is_passed_on() -> None:
    assert starpost("engine", "replay", "-", text="Game: chess\n\n").returncode == 1


@pytest.mark.slow
def test_help_and_version_are_there() -> None:
    assert "engine" in starpost("--help").stdout
    assert version() in starpost("--version").stdout


IMPORTED = """
import atexit, sys
from bot.app.cli import entry

atexit.register(lambda: print("imported:", *sys.modules, file=sys.stderr))
entry()
"""
"""Runs the command, and prints all modules that it has imported."""


@pytest.mark.parametrize("command", ["--version", "health"])
def test_short_commands_import_neither_database_nor_discord(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'starpost.db'}")
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED, command], capture_output=True, text=True, check=False
    )
    imported = set(done.stderr.partition("imported: ")[2].split())
    assert "click" in imported
    heavy = {"sqlalchemy", "sqlite3", "aiosqlite", "asyncpg", "alembic", "discord", "aiohttp"}
    assert not imported & (heavy | {"PIL", "prometheus_client", "engine", "render"})


@pytest.mark.first(test=1)
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"DISCORD_TOKEN": "x y"},
        {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "nonsense"},
        {"DISCORD_TOKEN": TOKEN, "LOG_LEVEL": "LOUD"},
        {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": "sqlite+aiosqlite:////proc/nowhere/all.db"},
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
    result = run(tmp_path, "run", DISCORD_TOKEN=TOKEN)
    assert result.returncode == 78
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
async def test_second_start_on_one_database_is_one_line_and_exit_75(tmp_path: Path) -> None:
    async with open_database(f"sqlite+aiosqlite:///{tmp_path / 'starpost.db'}"):
        result = await asyncio.to_thread(run, tmp_path, "run", DISCORD_TOKEN=TOKEN)
    assert result.returncode == 75
    assert result.stderr.count("\n") == 1
    assert "Another Starpost" in result.stderr


@pytest.fixture
def listens_to_ctrl_c() -> Iterator[None]:
    """What a shell has started in the background ignores it, and hands that on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("listens_to_ctrl_c")
async def test_the_sandbox_prints_its_address_and_serves_it(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(*STARPOST, "sandbox", "--port", "0"),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    address = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert address, line
    async with aiohttp.ClientSession() as session, session.get(address[0]) as page:
        assert page.status == 200
        assert "html" in await page.text()
    process.send_signal(signal.SIGINT)
    output = await process.stdout.read()
    assert await process.wait() == 0
    assert b"closed" in output
    assert os.listdir(tmp_path) == []  # noqa: PTH208 - nothing is left behind


@pytest.mark.slow
def test_sandbox_with_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run(tmp_path, "sandbox", "--port", str(port))
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)
    assert f"port {port} is in use" in result.stderr
    assert f"PORT={port + 1}" in result.stderr


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    result = run(tmp_path, "sandbox", "--port", "99999")
    assert result.returncode == 2
    assert result.stderr.endswith("99999 is not in the range 0<=x<=65535.\n")


def test_windows_is_refused_in_one_sentence(tmp_path: Path) -> None:
    program = "import sys; from bot.app.cli import entry; sys.platform = 'win32'; entry()"
    refused = subprocess.run(
        [sys.executable, "-c", program, "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, refused.stdout) == (78, "")
    assert refused.stderr.startswith("starpost: Starpost runs on Linux and macOS; on Windows,")
    assert refused.stderr.count("\n") == 1


@pytest.mark.slow
async def test_start_and_stop_are_logged(tmp_path: Path) -> None:
    fake_discord = FakeDiscord(time.time)
    async with fake_discord.open():
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.support.against_fake", str(fake_discord.port), "run"),
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(ROOT),
                "DISCORD_TOKEN": TOKEN,
                "LOG_LEVL": "INFO",
            },
            stderr=asyncio.subprocess.PIPE,
        )
        await until(lambda: fake_discord.connected or process.returncode is not None)
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        assert process.stderr
        lines = (await process.stderr.read()).decode().splitlines()
        assert await process.wait() == 0
    assert f"bot.app.run: Starpost {version()}, database" in lines[0]
    assert "did you mean LOG_LEVEL?" in lines[1]
    assert not any("voice" in line for line in lines)
    assert sum(line.endswith("bot.app.run: SIGTERM: stopping") for line in lines) == 1
    assert lines[-1].endswith("bot.app.run: stopped")


@pytest.mark.slow
async def test_migration_is_logged_after_the_introduction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'starpost.db'}"
    async with open_database(url):
        pass
    age(tmp_path, monkeypatch)
    caplog.set_level(logging.INFO, "bot")
    async with open_database(url, ready=lambda: logging.getLogger("bot").info("ready")):
        pass
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("bot")]
    ready, begins, ends = lines
    assert ready == "ready"
    assert begins == "migrating the database to schema 9000"
    assert ends.startswith("the database was migrated in")


def test_the_bot_is_invited_with_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    result = run(tmp_path, "invite", DISCORD_TOKEN=TOKEN)
    assert result.returncode == 0
    assert result.stdout == run(tmp_path, "invite", "--id", str(APPLICATION)).stdout
    server, user = result.stdout.splitlines()
    assert server == f"For a server: {link(APPLICATION)}"
    assert user == f"For a user: {user_link(APPLICATION)}"
    assert TOKEN not in result.stdout


def test_a_bot_is_healthy_as_long_as_its_heart_beats(tmp_path: Path) -> None:
    assert run(tmp_path, "health").returncode == 1  # it has never run
    database = tmp_path / "starpost.db"
    with closing(DatabaseLock(database)) as lock:
        lock.touch_heartbeat()
        assert run(tmp_path, "health").returncode == 0
    os.utime(lock_path(database), (0, 0))
    result = run(tmp_path, "health")
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)


@pytest.mark.slow
async def test_a_backup_comes_back(tmp_path: Path) -> None:
    await fill(tmp_path / "starpost.db")
    backup = run(tmp_path, "backup").stdout.strip()
    change(tmp_path / "starpost.db", "DELETE FROM actions")
    result = run(tmp_path, "restore", backup)
    assert (result.returncode, result.stdout.count("\n")) == (0, 1)
    assert count(tmp_path / "starpost.db", "actions") > 0
    assert run(tmp_path, "backup", "copy.db").stdout == "copy.db\n"
    second = run(tmp_path, "backup", "copy.db")
    assert (second.returncode, second.stderr.count("\n")) == (78, 1)


@pytest.mark.slow
async def test_nothing_is_restored_under_a_running_bot(tmp_path: Path) -> None:
    await fill(tmp_path / "starpost.db")
    backup = run(tmp_path, "backup").stdout.strip()
    async with open_database(f"sqlite+aiosqlite:///{tmp_path / 'starpost.db'}"):
        result = await asyncio.to_thread(run, tmp_path, "restore", backup)
    assert (result.returncode, result.stderr.count("\n")) == (75, 1)


@pytest.mark.slow
async def test_a_database_that_is_gone_is_one_line_and_exit_78(tmp_path: Path) -> None:
    await fill(tmp_path / "starpost.db")
    (tmp_path / "starpost.db").unlink()
    result = run(tmp_path, "run", DISCORD_TOKEN=TOKEN)
    assert (result.returncode, result.stderr.count("\n")) == (78, 1)
    assert "restore" in result.stderr
    assert not (tmp_path / "starpost.db").exists()


@pytest.mark.slow
def test_bot_on_postgres_is_healthy_while_its_heart_beats(tmp_path: Path, postgres: Server) -> None:
    note = "UPDATE facts SET value = extract(epoch FROM now()) - {} WHERE name = 'heartbeat:2:1'"
    with postgres.database() as url, Outside(url) as outside:
        settings = {"DATABASE_URL": url, "SHARD_COUNT": "2", "SHARD_IDS": "1"}
        assert run(tmp_path, "health", **settings).returncode == 1  # it has never run
        outside.execute("INSERT INTO facts VALUES ('heartbeat:2:0', '0'), ('heartbeat:2:1', '0')")
        outside.execute(note.format(0))
        assert run(tmp_path, "health", **settings).returncode == 0
        outside.execute(note.format(61))
        result = run(tmp_path, "health", **settings)
    assert (result.returncode, result.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize("command", [("backup",), ("restore", "copy.db")])
def test_copies_of_a_server_are_left_to_its_own_programs(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    settings = {"DATABASE_URL": "postgresql+asyncpg://starpost:hush@127.0.0.1:1/none"}
    result = run(tmp_path, *command, **settings)
    assert (result.returncode, result.stderr.count("\n")) == (78, 1)
    assert "pg_dump" in result.stderr
    assert "hush" not in result.stderr


@pytest.mark.slow
async def test_an_installation_is_copied_by_one_command(tmp_path: Path) -> None:
    await fill(tmp_path / "starpost.db")
    addresses = [f"sqlite+aiosqlite:///{name}.db" for name in ("starpost", "copy")]
    result = await asyncio.to_thread(run, tmp_path, "db", "copy", *addresses)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search("^matches: 1 [0-9a-f]{12}$", result.stdout, re.MULTILINE)
    assert count(tmp_path / "copy.db", "actions") == count(tmp_path / "starpost.db", "actions")
    second = await asyncio.to_thread(run, tmp_path, "db", "copy", *addresses)
    assert (second.returncode, second.stderr.count("\n")) == (78, 1)
    wrong = await asyncio.to_thread(run, tmp_path, "db", "copy", "starpost.db", addresses[1])
    assert (wrong.returncode, wrong.stderr.count("\n")) == (78, 1)


def test_a_server_that_is_unreachable_is_tried_again_later(tmp_path: Path) -> None:
    url = "postgresql+asyncpg://starpost:hush@127.0.0.1:1/none"
    result = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, DATABASE_URL=url)
    assert (result.returncode, result.stderr.count("\n")) == (75, 1)
    assert "hush" not in result.stderr


@pytest.mark.slow
def test_ratings_are_computed_again_and_stored(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    url = f"sqlite+aiosqlite:///{path}"
    assert "results: 0" in run(tmp_path, "ratings", DATABASE_URL=url).stdout
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(
            "insert into rated_results (match_id, seat, number, pool, user_id, rank, ended_at, mu,"
            " sigma) values (1, ?, 1, 'warp6/2', ?, ?, 0, 1600, 200)",
            [("B", 11, 0), ("Y", 22, 1)],
        )
    differing = run(tmp_path, "ratings", DATABASE_URL=url)
    assert differing.returncode == 1
    assert "results: 1; 2 ratings differ\n" in differing.stdout
    second = run(tmp_path, "ratings", "--write", DATABASE_URL=url)
    assert (second.returncode, "now stored" in second.stdout) == (0, True)
    result = run(tmp_path, "ratings", DATABASE_URL=url)
    assert result.stdout == "results: 1; all stored ratings follow from them\n"
