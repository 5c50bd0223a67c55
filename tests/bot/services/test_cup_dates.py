"""What becomes due in cups, if another process does it at the same time."""

from __future__ import annotations

import pytest
from sqlalchemy import Select, update

from bot.services.cup_rows import CupStatus, PairingStatus
from bot.services.factory import services_on
from bot.services.time_controls import DAY
from bot.storage.schema import matches
from tests.support.cups import CupFixture
from tests.support.matches import MatchFixture


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def test_two_processes_start_a_cup_once(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = await cup.create(3, starts_at=env.now + DAY)
    empty = await cup.create(2, starts_at=env.now + DAY)
    other, find = services_on(env.database, env.clock).cup_dates, cup.dates._found

    async def found(statement: Select[int]) -> list[int]:
        """Find what is due, and let the other process do it first."""
        numbers = await find(statement)
        await other.run()
        return numbers

    monkeypatch.setattr(cup.dates, "_found", found)
    env.now += DAY
    await cup.dates.run()
    started = await cup.get(full)
    assert started.row.status == CupStatus.RUNNING
    assert len(started.entrants) == len(started.pairings) == 3
    assert (await cup.get(empty)).row.status == CupStatus.CANCELLED


async def test_time_in_a_match_of_older_rules_does_not_count(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match_id, _ = await cup.out_of_time()
    env.now += DAY
    async with env.database.write() as connection:
        old = update(matches).where(matches.c.id == match_id)
        await connection.execute(old.values(engine_version=-1))
    await cup.dates.run()
    again = await cup.pairing(cup_id)
    assert (again.status, again.forfeits) == (PairingStatus.RUNNING, ())
    assert again.match_id not in (None, match_id)
