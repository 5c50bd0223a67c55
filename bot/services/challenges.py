"""Challenges: creating, accepting and closing them, up to the start of the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import delete, insert
from sqlalchemy.exc import IntegrityError

from bot.domain.client_seed import ClientSeed, client_seed_part
from bot.domain.clocks import DAY
from bot.domain.ids import DELETED_USER_ID, OPEN_USER_ID, MatchId, UserId, Version
from bot.domain.models import MatchStatus, Player, Rated, TimerKind
from bot.domain.outbox import MatchMessage, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.pools import terms_refusal
from bot.domain.terms import Terms, check_terms
from bot.i18n import refusal_text
from bot.services.abuse_limits import challenge_refusal, computer_refusal, seat_refusal
from bot.services.clocks import update_seat
from bot.services.events import SeatOpened
from bot.services.match_repository import seats_of
from bot.services.match_start import Beginning, begin_all
from bot.services.match_store import MatchStore, recorded_outcome, update_match
from bot.services.rows import MatchRow, SeatFields, SeatRow
from bot.services.series import is_rated_series, postpone, remind, reminder_timer, stop
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from bot.storage.schema import actions, matches, seats, timers
from engine import games
from engine.dice import commitment
from engine.game import Action, IllegalActionError
from render.i18n import N_, NP_, _

OPEN_SEAT = Player(OPEN_USER_ID, N_("an open seat"))
"""The player of an open seat."""

_OTHER_SALT = N_(
    "Another player has joined, so the salt has changed since you saw it. Please try again."
)


class Opening(NamedTuple):
    """The details of a new challenge.

    Attributes:
        challenger: the player who sends the challenge.
        expires_in: seconds until the challenge expires.
        seats_to_draw: the seats to draw when the match begins.
        words: the challenger's words for the salt.
        agreed: user ID → number for the salt, of players who have agreed before, as in a cup.
    """

    challenger: Player
    expires_in: float = DAY
    seats_to_draw: str = ""
    words: str = ""
    agreed: Mapping[UserId, int] = MappingProxyType({})


class NewChallenge(NamedTuple):
    """A challenge to store.

    Attributes:
        interaction_id: number in the salt.
        seated: seat → player.
    """

    interaction_id: int
    terms: Terms
    seated: Mapping[str, Player]
    opening: Opening


_NEW_MATCHES = insert(matches).returning(matches.c.id, sort_by_parameter_order=True)


class _RefusedError(Exception):
    """Rolls back a transaction; its text is the refusal for the challenger."""


class Challenges:
    """Creates, accepts, declines, withdraws and expires challenges."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store

    async def challenge(
        self,
        interaction_id: int,
        terms: Terms,
        players: Sequence[Player],
        *,
        side: str = "",
        words: str = "",
        request_id: int = 0,
    ) -> Outcome:
        """Create a challenge and commit to the seed of its dice.

        Sides that are not chosen are drawn from the committed dice when the match begins.

        Args:
            interaction_id: id of the click; it becomes part of the salt.
            players: the challenger first; the others, who may be `OPEN_SEAT`, have to accept.
            side: the challenger's seat, or the seats of the first players in order; empty to draw
                them.
            words: the challenger's words for the salt.
            request_id: id of the card that sends it, by default of the click; a second request with
                this id creates no challenge and gets the outcome of the first.
        """
        try:
            check_terms(terms)
            seated, seats_to_draw = self._seated(terms, players, side)
        except IllegalActionError as error:
            return Outcome(OutcomeKind.REFUSED, rule=error.rule, sentence=refusal_text(error))
        opening = Opening(players[0], seats_to_draw=seats_to_draw, words=words)
        challenge = NewChallenge(interaction_id, terms, seated, opening)
        return await self._store(request_id or interaction_id, [challenge])

    async def challenge_each(
        self, interaction_id: int, terms: Terms, tables: Sequence[Sequence[Player]], *, side: str
    ) -> Outcome:
        """Create a challenge for each table, all or none; see `challenge`.

        Args:
            tables: the players of each match, the challenger first.

        Returns:
            The outcome with the number of the first match.
        """
        try:
            check_terms(terms)
            seated = [self._seated(terms, players, side) for players in tables]
        except IllegalActionError as error:
            return Outcome(OutcomeKind.REFUSED, rule=error.rule, sentence=refusal_text(error))
        challenges = [
            NewChallenge(
                interaction_id, terms, seats, Opening(players[0], seats_to_draw=seats_to_draw)
            )
            for players, (seats, seats_to_draw) in zip(tables, seated, strict=True)
        ]
        return await self._store(interaction_id, challenges)

    async def _store(self, request_id: int, challenges: Sequence[NewChallenge]) -> Outcome:
        """Store new challenges, unless this request has already done so; all of them or none."""
        try:
            async with self._match_store.database.write() as connection:
                if (recorded := await recorded_outcome(connection, request_id)) is not None:
                    return recorded
                match_ids = [await self._open(connection, challenge) for challenge in challenges]
                outcome = Outcome(OutcomeKind.DONE, match_ids[0])
                await self._match_store.remember(connection, request_id, outcome)
                return outcome
        except _RefusedError as error:
            return Outcome(OutcomeKind.REFUSED, sentence=str(error))
        except IntegrityError:  # delivered to two processes at once, and the other one was first
            async with self._match_store.database.read() as connection:
                return await recorded_outcome(connection, request_id) or Outcome(
                    OutcomeKind.UNKNOWN
                )

    async def _open(self, connection: Connection, challenge: NewChallenge) -> MatchId:
        """Store a new challenge and return its number.

        Raises:
            _RefusedError: it is refused now.
        """
        if sentence := await _refusal(connection, challenge):
            raise _RefusedError(sentence)
        (match_id,) = await self.open_all(connection, [challenge])
        return match_id

    def _seated(
        self, terms: Terms, players: Sequence[Player], side: str
    ) -> tuple[dict[str, Player], str]:
        """Return seat → player, and the seats to draw; see `_sides`."""
        sides = self._sides(terms, players, side)
        free = sides[len(side) :]
        return dict(zip(sides, players, strict=True)), "".join(free) if len(free) > 1 else ""

    def _sides(self, terms: Terms, players: Sequence[Player], side: str) -> list[str]:
        """Return a seat for each player, provisional where seats are drawn later.

        Raises:
            IllegalActionError: wrong number of players, duplicate players, or no such seat.
        """
        free = list(games.get(terms.game).seats(terms.options))
        user_ids = [player.user_id for player in players if player.is_person]
        if len(set(user_ids)) < len(user_ids):
            raise IllegalActionError("", "You can't play against yourself; choose another player.")
        if len(players) != len(free):
            reason = NP_("This match is for {count} player.", "This match is for {count} players.")
            raise IllegalActionError("", reason, count=len(free))
        for seat in side:
            if seat not in free:
                raise IllegalActionError("", "There's no side “{side}” in this match.", side=side)
            free.remove(seat)
        return [*side, *free]

    async def open(
        self,
        connection: Connection,
        interaction_id: int,
        terms: Terms,
        seated: Mapping[str, Player],
        opening: Opening,
    ) -> MatchId:
        """Store a new challenge and return its number; begin the match if all players agree."""
        challenge = NewChallenge(interaction_id, terms, seated, opening)
        (match_id,) = await self.open_all(connection, [challenge])
        return match_id

    async def open_all(
        self, connection: Connection, challenges: Sequence[NewChallenge]
    ) -> list[MatchId]:
        """Store new challenges and return their numbers, in the same order.

        Matches that all players agree to begin.
        """
        if not challenges:
            return []
        now = self._match_store.clock()
        columns = [
            _match_values(challenge, self._match_store.make_seed(), now) for challenge in challenges
        ]
        match_ids = (await connection.execute(_NEW_MATCHES, columns)).scalars().all()
        rows = [
            MatchRow(MatchId(number), position=None, **values)
            for number, values in zip(match_ids, columns, strict=True)
        ]
        opened = list(zip(rows, challenges, strict=True))
        await connection.execute(
            insert(seats), [seat for row, new in opened for seat in _seat_values(row, new.seated)]
        )
        if lines := [line for row, new in opened for line in _lines(row, new.terms.lines)]:
            await connection.execute(insert(actions), lines)
        await connection.execute(insert(timers), [timer for row in rows for timer in _timers(row)])
        messages = [MatchMessage(row.id, OutboxKind.POST_CHALLENGE) for row in rows]
        await self._match_store.queue_all(connection, messages)
        for row, new in opened:
            if OPEN_SEAT in new.seated.values():
                await publish(connection, SeatOpened(row.id, now))
        complete = [
            Beginning(row, row.salt, row.seat_order)
            for row, new in opened
            if len(row.seat_order or "") == len(new.seated)
        ]
        if complete:
            await begin_all(self._match_store, connection, complete)
        return [row.id for row in rows]

    async def accept(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        name: str = "",
        client_seed: ClientSeed | None = None,
    ) -> Outcome:
        """Accept a challenge; once all players have, begin the match and roll the first dice.

        Args:
            name: the player's name, for an open seat.
            client_seed: the player's words for the salt.
        """

        async def join(connection: Connection, row: MatchRow, _own: str) -> Outcome:
            people = await seats_of(connection, match_id)
            seat = _seat_to_take(people, row, user_id)
            if isinstance(seat, Outcome):
                return seat
            if client_seed and client_seed.version != row.version:
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=_(_OTHER_SALT))
            fields = SeatFields(joined_at=self._match_store.clock())
            if seat.is_open:
                fields |= {"user_id": user_id, "name": name}
            await update_seat(connection, seat, **fields)
            part = (
                client_seed_part(client_seed.number, client_seed.words)
                if client_seed
                else client_seed_part(interaction_id)
            )
            return await self.join(connection, row, part, seat.seat)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.CHALLENGE, join, anyone=True
        )

    async def join(self, connection: Connection, row: MatchRow, part: str, seats: str) -> Outcome:
        """Add players to a challenge; begin the match if they were the last.

        Args:
            row: the challenge before the change.
            part: the players' addition to the salt.
        """
        salt, order = f"{row.salt},{part}", row.seat_order and row.seat_order + seats
        await self._match_store.queue(connection, row.id, OutboxKind.UPDATE_CHALLENGE)
        if any(seat.joined_at is None for seat in await seats_of(connection, row.id)):
            now = self._match_store.clock()
            await update_match(connection, row, changed_at=now, salt=salt, seat_order=order)
        else:
            await begin_all(self._match_store, connection, [Beginning(row, salt, order)])
        return Outcome(OutcomeKind.DONE, row.id)

    async def decline(self, interaction_id: int, match_id: MatchId, user_id: UserId) -> Outcome:
        """Decline a challenge, or withdraw it if the user is its challenger."""

        async def close(connection: Connection, row: MatchRow, _seat: str) -> Outcome:
            await self.close(connection, row, user_id)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.CHALLENGE, close
        )

    async def withdraw(self, interaction_id: int, match_id: MatchId, user_id: UserId) -> Outcome:
        """Withdraw a challenge on behalf of its challenger."""

        async def close(connection: Connection, row: MatchRow, _seat: str) -> Outcome:
            if row.challenger_id != user_id:
                sentence = _(
                    "Only the challenger can withdraw this challenge, but you can decline it."
                )
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            await self.close(connection, row, user_id)
            return Outcome(OutcomeKind.DONE, match_id)

        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.CHALLENGE, close
        )

    async def expire(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Close an expired challenge if it is still at this version or later."""
        current = row.status == MatchStatus.CHALLENGE and row.version >= version
        if current and not await postpone(self._match_store, connection, row):
            await self.close(connection, row)

    async def remind(
        self, connection: Connection, row: MatchRow, seat: str, version: Version
    ) -> None:
        """Remind the players who have not accepted the next match of a rated series."""
        await remind(self._match_store, connection, row, version)

    async def close(
        self, connection: Connection, row: MatchRow, by: UserId | None = None, *, named: bool = True
    ) -> None:
        """Close a challenge.

        Args:
            row: the challenge.
            by: the user who has declined or withdrawn it; None if it has expired.
            named: whether to name that user.
        """
        await update_match(
            connection, row, status=MatchStatus.CLOSED, changed_at=self._match_store.clock()
        )
        if row.lines_taken_over:
            await connection.execute(delete(actions).where(actions.c.match_id == row.id))
        closed_by = by if named else DELETED_USER_ID
        await self._match_store.queue(
            connection, row.id, OutboxKind.UPDATE_CHALLENGE, {"closed_by": closed_by or 0}
        )
        await stop(self._match_store, connection, row, by)


async def _refusal(connection: Connection, challenge: NewChallenge) -> str:
    """Return the reason for refusing a challenge now, or an empty string."""
    challenger, players = challenge.opening.challenger, challenge.seated.values()
    sentence = await challenge_refusal(connection, challenger, players)
    sentence = sentence or terms_refusal(challenge.terms, players)
    if not sentence and any(player.is_computer for player in players):
        sentence = await computer_refusal(connection, challenger.user_id, challenge.terms.game)
    return sentence


def _match_values(challenge: NewChallenge, seed: bytes, now: float) -> dict[str, Any]:
    """Return the columns of a new challenge."""
    terms, opening = challenge.terms, challenge.opening
    game = games.get(terms.game)
    return {
        "game": terms.game,
        "engine_version": game.version,
        "rules": terms.rules or game.rules[0],
        "options": dict(terms.options),
        "status": MatchStatus.CHALLENGE,
        "version": 0,
        "decisions": {},
        "chance_count": 0,
        "seed": seed,
        "commitment": commitment(seed),
        "committed_at": now,
        **_agreement(challenge),
        "seats_to_draw": opening.seats_to_draw,
        "challenger_id": opening.challenger.user_id,
        "guild_id": terms.guild_id,
        "channel_id": terms.channel_id,
        "parent_channel_id": terms.parent_channel_id,
        "clock": terms.clock,
        "parent_id": terms.parent_id,
        "round": terms.round,
        "rounds": terms.rounds,
        "created_at": now,
        "changed_at": now,
        "expires_at": now + opening.expires_in,
        "lines_taken_over": len(terms.lines),
        "rated": Rated.RATED if terms.rated else Rated.CASUAL,
    }


def _agreement(challenge: NewChallenge) -> dict[str, str]:
    """Return the salt of a new challenge, and the seats whose players agree to it."""
    interaction_id, _terms, seated, opening = challenge
    challenger_seat = next(seat for seat, player in seated.items() if player == opening.challenger)
    numbers = {
        seat: interaction_id if player.is_computer else opening.agreed[player.user_id]
        for seat, player in seated.items()
        if seat != challenger_seat and (player.is_computer or player.user_id in opening.agreed)
    }
    parts = map(client_seed_part, numbers.values())
    return {
        "salt": ",".join((client_seed_part(interaction_id, opening.words), *parts)),
        "seat_order": "".join((challenger_seat, *numbers)),
    }


def _seat_values(row: MatchRow, seated: Mapping[str, Player]) -> list[dict[str, Any]]:
    """Return the seats of a new challenge."""
    return [
        {
            "match_id": row.id,
            "seat": seat,
            "user_id": player.user_id,
            "name": player.name,
            "joined_at": row.created_at if seat in (row.seat_order or "") else None,
            "level": player.level or None,
        }
        for seat, player in seated.items()
    ]


def _lines(row: MatchRow, lines: Sequence[Action]) -> list[dict[str, Any]]:
    """Return the actions of a record as the first ones of a match."""
    return [
        {"match_id": row.id, "number": number, "line": str(action), "made_at": row.created_at}
        for number, action in enumerate(lines, 1)
    ]


def _timers(row: MatchRow) -> list[dict[str, Any]]:
    """Return the timers of a new challenge."""
    expiry = {"match_id": row.id, "seat": "", "kind": TimerKind.EXPIRE}
    timers = [{**expiry, "version": 0, "due_at": row.expires_at}]
    if is_rated_series(row):
        timers.append(reminder_timer(row.id, row.created_at))
    return timers


def _seat_to_take(people: Sequence[SeatRow], row: MatchRow, user_id: UserId) -> SeatRow | Outcome:
    """Return the seat that a user takes by accepting a challenge; a refusal if there is none."""
    user_seat = next((person for person in people if person.user_id == user_id), None)
    seat = user_seat or next((person for person in people if person.is_open), None)
    if seat is None:
        sentence = _("You're not playing in this match.")
        return Outcome(OutcomeKind.UNKNOWN, row.id, sentence=sentence)
    if seat.is_open and (blocked := seat_refusal(people, user_id)):
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=blocked)
    if seat.joined_at is None:
        return seat
    sentence = _("You've already accepted; the other players haven't yet.")
    if user_id == row.challenger_id:
        sentence = _("You can't accept your own challenge, but you can withdraw it.")
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
