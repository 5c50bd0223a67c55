"""Deadlines: expired clocks, claims on time, warnings and reminders."""

from __future__ import annotations

from sqlalchemy import delete, select

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import PING_PREFIX, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.pools import is_solo
from bot.services.boards import Boards
from bot.services.clocks import (
    REMINDERS,
    ran_out,
    record_reminders,
    schedule,
    unschedule,
    update_seat,
)
from bot.services.match_repository import seat_row, seats_of
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.pings import WATCHING_SECONDS, turn_dms
from bot.services.preferences import reminder, rests_until
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import actions, timers
from engine.endings import FORFEIT_REASONS
from engine.game import Action
from render.i18n import _

SOLO_RESPITE_SECONDS = DAY
"""Seconds from a player running out of time to the computer winning a rated match."""


class Deadlines:
    """Handles players who are out of time or about to be."""

    def __init__(self, match_store: MatchStore, matches: Matches, boards: Boards) -> None:
        self._match_store = match_store
        self._matches = matches
        self._boards = boards

    async def claim_win(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        seat: str,
        *,
        confirmed_version: Version | None = None,
        confirms: bool = False,
    ) -> Outcome:
        """Claim the match against a player out of time.

        Args:
            seat: the seat that is out of time.
            confirmed_version: version of the match when the player confirmed; None for any.
            confirms: return `confirm` instead of claiming, if the claim is possible.
        """

        async def flag(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            if confirmed_version is not None and row.version != confirmed_version:
                sentence = _("The match has moved on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            if refused := await self._no_claim(connection, row, user_seat, seat):
                return refused
            if confirms:
                return Outcome(OutcomeKind.CONFIRM, match_id)
            await self._matches.apply(connection, row, Action(seat, "flag", ()), by=user_seat)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, flag
        )

    async def _no_claim(
        self, connection: Connection, row: MatchRow, user_seat: str, seat: str
    ) -> Outcome | None:
        """Return a refusal of a claim against another player; None if it is allowed."""
        if seat == user_seat:
            sentence = _("You're out of time yourself, so you can't claim it.")
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        people = {person.seat: person for person in await seats_of(connection, row.id)}
        is_late = seat in row.decisions and people[seat].seconds_left == 0
        if not is_late or not people[seat].decides_itself:
            sentence = _("This player isn't out of time, so there's nothing to claim.")
            return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
        if await _has_left(connection, row.id, user_seat):
            sentence = _("You've left this match, so only the other players can claim it.")
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        now = await self._match_store.heartbeats.time_of(connection, row)
        own_end = ran_out(people[user_seat], now) if user_seat in row.decisions else None
        if own_end is not None and own_end <= (people[seat].clock_started_at or 0.0):
            sentence = _(
                "Your own time has run out, too: make your move first, then you can claim."
            )
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        return None

    async def out_of_time(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Stop a seat's expired clock at zero, so that other players may claim the match.

        In a rated match against the computer, the player loses when this timer fires again.
        """
        if not _is_pending(row, seat, version):
            return
        player = await seat_row(connection, row.id, seat)
        if player.seconds_left and player.clock_started_at is not None:
            end = player.parsed_days_off.after(player.clock_started_at, player.seconds_left)
            end = min(end, self._match_store.clock())  # an outage on days off may have followed
            await update_seat(connection, player, seconds_left=0.0, clock_started_at=end)
            await record_reminders(connection, row, seat)
            await self._boards.repost(connection, row)
            await self._lose_later(connection, row, seat, version)
        elif await self._loses_now(connection, row, seat):
            await self._matches.apply(connection, row, Action(seat, "flag", ()))

    async def _lose_later(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Schedule the loss of a rated match against the computer by a player out of time."""
        if await _is_rated_solo(connection, row):
            due = self._match_store.clock() + SOLO_RESPITE_SECONDS
            player = await seat_row(connection, row.id, seat)
            await schedule(connection, player, version, {TimerKind.FLAG: due})

    async def _loses_now(self, connection: Connection, row: MatchRow, seat: str) -> bool:
        """Return whether a player has used up the respite as well; see `_lose_later`."""
        is_over = (await seat_row(connection, row.id, seat)).seconds_left == 0
        return is_over and await _is_rated_solo(connection, row)

    async def warn(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Repost the board because a seat is about to run out of time."""
        if _is_pending(row, seat, version):
            await record_reminders(connection, row, seat)
            await self._boards.repost(connection, row)

    async def ping(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Ping a player who has not decided at once, and send a DM if the player wants one.

        The same message pings other players whose pings are due. A player who has clicked in the
        match lately is watching it, and is pinged later.
        """
        due = delete(timers).where(
            timers.c.match_id == row.id,
            timers.c.kind == TimerKind.PING,
            timers.c.due_at <= self._match_store.clock(),
        )
        rows = await connection.execute(due.returning(timers.c.seat, timers.c.version))
        called = {
            called_seat: since
            for called_seat, since in ((seat, version), *rows)
            if _is_pending(row, called_seat, since)
        }
        people = await seats_of(connection, row.id)
        for person in people:
            due_at = self._watches_until(person)
            if person.seat in called and due_at > self._match_store.clock():
                since = called.pop(person.seat)
                await schedule(connection, person, since, {TimerKind.PING: due_at})
        if called:
            pings = {f"{PING_PREFIX}{called_seat}": since for called_seat, since in called.items()}
            kind = OutboxKind.TURN_PING
            await self._match_store.queue_board(connection, row.id, row.version, kind, **pings)
            payload = {"version": row.version}
            dms = turn_dms(people, "".join(called), payload)
            await self._match_store.queue_all(connection, dms)

    def _watches_until(self, person: SeatRow) -> float:
        """Return until when a player counts as watching; 0 without a recent click."""
        clicked_at = self._match_store.clicks.latest(person.match_id, person.user_id)
        return 0.0 if clicked_at is None else clicked_at + WATCHING_SECONDS

    async def remind(
        self,
        connection: Connection,
        row: MatchRow,
        seat: str,
        version: Version,
        kind: TimerKind = TimerKind.REMIND,
    ) -> None:
        """Remind the players, after the end of the deciding player's quiet hours.

        The pause until the next reminder doubles with each one. A player who wants no reminders
        gets only those that they postponed.
        """
        if not _is_pending(row, seat, version):
            return
        player = await seat_row(connection, row.id, seat)
        if kind == TimerKind.REMIND and not reminder(player.preferences):
            return
        end = rests_until(player.preferences, self._match_store.clock())
        if end is None:
            await record_reminders(connection, row, seat)
            await self._boards.repost(connection, row, reminder=1)
            reminders = player.reminders if player.reminded_at == version else 0
            if pause := reminder(player.preferences):
                end = self._match_store.clock() + pause * 2 ** (reminders + 1)
                await schedule(connection, player, version, {TimerKind.REMIND: end})
        else:
            await schedule(connection, player, version, {kind: end})

    async def snooze(self, interaction_id: int, match_id: MatchId, user_id: UserId) -> Outcome:
        """Postpone the reminder of a pending decision to a day from now."""

        async def put_off(connection: Connection, row: MatchRow, seat: str) -> Outcome:
            if seat not in row.decisions:
                sentence = _("It's not your turn, so there's nothing to remind you of.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            player = await seat_row(connection, match_id, seat)
            due = self._match_store.clock() + DAY
            await unschedule(connection, player, REMINDERS)
            await schedule(connection, player, row.decisions[seat], {TimerKind.SNOOZE: due})
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, put_off
        )


async def _is_rated_solo(connection: Connection, row: MatchRow) -> bool:
    """Return whether one person plays a rated match against the computer."""
    people = await seats_of(connection, row.id)
    return row.rated == Rated.RATED and is_solo([person.player for person in people])


async def _has_left(connection: Connection, match_id: MatchId, seat: str) -> bool:
    """Return whether a player has left a match that others play on."""
    lines = [str(Action(seat, verb, ())) for verb in FORFEIT_REASONS]
    forfeits = select(actions.c.number).where(actions.c.match_id == match_id)
    return (await connection.execute(forfeits.where(actions.c.line.in_(lines)))).first() is not None


def _is_pending(row: MatchRow, seat: str, version: Version) -> bool:
    """Return whether this decision of this seat is still pending."""
    return bool(row.status == MatchStatus.RUNNING and row.decisions.get(seat) == version)
