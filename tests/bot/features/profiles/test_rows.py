"""Which rows of a player's matches count in a profile, and for what."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from sqlalchemy import update

from bot.domain.ids import COMPUTER_USER_ID, DELETED_USER_ID, UserId
from bot.features.profiles.match_statistics import DRAWN, LOST, WON
from bot.features.profiles.service import FavouriteOpening, Score, profile_of, ratings_of
from bot.storage.schema import rated_results
from tests.support.leaderboards import put
from tests.support.matches import ADA, BO, EVE, MatchFixture

POOL = "warp6/2"


def seat(match_id: int, user_id: UserId, outcome: str, **kwargs: Any) -> Any:
    """Return the figures of a seat in a match of Warp 6."""
    row = {"match_id": match_id, "user_id": user_id, "outcome": outcome, "name": f"P{user_id}"}
    row |= {"game": "warp6", "options": {"seats": "2"}, "turns": 3, "seconds": 7.0}
    row |= {"luck": None, "loss": None, "decisions": None, "level": None, "opening": ""}
    return SimpleNamespace(**(row | kwargs))


def match(
    number: int, rival: UserId = BO, outcome: str = WON, other: str = LOST, **kwargs: Any
) -> Any:
    """Return the rows of a match of Ada; `given` are her figures."""
    return [seat(number, ADA, outcome, **kwargs), seat(number, rival, other)]


def test_match_against_oneself_counts_for_nothing() -> None:
    """Both seats became one user's, for example by a restored record."""
    profile = profile_of([*match(1), *match(2, ADA)], ADA)
    assert profile.matches == 1
    assert profile.people == {POOL: Score(1, 0, 0)}


def test_people_and_computers_are_counted_apart() -> None:
    rows = [*match(1), *match(2, COMPUTER_USER_ID), *match(3, DELETED_USER_ID, LOST, WON)]
    profile = profile_of(rows, ADA)
    assert sum(score.matches for score in profile.people.values()) == 2
    assert [score.won for score in profile.computers.values()] == [1]
    assert [opponent.user_id for opponent in profile.opponents] == [BO], "not of a deleted player"
    assert (profile.opponent_count, profile.turns, profile.seconds) == (1, 6, 14.0)


def test_opponents_are_called_as_in_the_latest_match() -> None:
    rows = [*match(1), *match(2, EVE), *match(3, BO, LOST, WON)]
    rows[-1].name = "Bo the Great"
    opponents = profile_of(rows, ADA).opponents
    assert [(opponent.user_id, opponent.name) for opponent in opponents] == [
        (BO, "Bo the Great"),
        (EVE, f"P{EVE}"),
    ]
    assert opponents[0].score == Score(1, 0, 1)


def test_two_who_lose_a_match_of_three_draw_with_each_other() -> None:
    rows = [seat(1, ADA, LOST), seat(1, BO, LOST), seat(1, EVE, WON)]
    scores = {opponent.user_id: opponent.score for opponent in profile_of(rows, ADA).opponents}
    assert scores == {BO: Score(0, 1, 0), EVE: Score(0, 0, 1)}
    assert {
        opponent.score
        for opponent in profile_of(match(2, outcome=DRAWN, other=DRAWN), ADA).opponents
    } == {Score(0, 1, 0)}


def test_match_without_decisions_says_nothing_about_errors() -> None:
    analysed: dict[str, Any] = {"luck": 0, "loss": 0, "level": "cadet"}
    profile = profile_of(match(1, decisions=0, **analysed), ADA)
    assert profile.luck
    assert profile.errors == ()
    rows = [*match(1, decisions=9, **analysed)]
    for number in (2, 3):
        rows += match(number, decisions=2, **(analysed | {"level": "admiral"}))
    (errors,) = profile_of(rows, ADA).errors
    assert (errors.decisions, errors.level) == (13, "cadet"), "that of most decisions"


def test_match_without_an_opening_is_no_favourite() -> None:
    rows = [row for number in (1, 2, 3) for row in match(number)]
    assert profile_of(rows, ADA).openings == ()
    for number in (4, 5):
        rows += match(number, opening="left")
    assert profile_of(rows, ADA).openings == (FavouriteOpening("warp6", "left", 2, 2),)


async def test_ratings_are_the_latest_of_each_pool(env: MatchFixture) -> None:
    """Results are numbered in each pool, so a number is no result by itself."""
    for number, (pool, mu) in enumerate(
        [(POOL, 1500.0), (POOL, 1600.0), ("warp6/3", 1700.0)], start=101
    ):
        await put(env.database, number, mu, pool=pool, listed=0, number=number)
    async with env.database.write() as connection:
        for match_id, number in ((101, 1), (102, 2), (103, 1)):
            statement = update(rated_results).where(rated_results.c.match_id == match_id)
            await connection.execute(statement.values(user_id=ADA, number=number))
    await put(env.database, BO, 900.0, listed=0, number=9)
    async with env.database.read() as connection:
        ratings = await ratings_of(connection, ADA)
    assert [(rating.pool, rating.rating.mu, rating.results) for rating in ratings] == [
        (POOL, 1600.0, 2),
        ("warp6/3", 1700.0, 1),
    ]
