"""A database of every earlier schema is brought up, and its matches go on."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from alembic.script import ScriptDirectory

from bot.app.run import open_database
from bot.outbox.worker import OutboxWorker
from bot.services.matches import Matches
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.inspection import revisions
from bot.storage.migrate import config
from tests.bot.outbox.test_worker import Post

EARLIER = sorted((Path(__file__).parent / "earlier").glob("*.sql"))


@pytest.mark.parametrize("dump", EARLIER, ids=lambda dump: dump.stem)
async def test_matches_of_an_earlier_schema_go_on(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text("utf-8"))
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        (running,) = await Queries(database).list_for(11, "running")
        (challenge,) = await Queries(database).list_for(11, "challenge")
        matches = Matches(database, lambda: 1_800_000_100.0)
        assert (await matches.accept(1, challenge.id, 22)).kind == "done"
        await _play_on(database, matches, running.id)
        record = await Queries(database).record(running.id)
        seed = bytes.fromhex(record.headers["Seed"])
        assert record.headers["Dice"] == "sha256:" + hashlib.sha256(seed).hexdigest()
        assert record.headers["Dice stored"] == "at an upgrade"
        assert record.verify(running.seal) > 0


async def test_rows_waiting_in_an_earlier_outbox_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(EARLIER[-1].read_text("utf-8"))
        waiting = connection.execute("SELECT kind FROM outbox ORDER BY id").fetchall()
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        post = Post()
        await OutboxWorker(database, post, lambda: 1_800_100_000.0).flush()
        kinds = [(parcel.kind,) for parcel in sorted(post.carried)]
    assert kinds == waiting != []
    assert len({(parcel.nonce(5), parcel.mark) for parcel in post.carried}) == len(waiting)


async def test_rows_deleted_by_an_earlier_version_are_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    name = "Zebedee Q. of the earlier version"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(EARLIER[-1].read_text("utf-8"))
        connection.execute("PRAGMA secure_delete=OFF")
        for user in range(1000, 1100):
            connection.execute("INSERT INTO players VALUES (?, ?)", (user, f'"{name * 10}"'))
        connection.execute("DELETE FROM players WHERE user_id >= 1000")
    assert name.encode() in path.read_bytes()
    async with open_database(f"sqlite+aiosqlite:///{path}"):
        files = [path, path.with_name(f"{path.name}-wal")]
        assert not any(name.encode() in each.read_bytes() for each in files if each.exists())


async def _play_on(database: Database, matches: Matches, match_id: int) -> None:
    """Forty more legal choices, then somebody gives up."""
    tables, random = Queries(database), Random(1)
    for number in range(10, 50):
        match = await tables.match(match_id)
        seat = next(iter(match.decisions))
        user_id = match.players[seat].user_id
        action = random.choice((await tables.view(match_id, user_id)).view.legal)
        line = " ".join((action.verb, *action.args))
        outcome = await matches.act(number, match_id, user_id, line)
        assert outcome.kind == "done"
    assert (await matches.act(99, match_id, 11, "resign")).kind == "done"


async def test_thread_of_an_earlier_match_gets_its_parent(tmp_path: Path) -> None:
    """A thread that the bot has made has the number of the challenge under which it is."""
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(EARLIER[-1].read_text("utf-8"))
        connection.execute("UPDATE matches SET channel_id = 100 WHERE id = 1")
        connection.commit()
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        known = {
            each.id: each for each in await Queries(database).list_for(11, "running", "challenge")
        }
    places = {number: (m.channel_id, m.parent_channel_id) for number, m in known.items()}
    assert places.pop(1) == (100, 8)
    assert set(places.values()) == {(8, None)}
    assert known[1].link == (8, 101)


def test_each_earlier_schema_is_tried() -> None:
    *earlier, _ = revisions()
    assert sorted(dump.stem for dump in EARLIER) == earlier


def test_alembic_knows_the_same_migrations_in_the_same_order() -> None:
    known = ScriptDirectory.from_config(config()).walk_revisions()
    assert [script.revision for script in known] == revisions()[::-1]
