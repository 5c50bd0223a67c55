"""A finished match's figures for its players' profiles: a cache, filled on demand.

Only finished matches are read here, so nothing in a profile depends on a running one.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, or_, select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus
from bot.services.rated_matches import ranks_of
from bot.services.rows import LoggedAction, MatchRow
from bot.storage.connection import Connection, all_rows, rows_among
from bot.storage.database import Database, upsert_all
from bot.storage.schema import actions, analyses, matches, seat_figures, seats
from engine import games
from engine.computer.analysis import VERSION as ANALYSIS_VERSION
from engine.computer.analysis import Analysis
from engine.endings import ABANDONED, ENDING_VERBS
from engine.game import CHANCE, Action

VERSION = 1
"""Version of the figures: figures of an earlier one are computed again."""

MATCHES_AT_ONCE = 50
"""Number of matches whose figures are computed and stored at once."""

MAX_MATCHES = 300
"""Maximum number of matches that are read for one profile; the next time, there are more."""

MAX_ANALYSES = 50
"""Maximum number of analyses that are read for one profile."""

WON, DRAWN, LOST = "won", "drawn", "lost"


class SeatFigures(NamedTuple):
    """Figures of one seat in a finished match; for the fields see `seat_figures`."""

    seat: str
    outcome: str
    turns: int
    seconds: float
    opening: str


def counts_in_profiles() -> ColumnElement[bool]:
    """Return the condition that a match is shown in the profiles of its players.

    Matches that continue from a position are not, and matches of earlier rules cannot be read.
    """
    current = [
        (matches.c.game == name) & (matches.c.engine_version == games.get(name).version)
        for name in games.names()
    ]
    return (
        (matches.c.status == MatchStatus.FINISHED)
        & (matches.c.lines_taken_over == 0)
        & or_(*current)
    )


async def matches_of(connection: Connection, user_id: UserId) -> list[MatchId]:
    """Return the IDs of all matches with a seat for a user, in order."""
    query = select(seats.c.match_id).where(seats.c.user_id == user_id).distinct()
    return sorted(row.match_id for row in await all_rows(connection, query))


async def fill(database: Database, user_id: UserId) -> int:
    """Compute the figures of a user's finished matches that are not known yet, the latest first.

    Returns:
        The number of matches that are left for the next time.
    """
    is_computed = (
        select(seat_figures.c.match_id)
        .where(seat_figures.c.match_id == matches.c.id, seat_figures.c.version == VERSION)
        .exists()
    )
    query = select(matches.c.id).where(counts_in_profiles(), ~is_computed)
    async with database.read() as connection:
        ids = await matches_of(connection, user_id)
        new = [row.id for row in await rows_among(connection, query, matches.c.id, ids)]
    new.sort(reverse=True)
    for start in range(0, min(len(new), MAX_MATCHES), MATCHES_AT_ONCE):
        await _fill(database, new[start : min(start + MATCHES_AT_ONCE, MAX_MATCHES)])
    return max(0, len(new) - MAX_MATCHES)


async def _fill(database: Database, ids: Sequence[MatchId]) -> None:
    """Compute and store the figures of some matches."""
    lines = select(actions).where(actions.c.undone_at.is_(None))
    lines = lines.order_by(actions.c.match_id, actions.c.number)
    async with database.read() as connection:
        rows = await rows_among(connection, select(matches), matches.c.id, ids)
        log = await rows_among(connection, lines, actions.c.match_id, ids)
    computed = await asyncio.to_thread(
        _computed, [MatchRow.of(row) for row in rows], [LoggedAction(*row) for row in log]
    )
    figures = [
        {"match_id": match_id, "version": VERSION, **seat._asdict()}
        for match_id, figures_of_seats in sorted(computed.items())
        for seat in figures_of_seats
    ]
    async with database.write() as connection:
        await upsert_all(connection, seat_figures, figures)


def _computed(
    rows: Sequence[MatchRow], log: Sequence[LoggedAction]
) -> dict[int, list[SeatFigures]]:
    """Return the figures of matches by their numbers."""
    logs = {number: list(lines) for number, lines in groupby(log, lambda action: action.match_id)}
    return {row.id: list(figures_of(row, logs.get(row.id, []))) for row in rows}


def figures_of(row: MatchRow, log: Sequence[LoggedAction]) -> Iterator[SeatFigures]:
    """Yield the figures of each seat of a finished match.

    Args:
        log: lines of the match in order, without undone ones.
    """
    game, state = games.get(row.game), row.state()
    outcomes = _outcomes(game.result(state), ranks_of(game, state, {}))
    turns, seconds = _times(log)
    for seat in game.seats(row.options):
        seat_actions = [
            action
            for line in log
            if not line.chosen_by and (action := Action.parse(line.line)).actor == seat
        ]
        yield SeatFigures(
            seat,
            outcomes.get(seat, ""),
            turns[seat],
            seconds.get(seat, 0.0),
            game.opening(seat_actions),
        )


def _outcomes(result: str, ranks: Mapping[str, int]) -> dict[str, str]:
    """Return seat → whether it has won; empty if the match has ended without a result."""
    if result == ABANDONED:
        return {}
    best = DRAWN if result.startswith("-") else WON
    return {seat: LOST if rank else best for seat, rank in ranks.items()}


def _times(log: Sequence[LoggedAction]) -> tuple[Counter[str], dict[str, float]]:
    """Return seat → number of its turns, and their seconds.

    A turn is all that a player chooses until another one does; its time begins with the line before
    it. What ends a match is no turn, and neither is a choice of the computer.
    """
    turns, seconds = Counter[str](), dict[str, float]()
    latest, on_turn = None, ""
    for line in log:
        action = Action.parse(line.line)
        if action.verb in ENDING_VERBS:
            continue
        if action.actor != CHANCE and latest is not None and not line.chosen_by:
            turns[action.actor] += action.actor != on_turn
            waited = max(0.0, line.made_at - latest)
            seconds[action.actor] = seconds.get(action.actor, 0.0) + waited
        if action.actor != CHANCE:
            on_turn = action.actor
        latest = line.made_at
    return turns, seconds


# Analyses


async def fill_analyses(database: Database, user_id: UserId) -> None:
    """Add the figures of analyses that have been made since."""
    figures = seat_figures.c
    stale = figures.analysis_version.is_(None) | (figures.analysis_version != ANALYSIS_VERSION)
    is_made = (analyses.c.version == ANALYSIS_VERSION) & (analyses.c.result != "")
    query = (
        select(analyses.c.match_id)
        .join(seat_figures, figures.match_id == analyses.c.match_id)
        .where(is_made, stale)
        .distinct()
    )
    results = select(analyses.c.match_id, analyses.c.result).where(is_made)
    async with database.read() as connection:
        ids = await matches_of(connection, user_id)
        new = [row.match_id for row in await rows_among(connection, query, figures.match_id, ids)]
        new = sorted(new)[:MAX_ANALYSES]
        rows = await rows_among(connection, results, analyses.c.match_id, new)
    if not rows:
        return
    computed = await asyncio.to_thread(lambda: {key: _analysed(text) for key, text in rows})
    async with database.write() as connection:
        for match_id, by_seat in computed.items():
            figures_of_match = update(seat_figures).where(figures.match_id == match_id)
            for seat, values in by_seat.items():
                await connection.execute(
                    figures_of_match.where(figures.seat == seat).values(**values)
                )


def _analysed(text: str) -> dict[str, dict[str, Any]]:
    """Return seat → the figures of a stored analysis."""
    analysis = Analysis.from_json(json.loads(text))
    return {
        seat: {
            "analysis_version": ANALYSIS_VERSION,
            "luck": analysis.parts[number].dice,
            "loss": sum(decision.loss for decision in analysis.of(seat)),
            "decisions": len(analysis.of(seat)),
            "level": analysis.levels[number],
        }
        for number, seat in enumerate(analysis.seats)
    }
