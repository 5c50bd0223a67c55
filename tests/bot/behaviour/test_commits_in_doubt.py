"""If the outcome of a commit is unknown, the answer says so."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import event, insert, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from bot.app.run import open_database
from bot.domain.ids import UserId
from bot.domain.outcomes import Outcome
from bot.storage.database import COMMIT_STATE, CommitState, Database
from bot.storage.schema import players
from bot.storage.sqlite import SQLite
from tests.support.harness import Stage, words
from tests.support.postgres import Server

IN_DOUBT = "I don't know whether that was saved; `/board` shows the current position."


class Line:
    """The line to a PostgreSQL server, which breaks when a commit is sent.

    Attributes:
        breaks: whether it does so with the next one.
        arrives: whether that one is still done.
    """

    def __init__(self, port: int) -> None:
        self._port, self.port = port, 0
        self.breaks = False
        self.arrives = False

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry what a program and the server say to each other."""
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        answers = asyncio.create_task(_pass_on(server_reader, writer))
        while data := await reader.read(1 << 16):
            if self.breaks and b"COMMIT\0" in data:
                self.breaks = False
                answers.cancel()
                await asyncio.wait({answers})
                if self.arrives:
                    server_writer.write(data)
                    await server_reader.read(1)
                break
            server_writer.write(data)
        server_writer.close()
        writer.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()


@pytest.fixture
async def line(postgres: Server) -> AsyncIterator[Line]:
    line = Line(postgres.port)
    server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    line.port = server.sockets[0].getsockname()[1]
    async with server:
        yield line


@pytest.fixture
async def database(postgres: Server, line: Line) -> AsyncIterator[Database]:
    with postgres.database() as url:
        async with open_database(url.replace(str(postgres.port), str(line.port))) as database:
            yield database


@pytest.mark.slow
@pytest.mark.parametrize("arrives", [True, False])
async def test_connection_lost_in_a_commit_leaves_the_outcome_unknown(
    stage: Stage, line: Line, monkeypatch: pytest.MonkeyPatch, *, arrives: bool
) -> None:
    match_id = await stage.begin()
    before, actor = await stage.state(match_id), await stage.deciding(match_id)
    act = stage.client.context.matches.act

    async def act_on_a_bad_line(*arguments: Any, **options: Any) -> Outcome:
        line.breaks, line.arrives = True, arrives
        return await act(*arguments, **options)

    monkeypatch.setattr(stage.client.context.matches, "act", act_on_a_bad_line)
    answer = await actor.slash(stage.channel, "do", action="first place")
    assert words(answer.response) == IN_DOUBT
    assert (await stage.state(match_id) != before) == arrives


@pytest.mark.first(test=1)
@pytest.mark.errors_wanted
@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_bug_after_a_commit_does_not_deny_it(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    match_id = await stage.begin()
    before, actor = await stage.state(match_id), await stage.deciding(match_id)
    act = stage.client.context.matches.act

    async def act_with_a_bug(*arguments: Any, **options: Any) -> Outcome:
        if is_stored:
            await act(*arguments, **options)
        raise ZeroDivisionError

    monkeypatch.setattr(stage.client.context.matches, "act", act_with_a_bug)
    answer = await actor.slash(stage.channel, "do", action="first place")
    assert ("nothing has changed" in words(answer.response)) != is_stored
    assert ("`/board` shows the current position" in words(answer.response)) == is_stored
    assert (await stage.state(match_id) != before) == is_stored


async def add(database: Database, user_id: UserId) -> None:
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=user_id, preferences={}))


@pytest.fixture
async def file(tmp_path: Any) -> AsyncIterator[SQLite]:
    async with open_database(f"sqlite+aiosqlite:///{tmp_path / 'doubt.db'}") as database:
        assert isinstance(database, SQLite)
        yield database


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "written"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, CommitState.UNKNOWN),
        (sqlite3.SQLITE_IOERR_WRITE, CommitState.NO),
        (sqlite3.SQLITE_FULL, CommitState.NO),
    ],
)
async def test_only_a_disk_that_cannot_keep_a_commit_leaves_doubt(
    file: SQLite, code: int, written: CommitState
) -> None:
    def fail(_: object) -> None:  # no disk here fails when it is told to
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = code
        raise OperationalError("COMMIT", None, error)

    COMMIT_STATE.set(CommitState.NO)
    event.listen(file._writer.sync_engine, "commit", fail)
    with pytest.raises(OperationalError):
        await add(file, UserId(1))
    assert COMMIT_STATE.get() is written
    event.remove(file._writer.sync_engine, "commit", fail)
    await add(file, UserId(1))
    assert COMMIT_STATE.get() is CommitState.YES


async def test_what_the_server_refuses_is_not_written(database: Database) -> None:
    COMMIT_STATE.set(CommitState.NO)
    await add(database, UserId(7))
    with pytest.raises(IntegrityError):
        await add(database, UserId(7))
    assert COMMIT_STATE.get() is CommitState.YES  # the first commit still counts
    COMMIT_STATE.set(CommitState.NO)
    with pytest.raises(IntegrityError):
        await add(database, UserId(7))
    assert COMMIT_STATE.get() is CommitState.NO


REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'no';
END $$
"""
AT_THE_END = """
CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON players DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse()
"""


async def test_a_commit_that_the_server_refuses_leaves_no_doubt(database: Database) -> None:
    async with database.migration() as connection:
        await connection.execute(text(REFUSE))
        await connection.execute(text(AT_THE_END))
    COMMIT_STATE.set(CommitState.NO)
    with pytest.raises(DBAPIError, match="no"):
        await add(database, UserId(1))
    assert COMMIT_STATE.get() is CommitState.NO
