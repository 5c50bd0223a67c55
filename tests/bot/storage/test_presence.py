"""Two processes never serve the same shard of one PostgreSQL, nor count shards differently."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from bot.app.client import Starpost
from bot.app.run import serve
from bot.app.settings import Settings
from bot.shards import Shards
from bot.storage import presence
from bot.storage.file_lock import DatabaseUnavailableError, InUseError
from bot.storage.presence import Presence, present
from tests.support.command import TOKEN
from tests.support.fake_discord import until
from tests.support.pgbouncer import through
from tests.support.postgres import Outside, Server

ONE_OF_TWO, OTHER_OF_TWO = Shards(2, (0,)), Shards(2, (1,))


@pytest.fixture
def direct(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database of its own; other processes are waited for only briefly."""
    monkeypatch.setattr(presence, "WAIT_SECONDS", 0.05)
    monkeypatch.setattr(presence, "POLL_SECONDS", 0.01)
    with postgres.database() as url:
        yield url


@pytest.fixture(params=["direct", "PgBouncer"])
def address(direct: str, request: pytest.FixtureRequest) -> URL:
    """Its address, either the server's own or through a pooler."""
    if request.param == "direct":
        return make_url(direct)
    return make_url(through(direct, request.getfixturevalue("pooler")))


async def test_other_shards_are_welcome(address: URL) -> None:
    async with present(address, ONE_OF_TWO), present(address, OTHER_OF_TWO):
        pass


@pytest.mark.first(test=3)
@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (ONE_OF_TWO, "shard 0 of 2"),
        (Shards(2, (0, 1)), "shard 0 of 2"),
        (Shards(3, (2,)), "SHARD_COUNT=2, not 3"),
        (Shards(), "SHARD_COUNT=2, not 1"),
    ],
)
async def test_conflict_is_refused(address: URL, second: Shards, reason: str) -> None:
    async with present(address, ONE_OF_TWO):
        with pytest.raises(InUseError, match=reason):
            async with present(address, second):
                pass
    async with present(address, second):
        pass


async def test_second_process_with_the_same_shards_does_not_start(
    address: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def log_in(client: Starpost, token: str) -> None:
        raise AssertionError("the second process has started")

    monkeypatch.setattr("bot.app.run._connect_with_retries", log_in)
    url = address.render_as_string(hide_password=False)
    second = Settings(discord_token=TOKEN, database_url=url, shard_count=2, shard_ids="0")
    async with present(address, ONE_OF_TWO):
        with pytest.raises(InUseError, match="shard 0 of 2"):
            await serve(second)


async def test_next_process_waits_for_the_end_of_the_last(
    address: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "WAIT_SECONDS", 30.0)
    first = Presence(address, ONE_OF_TWO)
    assert not await first.take()
    begun = asyncio.Event()

    async def restart() -> None:
        async with present(address, ONE_OF_TWO):
            begun.set()

    task = asyncio.create_task(restart())
    done, _ = await asyncio.wait({task}, timeout=0.1)
    assert not done
    await first.release()
    await task
    assert begun.is_set()


async def test_dead_process_blocks_nothing(
    address: URL, direct: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "WAIT_SECONDS", 30.0)  # the server ends it in its own time
    killed = Presence(address, ONE_OF_TWO)
    assert not await killed.take()
    with Outside(direct) as outside:
        outside.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'starpost shards' AND datname = current_database()"
        )
    async with present(address, ONE_OF_TWO):
        pass
    await killed.release()


async def test_silent_process_loses_its_shards(
    address: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    minute = "SET LOCAL idle_in_transaction_session_timeout = 60000"
    assert minute in presence.BEGIN
    assert presence.SILENCE_SECONDS > 3 * presence.RENEW_SECONDS
    monkeypatch.setattr(presence, "WAIT_SECONDS", 30.0)
    silent = Presence(address, ONE_OF_TWO)
    with monkeypatch.context() as patch:  # the process that follows has its full time
        patch.setattr(presence, "BEGIN", presence.BEGIN.replace("60000", "250"))
        assert not await silent.take()
    async with present(address, ONE_OF_TWO):
        with pytest.raises((OSError, SQLAlchemyError)):
            await silent.take()
        assert "shard 0 of 2" in await silent.take()
    await silent.release()


async def test_lost_connection_is_taken_up_again(
    address: URL, direct: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.01)
    count = (
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    )
    async with present(address, Shards(2, (0, 1))):
        with Outside(direct) as outside:
            assert outside.rows(count) == [(2,)]
            outside.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'starpost shards' AND datname = current_database()"
            )
            await until(lambda: outside.rows(count) == [(2,)])


@pytest.mark.errors_wanted
async def test_process_that_came_meanwhile_is_logged_once(
    address: URL, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(presence, "RENEW_SECONDS", 0.0)
    mine, other = Presence(address, ONE_OF_TWO), Presence(address, ONE_OF_TWO)
    assert not await other.take()
    keeping = asyncio.create_task(mine.keep())
    await until(lambda: "shard 0 of 2" in caplog.text)
    await other.release()
    await until(lambda: mine._connection is not None and mine._held)
    keeping.cancel()
    await asyncio.wait({keeping})
    await mine.release()
    assert caplog.text.count("shard 0 of 2") == 1


async def test_server_that_is_unreachable_is_reported() -> None:
    nowhere = make_url("postgresql+asyncpg://starpost@127.0.0.1:1/none")
    with pytest.raises(DatabaseUnavailableError, match="does not answer"):
        async with present(nowhere, ONE_OF_TWO):
            pass
