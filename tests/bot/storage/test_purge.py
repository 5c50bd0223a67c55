"""After a purge, nothing deleted is in the file or its log, and nothing else is lost."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import OperationalError

from bot.database_errors import Trouble, trouble
from bot.domain.ids import DELETED_USER_ID, MatchId, UserId
from bot.domain.models import DELETED_PLAYER
from bot.storage import backup, purge
from bot.storage.backup import Backups
from bot.storage.database import Database
from bot.storage.inspection import integrity_error, open_read_only
from bot.storage.schema import METADATA, matches, outbox, players, seats
from bot.storage.sqlite import SQLite
from bot.urgency import IS_URGENT
from tests.support.databases import contents
from tests.support.fake_discord import until
from tests.support.gates import HELD_SECONDS, Gate

PEOPLE = [0x0A_DA_0A_DA_0A_DA_0A + number for number in range(5)]
NAME = "Zebedee Q"
OTHERS = range(1 << 50, 1 << 58)

LEAVING = (4, 5, 13)
"""Seeds with which SQLite 3.40 leaves copies of deleted rows behind."""


def forms(user: UserId) -> list[bytes]:
    """Return SQLite's encodings of a number: as text, as a value, and as a row ID."""
    row = bytes((user >> 7 * place & 0x7F) | (0x80 if place else 0) for place in range(7, -1, -1))
    return [str(user).encode(), user.to_bytes(7, "big"), row]


def traces(path: Path) -> list[str]:
    """Where names and numbers of the deleted people stand in the files."""
    forms_of = [NAME.encode(), *(form for user in PEOPLE for form in forms(UserId(user)))]
    files = path.parent.glob(f"{path.name}*")
    return [file.name for file in sorted(files) for form in forms_of if form in file.read_bytes()]


def match_with_board(match_id: MatchId) -> dict[str, object]:
    return {
        "id": match_id,
        "game": "wormholes",
        "engine_version": 1,
        "rules": "0.6",
        "options": {},
        "status": "running",
        "version": 0,
        "decisions": {},
        "chance_count": 0,
        "seed": bytes(32),
        "salt": "1",
        "challenger_id": 7,
        "channel_id": 5,
        "clock": "",
        "round": 1,
        "rounds": 1,
        "created_at": 0.0,
        "changed_at": 0.0,
    }


async def fill(database: Database, random: Random, match_store: int = 10) -> None:
    """Write, change and delete rows about many people in a random order."""
    for _ in range(match_store):
        async with database.write() as connection:
            for _ in range(30):
                user = random.choice(PEOPLE) if random.random() < 0.2 else random.choice(OTHERS)
                name = NAME if user in PEOPLE else "x" * random.randrange(3, 30)
                match_id = random.randrange(1 << 30)
                row = match_with_board(MatchId(match_id)) | {"challenger_id": user}
                await connection.execute(insert(matches).values(row))
                seat = {"match_id": match_id, "seat": "O", "user_id": user, "name": name}
                await connection.execute(insert(seats).values(seat))
                player = insert(players).prefix_with("OR IGNORE")
                words = {"zone": "z" * random.randrange(200), "name": name}
                await connection.execute(player.values(user_id=user, preferences=words))
                message = {
                    "target": f"user:{user}",
                    "kind": "private_hand",
                    "payload": {},
                    "status": "waiting",
                }
                queued = insert(outbox).values(
                    match_id=match_id, attempts=0, next_attempt_at=0.0, **message
                )
                await connection.execute(queued)
            some = matches.c.id > random.randrange(1 << 30)
            longer = update(matches).where(some).values(position="p" * random.randrange(300))
            await connection.execute(longer)
            await connection.execute(delete(outbox).where(outbox.c.id % 7 == random.randrange(7)))


async def forget(database: Database) -> None:
    """Delete these people as `bot.features.privacy.service` does."""
    async with database.write() as connection:
        seats_of_them = update(seats).where(seats.c.user_id.in_(PEOPLE))
        await connection.execute(
            seats_of_them.values(user_id=DELETED_USER_ID, name=DELETED_PLAYER.name)
        )
        asked = update(matches).where(matches.c.challenger_id.in_(PEOPLE))
        await connection.execute(asked.values(challenger_id=DELETED_USER_ID))
        targets = [f"user:{user}" for user in PEOPLE]
        await connection.execute(delete(outbox).where(outbox.c.target.in_(targets)))
        await connection.execute(delete(players).where(players.c.user_id.in_(PEOPLE)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", LEAVING)
async def test_deleted_rows_are_purged_everywhere(database: SQLite, seed: int) -> None:
    await fill(database, Random(seed))
    assert traces(database.path)
    await forget(database)
    before = await contents(database)
    assert await database.purge()
    assert not traces(database.path)
    assert await contents(database) == before
    await fill(database, Random(seed + 100), 3)
    with open_read_only(database.path) as connection:
        assert not integrity_error(connection)


@pytest.mark.slow
@pytest.mark.parametrize("seed", LEAVING)
async def test_cached_pages_do_not_bring_deleted_rows_back(database: SQLite, seed: int) -> None:
    await fill(database, Random(seed))
    await forget(database)
    assert await database.purge()
    async with database.write() as connection:  # all pages are written once more
        await connection.execute(update(matches).values(version=1))
        await connection.execute(update(seats).values(seat="D"))
        await connection.execute(update(players).values(preferences={}))
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not traces(database.path)


async def test_rows_are_overwritten_where_they_are_deleted(database: SQLite) -> None:
    async with database.write() as connection:
        assert (await connection.execute(text("PRAGMA secure_delete"))).scalar_one() == 1


@pytest.mark.slow
async def test_purge_waits_for_readers(database: SQLite) -> None:
    await fill(database, Random(1), 3)
    await forget(database)
    async with database.read() as connection:
        await connection.execute(select(seats))
        await fill(database, Random(2), 1)
        assert not await database.purge()
    await forget(database)
    assert await database.purge()
    assert not traces(database.path)


@pytest.mark.slow
async def test_purge_waits_for_writers(database: SQLite) -> None:
    await fill(database, Random(5))
    await forget(database)
    async with database.write():
        purging = asyncio.create_task(database.purge())
        await asyncio.wait({purging}, timeout=0.1)
        assert not purging.done()
    assert await purging
    assert not traces(database.path)
    with open_read_only(database.path) as connection:
        assert not integrity_error(connection)


async def click(database: SQLite) -> None:
    """Write while a person waits for it."""
    IS_URGENT.set(True)
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=1, preferences={}))


async def test_purge_waits_until_players_pause(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "QUIET_SECONDS", 1000.0)
    assert await database.purge()
    await asyncio.create_task(click(database))
    assert not await database.purge()
    monkeypatch.setattr(purge, "QUIET_SECONDS", 0.0)
    assert await database.purge()


async def test_purge_does_not_wait_for_ever(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "QUIET_SECONDS", 1000.0)
    await asyncio.create_task(click(database))
    assert not await database.purge()
    monkeypatch.setattr(purge, "PATIENCE_SECONDS", 0.0)
    assert await database.purge()
    assert database._purge._wanted_since is None, "the patience begins again with the next one"


@pytest.mark.parametrize(("patience", "is_complete"), [(3600.0, False), (0.0, True)])
async def test_click_interrupts_a_purge_that_is_patient(
    database: SQLite, monkeypatch: pytest.MonkeyPatch, patience: float, *, is_complete: bool
) -> None:
    monkeypatch.setattr(purge, "PATIENCE_SECONDS", patience)
    gate = Gate(database, "VACUUM")
    purging = asyncio.create_task(database.purge())
    await until(gate.reached.is_set)
    clicking = asyncio.create_task(click(database))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not purging.done()
    gate.open()
    assert await purging is is_complete
    await clicking


async def test_outbox_does_not_interrupt_a_purge(database: SQLite) -> None:
    gate = Gate(database, "VACUUM")
    purging = asyncio.create_task(database.purge())
    await until(gate.reached.is_set)
    writing = asyncio.create_task(fill(database, Random(1), 1))
    for _ in range(10):
        await asyncio.sleep(0)
    gate.open()
    assert await purging
    await writing


@pytest.mark.parametrize(("left_over", "is_refused"), [(-1, True), (0, False)])
async def test_purge_needs_space_for_two_files_more(
    database: SQLite, monkeypatch: pytest.MonkeyPatch, left_over: int, *, is_refused: bool
) -> None:
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    free = 2 * database.path.stat().st_size + left_over
    monkeypatch.setattr(database._purge, "_free", lambda: free)
    if is_refused:
        with pytest.raises(OperationalError, match="too little free space") as refusal:
            await database.purge()
        assert trouble(refusal.value) is Trouble.FULL
    else:
        assert await database.purge()


async def test_purge_waits_for_other_programs(database: SQLite) -> None:
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not await database.purge()
    assert await database.purge()


async def test_purge_empties_the_log_and_returns_free_pages(database: SQLite) -> None:
    await fill(database, Random(1), 3)
    async with database.write() as connection:
        for table in (seats, outbox, matches, players):
            await connection.execute(delete(table))
    log = database.path.with_name(f"{database.path.name}-wal")
    assert log.stat().st_size
    assert await database.purge()
    assert log.stat().st_size == 0
    async with database.read() as connection:
        assert (await connection.execute(text("PRAGMA freelist_count"))).scalar_one() == 0


async def test_writers_do_not_wait_in_the_thread_after_a_purge(database: SQLite) -> None:
    assert await database.purge()
    async with database.write() as connection:
        assert (await connection.execute(text("PRAGMA busy_timeout"))).scalar_one() == 0


async def test_purge_waits_a_moment_for_readers_of_the_log(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purge, "CHECKPOINT_WAIT_SECONDS", 20 * purge.CHECKPOINT_WAIT_SECONDS)
    gate = Gate(database, "PRAGMA wal_checkpoint")
    async with database.read() as connection:
        await connection.execute(select(seats))
        purging = asyncio.create_task(database.purge())
        await until(gate.reached.is_set)
        gate.open()
        await asyncio.wait({purging}, timeout=0.1)
        assert not purging.done()
    assert await purging


@pytest.mark.slow
async def test_backup_amid_a_purge_is_complete(database: SQLite) -> None:
    await fill(database, Random(LEAVING[0]))
    await forget(database)
    before = await contents(database)
    gate = Gate(database, "VACUUM", amid=1000)
    purging = asyncio.create_task(database.purge())
    await until(gate.reached.is_set)
    backup_path = await asyncio.to_thread(Backups(database.path).make)
    assert not purging.done()
    gate.open()
    assert await purging
    assert not traces(database.path)
    assert not traces(backup_path)
    assert await contents(database) == before
    assert await contents_of_file(backup_path) == before


@pytest.mark.slow
async def test_purge_amid_a_backup_waits_for_it(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(database, Random(LEAVING[0]))
    await forget(database)
    before = await contents(database)
    monkeypatch.setattr(purge, "CHECKPOINT_WAIT_SECONDS", 0.0)
    reached, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        reached.set()
        go_on.wait(HELD_SECONDS)

    @contextmanager
    def open_with_gate(path: Path) -> Iterator[sqlite3.Connection]:
        with open_read_only(path) as connection:
            if path == database.path:
                connection.set_progress_handler(hold, 1000)
            yield connection

    monkeypatch.setattr(backup, "open_read_only", open_with_gate)
    copying = asyncio.create_task(asyncio.to_thread(Backups(database.path).make))
    await until(reached.is_set)
    assert not await database.purge()
    assert await contents(database) == before
    go_on.set()
    backup_path = await copying
    assert await database.purge()
    assert not traces(database.path)
    assert not traces(backup_path)
    assert await contents_of_file(backup_path) == before


async def contents_of_file(path: Path) -> list[list[tuple[object, ...]]]:
    """Return the contents of a backup, which must be undamaged."""
    with open_read_only(path) as connection:
        assert not integrity_error(connection)
    database = SQLite(f"sqlite+aiosqlite:///{path}")
    try:
        return await contents(database)
    finally:
        await database.close()


KILLED_PURGE = """
import asyncio, os, signal, sys
from bot.storage.sqlite import SQLite

path, statement, instructions = sys.argv[1:]
is_begun = False

def kill():
    if is_begun:
        os.kill(os.getpid(), signal.SIGKILL)

def begin(started):
    global is_begun
    is_begun = is_begun or started.startswith(statement)
    if instructions == "0":
        kill()

async def main():
    database = SQLite(f"sqlite+aiosqlite:///{path}")
    async with database._writer.connect() as connection:
        driver = (await connection.get_raw_connection()).driver_connection
        await driver.set_trace_callback(begin)
        if instructions != "0":
            await driver.set_progress_handler(kill, int(instructions))
        await database._purge.run(driver)

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "instructions"),
    [("VACUUM", 1), ("VACUUM", 3000), ("VACUUM", 6000), ("PRAGMA wal_checkpoint", 0)],
)
async def test_purge_of_a_killed_process_is_made_again(
    tmp_path: Path, statement: str, instructions: int
) -> None:
    path = tmp_path / "test.db"
    url = f"sqlite+aiosqlite:///{path}"
    database = SQLite(url)
    async with database.write() as connection:
        await connection.run_sync(METADATA.create_all)
    await fill(database, Random(LEAVING[0]))
    await forget(database)
    before = await contents(database)
    await database.close()
    arguments = path, statement, str(instructions)
    process = subprocess.run([sys.executable, "-c", KILLED_PURGE, *arguments], check=False)
    assert process.returncode == -signal.SIGKILL
    database = SQLite(url)
    assert await contents(database) == before
    assert await database.purge()
    assert await contents(database) == before
    assert not traces(path)
    with open_read_only(path) as connection:
        assert not integrity_error(connection)
    await database.close()
    assert {file.name for file in tmp_path.iterdir()} <= {path.name, f"{path.name}.lock"}
