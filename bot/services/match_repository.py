"""Read a match, its seats and its actions in a transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Float,
    ScalarSelect,
    Select,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    union_all,
)

from bot.domain.clocks import NO_VACATIONS
from bot.domain.ids import NO_MATCH, ChannelId, MatchId, UserId
from bot.domain.models import Match, MatchStatus, SeatClock, TimerKind
from bot.domain.outbox import IN_CHANNEL, PostedKind
from bot.domain.waiting import AGES
from bot.services.preferences import is_unreachable
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import (
    absences,
    actions,
    matches,
    plans,
    players,
    posted_messages,
    seats,
    timers,
)
from engine import games
from engine.dice import commitment
from engine.game import Action
from engine.series import standing
from render.i18n import _


class NoMatchError(LookupError):
    """There is no such match, or it has not begun."""


class OutdatedMatchError(NoMatchError):
    """The match began under another version of its rules; the text is shown to players."""


class AbsentGameError(OutdatedMatchError):
    """The game of the match is not installed; the text is shown to players."""


def line_count(match_id: ColumnElement[int]) -> Select[int]:
    """Return the query for the number of a match's lines that were not taken back."""
    live = (actions.c.match_id == match_id) & actions.c.undone_at.is_(None)
    return select(func.count()).where(live)


def follows(match_id: MatchId) -> ColumnElement[bool]:
    """Return the condition that a match is the rematch of another, or the next of its series."""
    return (matches.c.parent_id == match_id) & (matches.c.lines_taken_over == 0)


_THIS: BindParameter[int] = bindparam("this")
"""The number of a match."""


_READER: BindParameter[int | None] = bindparam("reader", value=None, type_=BigInteger)
"""The viewer's user ID; None for the public."""


_BOARD = (
    select(func.min(posted_messages.c.id))
    .where(posted_messages.c.match_id == matches.c.id, posted_messages.c.kind == PostedKind.BOARD)
    .where(or_(posted_messages.c.user_id == IN_CHANNEL, posted_messages.c.user_id == _READER))
    .correlate(matches)
    .scalar_subquery()
)
"""The board in the channel, or the reader's own copy by DM."""


ALL_MATCHES = select(
    matches,
    posted_messages.c.channel_id.label("board_channel"),
    posted_messages.c.message_id.label("board_message"),
    posted_messages.c.user_id.label("board_user"),
).outerjoin(posted_messages, posted_messages.c.id == _BOARD)


MATCH = ALL_MATCHES.where(matches.c.id == _THIS)


def last_matches(
    query: Select[*tuple[Any, ...]],
    by: ColumnElement[Any],
    limit: int,
    *conditions: ColumnElement[bool],
) -> Select[*tuple[Any, ...]]:
    """Return the last of the matches that fulfil some conditions, the last one first.

    Args:
        query: `ALL_MATCHES`, or one with more columns.
        by: the time of a match that orders them. By number alone, SQLite would read all
            that a server ever had in that order, until `limit` are found.
        limit: maximum number of matches.
    """
    return ordered_matches(query, (by.desc(), matches.c.id.desc()), limit, *conditions)


def first_matches(
    query: Select[*tuple[Any, ...]],
    by: ColumnElement[Any],
    limit: int,
    *conditions: ColumnElement[bool],
) -> Select[*tuple[Any, ...]]:
    """Return the first of the matches that fulfil some conditions; see `last_matches`."""
    return ordered_matches(query, (by, matches.c.id), limit, *conditions)


def ordered_matches(
    query: Select[*tuple[Any, ...]],
    order: Sequence[ColumnElement[Any]],
    limit: int,
    *conditions: ColumnElement[bool],
) -> Select[*tuple[Any, ...]]:
    """Return the first of the matches that fulfil some conditions, in this order.

    Their numbers are found first: whole rows, with positions and boards, are read of these alone.
    """
    numbers = select(matches.c.id).where(*conditions).order_by(*order).limit(limit)
    return query.where(matches.c.id.in_(numbers.correlate(None))).order_by(*order)


def last_of_user(
    user_id: UserId,
    statuses: Collection[MatchStatus],
    limit: int,
    *conditions: ColumnElement[bool],
) -> CompoundSelect[MatchId]:
    """Return the numbers of a user's matches; of those that have ended, only of the last ones.

    Args:
        limit: maximum number of matches that have ended.
    """
    query = select(matches.c.id).join(seats, seats.c.match_id == matches.c.id)
    query = query.where(seats.c.user_id == user_id, matches.c.status.in_(statuses), *conditions)
    parts = []
    if not all(status.is_end for status in statuses):
        parts.append(query.where(seats.c.ended_at.is_(None)))
    if any(status.is_end for status in statuses):
        # In the order of an index, so that reading stops after the last ones
        last = (seats.c.ended_at.desc(), seats.c.match_id.desc())
        parts.append(query.where(seats.c.ended_at.is_not(None)).order_by(*last).limit(limit))
    return union_all(*(select(part.subquery().c.id) for part in parts))


def _earliest(at: ColumnElement[float], kinds: Collection[TimerKind]) -> ScalarSelect[float]:
    """Return the query for the earliest of some timers of a seat."""
    of_seat = (timers.c.match_id == seats.c.match_id) & (timers.c.seat == seats.c.seat)
    return select(func.min(at)).where(of_seat, timers.c.kind.in_(kinds)).scalar_subquery()


_AGES = {
    kind: bindparam(f"age_{kind}", type_=Float, callable_=partial(AGES.__getitem__, kind))
    for kind in AGES
}
"""Read when the query runs, so that simulated days may be short."""


_STOPS_FOR_VACATIONS = (
    select(matches.c.clock.not_like(f"%{NO_VACATIONS}"))
    .where(matches.c.id == seats.c.match_id)
    .correlate(seats)
    .scalar_subquery()
)
"""Whether the clock of a seat's match stops for vacations: elsewhere its player is never absent."""


_ALL_PEOPLE = (
    select(
        seats,
        absences.c.ends_at.label("away_until"),
        absences.c.stand_in,
        players.c.preferences,
        _earliest(timers.c.due_at - case(_AGES, value=timers.c.kind), AGES).label("waits_since"),
        _earliest(timers.c.due_at, (TimerKind.PATIENCE,)).label("patience"),
        _earliest(timers.c.due_at, (TimerKind.NOTICE,)).label("notice_at"),
        exists().where(plans.c.match_id == seats.c.match_id, plans.c.seat == seats.c.seat),
    )
    .select_from(seats)
    .outerjoin(absences, (absences.c.user_id == seats.c.user_id) & _STOPS_FOR_VACATIONS)
    .outerjoin(players, players.c.user_id == seats.c.user_id)
    .order_by(seats.c.seat)
)


_PEOPLE = _ALL_PEOPLE.where(seats.c.match_id == _THIS)


_PEOPLE_OF_MATCHES = _ALL_PEOPLE.where(seats.c.match_id.in_(bindparam("these", expanding=True)))


_LOG = (
    select(actions.c.line)
    .where(actions.c.match_id == _THIS, actions.c.undone_at.is_(None))
    .order_by(actions.c.number)
)


_CHOSEN_BY = (
    select(actions.c.chosen_by)
    .where(actions.c.match_id == _THIS, actions.c.undone_at.is_(None))
    .order_by(actions.c.number)
)


_AUTOMATIC = (
    select(actions.c.automatic)
    .where(actions.c.match_id == _THIS, actions.c.undone_at.is_(None))
    .order_by(actions.c.number)
)


_COUNT = line_count(_THIS)


_FIRST_OF_LOG = _LOG.limit(bindparam("action_count"))


async def seats_of(connection: Connection, match_id: MatchId) -> list[SeatRow]:
    """Return the seats of a match in order, with their players' preferences and absences."""
    return [SeatRow(*row) for row in await connection.execute(_PEOPLE, {"this": match_id})]


async def seats_of_matches(
    connection: Connection, match_ids: Collection[MatchId]
) -> dict[MatchId, list[SeatRow]]:
    """Return the seats of several matches, each as `seats_of` does."""
    people: dict[MatchId, list[SeatRow]] = {match_id: [] for match_id in match_ids}
    for row in await connection.execute(_PEOPLE_OF_MATCHES, {"these": list(match_ids)}):
        seat = SeatRow(*row)
        people[seat.match_id].append(seat)
    return people


async def seat_row(connection: Connection, match_id: MatchId, seat: str) -> SeatRow:
    """Return the stored seat."""
    return next(person for person in await seats_of(connection, match_id) if person.seat == seat)


class MatchWithBoard(NamedTuple):
    """A match and the board message that the reader sees; `user_id` is 0 unless by DM."""

    match: MatchRow
    channel_id: ChannelId | None
    message_id: int | None
    user_id: UserId | None

    @classmethod
    def of(cls, row: Sequence[Any]) -> MatchWithBoard:
        """Build from a row of `ALL_MATCHES`."""
        channel_id, message_id, user_id = row[-3:]
        return cls(MatchRow.of(row), channel_id, message_id, user_id or None)


async def match_with_board(
    connection: Connection, match_id: MatchId, reader: UserId | None = None
) -> MatchWithBoard:
    """Return a match and the board that a reader sees.

    Raises:
        NoMatchError: there is no such match.
    """
    row = (await connection.execute(MATCH, {"this": match_id, "reader": reader})).one_or_none()
    if row is None:
        raise NoMatchError(match_id)
    return MatchWithBoard.of(row)


async def begun_match_with_board(
    connection: Connection, match_id: MatchId, reader: UserId | None = None
) -> MatchWithBoard:
    """Return a match that has begun, see `check_begun`.

    Raises:
        NoMatchError: there is no such match, or none with a position to show.
    """
    with_board = await match_with_board(connection, match_id, reader)
    check_begun(with_board.match)
    return with_board


def check_begun(match: MatchRow) -> None:
    """Refuse a match without a position to show.

    Raises:
        NoMatchError: it has not begun, its rules have changed since, or its game is not installed.
    """
    if match.position is None:
        raise NoMatchError(match.id)
    if match.is_outdated:
        kind = AbsentGameError if match.is_waiting_for_game else OutdatedMatchError
        raise kind(outdated_sentence(match))


def outdated_sentence(match: MatchRow) -> str:
    """Return a sentence that says why an outdated match cannot be continued or replayed."""
    sentence = _("My rules of {game} have changed since #{match}, so I can't replay it.")
    if match.is_waiting_for_game:
        sentence = _("{game} isn't installed here right now, so I can't show #{match}.")
        if match.status == MatchStatus.RUNNING:
            sentence = _(
                "{game} isn't installed here right now, so #{match} waits. Nothing is lost: it "
                "continues when my host installs the game again."
            )
    elif match.status == MatchStatus.RUNNING:
        sentence = _(
            "My rules of {game} have changed since #{match} started, so it can't continue; "
            "`/resign` ends it without a result."
        )
    return sentence.format(game=games.get(match.game).title, match=match.id)


async def match_of(
    connection: Connection, with_board: MatchWithBoard, people: Sequence[SeatRow] | None = None
) -> Match:
    """Return the public facts of a match; read its seats unless given."""
    row = with_board.match
    people = await seats_of(connection, row.id) if people is None else people
    sitting = {person.seat: person for person in people}
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
        players={seat: sitting[seat].player for seat in order},
        unaccepted="".join(seat for seat in order if sitting[seat].joined_at is None),
        joinable="".join(seat for seat in order if sitting[seat].joinable),
        commitment=row.commitment or "",
        commitment_holds=row.commitment == commitment(row.seed),
        commitment_late=row.committed_at is None,
        salt=row.salt,
        seats_to_draw=(row.seats_to_draw or "") if row.position is None else "",
        expires_at=row.expires_at,
        clock=row.clock,
        times=_times(row, order, sitting),
        days_off={s: sitting[s].parsed_days_off for s in order if sitting[s].days_off},
        round=row.round,
        rounds=row.rounds,
        standing=await series_totals(connection, row),
        away_until={s: until for s in order if (until := sitting[s].away_until) is not None},
        stand_ins={s: level for s in order if (level := sitting[s].stand_in)},
        agreed_by={s: seats for s in order if (seats := sitting[s].agreed_by)},
        parent_channel_id=row.parent_channel_id,
        link=_link(with_board),
        linked_by_dm=bool(with_board.user_id),
        lines_taken_over=row.lines_taken_over,
        origin_id=(row.parent_id or NO_MATCH) if row.lines_taken_over else NO_MATCH,
        rated=row.rated,
        waits_since={
            s: since if (since := sitting[s].waits_since) is not None else row.changed_at
            for s in order
            if s in row.decisions and sitting[s].is_person and sitting[s].decides_itself
        },
        patience={s: until for s in order if (until := sitting[s].patience) is not None},
        notices=_notices(order, sitting),
        unreachable="".join(
            s for s in order if row.guild_id is None and is_unreachable(sitting[s].preferences)
        ),
    )


def _times(
    row: MatchRow, order: Sequence[str], sitting: Mapping[str, SeatRow]
) -> dict[str, SeatClock]:
    """Return seat → clock, of the clocks that have been started."""
    return {
        seat: SeatClock(left, sitting[seat].clock_started_at)
        for seat in order
        if row.clock and (left := sitting[seat].seconds_left) is not None
    }


def _notices(order: Sequence[str], sitting: Mapping[str, SeatRow]) -> dict[str, float]:
    """Return seat → end of the last notice to its player; see `Match.notices`."""
    return {
        seat: at
        for seat in order
        if (at := sitting[seat].notice_at) is not None and sitting[seat].decides_itself
    }


async def matches_of(connection: Connection, rows: Sequence[MatchWithBoard]) -> list[Match]:
    """Return the public facts of several matches."""
    people = await seats_of_matches(connection, [row.match.id for row in rows])
    return [await match_of(connection, row, people[row.match.id]) for row in rows]


def _link(with_board: MatchWithBoard) -> tuple[int, int] | None:
    """Return channel and message of the board that the reader sees."""
    if with_board.channel_id is None or with_board.message_id is None:
        return None
    return with_board.channel_id, with_board.message_id


async def series_totals(connection: Connection, match: MatchRow) -> dict[str, int]:
    """Return seat → points in the finished matches of the series up to this one.

    Empty if one of them is of earlier rules: its points are unreadable.
    """
    if match.rounds == 1:
        return {}
    points: list[Mapping[str, int]] = []
    for row in await series_until(connection, match):
        if row.is_outdated:
            return {}
        game = games.get(row.game)
        if row.status == MatchStatus.FINISHED and (scored := game.points(row.state())):
            points.append(scored)
    return dict(standing(points).totals) if points else {}


async def series_until(connection: Connection, match: MatchRow) -> list[MatchRow]:
    """Return the matches of a series up to this one, the latest first."""
    series = [match]
    while series[-1].round > 1:
        before = {"this": series[-1].parent_id}
        row = (await connection.execute(MATCH, before)).one_or_none()
        if row is None:
            break
        series.append(MatchRow.of(row))
    return series


async def action_count_of(connection: Connection, match_id: MatchId) -> int:
    """Return the number of actions that were not taken back."""
    return int((await connection.execute(_COUNT, {"this": match_id})).scalar_one())


async def choosers_of(connection: Connection, match_id: MatchId) -> Sequence[str | None]:
    """Return the computer player that chose each action; None for people and chance."""
    return (await connection.execute(_CHOSEN_BY, {"this": match_id})).scalars().all()


async def automatic_places(connection: Connection, match_id: MatchId) -> frozenset[int]:
    """Return the places, among the actions not taken back, of those the bot made for a player."""
    marks = (await connection.execute(_AUTOMATIC, {"this": match_id})).scalars()
    return frozenset(place for place, automatic in enumerate(marks) if automatic)


async def actions_of(
    connection: Connection, match_id: MatchId, action_count: int | None = None
) -> tuple[Action, ...]:
    """Return the first actions of a match, or all; without those taken back."""
    query, values = (
        (_LOG, {}) if action_count is None else (_FIRST_OF_LOG, {"action_count": action_count})
    )
    lines = (await connection.execute(query, {"this": match_id, **values})).scalars().all()
    return tuple(Action.parse(line) for line in lines)
