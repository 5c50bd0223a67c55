"""Rated matches at their end: whether they count, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import update

from bot.services.match_rows import (
    actions_of,
    choosers_of,
    people_of,
    series_totals,
    series_until,
)
from bot.services.models import COMPUTER_USER_ID, Rated
from bot.services.pools import pool_of
from bot.services.rated_results import (
    SeatResult,
    append_result,
    lock_order,
    pair_is_spent,
    timeouts_are_spent,
)
from bot.services.stored import StoredMatch, StoredSeat
from bot.services.transactions import load
from bot.storage.connection import Connection
from bot.storage.schema import matches
from engine import games
from engine.endings import ABANDONED, ENDING_VERBS, is_final
from engine.game import CHANCE, Action, AnyGame

MIN_PLIES = 8
"""Number of the players' choices before which a match cannot be given up and still count."""

MIN_REMINDERS = 2
"""Number of reminders without which a loss on time does not count."""


async def settle(connection: Connection, match_id: int, now: float) -> None:
    """Store the result of a rated match that has just ended, or why it does not count."""
    row = await load(connection, match_id)
    if row is None:
        return
    game, state = games.get(row.game), row.state()
    if row.round < row.rounds and game.result(state) != ABANDONED:
        return  # a series is one result
    people, log = await people_of(connection, match_id), await actions_of(connection, match_id)
    late = {action.actor for action in log if action.verb == "flag"}
    await lock_order(connection)
    objection = await _objection(connection, row, people, log) or await _limit_reached(
        connection, people, late, now
    )
    if objection:
        uncounted = update(matches).where(matches.c.id == match_id)
        await connection.execute(uncounted.values(rated=objection))
        return
    ranks = ranks_of(game, state, await series_totals(connection, row))
    seats = [SeatResult(p.seat, p.user_id, ranks[p.seat], p.seat in late) for p in people]
    await append_result(connection, match_id, pool_of(game, row.options), seats, now)


def ranks_of(game: AnyGame, state: Any, totals: Mapping[str, int]) -> dict[str, int]:
    """Return seat → rank: winners 0, others 1, and those who have left the match 2.

    There is no second place: the games know only winners.

    Args:
        game: the game.
        state: the last position.
        totals: seat → points in the whole series, the fewest win; empty for a single match.
    """
    if totals:
        best = min(totals.values())
        return {seat: int(total > best) for seat, total in totals.items()}
    view = game.view(state)
    winner = view.result.partition(" ")[0]
    ranks = {seat: 0 if winner in ("-", seat) else 1 for seat in view.seats}
    return ranks | dict.fromkeys(view.departed, 2)


async def _objection(
    connection: Connection, row: StoredMatch, people: Sequence[StoredSeat], log: Sequence[Action]
) -> Rated | None:
    """Return why a match does not count by how it was played; None if it does."""
    if games.get(row.game).result(row.state()) == ABANDONED:
        return Rated.ABANDONED
    plies, computers = 0, {each.seat for each in people if each.user_id == COMPUTER_USER_ID}
    for each in await series_until(connection, row):
        actions = await actions_of(connection, each.id)
        choosers = await choosers_of(connection, each.id)
        if any(c and a.actor not in computers for a, c in zip(actions, choosers, strict=True)):
            return Rated.STAND_IN
        plies += _plies(actions)
    if plies < MIN_PLIES:
        return Rated.EARLY
    late = [action.actor for action in log if action.verb == "flag"]
    if any(each.seat in late and each.reminders < MIN_REMINDERS for each in people):
        return Rated.UNREMINDED
    return None


async def _limit_reached(
    connection: Connection, people: Sequence[StoredSeat], late: set[str], now: float
) -> Rated | None:
    """Return which limit the players have reached; None if the result counts."""
    for each in people:
        if each.seat in late and await timeouts_are_spent(connection, each.user_id, now):
            return Rated.TIMEOUTS
    users = [each.user_id for each in people if each.is_person]
    return Rated.PAIR if await pair_is_spent(connection, users, now) else None


def _plies(log: Sequence[Action]) -> int:
    """Return how many choices the players made before the first of them gave up or agreed."""
    count = 0
    for action in log:
        if is_final(action):
            break
        count += action.actor != CHANCE and action.verb not in ENDING_VERBS
    return count
