"""End a match without a result, once all its players have agreed.

A player's consent is a timer: it holds for a week, as long as the version of the match is the same.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import ColumnElement, delete, select, update

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import PING_PREFIX, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.pools import is_solo
from bot.services.clocks import schedule
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore
from bot.services.matches import Matches
from bot.services.requests import REQUEST_SECONDS
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import matches, timers
from engine import games
from engine.game import Action
from render.i18n import _


class Abandoning:
    """Ends matches that no player wants to finish.

    Args:
        computers: whether the computer can play. While it cannot, abandoning a rated match against
            it changes no ratings: the match cannot be finished.
    """

    def __init__(
        self, match_store: MatchStore, matches: Matches, *, computers: bool = True
    ) -> None:
        self._match_store = match_store
        self._matches = matches
        self._computers = computers

    async def agree(
        self, interaction_id: int, match_id: MatchId, user_id: UserId, version: Version
    ) -> Outcome:
        """Agree to end a match without a result; end it once all players in it have agreed.

        The computer agrees for its own seats, but not for the players for whom it stands in.

        Args:
            version: version of the match when the player confirmed.

        Returns:
            The outcome; `ask` if other players have been asked to agree.
        """

        async def consent(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            if row.version != version:
                sentence = _("The match has moved on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            playing = games.get(row.game).view(row.state()).playing
            people = {seat.seat: seat for seat in await seats_of(connection, match_id)}
            if user_seat not in playing:
                sentence = _("You've left this match.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            agreed = await _agreed(connection, row)
            missing = [s for s in playing if people[s].is_person and s not in agreed + user_seat]
            if not missing:
                if not self._computers and is_solo([seat.player for seat in people.values()]):
                    row = await _unrated(connection, row)
                await end_without_result(self._matches, connection, row, user_seat)
                return Outcome(OutcomeKind.DONE, match_id)
            if user_seat in agreed:
                sentence = _("You've already proposed that; wait for the answer.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            due = {TimerKind.ABANDON: self._match_store.clock() + REQUEST_SECONDS}
            await schedule(connection, people[user_seat], row.version, due)
            pings = {f"{PING_PREFIX}{seat}": row.version for seat in missing}
            payload = {"version": row.version, **pings}
            kind = OutboxKind.ABANDON_REQUEST
            await self._match_store.queue(connection, match_id, kind, payload)
            outcome = Outcome(OutcomeKind.ASK, match_id)
            await self._match_store.remember(connection, interaction_id, outcome)
            return outcome

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, consent
        )


async def end_without_result(
    matches: Matches, connection: Connection, row: MatchRow, seat: str
) -> None:
    """End a match without a result, on behalf of a seat."""
    await matches.apply(connection, row, Action(seat, "abandon"))
    await connection.execute(delete(timers).where(_consents(row.id)))


async def _unrated(connection: Connection, row: MatchRow) -> MatchRow:
    """Return a match whose result changes no ratings."""
    if row.rated != Rated.RATED:
        return row
    unrated = update(matches).where(matches.c.id == row.id).values(rated=Rated.ABANDONED)
    await connection.execute(unrated)
    return replace(row, rated=Rated.ABANDONED)


def _consents(match_id: MatchId) -> ColumnElement[bool]:
    """Return the condition for the consents in a match."""
    return (timers.c.match_id == match_id) & (timers.c.kind == TimerKind.ABANDON)


async def _agreed(connection: Connection, row: MatchRow) -> str:
    """Return the seats of the players who agree now."""
    query = select(timers.c.seat).where(_consents(row.id), timers.c.version == row.version)
    return "".join((await connection.execute(query)).scalars())
