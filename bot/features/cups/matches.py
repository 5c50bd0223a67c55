"""The matches of cups: they begin automatically, and their results decide pairings.

Each function runs in its caller's transaction, when a player joins, a match ends or a date passes.
The match that ends is locked first, then the cup, then the order of rated results. All other writes
are to new matches, so transactions of several matches may wait for each other but never deadlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import delete, select, update

from bot.domain.client_seed import client_seed_numbers
from bot.domain.ids import MatchId
from bot.domain.models import Player, Rated
from bot.domain.seating import options_with_seats
from bot.domain.terms import Terms
from bot.features.cups.formats import NO_ONE, CupFormat, Pairing, draw_lots, next_place
from bot.features.cups.rows import (
    Cup,
    CupStatus,
    PairingStatus,
    StoredPairing,
    format_numbers,
    load_cup,
    update_cup,
    update_entrant,
    update_pairing,
)
from bot.features.cups.standings import PairingReason, PairingResult
from bot.services.challenges import Challenges, Opening
from bot.services.match_repository import actions_of, seats_of, series_totals
from bot.services.match_store import MatchStore, load
from bot.services.rated_matches import ranks_of, record_stopped_series
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import cup_entrants, cup_pairings, cups
from engine import games
from engine.endings import ABANDONED

TOPIC = "cups"
"""Notified when the post of a cup may have to change."""

_REASONS = {
    "resign": PairingReason.RESIGNED,
    "left": PairingReason.RESIGNED,
    "time": PairingReason.TIME,
}
"""Reason in the result of a match → reason of a pairing."""


class CupMatches:
    """Begins the matches of cups and stores their results."""

    def __init__(self, match_store: MatchStore, challenges: Challenges) -> None:
        self._match_store = match_store
        self._challenges = challenges

    async def match_ended(self, connection: Connection, match_id: MatchId) -> bool:
        """Store the result of a match that has just ended, if a cup waits for it.

        Returns:
            Whether it continues the series itself. It does not if the match is played by the former
            player of a place that was withdrawn: such a series no longer belongs to the cup.
        """
        cup_and_pairing = await self._pairing_of(connection, match_id)
        row = await load(connection, match_id) if cup_and_pairing else None
        if cup_and_pairing is None or row is None:
            return False
        cup, pairing = cup_and_pairing
        continues = row.round < row.rounds
        continues &= games.get(row.game).result(row.state()) != ABANDONED
        withdrawn = [n for n in pairing.seated if not cup.by_number[n].is_active]
        leavers = await _withdrawn_seats(connection, cup, pairing, row)
        if continues and not withdrawn:
            await self._play(connection, cup, pairing, pairing.seated, after=row)
        else:
            result = await _result(connection, cup, pairing, row)
            await self._decide_or_replay(connection, cup, pairing, result)
            if continues and leavers and row.rated == Rated.RATED:
                await record_stopped_series(connection, row, leavers, self._match_store.clock())
        await self.advance_cup(connection, cup.row.id)
        return not withdrawn or bool(leavers)

    async def lock(self, connection: Connection, match_id: MatchId) -> bool:
        """Lock the cup that waits for the result of a match; return whether there is one."""
        return await self._pairing_of(connection, match_id) is not None

    async def play_again(self, connection: Connection, match_id: MatchId) -> None:
        """Begin another match for one that ended because its rules have changed."""
        if cup_and_pairing := await self._pairing_of(connection, match_id):
            cup, pairing = cup_and_pairing
            waits = {"status": PairingStatus.WAITING, "match_id": None, "seated": ""}
            await update_pairing(connection, pairing, **waits)
            await self.advance_cup(connection, cup.row.id)

    async def _pairing_of(
        self, connection: Connection, match_id: MatchId
    ) -> tuple[Cup, StoredPairing] | None:
        """Return the pairing that waits for the result of a match, and its cup, locked."""
        numbers = select(cup_pairings.c.cup_id).where(cup_pairings.c.match_id == match_id)
        cup_id = (await connection.execute(numbers)).scalar_one_or_none()
        cup = None if cup_id is None else await load_cup(connection, cup_id, lock=True)
        if cup is None or cup.row.status != CupStatus.RUNNING:
            return None
        return next(
            ((cup, pairing) for pairing in cup.running if pairing.match_id == match_id), None
        )

    async def _decide_or_replay(
        self, connection: Connection, cup: Cup, pairing: StoredPairing, result: PairingResult
    ) -> None:
        """Decide a pairing; in a knockout, replay a first draw, then draw the winner at random."""
        winners = result.winners
        if cup.row.format == CupFormat.KNOCK_OUT and len(winners) > 1:
            if not pairing.replays:
                await update_pairing(connection, pairing, replays=1)
                await self._play(connection, cup, pairing, pairing.seated[::-1])
                return
            drawn = _draw_winner(cup, pairing, winners)
            result = replace(result, winners=drawn, reason=PairingReason.LOT)
        await self._decide(connection, cup, pairing, result)

    async def advance_cup(self, connection: Connection, cup_id: int) -> None:
        """Decide pairings without a match, begin matches, and end the cup if all are decided.

        The cup is locked.
        """
        while (cup := await load_cup(connection, cup_id)) and await self._walk_over(
            connection, cup
        ):
            pass
        if cup is None or cup.row.status != CupStatus.RUNNING:
            return
        still_open = Counter(number for pairing in cup.running for number in pairing.seated)
        for pairing in cup.pairings:
            staying = _staying(cup, pairing)
            if pairing.status != PairingStatus.WAITING or not pairing.is_complete:
                continue
            if all(still_open[number] < cup.row.max_open for number in staying):
                await self._play(connection, cup, pairing, staying)
                still_open.update(staying)
        fields = {}
        if all(pairing.status == PairingStatus.DONE for pairing in cup.pairings):
            fields = {"status": CupStatus.FINISHED, "ended_at": self._match_store.clock()}
        await self.show(connection, cup_id, **fields)

    async def show(self, connection: Connection, cup_id: int, **fields: object) -> None:
        """Update a cup and its post."""
        await update_cup(connection, cup_id, **fields)
        self._match_store.database.notify(TOPIC)

    async def _walk_over(self, connection: Connection, cup: Cup) -> bool:
        """Decide one waiting pairing with at most one player left; return whether there was one."""
        for pairing in cup.pairings:
            staying = _staying(cup, pairing)
            is_waiting = pairing.status == PairingStatus.WAITING and pairing.is_complete
            if is_waiting and len(staying) <= 1 and cup.row.status == CupStatus.RUNNING:
                reason = PairingReason.WITHDRAWN if staying else PairingReason.VOID
                forfeits = tuple(n for n in pairing.known if n not in staying)
                result = replace(pairing.result, winners=staying, reason=reason, forfeits=forfeits)
                await self._decide(connection, cup, pairing, result)
                return True
        return False

    async def _decide(
        self,
        connection: Connection,
        cup: Cup,
        pairing: StoredPairing,
        result: PairingResult,
    ) -> None:
        """Store the result of a pairing; in a knockout, its winner advances."""
        winners = result.winners
        await update_pairing(
            connection,
            pairing,
            status=PairingStatus.DONE,
            winners=format_numbers(winners),
            forfeits=format_numbers(result.forfeits),
            reason=result.reason,
            ended_at=self._match_store.clock(),
        )
        if cup.row.format == CupFormat.KNOCK_OUT:
            place = next_place(pairing.round, pairing.place)
            await advance_winner(connection, cup, place, winners[0] if winners else NO_ONE)

    async def _play(
        self,
        connection: Connection,
        cup: Cup,
        pairing: StoredPairing,
        numbers: Sequence[int],
        after: MatchRow | None = None,
    ) -> None:
        """Begin a match of a pairing.

        Args:
            numbers: the players in the order of seats.
            after: the previous match of the series.
        """
        row, game = cup.row, games.get(cup.row.game)
        options = options_with_seats(game, row.options, len(numbers))
        terms = Terms(
            game=row.game,
            rules=row.rules if row.rules in game.rules else game.rules[0],
            options=options,
            clock=row.clock,
            rounds=row.rounds,
            guild_id=row.guild_id,
            channel_id=row.channel_id,
            parent_channel_id=row.parent_channel_id,
            parent_id=after.id if after else None,
            round=after.round + 1 if after else 1,
            rated=row.rated,
        )
        order = game.seats(options)
        entrants = [cup.by_number[number] for number in numbers]
        players = {seat: entrant.player for seat, entrant in zip(order, entrants, strict=True)}
        agreed = {entrant.user_id: entrant.joined_by for entrant in entrants}
        if after:  # a series is one result: those who began it play it to its end
            players, agreed = await _began(connection, after)
        first = players[order[0]]
        opening = Opening(first, agreed=agreed)
        number = agreed[first.user_id]
        match_id = await self._challenges.open(connection, number, terms, players, opening)
        await update_pairing(
            connection,
            pairing,
            match_id=match_id,
            seated=format_numbers(numbers),
            status=PairingStatus.RUNNING,
        )

    async def decide_late(self, connection: Connection, cup: Cup) -> None:
        """Decide all pairings of a cup whose last day has passed.

        The players who have to decide in a match in progress lose it. A match that has not begun
        counts for no player; in a knockout a random draw decides. The matches may be continued.
        """
        knock_out = cup.row.format == CupFormat.KNOCK_OUT
        for number in range(len(cup.pairings)):
            current = await load_cup(connection, cup.row.id) or cup
            pairing = current.pairings[number]
            if pairing.status == PairingStatus.DONE:
                continue
            late_numbers = await _late(connection, pairing)
            staying = _staying(current, pairing)
            winners = tuple(n for n in staying if n not in late_numbers) if late_numbers else ()
            reason = PairingReason.LATE if winners else PairingReason.VOID
            if knock_out and len(winners) != 1:
                winners = _draw_winner(current, pairing, staying)
                walkover = PairingReason.WITHDRAWN if staying else PairingReason.VOID
                reason = PairingReason.LOT if len(staying) > 1 else walkover
            result = replace(
                pairing.result, winners=winners, reason=reason, forfeits=tuple(late_numbers)
            )
            await self._decide(connection, current, pairing, result)
        await self.advance_cup(connection, cup.row.id)

    async def withdraw_all(self, connection: Connection, user_id: int) -> None:
        """Withdraw a user from all cups.

        Their matches are not ended here, see `advance_cups_without`. Cups that are over keep their
        results.
        """
        is_user = cup_entrants.c.user_id == user_id
        joined = select(cup_entrants.c.cup_id).where(is_user)
        joined_cups = [
            cup
            for cup_id in (await connection.execute(joined)).scalars().all()
            if (cup := await load_cup(connection, cup_id, lock=True))
        ]
        for cup in joined_cups:
            if cup.row.status == CupStatus.SIGN_UP:
                is_entrant = (cup_entrants.c.cup_id == cup.row.id) & is_user
                await connection.execute(delete(cup_entrants).where(is_entrant))
            elif (entrant := cup.entrant_of(user_id)) and cup.row.status == CupStatus.RUNNING:
                now = entrant.withdrawn_at or self._match_store.clock()
                await update_entrant(connection, entrant, withdrawn_at=now, substitute_id=None)
            await self.show(connection, cup.row.id)
        is_substitute = cup_entrants.c.substitute_id == user_id
        await connection.execute(
            update(cup_entrants).where(is_substitute).values(substitute_id=None)
        )

    async def advance_cups_without(self, connection: Connection, user_id: int) -> None:
        """Continue the running cups of a user who has left all their matches."""
        running = select(cups.c.id).where(cups.c.status == CupStatus.RUNNING)
        joined = running.join(cup_entrants, cup_entrants.c.cup_id == cups.c.id)
        query = joined.where(cup_entrants.c.user_id == user_id)
        for cup_id in (await connection.execute(query)).scalars().all():
            await self.advance_cup(connection, cup_id)


async def advance_winner(
    connection: Connection, cup: Cup, place: tuple[int, int, int], number: int
) -> None:
    """Put the winner of a knockout pairing into the next round."""
    current = await load_cup(connection, cup.row.id) or cup
    round_number, index, seat = place
    for pairing in current.pairings:
        if (pairing.round, pairing.place) == (round_number, index):
            numbers = list(pairing.numbers)
            numbers[seat] = number
            await update_pairing(connection, pairing, numbers=format_numbers(numbers))


def _draw_winner(cup: Cup, pairing: StoredPairing, numbers: Pairing) -> Pairing:
    """Return the randomly drawn winner of a knockout pairing."""
    return tuple(draw_lots(cup.row.seed, numbers, f"{pairing.round}/{pairing.place}")[:1])


def _staying(cup: Cup, pairing: StoredPairing) -> Pairing:
    """Return the known players of a pairing who have not withdrawn."""
    return tuple(number for number in pairing.known if cup.by_number[number].is_active)


def _numbers_by_seat(row: MatchRow, pairing: StoredPairing) -> dict[str, int]:
    """Return seat → number of its player, in a pairing's match in progress."""
    return dict(zip(games.get(row.game).seats(row.options), pairing.seated, strict=True))


async def _withdrawn_seats(
    connection: Connection, cup: Cup, pairing: StoredPairing, row: MatchRow
) -> list[str]:
    """Return the seats of a pairing's match that belong to players who have withdrawn.

    The player of a seat need not have the place any more, see `Cups.offer_place`.
    """
    entrants = {s: cup.by_number[n] for s, n in _numbers_by_seat(row, pairing).items()}
    return [
        seat.seat
        for seat in await seats_of(connection, row.id)
        if not entrants[seat.seat].is_active and entrants[seat.seat].user_id == seat.user_id
    ]


async def _began(connection: Connection, row: MatchRow) -> tuple[dict[str, Player], dict[int, int]]:
    """Return the players of a match of a cup: seat → player, and user ID → number in the salt."""
    players = {seat.seat: seat.player for seat in await seats_of(connection, row.id)}
    numbers = client_seed_numbers(row.salt, row.seat_order or "")
    return players, {players[seat].user_id: number for seat, number in numbers.items()}


async def _late(connection: Connection, pairing: StoredPairing) -> list[int]:
    """Return the players who have to decide in a pairing's match in progress."""
    row = await load(connection, pairing.match_id) if pairing.match_id else None
    if row is None or pairing.status != PairingStatus.RUNNING:
        return []
    return [n for seat, n in _numbers_by_seat(row, pairing).items() if seat in row.decisions]


async def _result(
    connection: Connection, cup: Cup, pairing: StoredPairing, row: MatchRow
) -> PairingResult:
    """Return the result of a pairing from the end of its last match."""
    game, state = games.get(row.game), row.state()
    number = _numbers_by_seat(row, pairing)
    withdrawn = tuple(n for n in pairing.seated if not cup.by_number[n].is_active)
    log = await actions_of(connection, row.id)
    flagged = tuple(number[action.actor] for action in log if action.verb == "flag")
    result = game.result(state)
    reason = _REASONS.get(result.partition(" ")[2], PairingReason.PLAYED)
    if result == ABANDONED:
        reason = PairingReason.AGREED
        winners = tuple(number[seat] for seat in game.view(state).playing)
    else:
        ranks = ranks_of(game, state, await series_totals(connection, row))
        winners = tuple(number[seat] for seat in ranks if not ranks[seat])
    if set(withdrawn) & set(winners) or (withdrawn and row.round < row.rounds):
        winners = tuple(n for n in pairing.seated if n not in withdrawn)
    losers = set(pairing.seated) - set(winners)
    if withdrawn and losers <= set(withdrawn):
        reason = PairingReason.WITHDRAWN if winners else PairingReason.VOID
    forfeits = tuple(n for n in pairing.seated if n in losers and n in (*withdrawn, *flagged))
    return PairingResult(pairing.round, pairing.seated, winners, reason, forfeits)
