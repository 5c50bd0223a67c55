"""Nudges: reminders by waiting players, at most once a day in each match."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, delete, insert, select

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, TimerKind
from bot.domain.outbox import PING_PREFIX, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.clocks import record_reminders, schedule
from bot.services.match_repository import seat_row, seats_of
from bot.services.match_store import MatchStore
from bot.services.pings import turn_dms
from bot.services.preferences import blocked_by, reminder, rests_until
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import timers
from engine import games
from render.i18n import _

NUDGE_PAUSE_SECONDS = DAY
"""Seconds between two nudges in a match."""


class Nudges:
    """Nudges players who have to decide, as their preferences and quiet hours allow."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store

    async def nudge(
        self, interaction_id: int, match_id: MatchId, user_id: UserId, gone: str = ""
    ) -> Outcome:
        """Nudge the players that another player is waiting for.

        Args:
            user_id: user ID of the player who waits.
            gone: the seats of players who have left the server, or cannot be reached any more.

        Returns:
            The outcome; refused with `next_at` if there was another nudge less than a day ago.
        """

        async def tell(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            people, now = await seats_of(connection, match_id), self._match_store.clock()
            deciding = [seat for seat in people if seat.seat in row.decisions and seat.is_person]
            reachable = [seat for seat in deciding if seat.seat not in gone]
            unreachable = [seat for seat in deciding if seat.seat in gone]
            if sentence := _refusal(row, reachable, user_seat, user_id, unreachable):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if (next_at := await _next_nudge(connection, match_id)) > now:
                return Outcome(OutcomeKind.REFUSED, match_id, next_at=next_at)
            await _note(connection, match_id, now)
            ready = [seat for seat in reachable if _is_present(seat) and _accepts(seat, user_id)]
            await self._nudge(connection, row, ready)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, tell
        )

    async def nudge_late(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Nudge a player after the end of their quiet hours.

        Not if they have decided, gone away or switched reminders off since.
        """
        if row.status == MatchStatus.RUNNING and row.decisions.get(seat) == version:
            player = await seat_row(connection, row.id, seat)
            if _is_present(player) and reminder(player.preferences):
                await self._nudge(connection, row, [player])

    async def _nudge(
        self, connection: Connection, row: MatchRow, players: Sequence[SeatRow]
    ) -> None:
        """Nudge players now, or after the end of their quiet hours."""
        pings: dict[str, int] = {}
        for player in players:
            version = row.decisions[player.seat]
            end = rests_until(player.preferences, self._match_store.clock())
            if end is None:
                pings[f"{PING_PREFIX}{player.seat}"] = version
            else:
                await schedule(connection, player, version, {TimerKind.NUDGE: end})
        if pings:
            seats = "".join(name.removeprefix(PING_PREFIX) for name in pings)
            await self._match_store.queue(connection, row.id, OutboxKind.NUDGE, pings)
            await record_reminders(connection, row, seats)
            now = {"version": row.version}
            await self._match_store.queue_all(connection, turn_dms(players, seats, now))


def _refusal(
    row: MatchRow,
    reachable: Sequence[SeatRow],
    nudging: str,
    user_id: UserId,
    unreachable: Sequence[SeatRow],
) -> str:
    """Return the reason for refusing a nudge, or an empty string.

    Args:
        reachable: the people who have to decide and can be reached.
        unreachable: the people who have to decide and cannot be reached any more.
    """
    if nudging in games.get(row.game).view(row.state()).departed:
        return _("You've left this match.")
    if nudging in row.decisions:
        return _("It's your own turn; `/board` shows the board with your moves.")
    present = [seat for seat in reachable if _is_present(seat)]
    if any(_accepts(seat, user_id) for seat in present):
        return ""
    if present:
        sentence = _("{name} doesn't want to be reminded.")
        return sentence.format(name=present[0].name)
    if reachable:
        return _("{name} is away and can't be nudged.").format(name=reachable[0].name)
    if unreachable:
        words = _(
            "{name} has left this server, so I can't nudge them. To go on elsewhere, type `/board` "
            "on a server you share, then *Match…*, *Move here*."
        )
        words = words if row.guild_id else _("I can't reach {name} by DM any more.")
        return words.format(name=unreachable[0].name)
    return _("There's no one to nudge here.")


def _is_present(player: SeatRow) -> bool:
    """Return whether a player is not away, and decides without the computer."""
    return player.away_until is None and player.decides_itself


def _accepts(player: SeatRow, user_id: UserId) -> bool:
    """Return whether a player wants to be reminded, and may be by this user."""
    return bool(reminder(player.preferences)) and user_id not in blocked_by(player.preferences)


def _last_nudge(match_id: MatchId) -> ColumnElement[bool]:
    """Return the condition for the timer that records the last nudge in a match."""
    return (timers.c.match_id == match_id) & (timers.c.kind == TimerKind.NUDGED)


async def _next_nudge(connection: Connection, match_id: MatchId) -> float:
    """Return the UTC time when the next nudge is allowed; 0 if now."""
    query = select(timers.c.due_at).where(_last_nudge(match_id))
    due_at: float | None = (await connection.execute(query)).scalars().first()
    return due_at or 0.0


async def _note(connection: Connection, match_id: MatchId, now: float) -> None:
    """Record a nudge, by a timer that lasts until the next nudge is allowed."""
    await connection.execute(delete(timers).where(_last_nudge(match_id)))
    values = {"match_id": match_id, "seat": "", "version": 0, "kind": TimerKind.NUDGED}
    await connection.execute(insert(timers).values(due_at=now + NUDGE_PAUSE_SECONDS, **values))
