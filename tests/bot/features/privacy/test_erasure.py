"""Deleted users stay deleted: after a DM, after a restored backup, and in the rows that remain."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import discord
import pytest
from sqlalchemy import delete, insert, select, update

from bot.app.run import open_database
from bot.domain.ids import UserId
from bot.domain.outbox import OutboxKind, Target
from bot.features.privacy.service import Privacy
from bot.outbox.transport import Transport
from bot.outbox.worker import OutboxWorker
from bot.storage.backup import REPLACED_KEPT_SECONDS, TIME_FORMAT, copy, drop_replaced, restore
from bot.storage.database import Database
from bot.storage.erasure_list import ErasureFile
from bot.storage.schema import erasures, facts, players, rank_grants
from bot.storage.sqlite import SQLite
from render.cards import card
from tests.support.harness import Stage
from tests.support.matches import BO, MatchFixture, terms
from tests.support.privacy import (
    ADA,
    PLAYERS,
    busy,
    known_everywhere,
    privacy_of,
    tables_with,
    traces,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "starpost.db"


def at(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def listed(database: Database) -> list[tuple[int, str]]:
    """Return the entries of the list."""
    if isinstance(database, SQLite):
        text = ErasureFile(database.path).path.read_text()
        return [(int(a), b) for a, b in re.findall(r"(\d+) (\w+)", text)]
    async with database.read() as connection:
        return [tuple(row) for row in await connection.execute(select(erasures))]


@pytest.mark.slow
async def test_dm_in_the_air_does_not_bring_the_player_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    await stage.env.settle()
    sent = Transport.post
    erased: list[int] = []

    async def send(self: Transport, channel: discord.abc.Messageable, *rest: object) -> object:
        message = await sent(self, channel, *rest)  # type: ignore[arg-type]
        if isinstance(channel, discord.DMChannel) and channel.recipient:
            erased.append(channel.recipient.id)
            await stage.client.context.of(Privacy).erase(UserId(channel.recipient.id))
        return message

    monkeypatch.setattr(Transport, "post", send)
    async with stage.database.write() as connection:
        row = await stage.client.context.queries.match(match_id)
        payload = {"action_count": 0, "version": row.version}
        hand, target = OutboxKind.PRIVATE_HAND, Target(stage.ada.id)
        await stage.client.context.matches._match_store.queue(
            connection, match_id, hand, payload, target
        )
    await stage.client.runtime.outbox.flush()
    assert erased == [stage.ada.id]
    async with stage.database.read() as connection:
        query = select(players.c.user_id).where(players.c.user_id == stage.ada.id)
        assert (await connection.execute(query)).first() is None


@pytest.mark.slow
async def test_restored_backup_brings_no_deleted_player_back(path: Path) -> None:
    async with open_database(at(path)) as database:
        env = MatchFixture(database)
        await busy(env)
        copy(path, path.with_name("before.db"))
        await privacy_of(env).erase(ADA)
        copy(path, path.with_name("after.db"))
    restore(path.with_name("before.db"), path)
    async with open_database(at(path)) as database:
        assert await traces(database, ADA)
        privacy = privacy_of(MatchFixture(database))
        assert await privacy.erase_again() == 1
        await privacy.scrub()
        assert not await traces(database, ADA)
        assert await MatchFixture(database).queries.list_for(BO, "finished")
        assert await privacy.erase_again() == 0


@pytest.mark.slow
async def test_player_who_came_back_is_not_deleted_by_a_later_backup(path: Path) -> None:
    async with open_database(at(path)) as database:
        env = MatchFixture(database)
        await busy(env)
        await privacy_of(env).erase(ADA)
        await env.challenges.challenge(77, terms(), PLAYERS, side="O")
        copy(path, path.with_name("later.db"))
    restore(path.with_name("later.db"), path)
    async with open_database(at(path)) as database:
        assert await privacy_of(MatchFixture(database)).erase_again() == 0
        assert await MatchFixture(database).queries.list_for(ADA, "challenge")


async def test_deletions_are_repeated_on_both_storages(env: MatchFixture) -> None:
    await busy(env)
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    async with env.database.write() as connection:  # as in the backup of a moment before
        await connection.execute(insert(players).values(user_id=ADA, preferences={}))
        await connection.execute(insert(players).values(user_id=BO, preferences={}))
        await connection.execute(delete(facts).where(facts.c.name == "erased"))
    assert await privacy.erase_again() == 1
    async with env.database.read() as connection:
        assert (await connection.execute(select(players.c.user_id))).scalars().all() == [BO]


async def test_a_deletion_is_repeated_once(
    env: MatchFixture, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.features.privacy.service")
    match_id = await known_everywhere(env)
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    async with env.database.write() as connection:  # as in a backup of a moment before
        await connection.execute(delete(rank_grants))
        hand = OutboxKind.PRIVATE_HAND
        await env.match_store.queue(connection, match_id, hand, {}, Target(ADA))
        await connection.execute(delete(facts).where(facts.c.name == "erased"))
    assert await privacy.erase_again() == 1, "there was a message to Ada"
    assert not await tables_with(env, ADA)
    assert caplog.messages == ["deleted the data of 1 users again after a restore"]
    await env.challenges.challenge(next(env.ids), terms(), PLAYERS)
    assert await privacy.erase_again() == 0, "Ada has come back since"
    assert await env.queries.list_for(ADA, "challenge")


async def test_who_comes_back_after_a_deletion_stays(env: MatchFixture) -> None:
    await busy(env)
    privacy = privacy_of(env)
    await privacy.erase(ADA)
    await env.challenges.challenge(next(env.ids), terms(), PLAYERS)
    assert await privacy.erase_again() == 0
    assert await env.queries.list_for(ADA, "challenge")


async def test_list_of_deletions_holds_keyed_hashes_only(env: MatchFixture) -> None:
    await busy(env)
    await privacy_of(env).erase(ADA)
    await privacy_of(env).erase(BO)
    entries = await listed(env.database)
    assert [number for number, _ in entries] == [0, 1, 2]
    assert len({digest for _, digest in entries}) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for _, digest in entries)
    if isinstance(env.database, SQLite):
        assert ErasureFile(env.database.path).path.stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
async def test_line_cut_off_in_the_list_harms_no_other(path: Path) -> None:
    async with open_database(at(path)) as database:
        env = MatchFixture(database)
        await busy(env)
        await privacy_of(env).erase(ADA)
        with ErasureFile(path).path.open("a") as file:
            file.write("2 abc")
        await privacy_of(env).erase(BO)
        async with database.read() as connection:
            erasures = await ErasureFile(path).read(connection)
    assert erasures.last == 2
    assert erasures.among([ADA, BO], 0) == [ADA, BO]
    assert erasures.among([ADA, BO], 1) == [BO]


@pytest.mark.slow
async def test_bot_repeats_deletions_before_it_sends_anything(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.begin()
    await stage.client.context.of(Privacy).erase(stage.ada.id)
    async with stage.database.write() as connection:
        await connection.execute(insert(players).values(user_id=stage.ada.id, preferences={}))
        back = update(facts).where(facts.c.name == "erased")
        await connection.execute(back.values(value="0"))
    order: list[str] = []
    for kind, name in ((Privacy, "erase_again"), (OutboxWorker, "resume")):
        kept = getattr(kind, name)

        async def noted(self: object, kept: object = kept, name: str = name) -> object:
            order.append(name)
            return await kept(self)  # type: ignore[operator]

        monkeypatch.setattr(kind, name, noted)
    await stage.restart()
    assert order == ["erase_again", "resume"]
    async with stage.database.read() as connection:
        query = select(players.c.user_id).where(players.c.user_id == stage.ada.id)
        assert (await connection.execute(query)).first() is None


@pytest.mark.slow
async def test_names_leave_memory_with_a_deletion(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    await stage.env.settle()
    assert card.cache_info().currsize
    queries = stage.client.context.queries
    await queries.last_turn(match_id, stage.ada.id)
    assert queries._positions._positions
    panel = await stage.ada.slash(stage.channel, "privacy")
    question = await stage.click(stage.ada, panel.response, "erase:ask")
    cleared: list[str] = []
    clearers = [partial(cleared.append, "animations")]
    monkeypatch.setitem(vars(stage.client.context), "cache_clearers", clearers)
    before = card.cache_info().misses
    await stage.click(stage.ada, question.response, "erase:yes")
    assert cleared == ["animations"]
    assert card.cache_info().misses < before
    assert not await queries._positions.run_in_thread(lambda: [*queries._positions._positions])


def test_replaced_databases_are_deleted_after_a_month(path: Path) -> None:
    now = 1_800_000_000.0

    def name(age: float, end: str = "") -> str:
        stamp = datetime.fromtimestamp(now - age, UTC).strftime(TIME_FORMAT)
        return f"starpost.db.replaced-{stamp}{end}"

    old = [name(REPLACED_KEPT_SECONDS + 1, end) for end in ("", "-wal", "-shm")]
    young = [
        name(REPLACED_KEPT_SECONDS - 1),
        name(-60),
        "starpost.db",
        "starpost.db.replaced-by-hand",
    ]
    for file_name in (*old, *young):
        path.with_name(file_name).write_bytes(b"x")
    drop_replaced(path, lambda: now)
    assert sorted(file.name for file in path.parent.iterdir()) == sorted(young)
