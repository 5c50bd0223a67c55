"""Profiles: statistics of a player's finished matches, as far as the reader may see them."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import func, select

from bot.domain.ids import COMPUTER_USER_ID, UserId, is_person
from bot.domain.models import Switch
from bot.domain.pools import pool_of
from bot.domain.ratings import Rating
from bot.features.profiles.confidence_intervals import Estimate, mean_of, ratio_of
from bot.features.profiles.match_statistics import (
    DRAWN,
    LOST,
    VERSION,
    WON,
    counts_in_profiles,
    fill,
    fill_analyses,
    matches_of,
)
from bot.services.preferences import PreferenceKey, blocked_by, preferences_of
from bot.storage.connection import Connection, rows_among
from bot.storage.database import Database
from bot.storage.schema import matches, rated_results, seat_figures, seats
from engine import games
from engine.computer.situation import SCALE

MIN_SHOWN_ANALYSES = 3
"""Minimum analysed matches for showing their statistics to others."""

MIN_OPENINGS = 2
"""Minimum matches for an opening to be a favourite."""


class Audience(StrEnum):
    """Who may see a profile, besides its player."""

    NO_ONE = "off"
    MET = "met"
    EVERYONE = "everyone"


class HiddenProfileError(Exception):
    """A profile is not for this reader.

    Attributes:
        audience: who may see it.
    """

    def __init__(self, audience: Audience) -> None:
        super().__init__(audience)
        self.audience = audience


class Score(NamedTuple):
    """Numbers of matches by their results."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @classmethod
    def of(cls, outcomes: Iterable[str]) -> Score:
        """Count outcomes."""
        count = Counter(outcomes)
        return cls(count[WON], count[DRAWN], count[LOST])

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return sum(self)

    @property
    def share(self) -> float:
        """Return the points as part of the most possible ones."""
        return (self.won + self.drawn / 2) / self.matches if self.matches else 0.0


class Opponent(NamedTuple):
    """Another player, and the player's score against them."""

    user_id: UserId
    name: str
    score: Score


class PoolRating(NamedTuple):
    """The rating of a player in a pool, after a number of results."""

    pool: str
    rating: Rating
    results: int


class FavouriteOpening(NamedTuple):
    """A player's most frequent opening in a game; see `engine.game.Game.opening`."""

    game: str
    words: str
    played: int
    matches: int


class GameErrors(NamedTuple):
    """A player's mean loss by decisions in a game, in winning chances.

    Attributes:
        level: the computer level that most of these decisions resemble.
    """

    game: str
    rate: Estimate
    decisions: int
    level: str


@dataclass(frozen=True)
class Profile:
    """The profile of a player.

    Attributes:
        people: score against people, by pool.
        computers: score in matches with the computer, by pool.
        opponents: the people met, the most frequent first; for another reader only the reader.
        opponent_count: number of people met, without those whose data was deleted.
        turns, seconds: number of turns in matches between people, and their time.
        luck: gain from dice and draws in a match, in winning chances; None if not shown.
        errors: decision losses by game; empty if not shown.
        shows_analyses: whether the reader may see luck and errors.
        left_out: number of matches that are not counted yet.
    """

    people: Mapping[str, Score] = field(default_factory=dict)
    computers: Mapping[str, Score] = field(default_factory=dict)
    opponents: Sequence[Opponent] = ()
    opponent_count: int = 0
    turns: int = 0
    seconds: float = 0.0
    luck: Estimate | None = None
    errors: Sequence[GameErrors] = ()
    shows_analyses: bool = True
    ratings: Sequence[PoolRating] = ()
    openings: Sequence[FavouriteOpening] = ()
    left_out: int = 0

    @property
    def matches(self) -> int:
        """Return the number of matches with a result."""
        return sum(score.matches for score in (*self.people.values(), *self.computers.values()))


class Profiles:
    """Reads profiles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, user_id: UserId, reader_id: UserId, *, is_member: bool = False) -> Profile:
        """Return the profile of a player as a reader may see it.

        Args:
            is_member: whether the player is a member of the server where the reader asks.

        Raises:
            HiddenProfileError: the reader may not see it.
        """
        async with self._database.read() as connection:
            preferences = await preferences_of(connection, user_id)
            if user_id != reader_id:
                await _check(connection, preferences, user_id, reader_id, is_member=is_member)
        left_out = await fill(self._database, user_id)
        await fill_analyses(self._database, user_id)
        async with self._database.read() as connection:
            rows = await _rows(connection, user_id)
            rated = await ratings_of(connection, user_id)
        profile = await asyncio.to_thread(profile_of, rows, user_id)
        if user_id != reader_id:
            profile = _for_others(profile, preferences, reader_id)
        return replace(profile, ratings=rated, left_out=left_out)


async def _check(
    connection: Connection,
    preferences: Mapping[str, str],
    user_id: UserId,
    reader_id: UserId,
    *,
    is_member: bool,
) -> None:
    """Check that another reader may see a profile.

    Raises:
        HiddenProfileError: they may not.
    """
    audience = Audience(preferences[PreferenceKey.PROFILE])
    if reader_id in blocked_by(preferences):  # who is blocked learns nothing of it
        raise HiddenProfileError(Audience.NO_ONE)
    if audience == Audience.EVERYONE or (audience == Audience.MET and is_member):
        return
    if audience == Audience.NO_ONE or not await _have_met(connection, user_id, reader_id):
        raise HiddenProfileError(audience)


async def _have_met(connection: Connection, user_id: UserId, other_id: UserId) -> bool:
    """Return whether two users have finished a match with each other."""
    one, other = seats.alias(), seats.alias()
    query = (
        select(matches.c.id)
        .join(one, one.c.match_id == matches.c.id)
        .join(other, other.c.match_id == matches.c.id)
        .where(one.c.user_id == user_id, other.c.user_id == other_id, counts_in_profiles())
    )
    return (await connection.execute(query.limit(1))).first() is not None


async def _rows(connection: Connection, user_id: UserId) -> Sequence[Any]:
    """Return all seats of a user's finished matches, with their figures, the latest last."""
    query = (
        select(
            *(matches.c.game, matches.c.options, seats.c.user_id, seats.c.name),
            seat_figures,
        )
        .join(seats, seats.c.match_id == matches.c.id)
        .join(
            seat_figures,
            (seat_figures.c.match_id == matches.c.id) & (seat_figures.c.seat == seats.c.seat),
        )
        .where(counts_in_profiles(), seat_figures.c.version == VERSION)
        .where(seat_figures.c.outcome != "")
        .order_by(matches.c.id, seats.c.seat)
    )
    ids = await matches_of(connection, user_id)
    return await rows_among(connection, query, matches.c.id, ids)


async def ratings_of(connection: Connection, user_id: UserId) -> tuple[PoolRating, ...]:
    """Return the ratings of a user, by pool."""
    table = rated_results.c
    counted = (
        select(table.pool, func.max(table.number).label("last"), func.count().label("count"))
        .where(table.user_id == user_id)
        .group_by(table.pool)
        .subquery()
    )
    query = (
        select(table.pool, table.mu, table.sigma, counted.c.count)
        .join(counted, (table.pool == counted.c.pool) & (table.number == counted.c.last))
        .where(table.user_id == user_id)
        .order_by(table.pool)
    )
    return tuple(
        PoolRating(pool, Rating(mu, sigma), count)
        for pool, mu, sigma, count in await connection.execute(query)
    )


def profile_of(rows: Iterable[Any], user_id: UserId) -> Profile:
    """Return the profile that follows from the figures of all seats of a user's matches."""
    by_match: dict[int, list[Any]] = defaultdict(list)
    for row in rows:
        by_match[row.match_id].append(row)
    played = [
        (user_seats[0], match_seats)
        for match_seats in by_match.values()
        if len(user_seats := [row for row in match_seats if row.user_id == user_id]) == 1
    ]
    people = [(seat, s) for seat, s in played if all(row.user_id != COMPUTER_USER_ID for row in s)]
    computers = [seat for seat, s in played if any(row.user_id == COMPUTER_USER_ID for row in s)]
    analysed = [seat for seat, _seated in played if seat.luck is not None]
    opponents = _opponents(people, user_id)
    return Profile(
        people=_by_pool([seat for seat, _seated in people]),
        computers=_by_pool(computers, computers=True),
        opponents=opponents,
        opponent_count=len(opponents),
        turns=sum(seat.turns for seat, _seated in people),
        seconds=sum(seat.seconds for seat, _seated in people),
        luck=mean_of([seat.luck / SCALE for seat in analysed]) if analysed else None,
        errors=_errors(analysed),
        openings=_openings([seat for seat, _seated in people]),
    )


def _by_pool(rows: Sequence[Any], *, computers: bool = False) -> dict[str, Score]:
    """Return pool → score, the most frequent pool first."""
    outcomes: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        pool = pool_of(games.get(row.game), row.options, computers=computers)
        outcomes[pool].append(row.outcome)
    scores = {pool: Score.of(results) for pool, results in outcomes.items()}
    return dict(sorted(scores.items(), key=lambda item: (-item[1].matches, item[0])))


def _opponents(
    played: Sequence[tuple[Any, Sequence[Any]]], user_id: UserId
) -> tuple[Opponent, ...]:
    """Return the people met, the most frequent first."""
    outcomes, names = defaultdict[UserId, list[str]](list), dict[UserId, str]()
    for seat, match_seats in played:
        for row in match_seats:
            if is_person(row.user_id) and row.user_id != user_id:
                outcomes[row.user_id].append(_against(seat.outcome, row.outcome))
                names[row.user_id] = row.name
    opponents = [
        Opponent(user_id, names[user_id], Score.of(outcomes[user_id])) for user_id in outcomes
    ]
    return tuple(
        sorted(opponents, key=lambda opponent: (-opponent.score.matches, opponent.user_id))
    )


def _against(outcome: str, other: str) -> str:
    """Return the outcome against one of the other players: in a match of three, both may lose."""
    return outcome if outcome != LOST else LOST if other == WON else DRAWN


def _errors(analysed: Sequence[Any]) -> tuple[GameErrors, ...]:
    """Return decision losses by game."""
    by_game: dict[str, list[Any]] = defaultdict(list)
    for row in analysed:
        if row.decisions:
            by_game[row.game].append(row)
    errors = list[GameErrors]()
    for game, rows in sorted(by_game.items()):
        levels = Counter[str]()
        for row in rows:
            levels[row.level] += row.decisions
        rate = ratio_of([row.loss / SCALE for row in rows], [row.decisions for row in rows])
        level = max(sorted(levels), key=levels.__getitem__)
        errors.append(GameErrors(game, rate, sum(levels.values()), level))
    return tuple(errors)


def _openings(rows: Sequence[Any]) -> tuple[FavouriteOpening, ...]:
    """Return the most frequent opening of each game, if it was played more than once."""
    by_game: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.opening:
            by_game[row.game][row.opening] += 1
    favourites = [
        FavouriteOpening(game, words, count[words], count.total())
        for game, count in sorted(by_game.items())
        if (words := max(sorted(count), key=count.__getitem__))
    ]
    return tuple(favourite for favourite in favourites if favourite.played >= MIN_OPENINGS)


def _for_others(profile: Profile, preferences: Mapping[str, str], reader_id: UserId) -> Profile:
    """Return a profile for another reader: without third persons, and decisions only if shared."""
    met = tuple(opponent for opponent in profile.opponents if opponent.user_id == reader_id)
    shared = preferences[PreferenceKey.ANALYSIS] == Switch.ON
    luck = profile.luck if shared else None
    errors = profile.errors if shared else ()
    return replace(
        profile,
        opponents=met,
        shows_analyses=shared,
        luck=luck if luck and luck.size >= MIN_SHOWN_ANALYSES else None,
        errors=tuple(error for error in errors if error.rate.size >= MIN_SHOWN_ANALYSES),
    )
