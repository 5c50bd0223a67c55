"""The audit of ratings in the kill simulations finds each planted fault."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.app.run import open_database
from tests.support.matches import BO, PLAYERS, MatchFixture, terms
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.ratings import wrong_results

PLANTS = {
    "a result of a running match": "UPDATE matches SET status = 'running' WHERE id = 1",
    "a result that is missing": "DELETE FROM rated_results WHERE match_id = 1",
    "a result of one seat": "DELETE FROM rated_results WHERE match_id = 1 AND rank = 0",
    "two results with one number": "UPDATE rated_results SET number = 1",
    "a gap": "UPDATE rated_results SET number = 3 WHERE number = 2",
    "another rating": "UPDATE rated_results SET mu = mu + 1 WHERE match_id = 2",
    "another order": "UPDATE rated_results SET number = 3 - number",
    "a result of a casual match": "UPDATE matches SET rated = 'casual' WHERE id = 1",
    "an early verdict": "UPDATE matches SET rated = 'early' WHERE id = 3",
}
"""What is wrong → how it is planted, with two matches that ended and one that goes on."""


async def played(path: Path) -> FileAuditLog:
    """Return a database with two rated matches that have ended, and one that goes on."""
    log = FileAuditLog(path / "played.db")
    async with open_database(log.url) as database:
        env = MatchFixture(database)
        for number in range(3):
            match_terms = terms("", "warp6", rated=True)
            asked = await env.challenges.challenge(next(env.ids), match_terms, PLAYERS, side="B")
            await env.challenges.accept(next(env.ids), asked.match_id, BO)
            await env.race(asked.match_id)
            if number < 2:
                loser = PLAYERS[number].user_id
                await env.matches.act(next(env.ids), asked.match_id, loser, "resign")
    return log


@pytest.mark.slow
async def test_nothing_is_wrong_with_what_was_played(tmp_path: Path) -> None:
    assert wrong_results(await played(tmp_path)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
async def test_each_planted_fault_is_found(tmp_path: Path, name: str) -> None:
    log = await played(tmp_path)
    with closing(sqlite3.connect(log.path)) as connection, connection:
        connection.execute(PLANTS[name])
    assert wrong_results(log), name
