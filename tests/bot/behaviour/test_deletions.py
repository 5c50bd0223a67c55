"""Deletions: whose data there is, how they are numbered, and when the files are overwritten."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, select, update

from bot.app.registry import personal_data
from bot.features.privacy.service import BEGUN, ERASED_FACT, _has_data, user_id_columns
from bot.personal import SCRUB
from bot.storage.database import upsert
from bot.storage.schema import facts, outbox
from tests.support.matches import BO, MatchFixture
from tests.support.privacy import ADA, busy, known_everywhere, noted_purges, privacy_of

NOT_ADA = ADA + 1


async def test_deletions_are_numbered_on_after_the_list_was_lost(env: MatchFixture) -> None:
    """Else a later backup would not know that a deletion is to be repeated."""
    await busy(env)
    async with env.database.write() as connection:
        await upsert(connection, facts, name=ERASED_FACT, value="7")
    await privacy_of(env).erase(ADA)
    async with env.database.read() as connection:
        fact = select(facts.c.value).where(facts.c.name == ERASED_FACT)
        assert (await connection.execute(fact)).scalar_one() == "8"
        assert (await env.database.erasures.read(connection)).last == 8


async def test_player_is_known_by_each_column_alone(env: MatchFixture) -> None:
    """A deletion of a player who is thought unknown would delete nothing."""
    await known_everywhere(env)
    columns = user_id_columns(personal_data())
    async with env.database.write() as connection:

        async def rename(column: Any, before: int, after: int) -> None:
            statement = update(column.table).where(column == before)
            await connection.execute(statement.values({column: after}))

        for column in columns:
            await rename(column, ADA, NOT_ADA)
        assert await _has_data(connection, columns, ADA), "a message waits for her"
        await connection.execute(delete(outbox))
        assert not await _has_data(connection, columns, ADA)
        for column in columns:
            await rename(column, NOT_ADA, ADA)
            assert await _has_data(connection, columns, ADA), column
            await rename(column, ADA, NOT_ADA)


async def test_another_deletion_that_has_begun_is_remembered(env: MatchFixture) -> None:
    await busy(env)
    names = [f"{BEGUN}{user_id}" for user_id in (ADA, BO)]
    async with env.database.write() as connection:
        for name in names:
            await upsert(connection, facts, name=name, value="")
    await privacy_of(env).erase(ADA)
    async with env.database.read() as connection:
        query = select(facts.c.name).where(facts.c.name.in_(names))
        assert (await connection.execute(query)).scalars().all() == names[1:]


async def test_pause_between_two_tidyings_is_kept(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = noted_purges(env, monkeypatch)
    monkeypatch.setattr(env.database, "purge_pause", 3600.0)
    begin, privacy = env.now, privacy_of(env)
    for seconds in (0, 1800, 3599, 3601):
        env.now = begin + seconds
        async with env.database.write() as connection:
            await upsert(connection, facts, name=SCRUB, value="due")
        await privacy.scrub()
    assert calls == [begin, begin + 3601]
