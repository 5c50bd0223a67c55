"""Outcomes as they are stored, in case an interaction is delivered again."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from bot.domain.ids import MatchId
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.match_store import recorded_outcome
from bot.storage.schema import interactions
from tests.support.matches import MatchFixture

STORED = {
    "match_id": 0,
    "rule": "",
    "sentence": "",
    "again": False,
    "next_at": 0.0,
    "cup_id": 0,
    "made_at": [],
}
"""An outcome without details, as an earlier version of the bot has stored it."""

KINDS = "done refused stale missing confirm ask asked unknown".split()


@pytest.mark.parametrize("kind", KINDS)
async def test_an_outcome_stored_before_an_update_is_read(env: MatchFixture, kind: str) -> None:
    row = {"id": 7, "result": {"kind": kind} | STORED, "received_at": env.now}
    async with env.database.write() as connection:
        await connection.execute(insert(interactions), [row])
        assert await recorded_outcome(connection, 7) == Outcome(OutcomeKind[kind.upper()])
        assert await recorded_outcome(connection, 8) is None


async def test_an_outcome_that_is_read_again_is_the_same(env: MatchFixture) -> None:
    outcome = Outcome(OutcomeKind.DONE, MatchId(3), rule="W4.2", sentence="Done.", again=True)
    async with env.database.write() as connection:
        await env.match_store.remember(connection, 7, outcome)
        assert await recorded_outcome(connection, 7) == outcome
