"""Changes of matches in the database."""

from __future__ import annotations

import pytest

from bot.services.transactions import load, update_match
from tests.support.matches import MatchFixture


async def test_a_match_that_has_changed_is_not_overwritten(env: MatchFixture) -> None:
    match_id, other = await env.begin(), await env.begin()
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        await update_match(connection, row, changed_at=1.0)
    with pytest.raises(RuntimeError, match="changed by two"):
        async with env.database.write() as connection:
            await update_match(connection, row, changed_at=2.0)
    async with env.database.write() as connection:
        changed, unchanged = await load(connection, match_id), await load(connection, other)
    assert changed
    assert (changed.version, changed.changed_at) == (row.version + 1, 1.0)
    assert unchanged
    assert unchanged.changed_at == env.now
