"""Each fault is named in one line, and where there is none the line is `ok`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from bot.app import self_check
from bot.app.cli import main
from bot.app.run import open_database
from bot.app.settings import SETTINGS
from bot.storage import file_systems, inspection
from engine import games
from render.wormholes import WormholesRenderer
from tests.support.command import TOKEN, run
from tests.support.databases import age, change, damage_page, fill, fill_at
from tests.support.fake_discord import FakeDiscord
from tests.support.postgres import Outside, Server

Patch = pytest.MonkeyPatch
Plant = Callable[[Path, Patch], object]

ACTION = "INSERT INTO actions (match_id, number, line, made_at) VALUES"

MOUNT = "36 35 98:0 / {folder} rw,noatime master:1 - nfs4 server:/share rw\n"


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a running match."""
    path = tmp_path_factory.mktemp("filled") / "starpost.db"
    asyncio.run(fill(path))
    return path


@pytest.fixture
def home(filled: Path, tmp_path: Path, monkeypatch: Patch) -> Path:
    """A folder in which nothing is wrong."""
    folder = tmp_path / "home of the bot"
    shutil.copytree(filled.parent, folder)
    monkeypatch.chdir(folder)
    for name in SETTINGS:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    return folder


def is_ok(result: Result) -> bool:
    """Whether nothing is wrong: the line `ok`, and notes."""
    first, *notes = result.output.splitlines()
    return (
        first == "ok" and not result.exit_code and all(line.startswith("note: ") for line in notes)
    )


def starpost_check(*options: str) -> Result:
    return CliRunner().invoke(main, ["check", *options], catch_exceptions=False)


@pytest.mark.slow
def test_nothing_wrong_is_one_word(home: Path) -> None:
    assert is_ok(starpost_check())


@pytest.mark.slow
def test_before_the_first_start_nothing_is_wrong(home: Path) -> None:
    shutil.rmtree(home)
    home.mkdir()
    os.chdir(home)
    assert is_ok(starpost_check())


@pytest.mark.slow
def test_what_was_taken_back_counts_no_more(home: Path) -> None:
    change(
        home / "starpost.db",
        f"{ACTION} (1, 99, 'O nonsense', 0)",
        "UPDATE actions SET undone_at = 1 WHERE number = 99",
    )
    assert is_ok(starpost_check())


def _to_database(act: Callable[[Path], object]) -> Plant:
    return lambda home, _: act(home / "starpost.db")


def _sql(statement: str) -> Plant:
    return _to_database(lambda database: change(database, statement))


def _setting(name: str, value: str) -> Plant:
    return lambda _, patch: patch.setenv(name, value)


def _unwritable(name: str) -> Plant:
    """Make it read-only, for root too, to whom the system would allow writing."""

    def plant(home: Path, patch: Patch) -> None:
        mine, path = os.access, home / name
        patch.setattr(os, "access", lambda target, mode: target != path and mine(target, mode))

    return plant


def _no_font(home: Path, patch: Patch) -> None:
    def picture(*_: object) -> bytes:
        raise ImportError("The _imagingft C module is not installed")

    patch.setattr(WormholesRenderer, "picture", picture)


def _network(home: Path, patch: Patch) -> None:
    mounts = home / "mounts"
    point = str(home).replace(" ", "\\040")
    mounts.write_text(MOUNT.format(folder="/") + MOUNT.format(folder=point), "utf-8")
    patch.setattr(file_systems, "MOUNTS", mounts)


def _full(home: Path, patch: Patch) -> None:
    patch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=2**20))


def _no_migrations(home: Path, patch: Patch) -> None:
    patch.setattr(inspection, "MIGRATIONS", home)


JOB = "INSERT INTO computer_jobs (match_id, seat, version, queued_at, attempts) VALUES"


def _without_computer(home: Path, patch: Patch) -> None:
    change(home / "starpost.db", f"{JOB} (1, 'O', 1, 0, 0), (1, 'D', 1, 0, 0)")
    patch.setenv("COMPUTER_WORKERS", "0")


PLANTS: dict[str, tuple[str, Plant]] = {
    "an old Python": (
        "python",
        lambda _, patch: patch.setattr(self_check, "sys", SimpleNamespace(version_info=(3, 10, 9))),
    ),
    "an old SQLite": (
        "sqlite",
        lambda _, patch: patch.setattr(sqlite3, "sqlite_version_info", (3, 30, 1)),
    ),
    "a clock that was reset": (
        "clock",
        lambda _, patch: patch.setattr(time, "time", lambda: 1e9),
    ),
    "a clock that went back": ("clock", _sql("UPDATE matches SET changed_at = changed_at + 86400")),
    "no typeface": ("fonts", _no_font),
    "no migrations": ("database", _no_migrations),
    "a malformed setting": ("settings", _setting("DATABASE_URL", "mysql://host/name")),
    "a setting out of range": ("settings", _setting("BACKUP_KEEP", "0")),
    "no token": ("token", _setting("DISCORD_TOKEN", "")),
    "a token of another kind": ("token", _setting("DISCORD_TOKEN", "0123456789abcdef" * 4)),
    "a token with a number that is none": ("token", _setting("DISCORD_TOKEN", "Ym90.a.b")),
    "no folder": ("folder", _setting("DATABASE_URL", "sqlite+aiosqlite:///nowhere/starpost.db")),
    "a folder of others": ("folder", _unwritable("")),
    "a database of others": ("folder", _unwritable("starpost.db")),
    "a network file system": ("folder", _network),
    "a full disk": ("space", _full),
    "a file where backups go": ("backups", _setting("BACKUP_FOLDER", "starpost.db")),
    "a folder for backups below a file": ("backups", _setting("BACKUP_FOLDER", "starpost.db/x/y")),
    "a database that is gone": (
        "database",
        _to_database(Path.unlink),
    ),
    "a database that was emptied": (
        "database",
        _to_database(lambda database: database.write_bytes(b"")),
    ),
    "a file that is no database": (
        "database",
        _to_database(lambda database: database.write_bytes(b"no database at all " * 999)),
    ),
    "somebody else's database": ("database", _sql("DROP TABLE alembic_version")),
    "a damaged page": ("integrity", _to_database(damage_page)),
    "an action of no match": ("integrity", _sql(f"{ACTION} (77, 1, 'x', 0)")),
    "an older schema": ("schema", age),
    "a newer schema": ("schema", _sql("UPDATE alembic_version SET version_num = '9999'")),
    "another position": ("matches", _sql("UPDATE matches SET position = position || ' '")),
    "an action too few": ("matches", _sql("DELETE FROM actions WHERE number = 1")),
    "an action that is none": ("matches", _sql("UPDATE actions SET line = 'nonsense'")),
    "options that cannot be read": ("matches", _sql("UPDATE matches SET options = '{'")),
    "another version of the rules": ("matches", _sql("UPDATE matches SET engine_version = 99")),
    "no computer for a match that waits for it": ("computers", _without_computer),
    "a game that is not known": ("matches", _sql("UPDATE matches SET game = 'chess'")),
}


def test_a_match_of_an_absent_game_is_said_to_wait(home: Path, monkeypatch: Patch) -> None:
    _sql("UPDATE matches SET game = 'chess'")(home, monkeypatch)
    line = "matches: match 1: it waits, because chess is not installed.\n"
    assert line in starpost_check().output


def test_rules_that_fail_are_named(home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(type(games.get("wormholes")), "dump", lambda _game, state: state["gone"])
    assert "match 1: the rules of wormholes fail: TypeError." in starpost_check().output


@pytest.mark.first(test=12)
@pytest.mark.parametrize("fault", PLANTS)
def test_a_planted_fault_is_one_line(fault: str, home: Path, monkeypatch: Patch) -> None:
    name, plant = PLANTS[fault]
    with monkeypatch.context() as patch:
        plant(home, patch)
        result = starpost_check()
        report = json.loads(starpost_check("--json").output)
    assert result.output.startswith(f"{name}: "), result.output
    assert result.output.count("\n") == 1
    assert result.exit_code == 1
    assert not report["ok"]
    assert [fault["check"] for fault in report["faults"]] == [name]


@pytest.mark.parametrize("waits", [True, False])
def test_computer_that_waits_or_is_turned_off_is_no_fault(
    home: Path, monkeypatch: Patch, *, waits: bool
) -> None:
    if waits:
        change(home / "starpost.db", f"{JOB} (1, 'O', 1, 0, 0)")
    else:
        monkeypatch.setenv("COMPUTER_WORKERS", "0")
    assert is_ok(starpost_check())


def test_matches_that_wait_for_the_computer_are_counted(home: Path, monkeypatch: Patch) -> None:
    _without_computer(home, monkeypatch)
    assert "matches wait for the computer: 1. " in starpost_check().output


@pytest.mark.parametrize("token", ["0123456789abcdef" * 4, "Ym90.a.secret"])
def test_a_token_is_never_printed(token: str, home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert token not in starpost_check().output
    assert token not in starpost_check("--json").output


def test_programs_get_all_that_was_found(home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    report = json.loads(starpost_check("--json").output)
    assert report["ok"]
    assert report["faults"] == []
    assert ".".join(map(str, sys.version_info[:3])) in report["notes"][0]
    assert "3.51.3" in report["notes"][1]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_missing_fribidi_is_noted(home: Path, monkeypatch: Patch, *, is_there: bool) -> None:
    monkeypatch.setattr(self_check, "can_shape", lambda: is_there)
    notes = " ".join(json.loads(starpost_check("--json").output)["notes"])
    assert ("FriBidi" in notes) is not is_there


async def test_it_looks_while_the_bot_is_running_and_writing(home: Path) -> None:
    address = f"sqlite+aiosqlite:///{home / 'starpost.db'}"
    async with open_database(address) as database, database.write():
        result = await asyncio.to_thread(run, home, "check", DISCORD_TOKEN=TOKEN)
    assert (result.returncode, result.stdout.splitlines()[0], result.stderr) == (0, "ok", "")


@pytest.fixture
def server(home: Path, postgres: Server, monkeypatch: Patch) -> Iterator[str]:
    """The same with a PostgreSQL database; the tests' own server is a careless one."""
    monkeypatch.setattr(self_check, "SERVER_SETTINGS", {"server_encoding": "UTF8"})
    with postgres.database() as url:
        monkeypatch.setenv("DATABASE_URL", url)
        asyncio.run(fill_at(url))
        yield url


@pytest.mark.slow
def test_a_server_with_which_nothing_is_wrong(server: str) -> None:
    assert is_ok(starpost_check())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("matches", "UPDATE matches SET position = position || ' '"),
        ("matches", "DELETE FROM actions WHERE number = 1"),
        ("schema", "UPDATE alembic_version SET version_num = '9999'"),
        ("schema", "UPDATE alembic_version SET version_num = '0001'"),
        ("database", "DROP TABLE alembic_version"),
        ("clock", "UPDATE matches SET changed_at = changed_at + 86400"),
    ],
)
def test_a_fault_planted_in_a_server_is_one_line(server: str, name: str, statement: str) -> None:
    with Outside(server) as outside:
        outside.execute(statement)
    result = starpost_check()
    assert result.exit_code == 1
    assert result.output.count("\n") == 1, result.output
    assert result.output.startswith(f"{name}: ")


@pytest.mark.slow
def test_a_careless_server_is_named(server: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr(self_check, "SERVER_SETTINGS", {"fsync": "on"})
    assert starpost_check().output.startswith("postgresql: fsync is off")


def test_a_server_that_is_unreachable_is_one_line(home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://starpost:hush@127.0.0.1:1/none")
    monkeypatch.setenv("BACKUP_FOLDER", "backups")
    backups, database = starpost_check().output.splitlines()
    assert backups.startswith("backups: ")
    assert database.startswith("database: ")
    assert "hush" not in database


def test_a_clock_apart_from_the_servers_is_named(server: str, monkeypatch: Patch) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 60)
    assert starpost_check().output.startswith("clock: The system clock is +60 s off")


@pytest.fixture
def reachable(home: Path, monkeypatch: Patch) -> Iterator[Path]:
    """The same folder where all users of the machine can reach it; pytest's own is private."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        shutil.copytree(home, folder, dirs_exist_ok=True)
        folder.chmod(0o755)
        monkeypatch.chdir(folder)
        yield folder
        monkeypatch.chdir(home)


def test_env_that_others_can_read_is_named(reachable: Path) -> None:
    (reachable / ".env").write_text("LOG_LEVEL=INFO\n")
    (reachable / ".env").chmod(0o600)
    assert is_ok(starpost_check())
    (reachable / ".env").chmod(0o644)
    result = starpost_check()
    assert result.exit_code == 1
    assert result.output == (
        "env: .env is readable by every user of this machine: chmod 600 .env\n"
    )
    reachable.chmod(0o700)  # as /etc/starpost
    assert is_ok(starpost_check())


def test_notes_are_printed_if_nothing_is_wrong(home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(self_check, "can_shape", lambda: False)
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    result = starpost_check()
    assert is_ok(result)
    assert "note: FriBidi is missing" in result.output
    assert "note: https_proxy is not used: the bot connects to Discord directly." in result.output


def test_all_wrong_settings_are_named_at_once(home: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    monkeypatch.setenv("BACKUP_KEEP", "0")
    lines = starpost_check().output.splitlines()
    assert lines == [
        "settings: LOG_LEVEL: write DEBUG, INFO, WARNING or ERROR.",
        "settings: BACKUP_KEEP: write a number from 1 to 10,000.",
    ]


@pytest.mark.parametrize(
    ("status", "words"), [(401, "does not accept this token"), (403, "cannot be reached")]
)
async def test_online_asks_discord(
    home: Path, fake_discord: FakeDiscord, status: int, words: str
) -> None:
    assert is_ok(await asyncio.to_thread(starpost_check, "--online"))
    fake_discord.login_refusals = [status]
    result = await asyncio.to_thread(starpost_check, "--online")
    assert result.exit_code == 1
    assert result.output.startswith("discord: ")
    assert words in result.output
    assert is_ok(await asyncio.to_thread(starpost_check))
