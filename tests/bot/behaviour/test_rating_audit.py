"""The audit of ratings in the kill simulations finds each planted fault."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app.run import open_database
from tests.support.matches import BO, PLAYERS, MatchFixture, terms
from tests.verification.kills import ratings
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.ratings import RatingAudit, wrong_results
from tests.verification.kills.report import Report

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
"""Fault → how it is planted, with two finished matches and one in progress."""


async def played(path: Path) -> FileAuditLog:
    """Return a database with two rated matches that have ended, and one that goes on."""
    log = FileAuditLog(path / "played.db")
    async with open_database(log.url) as database:
        env = MatchFixture(database)
        for number in range(3):
            match_terms = terms("", "warp6", rated=True)
            outcome = await env.challenges.challenge(next(env.ids), match_terms, PLAYERS, side="B")
            await env.challenges.accept(next(env.ids), outcome.match_id, BO)
            await env.race(outcome.match_id)
            if number < 2:
                loser = PLAYERS[number].user_id
                await env.matches.act(next(env.ids), outcome.match_id, loser, "resign")
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


STORED = """
CREATE TABLE matches (id, status, parent_id);
CREATE TABLE rated_results (match_id);
INSERT INTO matches VALUES (1, 'finished', NULL), (2, 'running', NULL), (3, 'closed', 1),
    (4, 'closed', 2), (5, 'closed', NULL);
INSERT INTO rated_results VALUES (1);
"""
"""Match 1 has a result, and 3 is the closed challenge to the next one of its series."""


@pytest.mark.parametrize(
    ("marks", "is_wrong"),
    [
        ({"text:1:5", "**Ratings in Warp 6 for 2:** Ada 1088"}, False),
        ({"text:2:5", "Wertungen in Warp 6"}, True),
        ({"text:2:5", "Your series with Bo goes on"}, False),
        ({"**Warp 6** #3: the challenge expired.\nRatings in Warp 6 for 2: Ada 1088"}, False),
        ({"**Warp 6** #4: the challenge expired.\nRatings in Warp 6 for 2: Ada 1088"}, True),
        ({"**Warp 6** #5: the challenge expired.\nRatings in Warp 6 for 2: Ada 1088"}, True),
        ({"text:2:5", "**Warp 6** #3: it was withdrawn. Ratings in Warp 6 for 2: Ada"}, True),
    ],
)
def test_ratings_are_told_by_what_is_over(
    monkeypatch: pytest.MonkeyPatch, marks: set[str], is_wrong: bool
) -> None:
    def results(_: object) -> list[str]:
        return []

    monkeypatch.setattr(ratings, "wrong_results", results)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(STORED)
        log = SimpleNamespace(rows=lambda query: connection.execute(query).fetchall())
        fake = SimpleNamespace(posted=[SimpleNamespace(marks=frozenset(marks))])
        simulation: Any = SimpleNamespace(report=Report(), audit_log=log, fake=fake)
        RatingAudit(simulation).compare()
    assert simulation.report.wrong_ratings == is_wrong
