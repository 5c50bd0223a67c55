"""Rated matches at their end: whether they count, and the winners."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select, update

from bot.domain.anchors import PLAYERS_VERSION, anchor_of
from bot.domain.clocks import DAY
from bot.domain.ids import COMPUTER_USER_ID, MatchId
from bot.domain.models import Rated
from bot.domain.pools import is_solo, pool_of
from bot.services.events import RatingsChanged
from bot.services.match_repository import (
    actions_of,
    choosers_of,
    seats_of,
    series_totals,
    series_until,
)
from bot.services.match_store import load
from bot.services.rated_results import (
    SeatResult,
    append_result,
    lock_order,
    pair_is_spent,
    timeouts_are_spent,
)
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from bot.storage.schema import matches, seats
from engine import games
from engine.endings import ABANDONED, ENDING_VERBS, is_final
from engine.game import CHANCE, Action, AnyGame

MIN_PLIES = 8
"""Minimum number of the players' choices for a match that was given up to count."""

EARLY_LIMIT, EARLY_SECONDS = 3, 30 * DAY
"""Number of matches against the computer that a player can give up that early in this period
without a loss: with more, a player could choose among starts."""

LEFT = 2
"""The rank of players who have left the match."""

MIN_REMINDERS = 2
"""Minimum number of reminders for a loss on time to count."""


async def record_rated_result(connection: Connection, match_id: MatchId, now: float) -> None:
    """Store the result of a rated match that has just ended, or the reason for not counting it."""
    row = await load(connection, match_id)
    if row is None:
        return
    ended = await _Ended.read(connection, row)
    if row.round < row.rounds and not ended.is_abandoned:
        return  # a series is one result
    ranks = ranks_of(games.get(row.game), row.state(), await series_totals(connection, row))
    if ended.is_abandoned and ended.is_solo:
        winner = next(person.seat for person in ended.people if person.player.is_computer)
        ranks = dict.fromkeys(ranks, LEFT) | {winner: 0}
    await _record_result(connection, ended, ranks, now)


async def record_stopped_series(
    connection: Connection, row: MatchRow, stoppers: Collection[str], now: float
) -> None:
    """Store the result of a rated series that some of its players do not continue: they lose it.

    Args:
        row: the last match that was played.
        stoppers: the seats of these players.
    """
    if row.is_outdated:
        return
    ended, totals = await _Ended.read(connection, row), await series_totals(connection, row)
    best = min((total for seat, total in totals.items() if seat not in stoppers), default=0)
    ranks = {person.seat: int(totals.get(person.seat, best) > best) for person in ended.people}
    await _record_result(connection, ended, ranks | dict.fromkeys(stoppers, LEFT), now)


async def _record_result(
    connection: Connection, ended: _Ended, ranks: Mapping[str, int], now: float
) -> None:
    """Store a result, or the reason that it does not count."""
    await lock_order(connection)
    row, people = ended.row, ended.people
    pool = pool_of(games.get(row.game), row.options, computers=ended.is_solo)
    early_counts = ended.is_solo and await _early_ends_are_spent(connection, ended, now)
    objection = ended.objection(pool, early_counts=early_counts)
    objection = objection or await _limit_reached(connection, ended, now)
    if objection:
        uncounted = update(matches).where(matches.c.id == row.id)
        await connection.execute(uncounted.values(rated=objection))
        return
    results = [
        SeatResult(p.seat, p.user_id, ranks[p.seat], p.seat in ended.late, ended.anchor(p.seat))
        for p in people
    ]
    await append_result(connection, row.id, pool, results, now)
    await publish(connection, RatingsChanged([person.user_id for person in people], now))


def ranks_of(game: AnyGame, state: Any, totals: Mapping[str, int]) -> dict[str, int]:
    """Return seat → rank: winners 0, others 1, and those who have left the match `LEFT`.

    There is no second place: the games know only winners.

    Args:
        state: the last position.
        totals: seat → points in the whole series, the fewest win; empty for a single match.
    """
    if totals:
        best = min(totals.values())
        return {seat: int(total > best) for seat, total in totals.items()}
    view = game.view(state)
    winner = view.result.partition(" ")[0]
    ranks = {seat: 0 if winner in ("-", seat) else 1 for seat in view.seats}
    return ranks | dict.fromkeys(view.departed, LEFT)


class _Ended(NamedTuple):
    """A match that has ended, with the data that decides whether it counts.

    Attributes:
        row: the match, the last one of its series.
        log: the actions of each match of the series, each with the computer player that chose it.
    """

    row: MatchRow
    people: Sequence[SeatRow]
    log: Sequence[Sequence[tuple[Action, str | None]]]

    @classmethod
    async def read(cls, connection: Connection, row: MatchRow) -> _Ended:
        """Read a match, the latest of a series first."""
        log = []
        for match in await series_until(connection, row):
            actions = await actions_of(connection, match.id)
            choosers = await choosers_of(connection, match.id)
            log.append(tuple(zip(actions, choosers, strict=True)))
        return cls(row, await seats_of(connection, row.id), log)

    @property
    def is_solo(self) -> bool:
        """Return whether one person has played against the computer alone."""
        return is_solo([person.player for person in self.people])

    @property
    def is_abandoned(self) -> bool:
        """Return whether the match has ended without a result."""
        return games.get(self.row.game).result(self.row.state()) == ABANDONED

    @property
    def late(self) -> Collection[str]:
        """Return the seats that have lost on time."""
        return {action.actor for action, _ in self.log[0] if action.verb == "flag"}

    def anchor(self, seat: str) -> str | None:
        """Return the only computer player that has chosen for a seat; None for people."""
        return next(iter(self._choosers(seat)), None) or self._intended(seat)

    def _intended(self, seat: str) -> str | None:
        """Return the computer player that would choose for a seat; None for people."""
        levels = {seat.seat: seat.level for seat in self.people if seat.player.is_computer}
        return f"{levels[seat]}/{PLAYERS_VERSION}" if seat in levels else None

    def _choosers(self, seat: str) -> set[str]:
        return {name for log in self.log for action, name in log if name and action.actor == seat}

    def objection(self, pool: str, *, early_counts: bool = False) -> Rated | None:
        """Return the reason that the match does not count, based on its play; None if it counts.

        Args:
            pool: its rating pool.
            early_counts: whether an early end counts as well.
        """
        if self.is_abandoned and not self.is_solo:
            return Rated.ABANDONED
        if any(self._choosers(person.seat) for person in self.people if person.is_person):
            return Rated.STAND_IN
        plies = sum(_plies([action for action, _ in log]) for log in self.log)
        if plies < MIN_PLIES and not early_counts:
            return Rated.EARLY
        if any(
            not self._is_anchor(person, pool) for person in self.people if person.player.is_computer
        ):
            return Rated.FALLBACK
        if any(
            person.seat in self.late and person.reminders < MIN_REMINDERS for person in self.people
        ):
            return Rated.UNREMINDED
        return None

    def _is_anchor(self, seat: SeatRow, pool: str) -> bool:
        """Return whether the computer has chosen for a seat as the same measured level.

        It need not have chosen at all, if the match ended early.
        """
        names = self._choosers(seat.seat) or {self._intended(seat.seat) or ""}
        matching = {name for name in names if name.startswith(f"{seat.level}/")}
        return len(names) == len(matching) == 1 and anchor_of(pool, min(matching)) is not None


async def _early_ends_are_spent(connection: Connection, ended: _Ended, now: float) -> bool:
    """Return whether a person has given up the maximum number of computer matches early."""
    user_id = next(seat.user_id for seat in ended.people if not seat.player.is_computer)
    other = seats.alias()
    with_computer = (other.c.match_id == matches.c.id) & (other.c.user_id == COMPUTER_USER_ID)
    early = (
        select(func.count())
        .select_from(matches)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, select(other.c.seat).where(with_computer).exists())
        .where(matches.c.rated == Rated.EARLY, matches.c.changed_at > now - EARLY_SECONDS)
    )
    return int((await connection.execute(early)).scalar_one()) >= EARLY_LIMIT


async def _limit_reached(connection: Connection, ended: _Ended, now: float) -> Rated | None:
    """Return the limit that the players have reached; None if the result counts.

    Against the computer there is none: it gains nothing from a lost match.
    """
    if ended.is_solo:
        return None
    for person in ended.people:
        if person.seat in ended.late and await timeouts_are_spent(connection, person.user_id, now):
            return Rated.TIMEOUTS
    users = [person.user_id for person in ended.people if person.is_person]
    return Rated.PAIR if await pair_is_spent(connection, users, now) else None


def _plies(log: Sequence[Action]) -> int:
    """Count the players' choices before the first one that gives up or agrees to an end."""
    count = 0
    for action in log:
        if is_final(action):
            break
        count += action.actor != CHANCE and action.verb not in ENDING_VERBS
    return count
