"""An installation moves from one database to the other and back, whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select, update

from bot.app.run import open_database
from bot.domain.ids import MatchId, UserId
from bot.services.queries import Queries
from bot.storage import copy as copying
from bot.storage.copy import copy
from bot.storage.file_lock import DatabaseError, InUseError
from bot.storage.schema import METADATA, facts, matches
from tests.support.databases import change, count, fill_at
from tests.support.matches import ADA, BO, MatchFixture
from tests.support.postgres import Outside, Server
from tests.support.privacy import privacy_of

pytestmark = pytest.mark.slow


@pytest.fixture
async def file(template: Path, tmp_path: Path) -> str:
    """A database file with matches in it, one of them over."""
    path = shutil.copyfile(template, tmp_path / "starpost.db")
    url = f"sqlite+aiosqlite:///{path}"
    await fill_at(url)
    async with open_database(url) as database:
        env, random = MatchFixture(database, 100), Random(1)
        for _ in range(3):
            match_id = await env.begin()
            for number in range(1000 * match_id, 1000 * match_id + 10):
                user = await env.on_turn(match_id)
                action = random.choice((await env.queries.view(match_id, user)).view.legal)
                await env.matches.act(number, match_id, user, " ".join((action.verb, *action.args)))
        await env.matches.act(99, match_id, ADA, "resign")
    return url


@pytest.fixture
def server(postgres: Server) -> Iterator[str]:
    with postgres.database("template0") as url:
        yield url


async def contents(url: str) -> dict[str, list[tuple[object, ...]]]:
    async with open_database(url) as database, database.read() as connection:
        return {
            table.name: [
                tuple(row)
                for row in await connection.execute(select(table).order_by(*table.primary_key))
            ]
            for table in METADATA.sorted_tables
        }


async def test_an_installation_moves_to_a_server_and_back(
    file: str, server: str, tmp_path: Path
) -> None:
    there = await copy(file, server)
    assert {copied.table for copied in there} == set(METADATA.tables) - {"erasures"}
    assert next(copied.rows for copied in there if copied.table == "matches") == 4
    assert await contents(server) == await contents(file)
    back = f"sqlite+aiosqlite:///{tmp_path / 'back.db'}"
    assert await copy(server, back) == there
    assert await contents(back) == await contents(file)


async def deleted(url: str) -> list[UserId]:
    """The players whom the list of deletions has, and whom a restored backup may bring back."""
    async with open_database(url) as database, database.read() as connection:
        return (await database.erasures.read(connection)).among([ADA, BO], 0)


async def test_the_list_of_deletions_goes_along(file: str, server: str, tmp_path: Path) -> None:
    async with open_database(file) as database:
        await privacy_of(MatchFixture(database, 5000)).erase(ADA)
    await copy(file, server)
    assert await deleted(server) == [ADA]
    back = f"sqlite+aiosqlite:///{tmp_path / 'back.db'}"
    await copy(server, back)
    assert await deleted(back) == [ADA]
    async with open_database(server) as database:
        await privacy_of(MatchFixture(database, 6000)).erase(BO)
    (tmp_path / "back.db").unlink()
    (tmp_path / "back.db.lock").unlink()
    await copy(server, back)  # beside the list of an earlier attempt
    assert await deleted(back) == [ADA, BO]


async def test_list_of_deletions_of_another_installation_is_kept(
    file: str, server: str, tmp_path: Path
) -> None:
    other = tmp_path / "back.db.erased"
    other.write_text(f"0 {'1' * 64}\n")
    with pytest.raises(DatabaseError, match="list of deletions of another"):
        await copy(file, f"sqlite+aiosqlite:///{tmp_path / 'back.db'}")
    assert other.read_text() == f"0 {'1' * 64}\n"


async def test_new_rows_are_numbered_on_after_a_copy(file: str, server: str) -> None:
    await copy(file, server)
    async with open_database(server) as database:
        env = MatchFixture(database, 5000)
        assert await env.begin() == 5
        assert (await Queries(database).match(MatchId(5))).status == "running"


async def test_what_is_in_a_target_stays(file: str, server: str) -> None:
    await fill_at(server)
    before = await contents(server)
    with pytest.raises(DatabaseError, match="is not empty"):
        await copy(file, server)
    assert await contents(server) == before


async def test_a_copy_that_does_not_arrive_as_it_was_leaves_nothing(
    file: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = copying._summarise

    async def damaged(connection: object, table: object) -> object:
        await connection.execute(update(matches).values(salt="another"))  # type: ignore[attr-defined]
        return await survey(connection, table)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_summarise", damaged)
    with pytest.raises(DatabaseError, match="matches differs after copying"):
        await copy(file, server)
    with Outside(server) as outside:
        assert outside.rows("SELECT count(*) FROM matches") == [(0,)]


async def test_nothing_is_copied_under_a_running_bot(
    file: str, server: str, tmp_path: Path
) -> None:
    async with open_database(file):
        with pytest.raises(InUseError):
            await copy(file, server)
    await copy(file, server)
    with Outside(server) as outside:
        outside.execute("INSERT INTO facts VALUES ('heartbeat:2:1', extract(epoch FROM now()))")
    with pytest.raises(InUseError, match="stop it"):
        await copy(server, f"sqlite+aiosqlite:///{tmp_path / 'back.db'}")


async def test_an_older_database_is_not_copied(file: str, server: str, tmp_path: Path) -> None:
    change(tmp_path / "starpost.db", "UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(DatabaseError, match="another version"):
        await copy(file, server)


async def test_a_database_is_not_copied_onto_itself(file: str, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="the same"):
        await copy(file, file)
    assert count(tmp_path / "starpost.db", "matches") == 4


async def test_the_last_look_at_the_clock_goes_along(file: str, server: str) -> None:
    async with open_database(file) as database, database.write() as connection:
        await connection.execute(facts.insert().values(name="heartbeat:1:0", value="1000.0"))
    await copy(file, server)
    with Outside(server) as outside:
        assert outside.rows("SELECT value FROM facts WHERE name LIKE 'heartbeat%'") == [("1000.0",)]
