"""Stand-ins: the computer decides for a player who is away, if that player and all others agree.

The seat still belongs to its player; the computer makes only its decisions, until the player comes
back.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.domain.computer_players import STAND_IN_LEVEL, has_computer
from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus, Player, Rated
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import NEXT_AT, Outcome, OutcomeKind
from bot.domain.waiting import replaceable_at
from bot.services.clocks import REMINDERS, pause_clock, unschedule, update_seat
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore
from bot.services.rows import MatchRow, SeatRow
from bot.services.stand_in_returns import give_back
from bot.storage.connection import Connection
from engine import games
from render.i18n import _


def voters(players: Mapping[str, Player], playing: str, absent: str) -> str:
    """Return the seats whose players have to agree to a stand-in for an absent player.

    Args:
        players: seat → player.
        absent: the seat of the player who is away.
    """
    acting = [
        seat for seat, player in players.items() if player.is_person and player.decides_itself
    ]
    return "".join(seat for seat in acting if seat in playing and seat != absent)


class StandIns:
    """Begins and ends stand-ins."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store

    async def agree(
        self, interaction_id: int, match_id: MatchId, user_id: UserId, seat: str, *, is_gone: bool
    ) -> Outcome:
        """Agree that the computer stands in for a player; begin once all others have agreed.

        A player who has not agreed to it has to be silent; see `bot.domain.waiting`.

        Args:
            seat: the seat of the player who is away.
            is_gone: whether that player has left the server, or cannot be reached any more.
        """

        async def vote(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            people = {person.seat: person for person in await seats_of(connection, match_id)}
            absent, playing = people.get(seat), games.get(row.game).view(row.state()).playing
            if absent is None or not absent.is_person or seat not in playing:
                sentence = _("There's no player to stand in for.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            if not has_computer(row.game):
                sentence = _("The computer can't play this game, so it can't step in.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if not absent.decides_itself:
                sentence = _("The computer is already playing for {name}.")
                sentence = sentence.format(name=absent.name)
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            refused = None if absent.stand_in else self._refusal(row, absent, is_gone=is_gone)
            if refused:
                return refused
            level = absent.stand_in or STAND_IN_LEVEL
            others = voters({s: person.player for s, person in people.items()}, playing, seat)
            if user_seat not in others:
                sentence = _("Only the other players who are still in the match can agree.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            agreed = {*absent.agreed_by, user_seat}
            if agreed.issuperset(others):
                await self._begin(connection, row, absent, level)
            else:
                await update_seat(connection, absent, agreed_by="".join(sorted(agreed)))
                kind = OutboxKind.EDIT_BOARD
                await self._match_store.queue_board(connection, match_id, row.version, kind)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, vote
        )

    def _refusal(self, row: MatchRow, absent: SeatRow, *, is_gone: bool) -> Outcome | None:
        """Return the refusal of a stand-in for a player who has not agreed; None if allowed."""
        if row.rated == Rated.RATED:
            sentence = _("This match is rated, and {name} hasn't agreed to a stand-in.")
            sentence = sentence.format(name=absent.name)
            return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
        if absent.seat not in row.decisions:
            sentence = _("{name} is back, or hasn't agreed to a stand-in.")
            sentence = sentence.format(name=absent.name)
            return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
        since = row.changed_at if absent.waits_since is None else absent.waits_since
        at = replaceable_at(since, is_gone=is_gone, patience=absent.patience)
        if at <= self._match_store.clock():
            return None
        sentence = _("{name} may still be playing. If not, the computer can step in {time}.")
        sentence = sentence.format(name=absent.name, time=NEXT_AT)
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence, next_at=at)

    async def _begin(
        self, connection: Connection, row: MatchRow, seat: SeatRow, level: str
    ) -> None:
        """Hand a seat's decisions to the computer, and stop the seat's clock."""
        now = await self._match_store.heartbeats.time_of(connection, row)
        await pause_clock(connection, row, seat, now)
        await unschedule(connection, seat, REMINDERS)
        await update_seat(connection, seat, level=level, agreed_by="")
        await self._match_store.change_deciders(connection, row)

    async def come_back(self, interaction_id: int, match_id: MatchId, user_id: UserId) -> Outcome:
        """End the stand-in for a player, who decides again."""

        async def take(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            people = await seats_of(connection, match_id)
            seat = next(person for person in people if person.seat == user_seat)
            if seat.decides_itself:
                sentence = _("The computer isn't playing for you in this match.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            now = await self._match_store.heartbeats.time_of(connection, row)
            await give_back(connection, row, seat, now)
            await self._match_store.change_deciders(connection, row)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, take
        )
