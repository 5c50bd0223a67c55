"""Queries that read matches from the database.

All data shown to users comes from here: a `Perspective` holds the view of one seat, never a state.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import (
    ColumnElement,
    String,
    cast,
    func,
    select,
)

from bot.domain.ids import COMPUTER_USER_ID, GuildId, MatchId, UserId
from bot.domain.models import Match, MatchStatus, Perspective, Player
from bot.domain.origin import Origin, lines_until
from bot.domain.turn_summaries import answer_to, finished_stories, last_turn, turns_since
from bot.logs import bind_context
from bot.services.automatic_moves import latest_log, marks_of
from bot.services.challenge_facts import ChallengeFacts, challenge_facts
from bot.services.match_repository import (
    ALL_MATCHES,
    MatchWithBoard,
    action_count_of,
    actions_of,
    automatic_places,
    begun_match_with_board,
    choosers_of,
    follows,
    last_matches,
    last_of_user,
    match_of,
    match_with_board,
    matches_of,
)
from bot.services.match_summaries import (
    ACTIVE,
    OPEN,
    SUMMARIES,
    MatchSummary,
    SummaryPage,
    page_of,
    seats_for,
    summaries_of,
)
from bot.services.positions import ALL_REVEALED, Positions, Replayed, Turn
from bot.services.requests import Requests, requests_of
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import actions, analyses, matches, seats
from engine import games
from engine.computer.analysis import VERSION as ANALYSIS_VERSION
from engine.computer.analysis import Analysis
from engine.computer.choosers import HEADER as CHOOSERS_HEADER
from engine.computer.choosers import choosers_text
from engine.game import CHANCE, PUBLIC, Action, IllegalActionError, View
from engine.record import CHOSEN_MARK, ORIGIN_HEADER, TAKEN_OVER_HEADER, Record, points_text
from engine.stories import STORY_ACTIONS, Mark, with_marks

# Statements are built once: compiling them costs more than running them.


class Queries:
    """Reads matches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._positions = Positions()

    async def match(self, match_id: MatchId) -> Match:
        """Return a match.

        Raises:
            NoMatchError: there is no such match.
        """
        async with self._database.read() as connection:
            return await match_of(connection, await match_with_board(connection, match_id))

    async def has_rematch(self, match_id: MatchId) -> bool:
        """Return whether a match that follows this one has begun."""
        has_begun = matches.c.status.in_((MatchStatus.RUNNING, MatchStatus.FINISHED))
        async with self._database.read() as connection:
            query = select(matches.c.id).where(follows(match_id), has_begun)
            return (await connection.execute(query)).first() is not None

    async def running_count(self, user_id: UserId) -> int:
        """Return the number of a user's matches in progress."""
        user_matches = select(seats.c.match_id).where(seats.c.user_id == user_id)
        running = matches.c.id.in_(user_matches) & (matches.c.status == MatchStatus.RUNNING)
        async with self._database.read() as connection:
            counted = await connection.execute(select(func.count()).where(running))
            return int(counted.scalar_one())

    async def game_played(self, user_id: UserId, among: Collection[str]) -> str:
        """Return the game of a user's match in progress that changed last; empty if there is none.

        Args:
            among: only these games.
        """
        match_ids = select(seats.c.match_id).where(seats.c.user_id == user_id)
        running = matches.c.id.in_(match_ids) & (matches.c.status == MatchStatus.RUNNING)
        query = select(matches.c.game).where(running, matches.c.game.in_(among))
        async with self._database.read() as connection:
            latest = query.order_by(matches.c.changed_at.desc()).limit(1)
            return (await connection.execute(latest)).scalar() or ""

    async def page_of(self, user_id: UserId, number: int, size: int) -> SummaryPage:
        """Return a page of a user's matches that have not ended, see `match_summaries.page_of`."""
        async with self._database.read() as connection:
            return await page_of(connection, user_id, number, size)

    async def requests(self, match_id: MatchId) -> Requests:
        """Return the open requests among the players of a match."""
        async with self._database.read() as connection:
            return (await requests_of(connection, [match_id])).get(match_id, Requests())

    async def challenge(self, match: Match, now: float) -> ChallengeFacts:
        """Return the facts about a challenge for a message about its match."""
        async with self._database.read() as connection:
            return await challenge_facts(connection, match, now)

    async def open_seats(self, guild_id: GuildId, limit: int) -> tuple[MatchSummary, ...]:
        """Return matches on a server with a seat that anyone may take, the newest first."""
        on_server = matches.c.guild_id == guild_id
        query = last_matches(SUMMARIES, matches.c.created_at, limit, on_server, ACTIVE, OPEN)
        async with self._database.read() as connection:
            return await summaries_of(connection, query)

    async def seats_for(
        self, guild_id: GuildId, user_id: UserId, limit: int
    ) -> tuple[MatchSummary, ...]:
        """Return matches on a server that a user can join, see `match_summaries.seats_for`."""
        async with self._database.read() as connection:
            return await seats_for(connection, guild_id, user_id, limit)

    async def latest(
        self,
        user_id: UserId,
        *statuses: MatchStatus,
        game: str = "",
        digits: str = "",
        limit: int = 25,
    ) -> list[Match]:
        """Return the matches of a user that changed last.

        Args:
            game: only matches of this game; empty for all.
            digits: only matches with these digits in their number.
            limit: maximum number of matches.
        """
        conditions: list[ColumnElement[bool]] = [matches.c.game == game] if game else []
        if digits:
            conditions.append(cast(matches.c.id, String).contains(digits, autoescape=True))
        numbers = last_of_user(user_id, statuses, limit, *conditions)
        query = last_matches(ALL_MATCHES, matches.c.changed_at, limit, matches.c.id.in_(numbers))
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
            return await matches_of(connection, [MatchWithBoard.of(row) for row in rows])

    async def last_movers(self, match_ids: Collection[MatchId]) -> dict[MatchId, str]:
        """Return the seat that made the last move of each match itself; not for one without moves.

        Moves of computers, of plans and forced ones do not count, nor do dice.
        """
        by_person = (
            actions.c.undone_at.is_(None),
            actions.c.automatic.is_(None),
            actions.c.chosen_by.is_(None),
            actions.c.line.not_like(f"{CHANCE} %"),
        )
        last = (
            select(actions.c.match_id, func.max(actions.c.number).label("number"))
            .where(actions.c.match_id.in_(match_ids), *by_person)
            .group_by(actions.c.match_id)
            .subquery()
        )
        is_last = (actions.c.match_id == last.c.match_id) & (actions.c.number == last.c.number)
        query = select(actions.c.match_id, actions.c.line).join(last, is_last)
        async with self._database.read() as connection:
            rows = await connection.execute(query)
            return {match_id: Action.parse(line).actor for match_id, line in rows}

    async def view(
        self, match_id: MatchId, user_id: UserId | None = None, action_count: int | None = None
    ) -> Perspective:
        """Return a match as a user may see it: as a player, or as the public.

        Args:
            user_id: the viewer's user ID; None for the public.
            action_count: number of actions before the position to show; None for the present.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        bind_context(match=match_id)
        async with self._database.read() as connection:
            with_board = await begun_match_with_board(connection, match_id, user_id)
            row = with_board.match
            match = await match_of(connection, with_board)
            seat = match.seat_of(user_id)
            if action_count is None or action_count == await action_count_of(connection, match_id):
                game = games.get(row.game)
                view, latest = game.view(row.state(), seat), await latest_log(connection, match_id)
                return Perspective(match, seat, with_marks(game, view, latest))
            log = await actions_of(connection, match_id, action_count)
            marks = await marks_of(connection, match_id)
        record = Record(_headers(row, match.players), log)
        last = partial(_last, record, seat, marks)
        return Perspective(match, seat, await self._positions.run_in_thread(last))

    async def turns(self, match_id: MatchId) -> tuple[Perspective, Sequence[Turn]]:
        """Return a finished match as the public sees it, with its turns.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        perspective, record = await self.log(match_id)
        return perspective, await self._positions.public_turns(match_id, record)

    async def seen_by(
        self, match_id: MatchId, action_count: int, reader: str
    ) -> tuple[Perspective, bool]:
        """Return a position of a finished match as a reader knew it then.

        Args:
            action_count: number of actions before the position.
            reader: a seat, `PUBLIC`, or `ALL_REVEALED`; another text stands for `PUBLIC`.

        Returns:
            The match with the view of that time, without choices, whose story has marks; whether
            anything was ever hidden from the public.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        perspective, record = await self.log(match_id)
        marks = await self.marks(match_id)
        seat = reader if reader in perspective.match.players else PUBLIC

        def read(replayed: Replayed) -> tuple[View, bool]:
            game, state = replayed.game, replayed.states[action_count]
            is_open = reader == ALL_REVEALED
            view: View = game.revealed_view(state) if is_open else game.view(state, seat)
            log = replayed.log(marks)[max(0, action_count - STORY_ACTIONS) : action_count]
            view = with_marks(game, view, log)
            return replace(view, legal=()), replayed.has_secrets

        view, has_secrets = await self._positions.read(match_id, record, read)
        return Perspective(perspective.match, seat, view), has_secrets

    async def marks(self, match_id: MatchId) -> dict[int, Mark]:
        """Return place of an action that stands → why the bot made it, as far as all may know."""
        async with self._database.read() as connection:
            return await marks_of(connection, match_id)

    async def log(self, match_id: MatchId) -> tuple[Perspective, Record]:
        """Return a match as the public sees it, with its record as stored.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            row, match, record = await _with_record(connection, match_id)
        return Perspective(match, PUBLIC, games.get(row.game).view(row.state())), record

    async def origin(self, match_id: MatchId, action_count: int) -> Origin:
        """Return a position of a finished match as the origin of a new one.

        Raises:
            IllegalActionError: it is not finished, or no match can begin there.
            NoMatchError: there is no such match, or it has not begun.
        """
        perspective, record = await self.log(match_id)
        if perspective.match.status != MatchStatus.FINISHED:
            raise IllegalActionError(
                "", "This match isn't over yet; `/board` shows the current position."
            )
        work = partial(lines_until, record, action_count)
        return Origin(perspective.match, await self._positions.run_in_thread(work))

    async def level_met(self, user_id: UserId) -> str:
        """Return the level of the computer in the user's latest match against it; empty if none."""
        user_seats = seats.alias()
        in_match = seats.c.match_id == user_seats.c.match_id
        computer = select(seats.c.level).where(in_match, seats.c.user_id == COMPUTER_USER_ID)
        # Not joined: SQLite could begin with all seats that a computer ever had.
        query = select(computer.limit(1).scalar_subquery())
        query = query.where(user_seats.c.user_id == user_id, computer.exists())
        async with self._database.read() as connection:
            latest = query.order_by(user_seats.c.match_id.desc()).limit(1)
            return (await connection.execute(latest)).scalar() or ""

    async def earlier_views(
        self, match_id: MatchId, spots: Sequence[tuple[int, str]]
    ) -> tuple[Perspective, list[int], list[tuple[View, View | None]]]:
        """Return a finished match as the public sees it, and earlier views of some seats.

        Args:
            spots: numbers of actions, each with the seat whose view is wanted.

        Returns:
            The match; the number of the turn in each of its positions; for each spot, its view and
            the answer to its action, see `bot.domain.turn_summaries.answer_to`.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        perspective, record = await self.log(match_id)

        def read(replayed: Replayed) -> tuple[list[int], list[tuple[View, View | None]]]:
            turns = [view.turn for view in replayed.views(PUBLIC)]
            rows = [(replayed.views(seat), place) for place, seat in spots]
            return turns, [
                (views[place], answer_to(views, record.actions, place)) for views, place in rows
            ]

        return perspective, *await self._positions.read(match_id, record, read)

    async def since_last_turn(
        self, match_id: MatchId, user_id: UserId
    ) -> tuple[Perspective, list[View]]:
        """Return a match as a user sees it, with the views of all turns since the user's last one.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            _row, match, record = await _with_record(connection, match_id)
            automatic = await automatic_places(connection, match_id)
            marks = await marks_of(connection, match_id)
        seat = match.seat_of(user_id)

        def read(replayed: Replayed) -> tuple[View, list[View]]:
            views = replayed.views(seat, marks)
            return views[-1], turns_since(views, record.actions, seat, automatic)

        now, turn_views = await self._positions.read(match_id, record, read)
        return Perspective(match, seat, now), turn_views

    async def last_turn(self, match_id: MatchId, user_id: UserId) -> list[View]:
        """Return a user's views of the latest turn, see `bot.domain.turn_summaries`.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            _row, match, record = await _with_record(connection, match_id)
        seat = match.seat_of(user_id)
        return await self._positions.read(
            match_id, record, lambda replayed: last_turn(replayed.views(seat))
        )

    async def choices_at(
        self, match_id: MatchId, user_id: UserId, counts: Sequence[int]
    ) -> list[tuple[View, Action]]:
        """Return choices of a user, each with the user's view before it.

        Args:
            counts: the number of actions before each choice; those taken back since are left out.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            _row, match, record = await _with_record(connection, match_id, user_id)
        log, seat = record.actions, match.seat_of(user_id)
        remaining = [count for count in counts if count < len(log) and log[count].actor == seat]

        def read(replayed: Replayed) -> list[tuple[View, Action]]:
            return [(replayed.views(seat)[count], log[count]) for count in remaining]

        return await self._positions.read(match_id, record, read)

    async def analysis(self, match_id: MatchId) -> Analysis | None:
        """Return the analysis of a match; None if there is none of this version."""
        query = select(analyses.c.result).where(
            analyses.c.match_id == match_id, analyses.c.version == ANALYSIS_VERSION
        )
        async with self._database.read() as connection:
            result = (await connection.execute(query)).scalar()
        return Analysis.from_json(json.loads(result)) if result else None

    async def stories(self, match_id: MatchId, start: int, end: int) -> tuple[View, ...]:
        """Return public views of turns that ended between two numbers of actions.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            row = (await begun_match_with_board(connection, match_id)).match
            log = await actions_of(connection, match_id, end)
            marks = await marks_of(connection, match_id)
        record = Record(_headers(row, {}), log)

        def read(replayed: Replayed) -> tuple[View, ...]:
            return tuple(finished_stories(replayed.views(PUBLIC, marks)[start:]))

        return await self._positions.read(match_id, record, read)

    async def record(self, match_id: MatchId, user_id: UserId | None = None) -> Record:
        """Return the record as a user may see it now; complete, with the seed, after the end.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        async with self._database.read() as connection:
            row, match, stored = await _with_record(connection, match_id)
            headers = dict(stored.headers)
            if row.status == MatchStatus.FINISHED:
                game = games.get(row.game)
                state = row.state()
                headers |= {"Seed": row.seed.hex(), "Result": game.result(state)}
                if points := points_text(game, state):
                    headers["Points"] = points
            choosers = await choosers_of(connection, match_id)
            if text := choosers_text(stored.actions, choosers):
                headers[CHOOSERS_HEADER] = text
        record = Record(headers, stored.actions)
        return await self._positions.run_in_thread(partial(record.redact, match.seat_of(user_id)))

    async def verify(self, record: Record, noted: str) -> int:
        """Verify all dice of a record; see `Record.verify`."""
        return await self._positions.run_in_thread(partial(record.verify, noted))

    async def piecepack(self, record: Record) -> str:
        """Return a finished match in Portable Piecepack Notation; empty for other games."""

        def work() -> str:
            game, start = next(record.positions())
            return game.piecepack(record.headers, start, record.actions)

        return await self._positions.run_in_thread(work)

    def clear_cache(self) -> None:
        """Clear the cached positions."""
        self._positions.clear_cache()


async def _with_record(
    connection: Connection, match_id: MatchId, reader: UserId | None = None
) -> tuple[MatchRow, Match, Record]:
    """Return a match that has begun, with its record as stored; see `begun_match_with_board`."""
    with_board = await begun_match_with_board(connection, match_id, reader)
    row, match = with_board.match, await match_of(connection, with_board)
    return row, match, Record(_headers(row, match.players), await actions_of(connection, match_id))


def _last(record: Record, seat: str, marks: Mapping[int, Mark]) -> View:
    """Return a seat's view of the last position of a record, see `with_marks`."""
    game, state = record.replay()
    log = [(action, marks.get(place)) for place, action in enumerate(record.actions)]
    view: View = with_marks(game, game.view(state, seat), log[-STORY_ACTIONS:])
    return view


def _headers(row: MatchRow, players: Mapping[str, Player]) -> dict[str, str]:
    start = datetime.fromtimestamp(row.created_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    headers = {"Game": row.game, "Rules": row.rules}
    if row.options:
        headers["Options"] = " ".join(f"{name}={value}" for name, value in row.options.items())
    headers |= {f"Seat {seat}": player.name for seat, player in players.items()}
    headers |= {"Version": str(row.engine_version), "Dice": row.commitment or "none"}
    if row.committed_at is None:
        headers["Dice stored"] = "at an upgrade"
    if row.seat_order:
        to_draw = row.seats_to_draw or ""
        sides = [seat if seat in to_draw else seat + CHOSEN_MARK for seat in row.seat_order]
        headers["Sides"] = " ".join(sides)
    if row.lines_taken_over:
        headers[TAKEN_OVER_HEADER] = str(row.lines_taken_over)
        headers |= {ORIGIN_HEADER: f"match {row.parent_id}"} if row.parent_id else {}
    if row.rounds > 1:
        headers["Series"] = f"{row.round}/{row.rounds}"
    return headers | {"Salt": row.salt, "Date": start}
