"""Queries that read matches from the database.

All data shown to users comes from here: a `Perspective` holds the view of one seat, never a state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    String,
    bindparam,
    cast,
    func,
    or_,
    select,
)

from bot.logs import bind_context
from bot.services.digest import turns_since
from bot.services.models import Match, MatchStatus, Perspective, Player, SeatClock
from bot.services.outbox import PostedKind
from bot.services.positions import Positions, Replayed
from bot.services.stored import StoredMatch, StoredSeat
from bot.services.versions import is_outdated, outdated_sentence
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import absences, actions, matches, players, posted_messages, seats
from engine import games
from engine.dice import commitment
from engine.game import PUBLIC, Action, View
from engine.record import CHOSEN_MARK, Record, points_text
from engine.series import standing


class NoMatchError(LookupError):
    """There is no such match, or it has not begun."""


class OutdatedMatchError(NoMatchError):
    """The match began under another version of its rules; the text is shown to players."""


def line_count(match_id: ColumnElement[int]) -> Select[int]:
    """Return the query for the number of a match's lines that were not taken back."""
    own = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    return select(func.count()).where(own)


# Statements are built once: compiling them costs more than running them.

_THIS: BindParameter[int] = bindparam("this")
"""The number of a match."""

_READER: BindParameter[int] = bindparam("reader", value=0, type_=BigInteger)
"""The viewer's user ID; 0 for the public."""

_BOARD = (
    select(func.min(posted_messages.c.id))
    .where(posted_messages.c.match_id == matches.c.id, posted_messages.c.kind == PostedKind.BOARD)
    .where(or_(posted_messages.c.user_id == 0, posted_messages.c.user_id == _READER))
    .correlate(matches)
    .scalar_subquery()
)
"""The board in the channel, or the reader's own copy by DM."""

_MATCHES = select(
    matches,
    posted_messages.c.channel_id.label("board_channel"),
    posted_messages.c.message_id.label("board_message"),
    posted_messages.c.user_id.label("board_user"),
).outerjoin(posted_messages, posted_messages.c.id == _BOARD)
MATCH = _MATCHES.where(matches.c.id == _THIS)
_MINE = _MATCHES.where(
    matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == bindparam("user"))),
    matches.c.status.in_(bindparam("statuses", expanding=True)),
).order_by(matches.c.changed_at.desc())
_PEOPLE = (
    select(seats, absences.c.ends_at.label("away_until"), players.c.preferences)
    .outerjoin(absences, absences.c.user_id == seats.c.user_id)
    .outerjoin(players, players.c.user_id == seats.c.user_id)
    .where(seats.c.match_id == _THIS)
    .order_by(seats.c.seat)
)
_LOG = (
    select(actions.c.line)
    .where(actions.c.match_id == _THIS, actions.c.undone_at.is_(None))
    .order_by(actions.c.number)
)
_COUNT = line_count(_THIS)
_FIRST_OF_LOG = _LOG.limit(bindparam("action_count"))


class Queries:
    """Reads matches.

    Args:
        database: the database to read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._positions = Positions()

    async def match(self, match_id: int) -> Match:
        """Return a match.

        Raises:
            NoMatchError: there is no such match.
        """
        async with self._database.read() as connection:
            return await match_of(connection, await _stored(connection, match_id))

    async def has_rematch(self, match_id: int) -> bool:
        """Return whether a match that follows this one has begun."""
        begun = matches.c.status.in_((MatchStatus.RUNNING, MatchStatus.FINISHED))
        async with self._database.read() as connection:
            chosen = select(matches.c.id).where(matches.c.parent_id == match_id, begun)
            return (await connection.execute(chosen)).first() is not None

    async def list_for(self, user_id: int, *statuses: str) -> list[Match]:
        """Return the matches of a user with one of these statuses, the last changed first."""
        async with self._database.read() as connection:
            mine = {"user": user_id, "reader": user_id, "statuses": statuses}
            rows = (await connection.execute(_MINE, mine)).all()
            return [await match_of(connection, MatchRow.of(row)) for row in rows]

    async def latest(
        self, user_id: int, status: str, game: str = "", digits: str = "", limit: int = 25
    ) -> list[Match]:
        """Return the matches of a user that changed last.

        Args:
            user_id: the user ID.
            status: status of the matches.
            game: only matches of this game; empty for all.
            digits: only matches with these digits in their number.
            limit: maximum number of matches.
        """
        own = select(seats.c.match_id).where(seats.c.user_id == user_id)
        chosen = _MATCHES.where(matches.c.id.in_(own), matches.c.status == status)
        if game:
            chosen = chosen.where(matches.c.game == game)
        if digits:
            chosen = chosen.where(cast(matches.c.id, String).contains(digits, autoescape=True))
        chosen = chosen.order_by(matches.c.changed_at.desc()).limit(limit)
        async with self._database.read() as connection:
            rows = (await connection.execute(chosen)).all()
            return [await match_of(connection, MatchRow.of(row)) for row in rows]

    async def view(
        self, match_id: int, user_id: int = 0, action_count: int | None = None
    ) -> Perspective:
        """Return a match as a user may see it: as a player, or as the public.

        Args:
            match_id: number of the match.
            user_id: the viewer's user ID; 0 for the public.
            action_count: number of actions after which to show it; None for now.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        bind_context(match=match_id)
        async with self._database.read() as connection:
            found = await _begun(connection, match_id, user_id)
            row = found.match
            match = await match_of(connection, found)
            seat = match.seat_of(user_id)
            if action_count is None or action_count == await _count(connection, match_id):
                game = games.get(row.game)
                return Perspective(match, seat, game.view(row.state(), seat))
            log = await _log(connection, match_id, action_count)
        record = Record(_headers(row, match.players), log)
        return Perspective(
            match, seat, await self._positions.run_in_thread(lambda: _last(record, seat))
        )

    async def replay_views(self, match_id: int) -> tuple[Perspective, Sequence[View]]:
        """Return a finished match as the public sees it, with the views of its turns.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        perspective, record = await self.log(match_id)
        return perspective, await self._positions.public_turns(match_id, record)

    async def log(self, match_id: int) -> tuple[Perspective, Record]:
        """Return a match as the public sees it, with its record as stored.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            found = await _begun(connection, match_id)
            row = found.match
            match, game = await match_of(connection, found), games.get(row.game)
            record = Record(_headers(row, match.players), await _log(connection, match_id))
        return Perspective(match, PUBLIC, game.view(row.state())), record

    async def since_last_turn(self, match_id: int, user_id: int) -> tuple[Perspective, list[View]]:
        """Return a match as a user sees it, with the views of all turns since the user's last one.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            found = await _begun(connection, match_id)
            row = found.match
            match = await match_of(connection, found)
            record = Record(_headers(row, match.players), await _log(connection, match_id))
        seat = match.seat_of(user_id)

        def read(replayed: Replayed) -> tuple[View, list[View]]:
            views = replayed.views(seat)
            return views[-1], turns_since(views, record.actions, seat)

        now, turn_views = await self._positions.read(match_id, record, read)
        return Perspective(match, seat, now), turn_views

    async def record(self, match_id: int, user_id: int = 0) -> Record:
        """Return the record as a user may see it now; complete, with the seed, after the end.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            found = await _begun(connection, match_id)
            row = found.match
            match = await match_of(connection, found)
            headers = _headers(row, match.players)
            if row.status == MatchStatus.FINISHED:
                game = games.get(row.game)
                state = row.state()
                headers |= {"Seed": row.seed.hex(), "Result": game.result(state)}
                if points := points_text(game, state):
                    headers["Points"] = points
            record = Record(headers, await _log(connection, match_id))
        return await self._positions.run_in_thread(partial(record.redact, match.seat_of(user_id)))

    async def verify(self, record: Record, noted: str = "") -> int:
        """Verify all dice of a record; see `Record.verify`."""
        return await self._positions.run_in_thread(partial(record.verify, noted))

    def clear_cache(self) -> None:
        """Clear the cached positions."""
        self._positions.clear_cache()


def _last(record: Record, seat: str) -> View:
    """Return a seat's view of the last position of a record."""
    game, state = record.replay()
    view: View = game.view(state, seat)
    return view


async def people_of(connection: Connection, match_id: int) -> list[StoredSeat]:
    """Return the seats of a match in order, with their players' preferences and absences."""
    return [StoredSeat(*row) for row in await connection.execute(_PEOPLE, {"this": match_id})]


async def seat_row(connection: Connection, match_id: int, seat: str) -> StoredSeat:
    """Return the stored seat."""
    return next(each for each in await people_of(connection, match_id) if each.seat == seat)


class MatchRow(NamedTuple):
    """A match and the board message that the reader sees; `user_id` is 0 unless by DM."""

    match: StoredMatch
    channel_id: int | None
    message_id: int | None
    user_id: int | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> MatchRow:
        """Build from a row of `_MATCHES`."""
        return cls(StoredMatch.of(row), *row[-3:])


async def _stored(connection: Connection, match_id: int, reader: int = 0) -> MatchRow:
    row = (await connection.execute(MATCH, {"this": match_id, "reader": reader})).one_or_none()
    if row is None:
        raise NoMatchError(match_id)
    return MatchRow.of(row)


async def _begun(connection: Connection, match_id: int, reader: int = 0) -> MatchRow:
    found = await _stored(connection, match_id, reader)
    check_begun(found.match)
    return found


def check_begun(match: StoredMatch) -> None:
    """Refuse a match without a position to show.

    Raises:
        NoMatchError: it has not begun, or its rules have changed since.
    """
    if match.position is None:
        raise NoMatchError(match.id)
    if is_outdated(match):
        raise OutdatedMatchError(outdated_sentence(match))


async def match_of(
    connection: Connection, found: MatchRow, people: Sequence[StoredSeat] | None = None
) -> Match:
    """Return the public facts of a match; read its seats unless given."""
    row = found.match
    people = await people_of(connection, row.id) if people is None else people
    sitting = {each.seat: each for each in people}
    order = [seat for seat in games.get(row.game).seats(row.options) if seat in sitting]
    return Match(
        id=row.id,
        game=row.game,
        rules=row.rules,
        options=row.options,
        status=row.status,
        version=row.version,
        decisions=row.decisions,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        challenger_id=row.challenger_id,
        players={seat: Player(sitting[seat].user_id, sitting[seat].name) for seat in order},
        unaccepted="".join(seat for seat in order if sitting[seat].joined_at is None),
        commitment=row.commitment or "",
        commitment_holds=row.commitment == commitment(row.seed),
        commitment_late=row.committed_at is None,
        salt=row.salt,
        seats_to_draw=(row.seats_to_draw or "") if row.position is None else "",
        expires_at=row.expires_at,
        clock=row.clock,
        times={
            s: SeatClock(left, sitting[s].clock_started_at)
            for s in order
            if row.clock and (left := sitting[s].seconds_left) is not None
        },
        round=row.round,
        rounds=row.rounds,
        standing=await _standing(connection, row),
        away_until={s: until for s in order if (until := sitting[s].away_until) is not None},
        parent_channel_id=row.parent_channel_id,
        link=_link(found),
        linked_by_dm=bool(found.user_id),
    )


def _link(found: MatchRow) -> tuple[int, int] | None:
    """Return channel and message of the board that the reader sees."""
    if found.channel_id is None or found.message_id is None:
        return None
    return found.channel_id, found.message_id


async def _standing(connection: Connection, match: StoredMatch) -> dict[str, int]:
    """Return seat → points in the finished matches of the series up to this one.

    Empty if one of them is of earlier rules: its points are unreadable.
    """
    if match.rounds == 1:
        return {}
    points: list[Mapping[str, int]] = []
    last: StoredMatch | None = match
    while last is not None:
        if is_outdated(last):
            return {}
        game = games.get(last.game)
        if last.status == MatchStatus.FINISHED and (scored := game.points(last.state())):
            points.append(scored)
        row = None
        if last.round > 1:
            row = (await connection.execute(MATCH, {"this": last.parent_id})).one_or_none()
        last = None if row is None else StoredMatch.of(row)
    return dict(standing(points).totals) if points else {}


async def _count(connection: Connection, match_id: int) -> int:
    """Return the number of actions that were not taken back."""
    return int((await connection.execute(_COUNT, {"this": match_id})).scalar_one())


async def _log(
    connection: Connection, match_id: int, action_count: int | None = None
) -> tuple[Action, ...]:
    chosen, values = (
        (_LOG, {}) if action_count is None else (_FIRST_OF_LOG, {"action_count": action_count})
    )
    found = (await connection.execute(chosen, {"this": match_id, **values})).scalars().all()
    return tuple(Action.parse(line) for line in found)


def _headers(row: StoredMatch, players: Mapping[str, Player]) -> dict[str, str]:
    start = datetime.fromtimestamp(row.created_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    headers = {"Game": row.game, "Rules": row.rules}
    if row.options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in row.options.items())
    headers |= {f"Seat {seat}": player.name for seat, player in players.items()}
    headers |= {"Version": str(row.engine_version), "Dice": row.commitment or "none"}
    if row.committed_at is None:
        headers["Dice stored"] = "at an upgrade"
    if row.seat_order:
        drawn = row.seats_to_draw or ""
        sides = [seat if seat in drawn else seat + CHOSEN_MARK for seat in row.seat_order]
        headers["Sides"] = " ".join(sides)
    if row.rounds > 1:
        headers["Series"] = f"{row.round}/{row.rounds}"
    return headers | {"Salt": row.salt, "Date": start}
