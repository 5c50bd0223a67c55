"""Automatic changes of cups: dates, players out of time, and missed ends of matches."""

from __future__ import annotations

from sqlalchemy import BindParameter, Column, Float, Select, bindparam, or_, select

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus
from bot.features.cups.formats import MIN_ENTRANTS
from bot.features.cups.matches import TOPIC, CupMatches
from bot.features.cups.rows import CupStatus, PairingStatus, load_cup
from bot.features.cups.seasons import OPENING, open_season, unfinished_before
from bot.features.cups.service import Cups
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore, load
from bot.services.matches import Matches
from bot.storage.due import NOW, finds_any
from bot.storage.schema import cup_pairings, cups, leagues, matches, seats
from engine import games
from engine.game import Action

CLAIM_SECONDS = DAY
"""Seconds from a player running out of time to the loss of a cup match without a claim."""

_CLAIM: BindParameter[float] = bindparam("claim", type_=Float, callable_=lambda: CLAIM_SECONDS)
"""Read when the query runs, so that simulated days may be short."""


_SERVER = cups.c.guild_id


def _past(date: Column[float | None], status: CupStatus) -> Select[int]:
    """Return the cups with this status whose date has passed."""
    return select(cups.c.id).where(cups.c.status == status, date <= NOW)


def _missed() -> Select[int]:
    """Return the matches that cups wait for in vain.

    They ended without a result, or while the feature was left out, or their rules have changed.
    """
    versions = [
        (matches.c.game == name) & (matches.c.engine_version != games.get(name).version)
        for name in games.names()
    ]
    return (
        select(matches.c.id)
        .join(cup_pairings, cup_pairings.c.match_id == matches.c.id)
        .join(cups, cups.c.id == cup_pairings.c.cup_id)
        .where(cups.c.status == CupStatus.RUNNING)
        .where(cup_pairings.c.status == PairingStatus.RUNNING)
        .where(or_(matches.c.status.in_((MatchStatus.CLOSED, MatchStatus.FINISHED)), *versions))
    )


_STARTING = _past(cups.c.starts_at, CupStatus.SIGN_UP)
_ENDING = _past(cups.c.ends_at, CupStatus.RUNNING)
_MISSED = _missed()
_OUT_OF_TIME = (
    select(matches.c.id)
    .distinct()
    .join(cup_pairings, cup_pairings.c.match_id == matches.c.id)
    .join(cups, cups.c.id == cup_pairings.c.cup_id)
    .join(seats, seats.c.match_id == matches.c.id)
    .where(cups.c.status == CupStatus.RUNNING)
    .where(cup_pairings.c.status == PairingStatus.RUNNING)
    .where(matches.c.status == MatchStatus.RUNNING)
    .where(seats.c.seconds_left == 0, seats.c.clock_started_at <= NOW - _CLAIM)
)
"""The cup matches with a player who has been out of time for `CLAIM_SECONDS`."""

CUP_DATES_DUE = finds_any(_STARTING, _OUT_OF_TIME, _MISSED, _ENDING, OPENING)


class CupDates:
    """Processes the due dates of cups.

    Args:
        plays: applies the loss of a player out of time.
    """

    def __init__(
        self, match_store: MatchStore, plays: Matches, cups: Cups, cup_matches: CupMatches
    ) -> None:
        self._database = match_store.database
        self._clock = match_store.clock
        # Times are moved, after an outage, by the process that serves a cup or a match
        serves = match_store.heartbeats.shards.serve
        self._starting = _STARTING.where(serves(_SERVER))
        self._ending = _ENDING.where(serves(_SERVER))
        self._opening = OPENING.where(serves(leagues.c.guild_id))
        self._out_of_time = _OUT_OF_TIME.where(serves(matches.c.guild_id))
        self._match_store = match_store
        self._matches = plays
        self._cups = cups
        self._cup_matches = cup_matches

    async def run(self) -> None:
        """Process all due changes; each has a separate transaction, and can be repeated."""
        for cup_id in await self._due_ids(self._starting):
            await self._start(cup_id)
        for match_id in await self._due_ids(self._out_of_time):
            await self._claim(MatchId(match_id))
        for match_id in await self._due_ids(_MISSED):
            await self._catch_up(MatchId(match_id))
        for cup_id in await self._due_ids(self._ending):
            await self._end(cup_id)
        for league_id in await self._due_ids(self._opening):
            await self._open(league_id)

    async def _due_ids(self, statement: Select[int]) -> list[int]:
        async with self._database.read() as connection:
            return list((await connection.execute(statement, {"now": self._clock()})).scalars())

    async def _start(self, cup_id: int) -> None:
        """Start a cup on its date, or cancel it if it has too few players.

        The season before it ends first.
        """
        for earlier in await self._unfinished_before(cup_id):
            await self._end(earlier)
        async with self._database.write() as connection:
            cup = await load_cup(connection, cup_id, lock=True)
            if cup is None or cup.row.status != CupStatus.SIGN_UP:
                return
            if len(cup.confirmed) < MIN_ENTRANTS:
                await self._cups.close(connection, cup_id)
            else:
                await self._cups.begin(connection, cup)

    async def _unfinished_before(self, cup_id: int) -> list[int]:
        async with self._database.read() as connection:
            cup = await load_cup(connection, cup_id)
            return await unfinished_before(connection, cup.row) if cup else []

    async def _open(self, league_id: int) -> None:
        """Open the sign-up for the next season."""
        async with self._database.write() as connection:
            if await open_season(connection, league_id, self._clock()):
                self._database.notify(TOPIC)

    async def _end(self, cup_id: int) -> None:
        """Decide the remaining pairings of a cup after its last day."""
        async with self._database.write(exclusive=True) as connection:
            cup = await load_cup(connection, cup_id, lock=True)
            if cup and cup.row.status == CupStatus.RUNNING:
                await self._cup_matches.decide_late(connection, cup)

    async def _claim(self, match_id: MatchId) -> None:
        """Apply the loss of the player in a match who has been out of time for longest."""
        async with self._database.write() as connection:
            row = await load(connection, match_id)
            if row is None or row.status != MatchStatus.RUNNING or row.is_outdated:
                return
            before = self._clock() - CLAIM_SECONDS
            clock_starts = {
                player_seat.seat: player_seat.clock_started_at
                for player_seat in await seats_of(connection, match_id)
                if player_seat.seat in row.decisions
                and player_seat.decides_itself
                and player_seat.seconds_left == 0
                and player_seat.clock_started_at is not None
                and player_seat.clock_started_at <= before
            }
            if clock_starts and await self._cup_matches.lock(connection, match_id):
                seat = min(clock_starts, key=lambda name: clock_starts[name])
                await self._matches.apply(connection, row, Action(seat, "flag"))

    async def _catch_up(self, match_id: MatchId) -> None:
        """Store the result of a match that has one; else begin another one for it."""
        async with self._database.write() as connection:
            row = await load(connection, match_id)
            if row is None:
                return
            if row.status == MatchStatus.FINISHED and not row.is_outdated:
                await self._cup_matches.match_ended(connection, match_id)
                return
            if not await self._cup_matches.lock(connection, match_id):
                return
            if row.status == MatchStatus.RUNNING:
                await self._match_store.end_outdated(connection, row)
            await self._cup_matches.play_again(connection, match_id)
