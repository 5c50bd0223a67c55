"""Cups as they are stored: words of earlier versions, the pairings of a new cup, standings."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from bot.features.cups.formats import CupFormat, Pairing, draw_lots
from bot.features.cups.rows import Cup, CupStatus, PairingStatus, add_pairings, store_pairings
from bot.features.cups.standings import PairingReason, PairingResult
from bot.storage.schema import cups
from tests.support.cups import CupFixture
from tests.support.matches import MatchFixture

CUP_STATUSES = ["sign_up", "running", "finished", "cancelled"]
PAIRING_STATUSES = ["waiting", "running", "done"]
REASONS = ["played", "resigned", "time", "agreed", "withdrawn", "lot", "late", "void"]


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def with_values(cup: CupFixture, **values: object) -> Cup:
    """A cup of four players that has not begun, with some values in its row."""
    cup_id = await cup.create(4)
    async with cup.env.database.write() as connection:
        await connection.execute(update(cups).where(cups.c.id == cup_id).values(**values))
    return await cup.get(cup_id)


async def with_pairings(cup: CupFixture, *rounds: list[Pairing]) -> Cup:
    """Return a cup with some pairings that have not begun."""
    created = await cup.get(await cup.create(4))
    async with cup.env.database.write() as connection:
        await add_pairings(connection, created.row, rounds)
    return await cup.get(created.row.id)


def test_stored_words_are_those_of_earlier_versions() -> None:
    assert [str(status) for status in CupStatus] == CUP_STATUSES
    assert [str(status) for status in PairingStatus] == PAIRING_STATUSES
    assert [str(reason) for reason in PairingReason] == REASONS


async def test_the_status_of_a_cup_is_read(cup: CupFixture) -> None:
    for status in CupStatus:
        assert (await with_values(cup, status=status.value)).row.status is status


async def test_a_decided_pairing_keeps_how_it_was_decided(cup: CupFixture) -> None:
    """The other pairing of the cup stays undecided."""
    stored = await with_pairings(cup, [(1, 4), (2, 3)])
    waiting, other = stored.pairings
    decided = replace(
        waiting,
        status=PairingStatus.DONE,
        winners=(4,),
        forfeits=(1,),
        reason=PairingReason.TIME,
    )
    async with cup.env.database.write() as connection:
        await store_pairings(connection, stored, stored.with_pairing(decided))
    read = await cup.get(stored.row.id)
    assert [pairing.result for pairing in read.decided] == [
        PairingResult(1, (1, 4), (4,), PairingReason.TIME, forfeits=(1,))
    ]
    assert read.pairings[1] == other


async def test_pairings_of_a_new_cup_wait_without_byes(cup: CupFixture) -> None:
    """An empty pairing waits for both its players, and a second cup has its own pairings."""
    first = await with_pairings(cup, [(1,), (4, 5), (2,), (3, 6)], [(), ()], [()])
    second = await with_pairings(cup, [(1, 4), (2, 3)], [()])
    places = [
        [(pairing.round, pairing.place, pairing.numbers) for pairing in one.pairings]
        for one in (await cup.get(first.row.id), second)
    ]
    unknown = (None, None)
    assert places == [
        [(1, 1, (4, 5)), (1, 3, (3, 6)), (2, 0, unknown), (2, 1, unknown), (3, 0, unknown)],
        [(1, 0, (1, 4)), (1, 1, (2, 3)), (2, 0, unknown)],
    ]
    for pairing in (*first.pairings, *second.pairings):
        assert pairing.status is PairingStatus.WAITING
        assert pairing.replays == 0, "no match of it was drawn"
        assert (pairing.match_id, pairing.reason, pairing.ended_at) == (None, None, None)


async def test_a_cup_is_ranked_by_its_own_lot_and_format(cup: CupFixture) -> None:
    """Without results, only these two matter."""
    for seed in ("5eed", "0dd5"):
        stored = await with_values(cup, seed=seed)
        lot = draw_lots(seed, [1, 2, 3, 4], "ties")
        assert [(line.number, line.place) for line in stored.standings()] == [
            (number, place) for place, number in enumerate(lot, 1)
        ]
    stored = await with_values(cup, format=CupFormat.KNOCK_OUT)
    assert [line.place for line in stored.standings()] == [1, 1, 1, 1], "all are still in"


async def test_only_a_finished_cup_has_a_winner(cup: CupFixture) -> None:
    for status in CupStatus:
        stored = await with_values(cup, status=status.value)
        leader = stored.standings()[0].number
        assert (stored.winner and stored.winner.number) == (
            leader if status == CupStatus.FINISHED else None
        )
