"""The events of simulated cups, checked and counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sqlalchemy import func, select

from bot.features.cups.rows import CupStatus
from bot.services.match_store import recorded_outcome
from bot.storage.database import Database
from bot.storage.schema import cups, matches
from tools.cups.checks import check
from tools.cups.deeds import DONE, INTERACTIONS
from tools.cups.journal import Journal, answers_in, deeds_in
from tools.cups.simulation import OVER, channel_of
from tools.cups.world import World


async def report(folder: Path, first_seed: int, count: int) -> Counter[str]:
    """Check the cups of these seeds; return the counts of their events.

    Raises:
        AssertionError: something is wrong.
    """
    world = World(folder)
    await world.start()
    try:
        counts = await _journal_counts(world.database, world.journal)
        for seed in range(first_seed, first_seed + count):
            try:
                counts.update(await _cup_counts(world, seed))
            except AssertionError as error:
                raise AssertionError(f"cup of seed {seed}: {error}") from error
        async with world.database.read() as connection:
            query = select(func.count()).select_from(matches)
            counts["matches"] = (await connection.execute(query)).scalar_one()
    finally:
        await world.stop()
    return counts


async def _journal_counts(database: Database, journal: Journal) -> Counter[str]:
    """Check that all effects reported to users are stored; count events."""
    events = journal.events()
    counts = Counter(event for event, _ in events if event not in ("deed", "answer"))
    deeds = {deed.number: deed for deed in deeds_in(events)}
    by_users = {interaction.__name__ for interaction in INTERACTIONS}
    async with database.read() as connection:
        for answer in answers_in(events):
            name = deeds[answer.number].name
            counts[f"{name}: {answer.outcome}"] += 1
            if name in by_users and answer.outcome == DONE:
                outcome = await recorded_outcome(connection, answer.number)
                assert outcome, f"{answer.number} ({name}) was done, but is not stored"
                counts["done for users"] += 1
    return counts


async def _cup_counts(world: World, seed: int) -> Counter[str]:
    """Check the cup of a seed; count what it consists of."""
    query = select(cups.c.id).where(cups.c.channel_id == channel_of(seed))
    async with world.database.read() as connection:
        cup_ids = (await connection.execute(query)).scalars().all()
    assert len(cup_ids) == 1, f"{len(cup_ids)} cups"
    cup = await world.cups.get(cup_ids[0])
    assert cup
    assert cup.row.status in OVER, "not over"
    await check(world.database, cup)
    counts = Counter(pairing.reason or "" for pairing in cup.decided)
    counts.update({"pairings": len(cup.pairings), "players": len(cup.entrants), "cups": 1})
    counts.update({f"{cup.row.format}, {CupStatus(cup.row.status)}": 1})
    return counts
