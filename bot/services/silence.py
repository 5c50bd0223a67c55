"""Players who no longer decide: the others are informed, and can end their part after a notice."""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import EVERYONE, PING_PREFIX, OutboxKind, Target
from bot.domain.outcomes import NEXT_AT, Outcome, OutcomeKind
from bot.domain.waiting import (
    GONE_SECONDS,
    NOTICE_SECONDS,
    SILENCE_SECONDS,
    endable_at,
)
from bot.services.abandoning import end_without_result
from bot.services.boards import Boards
from bot.services.clocks import schedule
from bot.services.events import PlayerSilent
from bot.services.match_repository import seat_row, seats_of
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.preferences import reminder
from bot.services.rows import MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from engine import games
from engine.game import Action
from render.i18n import _


class Silence:
    """Handles the timers of overdue decisions, and gives notice to their players.

    Args:
        matches: ends a match, or a player's part in it.
        boards: posts boards that show silent players.
    """

    def __init__(self, match_store: MatchStore, matches: Matches, boards: Boards) -> None:
        self._match_store = match_store
        self._matches = matches
        self._boards = boards

    async def give_notice(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        seat: str,
        *,
        version: Version,
        is_gone: bool,
    ) -> Outcome:
        """Give a silent player a last notice; see `end`.

        Args:
            user_id: user ID of the player who waits.
            seat: the seat of the player who does not decide.
            version: version of the match when the player confirmed.
            is_gone: whether the silent player has left the server, or cannot be reached any more.
        """

        async def announce(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            if row.version != version:
                sentence = _("The match has moved on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            people = {player.seat: player for player in await seats_of(connection, match_id)}
            silent = people.get(seat)
            if silent is None or not _waits_for(row, silent):
                sentence = _("The match isn't waiting for that player.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            if sentence := _objection(row, user_seat):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if refused := await self._refusal(connection, row, silent, is_gone=is_gone):
                return refused
            await self._announce(connection, row, silent, is_gone=is_gone)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, announce
        )

    async def _refusal(
        self, connection: Connection, row: MatchRow, silent: SeatRow, *, is_gone: bool
    ) -> Outcome | None:
        """Return the refusal of a notice to a player now; None if it is allowed."""
        since = row.changed_at if silent.waits_since is None else silent.waits_since
        rated = row.rated == Rated.RATED
        at = endable_at(
            since, rated=rated, clock=row.clock, is_gone=is_gone, patience=silent.patience
        )
        words, now = "", await self._match_store.heartbeats.time_of(connection, row)
        if silent.notice_at is not None:
            at, words = silent.notice_at, _("{name} has had notice already; it ends {time}.")
        elif refusals := await _refusals(connection, row):
            words = refusals[0]
        elif at is None:
            words = _("This match is rated and has a clock: claim it when {name} is out of time.")
        elif at > now:
            words = _("{name} may still be playing. If not, you can do that {time}.")
        if not words:
            return None
        sentence = words.format(name=silent.name, time=NEXT_AT)
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence, next_at=at or 0.0)

    async def _announce(
        self, connection: Connection, row: MatchRow, silent: SeatRow, *, is_gone: bool
    ) -> None:
        """Set the timer of a notice, and announce it to all players.

        A vacation comes first, unless the player is gone.
        """
        now = await self._match_store.heartbeats.time_of(connection, row)
        start = now if is_gone else max(now, silent.away_until or now)
        version = row.decisions[silent.seat]
        await schedule(connection, silent, version, {TimerKind.NOTICE: start + NOTICE_SECONDS})
        payload = {f"{PING_PREFIX}{silent.seat}": version}
        for target in (EVERYONE, Target(silent.user_id)):
            await self._match_store.queue(connection, row.id, OutboxKind.NOTICE, payload, target)
        kind = OutboxKind.EDIT_BOARD
        await self._match_store.queue_board(connection, row.id, row.version, kind)

    async def end(self, connection: Connection, row: MatchRow, seat: str, version: Version) -> None:
        """End a match without a result whose silent player has let the notice pass.

        If several others are still in the match, only the silent player leaves it.
        """
        if row.status != MatchStatus.RUNNING or row.decisions.get(seat) != version:
            return
        if not (await seat_row(connection, row.id, seat)).decides_itself:
            return  # the others have let the computer play
        if len(games.get(row.game).view(row.state()).playing) > 2:
            await self._matches.apply(connection, row, Action(seat, "leave"))
        else:
            await end_without_result(self._matches, connection, row, seat)

    async def look(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Queue a board that shows whether a player who has not decided for days is gone.

        If no reminder has informed the others, the board is posted again for that.
        """
        pause = SILENCE_SECONDS - GONE_SECONDS
        player = await self._follow(connection, row, seat, version, {TimerKind.SILENT: pause})
        if player:
            is_reminded = reminder(player.preferences) and player.away_until is None
            tell = {} if is_reminded else {"tell": 1}
            kind = OutboxKind.EDIT_BOARD
            await self._match_store.queue_board(
                connection, row.id, row.version, kind, absent=1, **tell
            )

    async def report(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Remind the others every four weeks that they can give a silent player notice."""
        pause = SILENCE_SECONDS
        player = await self._follow(connection, row, seat, version, {TimerKind.STUCK: pause})
        if player and player.patience is None:
            await self._boards.repost(connection, row, absent=1)

    async def report_after_vacation(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Inform the others that a player has been silent for four weeks besides vacations."""
        if await self._follow(connection, row, seat, version, {}):
            await self._boards.repost(connection, row, absent=1)

    async def _follow(
        self,
        connection: Connection,
        row: MatchRow,
        seat: str,
        version: Version,
        pauses: Mapping[TimerKind, float],
    ) -> SeatRow | None:
        """Set the next timer of a pending decision.

        Args:
            seat: the seat that has to decide.
            version: version of the decision that the timer was set for.
            pauses: kind of the next timer → seconds until then; empty if another one sets it.

        Returns:
            The seat of the player of whom to inform the others; None if there is no need to.
        """
        if row.status != MatchStatus.RUNNING or row.decisions.get(seat) != version:
            return None
        silent = await seat_row(connection, row.id, seat)
        if pauses and not silent.decides_itself:
            pauses = {TimerKind.GONE: GONE_SECONDS}  # it begins again when the player comes back
        now = self._match_store.clock()
        if due := {kind: now + pause for kind, pause in pauses.items()}:
            await schedule(connection, silent, version, due)
        if not silent.decides_itself or await _refusals(connection, row):
            return None
        return silent


async def _refusals(connection: Connection, row: MatchRow) -> list[str]:
    """Return sentences that say why only the clock may end a match; empty if others may."""
    event = PlayerSilent(row.id, [])
    await publish(connection, event)
    return event.refusals


def _waits_for(row: MatchRow, player: SeatRow) -> bool:
    """Return whether a match waits for the decision of this player, not of the computer."""
    return player.seat in row.decisions and player.is_person and player.decides_itself


def _objection(row: MatchRow, seat: str) -> str:
    """Return the reason for refusing a notice by a seat's player, or an empty string."""
    if seat not in games.get(row.game).view(row.state()).playing:
        return _("You've left this match.")
    if seat in row.decisions:
        return _("It's your own turn; `/board` shows the board with your moves.")
    return ""
