"""Seats that the computer plays until another player joins."""

from __future__ import annotations

from bot.domain.client_seed import client_seed_part
from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus, Rated
from bot.domain.outbox import OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.abuse_limits import computer_refusal, seat_refusal
from bot.services.automatic_moves import Progress
from bot.services.challenges import Challenges
from bot.services.chance import ChanceResult
from bot.services.clocks import update_seat
from bot.services.computer_jobs import clear_jobs
from bot.services.match_changes import MatchChange
from bot.services.match_repository import seat_row, seats_of
from bot.services.match_store import MatchStore
from bot.services.pings import hands
from bot.services.preferences import days_off_in, preferences_of
from bot.services.rows import MatchRow, SeatFields
from bot.storage.connection import Connection
from engine import games
from render.i18n import _


class ComputerSeats:
    """Gives open seats to the computer, and its seats to players who join."""

    def __init__(self, match_store: MatchStore, challenges: Challenges) -> None:
        self._match_store = match_store
        self._challenges = challenges

    async def play_computer(
        self, interaction_id: int, match_id: MatchId, user_id: UserId
    ) -> Outcome:
        """Give the open seats of a challenge to the computer, until other players join."""

        async def fill(connection: Connection, row: MatchRow, _seat: str) -> Outcome:
            people = await seats_of(connection, match_id)
            if user_id != row.challenger_id:
                challenger = next(
                    person for person in people if person.user_id == row.challenger_id
                )
                sentence = _("Only {name} can start against the computer, but you can join.")
                sentence = sentence.format(name=challenger.name)
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if row.rated == Rated.RATED:
                sentence = _("This challenge is rated, so only people can take its seats.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if sentence := await computer_refusal(connection, user_id, row.game):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            computer, now = computer_player(), self._match_store.clock()
            free = [person for person in people if person.is_open]
            for seat in free:
                await update_seat(
                    connection,
                    seat,
                    user_id=computer.user_id,
                    name=computer.name,
                    level=computer.level,
                    joinable=True,
                    joined_at=now,
                )
            seats = "".join(seat.seat for seat in free)
            part = ",".join([client_seed_part(interaction_id)] * len(free))
            return await self._challenges.join(connection, row, part, seats)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.CHALLENGE, fill, anyone=True
        )

    async def take_over(
        self, interaction_id: int, match_id: MatchId, user_id: UserId, name: str
    ) -> Outcome:
        """Give a player the seat that the computer plays until then.

        Args:
            match_id: number of the match in progress.
        """

        async def join(connection: Connection, row: MatchRow, user_seat: str) -> Outcome:
            people = await seats_of(connection, match_id)
            seat = next((person for person in people if person.joinable), None)
            if user_seat or seat is None:
                sentence = _("You're already playing in this match.")
                sentence = sentence if user_seat else _("This match has already started.")
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            if sentence := seat_refusal(people, user_id):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            now, game = self._match_store.clock(), games.get(row.game)
            days_off = days_off_in(await preferences_of(connection, user_id), row.clock)
            fields = SeatFields(
                user_id=user_id,
                name=name,
                level=None,
                joinable=False,
                joined_at=now,
                days_off=str(days_off) if days_off.days else None,
            )
            await update_seat(connection, seat, **fields)
            chance_result = ChanceResult(row.state(), (), row.chance_count)
            unchanged = {other: v for other, v in row.decisions.items() if other != seat.seat}
            await clear_jobs(connection, match_id)  # `store` does so only for the computer's seats
            await self._match_store.queue(connection, match_id, OutboxKind.UPDATE_CHALLENGE)
            change = MatchChange(
                row,
                Progress.of(game, chance_result),
                await seats_of(connection, match_id),
                unchanged,
                notify=game.pending(chance_result.state),
            )
            await self._match_store.save(connection, change)
            joined = await seat_row(connection, match_id, seat.seat)
            await self._match_store.queue_all(connection, hands([joined]))
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, join, anyone=True
        )
