"""A database of every earlier schema is brought up, and its matches go on."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, make_url, select, text, update

from bot.app.run import open_database
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.outbox import PostedKind, SentCopy
from bot.outbox.worker import OutboxWorker
from bot.personal import SCRUB
from bot.services.automatic_moves import PRIVATE_UNTIL_FACT
from bot.services.deliveries import MessageState
from bot.services.factory import services_on
from bot.services.matches import Matches
from bot.services.preferences import PreferenceKey, Preferences
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.factory import connect
from bot.storage.file_lock import DatabaseError
from bot.storage.inspection import revisions
from bot.storage.migrate import config
from bot.storage.schema import actions, facts, matches, outbox, seats
from tests.support.deliveries import posted
from tests.support.matches import ListingQueries
from tests.support.outbox import FakeSender

FOLDER = Path(__file__).parent / "earlier"
EARLIER = sorted(FOLDER.glob("*.sql"))

KINDS = {
    "challenge": "post_challenge",
    "answered": "update_challenge",
    "thread": "start_thread",
    "turn": "post_board",
    "refresh": "edit_board",
    "mend": "ensure_board",
    "plea": "takeback_request",
    "hand": "private_hand",
    "nudge": "turn_dm",
}
"""Kinds of messages by their names up to schema 0005."""


@pytest.mark.slow
@pytest.mark.parametrize("dump", EARLIER, ids=lambda dump: dump.stem)
async def test_matches_of_an_earlier_schema_go_on(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text("utf-8"))
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        (running,) = await ListingQueries(database).list_for(UserId(11), "running")
        (challenge,) = await ListingQueries(database).list_for(UserId(11), "challenge")
        services = services_on(database, lambda: 1_800_000_100.0)
        assert (await services.challenges.accept(1, challenge.id, UserId(22))).kind == "done"
        await _play_on(database, services.matches, running.id)
        record = await Queries(database).record(running.id)
        seed = bytes.fromhex(record.headers["Seed"])
        assert record.headers["Dice"] == "sha256:" + hashlib.sha256(seed).hexdigest()
        assert record.headers["Dice stored"] == "at an upgrade"
        assert record.verify(running.commitment) > 0


@pytest.mark.slow
async def test_waiting_rows_of_an_earlier_schema_are_delivered(url: str) -> None:
    dump = FOLDER / "0005.sql"
    stored = re.findall(r'INSERT INTO "outbox" VALUES\((.*)\);', dump.read_text("utf-8"))
    rows = [next(csv.reader([row], quotechar="'")) for row in stored]
    await _fill(url, dump)
    async with open_database(url) as database:
        sender = FakeSender()
        await OutboxWorker(database, sender, lambda: 1_800_100_000.0).flush()
        async with database.read() as connection:
            (failed,) = (await connection.execute(select(outbox))).all()
    waiting = [row for row in rows if row[5] == "waiting"]
    delivered = sorted(sender.delivered, key=lambda delivery: delivery.id)
    assert [delivery.kind for delivery in delivered] == [KINDS[row[3]] for row in waiting]
    assert [str(delivery.target) for delivery in delivered] == [row[2] for row in waiting]
    reminder = delivered[-1].payload
    assert reminder == {"reminder": 1, "action_count": 14, "version": 16}
    assert [delivery.nonce(ChannelId(5)) for delivery in delivered] == [
        _earlier_nonce(row) for row in waiting
    ]
    assert (failed.kind, failed.status, failed.attempts) == ("private_hand", "failed", 1)


@pytest.mark.slow
@pytest.mark.parametrize("revision", ["0005", "0006"])
async def test_posted_messages_of_an_earlier_schema_are_known(url: str, revision: str) -> None:
    await _fill(url, FOLDER / f"{revision}.sql")
    async with open_database(url) as database:
        assert await posted(database, MatchId(1), PostedKind.CHALLENGE) == MessageState(
            (SentCopy(None, ChannelId(8), 100),)
        )
        assert await posted(database, MatchId(1), PostedKind.BOARD) == MessageState(
            (SentCopy(None, ChannelId(8), 101),), 15
        )
        assert await posted(database, MatchId(2), PostedKind.CHALLENGE) == MessageState(
            (SentCopy(UserId(11), ChannelId(9), 200),)
        )


async def test_ended_matches_of_an_earlier_schema_are_known(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "0015.sql").read_text("utf-8"))
        connection.execute("UPDATE matches SET status = 'closed', changed_at = 7 WHERE id = 2")
        connection.execute("UPDATE matches SET changed_at = 8 WHERE id = 4")
        connection.commit()
    async with open_database(f"sqlite+aiosqlite:///{path}") as database, database.read() as reader:
        query = select(seats.c.match_id, seats.c.ended_at).distinct()
        assert set(await reader.execute(query)) == {(1, None), (2, 7.0), (3, None), (4, 8.0)}


async def test_plans_of_earlier_matches_stay_private(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "0020.sql").read_text("utf-8"))
        (last,) = connection.execute("SELECT max(id) FROM matches").fetchone()
        connection.execute("UPDATE matches SET status = 'finished' WHERE id = 1")
        connection.execute("UPDATE actions SET automatic = 'plan' WHERE match_id = 1")
        connection.commit()
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        queries = Queries(database)
        assert await queries.marks(MatchId(1)) == {}
        fact = facts.c.name == PRIVATE_UNTIL_FACT
        async with database.read() as reader:
            stored = (await reader.execute(select(facts.c.value).where(fact))).scalar()
        assert stored == str(last)
        for until, count in ((1, 0), (0, 14)):
            async with database.write() as writer:
                await writer.execute(update(facts).where(fact).values(value=str(until)))
            assert len(await queries.marks(MatchId(1))) == count


LOG = [
    (1, 901, "O ü > -", 1.5, 7.25, "admiral/1", "plan"),
    (1, 900, "* roll 3", 1_800_000_000.123456, None, None, None),
]
"""Actions with all columns, the later one first."""


def _earlier_log(path: Path) -> list[tuple[object, ...]]:
    """Make a database of schema 0016 whose actions are not in order; return them in order."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "0016.sql").read_text("utf-8"))
        connection.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?, ?)", LOG)
        connection.commit()
        return connection.execute("SELECT * FROM actions ORDER BY match_id, number").fetchall()


async def test_actions_of_an_earlier_schema_are_stored_by_their_key(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    before = _earlier_log(path)
    assert set(LOG) < set(before)
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        async with database.read() as reader:
            assert (await reader.execute(select(actions))).all() == before
            due = select(facts.c.value).where(facts.c.name == SCRUB)
            assert (await reader.execute(due)).scalar_one() == "due", "the file has free pages"
        async with database.write() as writer:
            await writer.execute(delete(matches).where(matches.c.id == 1))
            assert {row.match_id for row in await writer.execute(select(actions))} == {3, 4}
    with closing(sqlite3.connect(path)) as connection:
        tables = "SELECT name, sql FROM sqlite_schema WHERE tbl_name LIKE 'actions%'"
        ((name, sql),) = connection.execute(tables).fetchall()
    assert (name, "WITHOUT ROWID" in sql) == ("actions", True)


async def test_migration_that_fails_at_its_end_leaves_all_actions(tmp_path: Path) -> None:
    path = tmp_path / "starpost.db"
    before = _earlier_log(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TRIGGER fail BEFORE INSERT ON facts WHEN new.name = 'scrub'"
            " BEGIN SELECT raise(ABORT, 'no room'); END"
        )
    with pytest.raises(DatabaseError, match="no room"):
        async with open_database(f"sqlite+aiosqlite:///{path}"):
            pytest.fail("it was opened")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [
            ("0016",)
        ]
        assert connection.execute("SELECT rowid FROM actions").fetchone(), "it is the former table"
        connection.execute("DROP TRIGGER fail")
    (backup,) = (tmp_path / "backups").iterdir()
    backup.unlink()  # the next one may have the same second in its name
    async with open_database(f"sqlite+aiosqlite:///{path}") as database, database.read() as reader:
        assert (await reader.execute(select(actions))).all() == before


@pytest.mark.slow
async def test_facts_and_preferences_of_an_earlier_schema_are_renamed(url: str) -> None:
    preferences = """{"closed": "yes", "turns": "on"}"""
    await _fill(url, FOLDER / "0006.sql", f"INSERT INTO \"players\" VALUES(77,'{preferences}');")
    async with open_database(url) as database:
        stored = await Preferences(database).preferences(UserId(77))
        async with database.read() as connection:
            names = (await connection.execute(select(facts.c.name))).scalars().all()
    assert stored[PreferenceKey.DM_FAILED] == "yes"
    assert stored[PreferenceKey.TURNS] == "on"
    assert "closed" not in stored
    assert "heartbeat:1:0" in names
    assert not any(name.startswith("beat") for name in names)


async def _fill(url: str, dump: Path, *more: str) -> None:
    """Make a database of an earlier schema with the rows of a dump, and more."""
    if url.startswith("sqlite"):  # a file with the tables of this version
        Path(make_url(url).database or "").unlink()
    database = connect(url)
    lines = [*re.findall("(?ms)^INSERT.*?;$", dump.read_text("utf-8")), *more]
    matches_first = sorted(lines, key=lambda line: '"matches"' not in line)
    try:
        async with database.migration() as connection:
            postgres = connection.dialect.name == "postgresql"
            if postgres:  # the tables of this version are there already
                await connection.execute(text("DROP SCHEMA public CASCADE"))
                await connection.execute(text("CREATE SCHEMA public"))
            await connection.run_sync(_migrate, dump.stem)
            for line in matches_first:
                if "alembic_version" not in line:
                    statement = line.replace("X'", r"'\\x") if postgres else line
                    await connection.execute(text(statement.replace(":", r"\:")))
    finally:
        await database.close()


def _migrate(connection: Connection, revision: str) -> None:
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, revision)


def _earlier_nonce(row: list[str]) -> str:
    """Return the nonce as the version made it that has stored this row."""
    number, match_id, _, kind, payload, *_, key, _ = row
    name = f"{number} {match_id} {kind} {json.loads(payload)}" if key == "NULL" else key
    return hashlib.sha256(f"starpost {name} 5".encode()).hexdigest()[:24]


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
        assert not any(name.encode() in file.read_bytes() for file in files if file.exists())


async def _play_on(database: Database, matches: Matches, match_id: MatchId) -> None:
    """Make forty more legal choices, then resign."""
    queries, random = Queries(database), Random(1)
    for number in range(10, 50):
        match = await queries.match(match_id)
        seat = next(iter(match.decisions))
        user_id = match.players[seat].user_id
        action = random.choice((await queries.view(match_id, user_id)).view.legal)
        line = " ".join((action.verb, *action.args))
        outcome = await matches.act(number, match_id, user_id, line)
        assert outcome.kind == "done"
    assert (await matches.act(99, match_id, UserId(11), "resign")).kind == "done"


@pytest.mark.slow
async def test_thread_of_an_earlier_match_gets_its_parent(tmp_path: Path) -> None:
    """A thread that the bot has made has the number of the challenge under which it is."""
    path = tmp_path / "starpost.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FOLDER / "0004.sql").read_text("utf-8"))
        connection.execute("UPDATE matches SET channel_id = 100 WHERE id = 1")
        connection.commit()
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        listed = {
            row.id: row
            for row in await ListingQueries(database).list_for(UserId(11), "running", "challenge")
        }
    places = {number: (m.channel_id, m.parent_channel_id) for number, m in listed.items()}
    assert places.pop(MatchId(1)) == (100, 8)
    assert set(places.values()) == {(8, None)}
    assert listed[MatchId(1)].link == (8, 101)


def test_each_earlier_schema_is_tried() -> None:
    *earlier, _ = revisions()
    assert sorted(dump.stem for dump in EARLIER) == earlier


def test_alembic_knows_the_same_migrations_in_the_same_order() -> None:
    scripts = ScriptDirectory.from_config(config()).walk_revisions()
    assert [script.revision for script in scripts] == revisions()[::-1]
