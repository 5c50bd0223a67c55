"""The matches of cups: they begin automatically, and their results decide pairings.

Each function runs in its caller's transaction, when a player joins, a match ends or a date passes.
The match that ends is locked first, then the cup, then the order of rated results. All other writes
are to new matches, so transactions of several matches may wait for each other but never deadlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Unpack

from sqlalchemy import delete, select, update

from bot.domain.client_seed import client_seed_numbers
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player, Rated
from bot.domain.seating import options_with_seats
from bot.domain.terms import Terms
from bot.features.cups.formats import NO_ONE, CupFormat, Pairing, draw_lots, next_place
from bot.features.cups.rows import (
    Cup,
    CupFields,
    CupStatus,
    PairingStatus,
    StoredPairing,
    load_cup,
    store_pairings,
    store_places,
    update_cup,
    update_entrant,
)
from bot.features.cups.standings import PairingReason, PairingResult
from bot.services.challenges import Challenges, NewChallenge, Opening
from bot.services.match_repository import actions_of, seats_of, series_totals
from bot.services.match_store import MatchStore, load
from bot.services.rated_matches import ranks_of, record_stopped_series
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import cup_entrants, cup_pairings, cups, matches
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
            await self._advance(connection, cup, cup, [_Play(pairing, pairing.seated, after=row)])
        else:
            result = await _result(connection, cup, pairing, row)
            if replay := _replay(cup, pairing, result):
                await self._advance(connection, cup, cup.with_pairing(replay.pairing), [replay])
            else:
                result = _with_lot(cup, pairing, result)
                await self._advance(connection, cup, self._decide(cup, pairing, result))
            if continues and leavers and row.rated == Rated.RATED:
                await record_stopped_series(connection, row, leavers, self._match_store.clock())
        return not withdrawn or bool(leavers)

    async def lock(self, connection: Connection, match_id: MatchId) -> bool:
        """Lock the cup that waits for the result of a match; return whether there is one."""
        return await self._pairing_of(connection, match_id) is not None

    async def play_again(self, connection: Connection, match_id: MatchId) -> None:
        """Begin another match for one that ended because its rules have changed."""
        if cup_and_pairing := await self._pairing_of(connection, match_id):
            cup, pairing = cup_and_pairing
            waits = replace(pairing, status=PairingStatus.WAITING, match_id=None, seated=())
            await self._advance(connection, cup, cup.with_pairing(waits))

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

    async def begin(self, connection: Connection, cup_id: int, byes: Mapping[int, int]) -> None:
        """Begin a cup whose pairings are stored.

        Args:
            byes: place → player of the pairings of the first round that have only one.
        """
        stored = await load_cup(connection, cup_id, lock=True)
        if stored is None:
            return
        cup = replace(stored, row=replace(stored.row, status=CupStatus.RUNNING))
        for place, number in byes.items():
            cup = _with_winner(cup, next_place(1, place), number)
        now = self._match_store.clock()
        await self._advance(connection, stored, cup, status=CupStatus.RUNNING, started_at=now)

    async def advance_cup(self, connection: Connection, cup_id: int) -> None:
        """Decide pairings without a match, begin matches, and end the cup if all are decided."""
        cup = await load_cup(connection, cup_id, lock=True)
        if cup:
            await self._advance(connection, cup, cup)

    async def _advance(
        self,
        connection: Connection,
        stored: Cup,
        cup: Cup,
        plays: Sequence[_Play] = (),
        **fields: Unpack[CupFields],
    ) -> None:
        """Store a changed cup and all that follows, see `advance_cup`.

        Args:
            stored: the cup before the change; it is locked.
            cup: the cup after it.
            plays: matches that begin before those of waiting pairings.
        """
        if cup.row.status != CupStatus.RUNNING:
            return
        cup = self._walk_over(cup)
        plays = [*plays, *_due_plays(cup)]
        challenges = [await _challenge(connection, cup, play) for play in plays]
        match_ids = await self._challenges.open_all(connection, challenges)
        for play, match_id in zip(plays, match_ids, strict=True):
            cup = cup.with_pairing(
                replace(
                    play.pairing,
                    match_id=match_id,
                    seated=play.numbers,
                    status=PairingStatus.RUNNING,
                )
            )
        await store_pairings(connection, stored, cup)
        if all(pairing.status == PairingStatus.DONE for pairing in cup.pairings):
            fields |= {"status": CupStatus.FINISHED, "ended_at": self._match_store.clock()}
            if cup.row.league_id is not None:
                await store_places(connection, cup)
        await self.show(connection, cup.row.id, **fields)

    async def show(self, connection: Connection, cup_id: int, **fields: Unpack[CupFields]) -> None:
        """Update a cup and its post."""
        await update_cup(connection, cup_id, **fields)
        self._match_store.database.notify(TOPIC)

    def _walk_over(self, cup: Cup) -> Cup:
        """Return a cup in which waiting pairings with at most one player left are decided."""
        for pairing in cup.pairings:
            staying = _staying(cup, pairing)
            is_waiting = pairing.status == PairingStatus.WAITING and pairing.is_complete
            if is_waiting and len(staying) <= 1:
                reason = PairingReason.WITHDRAWN if staying else PairingReason.VOID
                forfeits = tuple(n for n in pairing.known if n not in staying)
                result = replace(pairing.result, winners=staying, reason=reason, forfeits=forfeits)
                return self._walk_over(self._decide(cup, pairing, result))
        return cup

    def _decide(self, cup: Cup, pairing: StoredPairing, result: PairingResult) -> Cup:
        """Return a cup with the result of a pairing; in a knockout, its winner advances."""
        winners = result.winners
        decided = replace(
            pairing,
            status=PairingStatus.DONE,
            winners=winners,
            forfeits=result.forfeits,
            reason=result.reason,
            ended_at=self._match_store.clock(),
        )
        cup = cup.with_pairing(decided)
        if cup.row.format != CupFormat.KNOCK_OUT:
            return cup
        place = next_place(pairing.round, pairing.place)
        return _with_winner(cup, place, winners[0] if winners else NO_ONE)

    async def decide_late(self, connection: Connection, stored: Cup) -> None:
        """Decide all pairings of a cup whose last day has passed.

        The players who have to decide in a match in progress lose it. A match that has not begun
        counts for no player; in a knockout a random draw decides. The matches may be continued.
        """
        late_numbers = await _late_numbers(connection, stored)
        cup = stored
        for number in range(len(cup.pairings)):  # a decision changes the pairings after it
            pairing = cup.pairings[number]
            if pairing.status == PairingStatus.DONE:
                continue
            late = late_numbers.get(pairing.id, ())
            staying = _staying(cup, pairing)
            winners = tuple(n for n in staying if n not in late) if late else ()
            reason = PairingReason.LATE if winners else PairingReason.VOID
            if cup.row.format == CupFormat.KNOCK_OUT and len(winners) != 1:
                winners = _draw_winner(cup, pairing, staying)
                walkover = PairingReason.WITHDRAWN if staying else PairingReason.VOID
                reason = PairingReason.LOT if len(staying) > 1 else walkover
            result = replace(pairing.result, winners=winners, reason=reason, forfeits=late)
            cup = self._decide(cup, pairing, result)
        await self._advance(connection, stored, cup)

    async def withdraw_all(self, connection: Connection, user_id: UserId) -> None:
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

    async def advance_cups_without(self, connection: Connection, user_id: UserId) -> None:
        """Continue the running cups of a user who has left all their matches."""
        running = select(cups.c.id).where(cups.c.status == CupStatus.RUNNING)
        joined = running.join(cup_entrants, cup_entrants.c.cup_id == cups.c.id)
        query = joined.where(cup_entrants.c.user_id == user_id)
        for cup_id in (await connection.execute(query)).scalars().all():
            await self.advance_cup(connection, cup_id)


def _with_winner(cup: Cup, place: tuple[int, int, int], number: int) -> Cup:
    """Return a cup with the winner of a knockout pairing in the next round."""
    round_number, index, seat = place
    for pairing in cup.pairings:
        if (pairing.round, pairing.place) == (round_number, index):
            numbers = [*pairing.numbers[:seat], number, *pairing.numbers[seat + 1 :]]
            return cup.with_pairing(replace(pairing, numbers=tuple(numbers)))
    return cup


class _Play(NamedTuple):
    """A match of a pairing to begin.

    Attributes:
        pairing: the pairing.
        numbers: the players in the order of seats.
        after: the previous match of the series.
    """

    pairing: StoredPairing
    numbers: Pairing
    after: MatchRow | None = None


def _due_plays(cup: Cup) -> list[_Play]:
    """Return the matches of waiting pairings that can begin: no player has too many open ones."""
    plays = []
    still_open = Counter(number for pairing in cup.running for number in pairing.seated)
    for pairing in cup.pairings:
        staying = _staying(cup, pairing)
        if pairing.status != PairingStatus.WAITING or not pairing.is_complete:
            continue
        if all(still_open[number] < cup.row.max_open for number in staying):
            plays.append(_Play(pairing, staying))
            still_open.update(staying)
    return plays


def _replay(cup: Cup, pairing: StoredPairing, result: PairingResult) -> _Play | None:
    """Return the match that repeats the first draw of a knockout pairing; else None."""
    is_draw = cup.row.format == CupFormat.KNOCK_OUT and len(result.winners) > 1
    if not is_draw or pairing.replays:
        return None
    return _Play(replace(pairing, replays=1), pairing.seated[::-1])


def _with_lot(cup: Cup, pairing: StoredPairing, result: PairingResult) -> PairingResult:
    """Return a result with one winner: in a knockout, of several one is drawn at random."""
    if cup.row.format != CupFormat.KNOCK_OUT or len(result.winners) <= 1:
        return result
    drawn = _draw_winner(cup, pairing, result.winners)
    return replace(result, winners=drawn, reason=PairingReason.LOT)


async def _challenge(connection: Connection, cup: Cup, play: _Play) -> NewChallenge:
    """Return the challenge of a match, to which all players have agreed."""
    row, after, game = cup.row, play.after, games.get(cup.row.game)
    options = options_with_seats(game, row.options, len(play.numbers))
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
    entrants = [cup.by_number[number] for number in play.numbers]
    players = {seat: entrant.player for seat, entrant in zip(order, entrants, strict=True)}
    agreed = {entrant.user_id: entrant.joined_by for entrant in entrants}
    if after:  # a series is one result: those who began it play it to its end
        players, agreed = await _began(connection, after)
    first = players[order[0]]
    return NewChallenge(agreed[first.user_id], terms, players, Opening(first, agreed=agreed))


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


async def _began(
    connection: Connection, row: MatchRow
) -> tuple[dict[str, Player], dict[UserId, int]]:
    """Return the players of a match of a cup: seat → player, and user ID → number in the salt."""
    players = {seat.seat: seat.player for seat in await seats_of(connection, row.id)}
    numbers = client_seed_numbers(row.salt, row.seat_order or "")
    return players, {players[seat].user_id: number for seat, number in numbers.items()}


async def _late_numbers(connection: Connection, cup: Cup) -> dict[int, Pairing]:
    """Return number of a pairing → the players who have to decide in its match in progress."""
    running = {pairing.match_id: pairing for pairing in cup.running}
    query = select(matches).where(matches.c.id.in_(running)).order_by(matches.c.id)
    rows = [MatchRow.of(row) for row in await connection.execute(query)]
    return {
        running[row.id].id: tuple(
            number
            for seat, number in _numbers_by_seat(row, running[row.id]).items()
            if seat in row.decisions
        )
        for row in rows
    }


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
