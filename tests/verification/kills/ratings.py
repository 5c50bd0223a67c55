"""Check that ratings follow from the matches of a simulation, and that each counts once."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bot.domain.anchors import anchor_of
from bot.domain.models import MatchStatus, Rated
from bot.domain.ratings import Entrant, Rating, Result, replay

if TYPE_CHECKING:
    from tests.verification.kills.audit_log import AuditLog
    from tests.verification.kills.simulation import Simulation

TOLD = re.compile(r"(Ratings in|Wertungen in) ")
"""Heading of new ratings at the end of a match, in the users' languages."""

COUNTS = """
SELECT id, status, rated, rounds > round, (SELECT count(*) FROM seats WHERE match_id = matches.id),
       (SELECT count(*) FROM rated_results WHERE match_id = matches.id)
FROM matches
"""
"""Each match with the number of its seats and of its results: one query, as the bot may run."""

ABOUT = re.compile(r"text:(\d+):")
"""The custom_id of a board, with the number of its match."""

CHALLENGE = re.compile(r"\*\* #(\d+):")
"""The match's number in the outcome of a challenge."""

OVER = """
SELECT id FROM matches WHERE status = 'finished'
    OR status = 'closed' AND parent_id IN (SELECT match_id FROM rated_results)
"""
"""Matches that may tell new ratings: those that are over, and the one with which a series stops."""


def wrong_results(log: AuditLog) -> list[str]:
    """Return the faults of the stored results; it can be called at any time."""
    problems = list[str]()
    for match, status, rated, goes_on, seats, stored in log.rows(COUNTS):
        over = status == MatchStatus.FINISHED
        if not over and rated not in (Rated.CASUAL, Rated.RATED):
            problems.append(f"match {match} is {status}, but it is said why it does not count")
        expected = seats if over and rated == Rated.RATED else 0
        if stored != expected and not (goes_on and stored == 0):  # a series counts at its end
            problems.append(f"match {match}, {status}, {rated}: {stored} results of {seats} seats")
    return problems + _wrong_ratings(log)


def _wrong_ratings(log: AuditLog) -> list[str]:
    """Return results without a place of their own, and ratings that do not follow from them."""
    query = (
        "SELECT number, match_id, pool, user_id, rank, anchor, mu, sigma FROM rated_results"
        " ORDER BY number, seat"
    )
    by_number = defaultdict[int, list[Any]](list)
    for number, *row in log.rows(query):
        by_number[number].append(row)
    if sorted(by_number) != list(range(1, len(by_number) + 1)):
        return [f"the results have the numbers {sorted(by_number)}"]
    for number, rows in by_number.items():
        if len(rows) < 2 or len({match for match, *_ in rows}) != 1:
            return [f"result {number} is not of one match"]
    results = [
        Result(
            rows[0][1],
            tuple(
                Entrant(user, rank, anchor_of(pool, anchor))
                for _, pool, user, rank, anchor, *_ in rows
            ),
        )
        for rows in by_number.values()
    ]
    return [
        f"match {row[0]}: {row[-2:]}, not {rating}"
        for rows, after in zip(by_number.values(), replay(results), strict=True)
        for row, rating in zip(rows, after, strict=True)
        if Rating(*row[-2:]) != rating
    ]


class RatingAudit:
    """Compares the matches of a simulation with the stored results, and with posted ratings.

    Args:
        simulation: a simulation in progress.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._seen = 0

    def compare(self) -> None:
        """Report current faults; no rating may be posted before the end of its match."""
        report, log = self._simulation.report, self._simulation.audit_log
        new = list(self._simulation.fake.posted[self._seen :])
        self._seen += len(new)
        for problem in wrong_results(log):
            report.blame("wrong_ratings", problem)
        over = {match for (match,) in log.rows(OVER)}
        for post in new:
            text = " ".join(post.marks)
            if TOLD.search(text):
                report.ratings_told += 1
                about = ABOUT.findall(text) or CHALLENGE.findall(text)
                if not set(map(int, about)) & over:
                    report.blame("wrong_ratings", f"told before the end: {text}")
