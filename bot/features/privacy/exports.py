"""Export of a user's data, in slices, so that others can play meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BindParameter, Select, bindparam, select

from bot.domain.ids import UserId
from bot.domain.outbox import Target
from bot.features.privacy.export_files import ExportedFile, ExportFile
from bot.personal import Personal
from bot.services.rows import MatchRow
from bot.storage.connection import Connection, slices
from bot.storage.database import Database
from bot.storage.schema import (
    absences,
    actions,
    matches,
    outbox,
    plans,
    players,
    posted_messages,
    rated_results,
    seat_figures,
    seats,
    vacations,
)
from engine import games
from engine.game import Action
from render.i18n import N_, _

T = TypeVar("T")

Row = dict[str, Any]

ABOUT = N_("All data that Starpost stores about you. Times are in UTC seconds since 1970.")

OPEN_COLUMNS = tuple(
    column.name
    for column in matches.c
    if column.name not in ("position", "decisions", "seed", "salt")
)
"""Columns of a match in an export: all but its secret position and dice."""

MATCHES_AT_ONCE = 20
"""Number of matches that are read in one transaction."""

_THESE: BindParameter[Sequence[int]] = bindparam("matches", expanding=True)

_MATCHES = select(matches).where(matches.c.id.in_(_THESE)).order_by(matches.c.id)

_LINES = select(actions).where(actions.c.match_id.in_(_THESE)).order_by(actions.c.number)

_SEATS, _FIGURES, _PLANS = (
    select(table).where(table.c.match_id.in_(_THESE)) for table in (seats, seat_figures, plans)
)


class Progress:
    """Progress of an export: the number of matches, and the number that it contains so far."""

    def __init__(self) -> None:
        self.done = self.total = 0


class Exports:
    """Exports all data about a user that this user may know now; one user's at a time.

    A match is read in one snapshot, and its player's view is computed in a thread.
    """

    def __init__(self, database: Database, personal: Sequence[Personal]) -> None:
        self._database = database
        self._personal = personal
        self._thread = ThreadPoolExecutor(1, "exports")
        self._sole = asyncio.Semaphore(1)

    async def files(self, user_id: UserId, progress: Progress) -> AsyncGenerator[ExportedFile]:
        """Yield the files, in which rows are JSON objects."""
        async with self._sole:
            file = ExportFile({"about": _(ABOUT), "user_id": user_id})
            try:
                async for section, rows in self._sections(user_id, progress):
                    if file.is_full:
                        yield await self._in_thread(file.close)
                        file = file.next()
                    await self._in_thread(partial(file.add, section, rows))
                yield await self._in_thread(file.close)
            finally:
                self._thread.submit(file.discard)  # the thread may be writing, if this is cancelled

    async def _sections(
        self, user_id: UserId, progress: Progress
    ) -> AsyncIterator[tuple[str, Sequence[Row]]]:
        """Yield the rows of all sections, a few at a time; at least once of each."""
        queries = _queries(user_id)
        for personal in self._personal:
            queries.update(personal.export(user_id))
        for section, query in queries.items():
            yield section, ()
            if query is None:
                async for rows in self._matches(user_id, progress):
                    yield section, rows
            else:
                async for slice_of_rows in self._slices(query):
                    yield section, [dict(row._mapping) for row in slice_of_rows]  # noqa: SLF001 - public

    async def _slices(self, query: Select[Any]) -> AsyncIterator[Sequence[Any]]:
        """Yield the rows of a query, of one moment."""
        async with self._database.read() as connection:
            async for rows in slices(connection, query):
                yield rows

    async def _matches(self, user_id: UserId, progress: Progress) -> AsyncIterator[Sequence[Row]]:
        """Yield the matches of a user."""
        user_seats = select(seats.c.match_id, seats.c.seat).where(seats.c.user_id == user_id)
        places: list[tuple[int, str]] = []
        async for rows in self._slices(user_seats.order_by(seats.c.match_id)):
            places += [(match_id, seat) for match_id, seat in rows]
        progress.total = len(places)
        for start in range(0, len(places), MATCHES_AT_ONCE):
            async with self._database.read() as connection:
                matches_played = await _played(connection, places[start : start + MATCHES_AT_ONCE])
            for played in matches_played:
                if played.seat["user_id"] == user_id:  # no other player has taken it over meanwhile
                    yield [await self._in_thread(played.exported)]
                progress.done += 1

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


def _queries(user_id: UserId) -> dict[str, Select[Any] | None]:
    """Return the queries for the sections of an export, in order; None for the matches."""
    rated = select(rated_results).where(rated_results.c.user_id == user_id)
    waiting = select(outbox.c.match_id, outbox.c.kind)
    return {
        "settings": select(players).where(players.c.user_id == user_id),
        "absences": select(absences).where(absences.c.user_id == user_id),
        "vacations": select(vacations).where(vacations.c.user_id == user_id),
        "matches": None,
        "boards sent by DM": select(posted_messages).where(posted_messages.c.user_id == user_id),
        "results of rated matches": rated.order_by(rated_results.c.number),
        "messages waiting": waiting.where(outbox.c.target == str(Target(user_id))),
    }


class _Played(NamedTuple):
    """The stored data of a match and one of its players."""

    match: Mapping[str, Any]
    seat: Row
    lines: Sequence[Row]
    figures: Sequence[Row]
    plans: Sequence[Row]

    def exported(self) -> Row:
        """Return the match for its player's export."""
        match: Row = {name: self.match[name] for name in OPEN_COLUMNS}
        if match["challenger_id"] != self.seat["user_id"]:
            match["challenger_id"] = None  # the ID of another player
        row = MatchRow.of(tuple(self.match.values()))
        return match | {
            "seat": self.seat,
            "own part of the salt": _own_salt(row, self.seat["seat"]),
            "actions": _own_actions(row, self.seat["seat"], self.lines),
            "figures": self.figures,
            "plans": self.plans,
        }


async def _played(connection: Connection, places: Sequence[tuple[int, str]]) -> list[_Played]:
    """Return the stored data of matches and one player in each.

    Args:
        places: pairs of a match number and the player's seat.
    """
    these = {"matches": [match_id for match_id, _seat in places]}

    async def rows(query: Select[Any], seat_of: Callable[[Any], str]) -> list[list[Row]]:
        """Return the rows of each place."""
        by_place: dict[tuple[int, str], list[Row]] = {place: [] for place in places}
        for row in await connection.execute(query, these):
            if (place := (row.match_id, seat_of(row))) in by_place:
                by_place[place].append(dict(row._mapping))  # noqa: SLF001 - public
        return list(by_place.values())

    by_id = {row.id: dict(row._mapping) for row in await connection.execute(_MATCHES, these)}  # noqa: SLF001
    columns = (
        await rows(_SEATS, lambda row: row.seat),
        await rows(_LINES, lambda row: row.line.partition(" ")[0]),
        await rows(_FIGURES, lambda row: row.seat),
        await rows(_PLANS, lambda row: row.seat),
    )
    return [
        _Played(by_id[match_id], seat_row, lines, figures, orders)
        for (match_id, _seat), (seat_row,), lines, figures, orders in zip(
            places, *columns, strict=True
        )
    ]


def _own_salt(row: MatchRow, seat: str) -> str:
    """Return a player's part of the salt; empty if unknown."""
    parts = dict(zip(row.seat_order or "", row.salt.split(","), strict=False))
    return parts.get(seat, "")


def _own_actions(match: MatchRow, seat: str, rows: Sequence[Row]) -> list[Row]:
    """Return a seat's choices as its player may see them now: some games hide them again.

    The lines are left out under earlier rules, because the values that those hide are unknown.
    """
    if match.position is None:
        return []
    if match.is_outdated:
        return [{name: row[name] for name in row if name != "line"} for row in rows]
    lines = tuple(Action.parse(row["line"]) for row in rows)
    seen = games.get(match.game).redact(match.state(), seat, lines)
    return [row | {"line": str(line)} for row, line in zip(rows, seen, strict=True)]
