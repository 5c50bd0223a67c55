"""Cups as they are stored: rows as dataclasses, with values derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, TypedDict, Unpack

from sqlalchemy import bindparam, insert, select, update

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId, is_person
from bot.domain.models import Player
from bot.features.cups.formats import NO_ONE, CupFormat, Pairing
from bot.features.cups.leagues import Season
from bot.features.cups.standings import (
    CupEntrant,
    Line,
    PairingReason,
    PairingResult,
    annulled,
    standings,
    winners_of,
)
from bot.storage.connection import Connection, send
from bot.storage.schema import cup_entrants, cup_pairings, cups

_UPDATE_ENTRANT = update(cup_entrants).where(
    cup_entrants.c.cup_id == bindparam("this"), cup_entrants.c.number == bindparam("entrant")
)
_UPDATE_PAIRING = update(cup_pairings).where(cup_pairings.c.id == bindparam("this"))


class CupStatus(StrEnum):
    """The status of a cup."""

    SIGN_UP = "sign_up"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class PairingStatus(StrEnum):
    """The status of a pairing."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class StoredCup:
    """A row of `cups`; see `bot.storage.schema.cups` for the columns."""

    id: int
    guild_id: GuildId
    channel_id: ChannelId
    parent_channel_id: ChannelId | None
    organiser_id: UserId
    name: str
    game: str
    rules: str
    options: Mapping[str, str]
    clock: str
    rounds: int
    rated: bool
    format: CupFormat
    max_open: int
    status: CupStatus
    seed: str
    version: int
    created_at: float
    starts_at: float | None
    ends_at: float | None
    started_at: float | None
    ended_at: float | None
    key: str
    message_id: int | None
    shown_version: int
    announced: int
    league_id: int | None = None
    season: int = 0
    division: int = 0

    @classmethod
    def of(cls, row: Any) -> StoredCup:
        """Return a cup from its row."""
        values = dict(row._mapping)  # noqa: SLF001 - public
        values["format"] = CupFormat(values["format"])
        values["status"] = CupStatus(values["status"])
        return cls(**values)


class CupFields(TypedDict, total=False):
    """Columns of `cups` to change."""

    status: CupStatus
    started_at: float
    ended_at: float
    message_id: int | None
    shown_version: int
    announced: int


@dataclass(frozen=True, slots=True)
class StoredEntrant:
    """A row of `cup_entrants`; see `bot.storage.schema.cup_entrants` for the columns."""

    cup_id: int
    number: int
    user_id: UserId
    name: str
    joined_by: int
    withdrawn_at: float | None
    substitute_id: UserId | None
    checked_at: float
    has_left: bool
    place: int | None = None

    @property
    def is_active(self) -> bool:
        """Return whether the player has not withdrawn."""
        return self.withdrawn_at is None

    @property
    def is_person(self) -> bool:
        """Return whether the player's data was not deleted."""
        return is_person(self.user_id)

    @property
    def player(self) -> Player:
        """Return the player."""
        return Player(self.user_id, self.name)


class EntrantFields(TypedDict, total=False):
    """Columns of `cup_entrants` to change."""

    user_id: UserId
    name: str
    joined_by: int
    withdrawn_at: float
    substitute_id: UserId | None
    checked_at: float
    has_left: bool
    place: int


@dataclass(frozen=True, slots=True)
class StoredPairing:
    """A row of `cup_pairings`; a number is None while the player is not known."""

    id: int
    cup_id: int
    round: int
    place: int
    numbers: tuple[int | None, ...]
    seated: Pairing
    match_id: MatchId | None
    replays: int
    status: PairingStatus
    winners: Pairing
    forfeits: Pairing
    reason: PairingReason | None
    ended_at: float | None

    @classmethod
    def of(cls, row: Any) -> StoredPairing:
        """Return a pairing from its row."""
        return cls(
            row.id,
            row.cup_id,
            row.round,
            row.place,
            numbers=tuple(int(part) if part else None for part in row.numbers.split(",")),
            seated=parse_numbers(row.seated),
            match_id=row.match_id,
            replays=row.replays,
            status=PairingStatus(row.status),
            winners=parse_numbers(row.winners),
            forfeits=parse_numbers(row.forfeits),
            reason=None if row.reason is None else PairingReason(row.reason),
            ended_at=row.ended_at,
        )

    def columns(self) -> dict[str, Any]:
        """Return the columns of its row that change."""
        return {
            "this": self.id,
            "numbers": format_numbers(self.numbers),
            "seated": format_numbers(self.seated),
            "match_id": self.match_id,
            "replays": self.replays,
            "status": self.status,
            "winners": format_numbers(self.winners),
            "forfeits": format_numbers(self.forfeits),
            "reason": self.reason,
            "ended_at": self.ended_at,
        }

    @property
    def known(self) -> Pairing:
        """Return the players that are known."""
        return tuple(number for number in self.numbers if number)

    @property
    def is_complete(self) -> bool:
        """Return whether all players are known."""
        return None not in self.numbers

    @property
    def result(self) -> PairingResult:
        """Return the result of a decided pairing."""
        numbers = tuple(number or NO_ONE for number in self.numbers)
        reason = self.reason or PairingReason.PLAYED
        return PairingResult(self.round, numbers, self.winners, reason, self.forfeits)


@dataclass(frozen=True)
class Cup:
    """A cup with its players and pairings, in order.

    Attributes:
        season: of a cup that repeats, where it is shown; see `bot.features.cups.seasons`.
    """

    row: StoredCup
    entrants: Sequence[StoredEntrant]
    pairings: Sequence[StoredPairing]
    season: Season | None = None

    @cached_property
    def by_number(self) -> dict[int, StoredEntrant]:
        """Return number → player."""
        return {entrant.number: entrant for entrant in self.entrants}

    @property
    def active(self) -> list[StoredEntrant]:
        """Return the players who have not withdrawn."""
        return [entrant for entrant in self.entrants if entrant.is_active]

    @property
    def confirmed(self) -> list[StoredEntrant]:
        """Return the players who have agreed to play, before the start of the cup."""
        return [entrant for entrant in self.entrants if entrant.joined_by]

    @property
    def running(self) -> list[StoredPairing]:
        """Return the pairings for whose match the cup waits.

        None if the cup does not run: a cancelled cup has pairings that have stayed `RUNNING`.
        """
        if self.row.status != CupStatus.RUNNING:
            return []
        return [pairing for pairing in self.pairings if pairing.status == PairingStatus.RUNNING]

    @property
    def decided(self) -> list[StoredPairing]:
        """Return the decided pairings."""
        return [pairing for pairing in self.pairings if pairing.status == PairingStatus.DONE]

    @property
    def sizes(self) -> Mapping[int, int]:
        """Return number → number of pairings."""
        return Counter(number for pairing in self.pairings for number in pairing.known)

    def with_pairing(self, pairing: StoredPairing) -> Cup:
        """Return the cup with a changed pairing in place of the stored one."""
        pairings = [pairing if old.id == pairing.id else old for old in self.pairings]
        return replace(self, pairings=pairings)

    def entrant_of(self, user_id: UserId) -> StoredEntrant | None:
        """Return the player with a user ID; None if the user does not play."""
        return next((entrant for entrant in self.entrants if entrant.user_id == user_id), None)

    def standings(self) -> list[Line]:
        """Return the current standings, the leader first."""
        results = [pairing.result for pairing in self.decided]
        players = self._standing_players
        return standings(self.row.format, self.row.seed, players, results, self.sizes)

    @property
    def annulled(self) -> set[int]:
        """Return the players whose matches do not count."""
        results = [pairing.result for pairing in self.decided]
        return annulled(self.row.format, self._standing_players, results, self.sizes)

    @property
    def winner(self) -> StoredEntrant | None:
        """Return the winner of a finished cup, if it has one."""
        finished = self.row.status == CupStatus.FINISHED
        numbers = winners_of(self.standings(), finished=finished)
        return next((self.by_number[number] for number in numbers), None)

    @property
    def _standing_players(self) -> list[CupEntrant]:
        return [CupEntrant(entrant.number, not entrant.is_active) for entrant in self.entrants]


def parse_numbers(text: str) -> Pairing:
    """Parse the stored form of some numbers of players."""
    return tuple(int(part) for part in text.split(",") if part)


def format_numbers(numbers: Sequence[int | None]) -> str:
    """Return the stored form of some numbers of players; an unknown one is empty."""
    return ",".join("" if number is None else str(number) for number in numbers)


async def load_cup(connection: Connection, cup_id: int, *, lock: bool = False) -> Cup | None:
    """Return a cup; with `lock`, its row is locked until the transaction ends."""
    query = select(cups).where(cups.c.id == cup_id)
    query = query.with_for_update(key_share=True) if lock else query
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    order = (cup_pairings.c.round, cup_pairings.c.place)
    entrants = select(cup_entrants).where(cup_entrants.c.cup_id == cup_id)
    entrants = entrants.order_by(cup_entrants.c.number)
    pairings = select(cup_pairings).where(cup_pairings.c.cup_id == cup_id).order_by(*order)
    return Cup(
        StoredCup.of(row),
        [StoredEntrant(*entrant) for entrant in await connection.execute(entrants)],
        [StoredPairing.of(pairing) for pairing in await connection.execute(pairings)],
    )


async def update_cup(connection: Connection, cup_id: int, **fields: Unpack[CupFields]) -> None:
    """Update a cup; its post shows the change."""
    query = update(cups).where(cups.c.id == cup_id)
    await connection.execute(query.values(version=cups.c.version + 1, **fields))


async def update_entrant(
    connection: Connection, entrant: StoredEntrant, **fields: Unpack[EntrantFields]
) -> None:
    """Update a player of a cup."""
    await update_entrants(connection, [(entrant, fields)])


async def update_entrants(
    connection: Connection, changes: Sequence[tuple[StoredEntrant, Mapping[str, Any]]]
) -> None:
    """Update players of cups, all in the same columns."""
    rows = [
        {"this": entrant.cup_id, "entrant": entrant.number, **fields} for entrant, fields in changes
    ]
    if rows:
        await send(connection, _UPDATE_ENTRANT, rows)


async def store_pairings(connection: Connection, before: Cup, after: Cup) -> None:
    """Store the pairings of a cup that have changed."""
    pairs = zip(before.pairings, after.pairings, strict=True)
    changed = [pairing.columns() for stored, pairing in pairs if pairing != stored]
    if changed:
        await send(connection, _UPDATE_PAIRING, changed)


async def store_places(connection: Connection, cup: Cup) -> None:
    """Store the places of the final standings of a cup."""
    places = [(cup.by_number[line.number], {"place": line.place}) for line in cup.standings()]
    await update_entrants(connection, places)


async def add_pairings(
    connection: Connection, cup: StoredCup, rounds: Sequence[Sequence[Pairing]]
) -> None:
    """Store the pairings of a cup that begins, without byes.

    An empty pairing waits for both its players.
    """
    rows = [
        {
            "cup_id": cup.id,
            "round": number,
            "place": place,
            "numbers": format_numbers(pairing or (None,) * cup.format.seats),
            "replays": 0,
            "status": PairingStatus.WAITING,
        }
        for number, pairings in enumerate(rounds, 1)
        for place, pairing in enumerate(pairings)
        if len(pairing) != 1
    ]
    await connection.execute(insert(cup_pairings), rows)
