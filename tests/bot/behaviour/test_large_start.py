"""A start with many matches: everything goes on at once."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from bot.app.run import open_database
from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxMessage, PostedKind, SentCopy, SentMessage
from bot.outbox.worker import OutboxWorker
from tests.support.fake_discord import FakeDiscord, until
from tests.support.matches import MatchFixture
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.kills import Kills

MATCHES, LAPSED = 10_000, 100


@dataclass
class Start:
    """Seconds from the start of the process until something was so.

    Attributes:
        first_board: a board that was still to be sent stands on Discord.
        click: a click, made as soon as the bot was connected, is answered.
        lapsed: all overdue timers have fired.
        hundred_boards: so many of the boards that were still to be sent stand on Discord.
    """

    connected: float = 0.0
    first_board: float = 0.0
    click: float = 0.0
    lapsed: float = 0.0
    hundred_boards: float = 0.0


async def crowd(path: Path, matches: int) -> None:
    """Make a database with so many running matches; a dead process held a board of each."""
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        env = MatchFixture(database)
        await env.begin()
        await OutboxWorker(database, _FakeSender(), lambda: env.now).flush()
    with closing(sqlite3.connect(path)) as connection:
        for table in ("matches", "seats", "actions"):
            _copy(connection, table, matches)
        connection.execute("UPDATE matches SET channel_id = 5000 + id")
        connection.execute(
            """INSERT INTO outbox (match_id, target, kind, payload, status, attempts,
                next_attempt_at, lease_expires_at, first_attempt_at, key, errors)
            SELECT id, 'channel', 'post_board', '{"action_count": 1, "version": 1}', 'waiting', 1,
                1, strftime('%s') + 60, strftime('%s'), hex(randomblob(8)), 0 FROM matches"""
        )
        connection.execute("DELETE FROM timers")
        connection.execute(
            "UPDATE matches SET status = 'challenge', position = NULL WHERE id > ?", (matches,)
        )
        connection.execute(
            "INSERT INTO timers (match_id, seat, kind, version, due_at)"
            " SELECT id, '', 'expire', 0, 1 FROM matches WHERE id > ?",
            (matches,),
        )
        connection.execute("DELETE FROM outbox WHERE match_id > ?", (matches,))
        connection.commit()


def _copy(connection: sqlite3.Connection, table: str, matches: int) -> None:
    """Repeat the rows of the first match for all others."""
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - our own tables
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(
        f"INSERT INTO {table} VALUES ({marks})",  # noqa: S608
        ((number, *row[1:]) for number in range(2, matches + LAPSED + 1) for row in rows),
    )


class _FakeSender:
    async def deliver(self, queued: OutboxMessage) -> SentMessage:
        return SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(5), queued.id)])


@pytest.mark.soak
async def test_10000_matches_go_on_within_5_seconds(
    tmp_path: Path, say: Callable[[object], None]
) -> None:
    path = tmp_path / "start.db"
    simulation = Kills(FileAuditLog(path), Random(1))
    await crowd(path, MATCHES)
    async with simulation.fake.open():
        start = await _start(simulation, simulation.fake)
    say(start)
    assert max(start.connected, start.first_board, start.click, start.lapsed) < 5.0


async def _start(simulation: Kills, fake_discord: FakeDiscord) -> Start:
    """Start the program as a host does, and watch."""
    row = simulation.audit_log.rows("SELECT decisions FROM matches WHERE id = 1")
    seat = row[0][0].split('"')[1]
    ((user,),) = simulation.audit_log.rows(
        "SELECT user_id FROM seats WHERE match_id=1 AND seat=?", seat
    )
    start, begin = Start(), time.perf_counter()

    def now() -> float:
        return round(time.perf_counter() - begin, 2)

    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.verification.kills.worker", str(fake_discord.port)),
        *(simulation.audit_log.url, str(simulation.audit_log.log), "0"),
    )
    await fake_discord.arrival
    start.connected = now()
    click = asyncio.create_task(simulation.do(lambda: simulation.click(user, 5001, "hand:1")))
    click.add_done_callback(lambda _: setattr(start, "click", now()))
    await until(lambda: len(fake_discord.posted) > 0)
    start.first_board = now()
    await click
    query = "SELECT count(*) FROM matches WHERE status = 'closed'"
    await until(lambda: simulation.audit_log.rows(query)[0][0] == LAPSED)
    start.lapsed = now()
    await until(lambda: len(fake_discord.posted) >= 100)
    start.hundred_boards = now()
    process.kill()
    await process.wait()
    return start
