"""The data that a delivery needs, read in one snapshot."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from bot.domain.ids import NO_MATCH, ChannelId, MatchId, UserId
from bot.domain.models import Match, MatchStatus, Perspective, Rated
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, PostedKind, SentCopy
from bot.services.automatic_moves import StopReason, latest_log, mark_count
from bot.services.challenge_facts import NO_FACTS, ChallengeFacts, challenge_facts
from bot.services.match_location import left_channels
from bot.services.match_repository import (
    MATCH,
    MatchWithBoard,
    NoMatchError,
    check_begun,
    line_count,
    match_of,
    seats_of,
)
from bot.services.preferences import language_of
from bot.services.queries import Queries
from bot.services.rated_results import RatingChange, rating_changes
from bot.services.rows import MatchRow
from bot.services.series import is_rated_series
from bot.services.servers import ServerSettings
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import guilds, matches, outbox, plans, posted_messages
from engine import games
from engine.game import Action, View
from engine.stories import Mark, with_marks

_OF_CHALLENGES = frozenset(
    {
        OutboxKind.POST_CHALLENGE,
        OutboxKind.UPDATE_CHALLENGE,
        OutboxKind.SERIES_REMINDER,
        OutboxKind.START_THREAD,
        OutboxKind.START_POST,
        OutboxKind.UPDATE_POST,
        OutboxKind.CLOSE_QUESTION,
    }
)
"""Kinds of messages that show no position."""

_OF_A_MOMENT = frozenset({OutboxKind.POST_BOARD, OutboxKind.POST_RESULT})
"""Kinds of messages that show the position as of their queueing, even if it has changed since."""

_SETTINGS = select(guilds.c.settings).where(guilds.c.guild_id == matches.c.guild_id)
_DELIVERY = MATCH.add_columns(
    _SETTINGS.correlate(matches).scalar_subquery().label("settings"),
    line_count(matches.c.id).correlate(matches).scalar_subquery().label("action_count"),
    mark_count(matches.c.id).correlate(matches).scalar_subquery().label("mark_count"),
)


_POSTED = (
    select(posted_messages)
    .where(posted_messages.c.match_id == bindparam("this"))
    .order_by(posted_messages.c.id)
)


@dataclass(frozen=True, slots=True)
class MessageState:
    """A message that is kept up to date, in its current state on Discord.

    Attributes:
        copies: all of its copies; empty if there is none.
        revision: see `SentMessage`.
    """

    copies: tuple[SentCopy, ...] = ()
    revision: int = 0


class SeriesEnd(NamedTuple):
    """The result of a rated series that was not played to its end.

    Attributes:
        rated: whether it counts.
    """

    rated: Rated
    changes: tuple[RatingChange, ...]


@dataclass(frozen=True, slots=True)
class DeliverySnapshot:
    """A match at the time when a message about it is created.

    Attributes:
        match: the public facts.
        view: the recipients' view of the position that the message shows; None for a
            challenge.
        legal: seat → view, for the people who decide now; empty if the message shows the past.
        posted: the messages that are kept up to date.
        languages: user ID → language of each player.
        earlier: see `Perspective`.
        stopped: for a DM about a turn, the reason that stopped the recipient's plan then.
        former_channels: channels in which the message may have been posted before the match was
            moved.
        challenge: for a challenge, the facts for its message beside the public ones.
        closed_by: for a closed challenge, ID of the user that declined or withdrew it; None if it
            has expired.
        ratings: for a finished match, the changes of ratings.
        series_end: for a closed challenge to the next match of a rated series, its result.
    """

    match: Match
    view: View | None
    legal: Mapping[str, View]
    posted: Mapping[PostedKind, MessageState]
    server: ServerSettings
    languages: Mapping[UserId, str] = field(default_factory=dict)
    earlier: tuple[View, ...] = ()
    stopped: StopReason | None = None
    former_channels: tuple[ChannelId, ...] = ()
    challenge: ChallengeFacts = NO_FACTS
    closed_by: UserId | None = None
    ratings: tuple[RatingChange, ...] = ()
    series_end: SeriesEnd | None = None

    def perspective(self, user_id: UserId | None = None) -> Perspective:
        """Return the match as the recipient sees it; None for the public.

        Raises:
            NoMatchError: the match has not begun.
        """
        if self.view is None:
            raise NoMatchError(self.match.id)
        return Perspective(self.match, self.match.seat_of(user_id), self.view, self.earlier)

    def language_of(self, user_id: UserId) -> str:
        """Return the language of a player."""
        return self.languages.get(user_id) or language_of(None)


class Deliveries:
    """Reads the data that deliveries need.

    Args:
        queries: replays a match if a message shows a past position.
    """

    def __init__(
        self, database: Database, queries: Queries, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._queries = queries
        self._clock = clock

    async def read(self, queued: OutboxMessage) -> DeliverySnapshot:
        """Return the data for a delivery.

        Raises:
            NoMatchError: there is no such match, or it has not begun.
        """
        user_id = queued.target.user_id
        values = {"this": queued.match_id, "reader": user_id}
        async with self._database.read() as connection:
            row = (await connection.execute(_DELIVERY, values)).one_or_none()
            if row is None:
                raise NoMatchError(queued.match_id)
            *columns, settings, action_count, marks = row
            with_board = MatchWithBoard.of(columns)
            if queued.kind not in _OF_CHALLENGES:
                check_begun(with_board.match)
            people = await seats_of(connection, queued.match_id)
            match = await match_of(connection, with_board, people)
            posted = await posted_of(connection, queued.match_id)
            stopped = await _stopped(connection, queued, match)
            former_channels = await left_channels(connection, queued) if queued.attempts > 1 else ()
            ratings: tuple[RatingChange, ...] = ()
            if match.status == MatchStatus.FINISHED and match.rated == Rated.RATED:
                ratings = await rating_changes(connection, match.id)
            series_end = await _series_end(connection, with_board.match)
            challenge = await challenge_facts(connection, match, self._clock())
            closed_by = await _closed_by(connection, match)
            latest = await _latest(connection, queued, action_count, has_marks=bool(marks))
        view, legal = await self._views(queued, with_board, match, latest)
        earlier: tuple[View, ...] = ()
        if "told_from" in queued.payload:
            counts = (queued.payload[name] for name in ("told_from", "action_count"))
            earlier = await self._queries.stories(match.id, *counts)
        return DeliverySnapshot(
            match=match,
            view=view,
            legal=legal,
            posted=posted,
            server=ServerSettings.of(settings or {}),
            earlier=earlier,
            stopped=stopped,
            languages={person.user_id: language_of(person.preferences) for person in people},
            former_channels=tuple(former_channels),
            challenge=challenge,
            closed_by=closed_by,
            ratings=ratings,
            series_end=series_end,
        )

    async def _views(
        self,
        queued: OutboxMessage,
        with_board: MatchWithBoard,
        match: Match,
        latest: Sequence[tuple[Action, Mark | None]] | None,
    ) -> tuple[View | None, dict[str, View]]:
        """Return the view of the recipients, and the views of the seats that decide.

        Args:
            latest: the latest actions, see `with_marks`; None if a past position is shown.
        """
        if queued.kind in _OF_CHALLENGES:
            return None, {}
        if latest is None:
            queued_count = queued.payload["action_count"]
            return (await self._queries.view(match.id, action_count=queued_count)).view, {}
        game, state = games.get(match.game), with_board.match.state()
        view = with_marks(game, game.view(state, match.seat_of(queued.target.user_id)), latest)
        live = match.status == MatchStatus.RUNNING and match.version == queued.payload.get(
            "version"
        )
        public = live and queued.target == EVERYONE
        deciding = match.decisions.keys() & match.acting_people.keys() if public else ()
        return view, {seat: game.view(state, seat) for seat in deciding}


async def _latest(
    connection: Connection, queued: OutboxMessage, action_count: int, *, has_marks: bool
) -> list[tuple[Action, Mark | None]] | None:
    """Return the latest actions if a message shows the present position; None for a past one.

    Of a match without marks, they are not read.
    """
    queued_count = queued.payload.get("action_count", action_count)
    if queued.kind in _OF_A_MOMENT and queued_count != action_count:
        return None
    return await latest_log(connection, queued.match_id) if has_marks else []


async def _closed_by(connection: Connection, match: Match) -> UserId | None:
    """Return the ID of the user who has declined or withdrawn a challenge; None if neither.

    It is in the message that waits to report this: the challenge itself may be posted only now,
    before that message.
    """
    if match.status != MatchStatus.CLOSED:
        return None
    updates = (outbox.c.match_id == match.id) & (outbox.c.kind == OutboxKind.UPDATE_CHALLENGE)
    latest = select(outbox.c.payload).where(updates).order_by(outbox.c.id.desc()).limit(1)
    payload = (await connection.execute(latest)).scalar() or {}
    return UserId(int(payload.get("closed_by", 0))) or None


async def _series_end(connection: Connection, row: MatchRow) -> SeriesEnd | None:
    """Return the result of a rated series if this challenge to its next match was closed."""
    if row.status != MatchStatus.CLOSED or row.position is not None or not is_rated_series(row):
        return None
    before = select(matches.c.rated).where(matches.c.id == row.parent_id)
    rated = Rated((await connection.execute(before)).scalar_one())
    return SeriesEnd(rated, await rating_changes(connection, row.parent_id or NO_MATCH))


async def _stopped(
    connection: Connection, queued: OutboxMessage, match: Match
) -> StopReason | None:
    """Return the reason that stopped the recipient's plan at the turn of a DM, or None."""
    if queued.kind != OutboxKind.TURN_DM:
        return None
    seat = match.seat_of(queued.target.user_id)
    seat_plan = (plans.c.match_id == match.id) & (plans.c.seat == seat)
    now = plans.c.stopped_at == match.decisions.get(seat)
    query = select(plans.c.stopped).where(seat_plan, now)
    reason = (await connection.execute(query)).scalar_one_or_none()
    return StopReason(reason) if reason else None


async def posted_of(connection: Connection, match_id: MatchId) -> dict[PostedKind, MessageState]:
    """Return the messages about a match that are kept up to date."""
    posted: dict[PostedKind, MessageState] = {kind: MessageState() for kind in PostedKind}
    rows: Any = await connection.execute(_POSTED, {"this": match_id})
    for row in rows:
        copies = posted[PostedKind(row.kind)].copies
        copy = SentCopy(row.user_id or None, row.channel_id, row.message_id)
        posted[PostedKind(row.kind)] = MessageState((*copies, copy), row.action_count)
    return posted
