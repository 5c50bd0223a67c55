"""Rematches, and the next match of a series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import select

from bot.domain.client_seed import last_number
from bot.domain.clocks import DAY, common_clock
from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import DELETED_PLAYER, MatchStatus, Player, Rated
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.pools import terms_refusal
from bot.domain.terms import Terms
from bot.services.abuse_limits import challenge_refusal, computer_refusal
from bot.services.challenges import Challenges, Opening
from bot.services.chance import ChanceResult
from bot.services.match_repository import follows, outdated_sentence, seats_of
from bot.services.match_store import MatchStore
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import matches
from engine import games
from engine.endings import ABANDONED
from engine.game import AnyGame
from render.i18n import _

SERIES_CHALLENGE_SECONDS = 7 * DAY
"""Seconds until the challenge to the next match of a series expires."""


class Rematches:
    """Creates rematches and the next match of a series."""

    def __init__(self, match_store: MatchStore, challenges: Challenges) -> None:
        self._match_store = match_store
        self._challenges = challenges

    async def rematch(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        handicap: int | None = None,
        level: str = "",
    ) -> Outcome:
        """Challenge the same players to the same game again, each on the next side.

        If another player has already challenged, accept that challenge.

        Args:
            match_id: number of the finished match.
            handicap: index into the game's `handicaps`; None for none.
            level: the level at which the computer plays; empty for the same as before.
        """

        async def ask(connection: Connection, row: MatchRow, _seat: str) -> Outcome:
            if handicap is not None and row.is_outdated:
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=outdated_sentence(row))
            seated = await _seated(connection, match_id)
            if level:
                computer = computer_player(level)
                seated = {s: computer if p.is_computer else p for s, p in seated.items()}
            order = list(seated)
            next_seats = dict(zip(order, order[1:] + order[:1], strict=True))
            options = rematch_options(row, next_seats, handicap)
            if (existing := await _known_rematch(connection, match_id)) is not None:
                if existing.status == MatchStatus.CHALLENGE and existing.options != options:
                    sentence = _(
                        "A rematch with other terms is already open; answer that one first."
                    )
                    return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
                return Outcome(OutcomeKind.ASKED, existing.id)
            me = next(player for player in seated.values() if player.user_id == user_id)
            if sentence := await _refusal(connection, me, seated, row.game):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=sentence)
            players = {next_seats[seat]: player for seat, player in seated.items()}
            terms = replace(terms_after(row), options=options)
            if terms_refusal(terms, players.values()):  # such as with a handicap
                terms = replace(terms, rated=False)
            rematch_id = await self._challenges.open(
                connection, interaction_id, terms, players, Opening(me)
            )
            return Outcome(OutcomeKind.DONE, rematch_id)

        outcome = await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.FINISHED, ask
        )
        if outcome.kind == OutcomeKind.ASKED:
            return await self._challenges.accept(interaction_id, outcome.match_id, user_id)
        return outcome

    async def next_of_series(
        self, connection: Connection, row: MatchRow, game: AnyGame, rolled: ChanceResult
    ) -> None:
        """Create the challenge to the next match of a series, with the same seats."""
        result = game.result(rolled.state)
        if result in ("", ABANDONED) or row.round >= row.rounds:
            return
        seated = await _seated(connection, row.id)
        if DELETED_PLAYER in seated.values():
            return
        challenger = next(p for p in seated.values() if p.user_id == row.challenger_id)
        terms = replace(terms_after(row), rounds=row.rounds, round=row.round + 1)
        opening = Opening(challenger, SERIES_CHALLENGE_SECONDS)
        await self._challenges.open(connection, last_number(row.salt), terms, seated, opening)


async def _refusal(
    connection: Connection, me: Player, seated: Mapping[str, Player], game: str
) -> str:
    """Return the reason for refusing a rematch with these players, or an empty string."""
    if DELETED_PLAYER in seated.values():
        return _(
            "A player of this match has deleted their data, so it can't be repeated; start a new "
            "match with `/play`."
        )
    sentence = await challenge_refusal(connection, me, seated.values())
    if not sentence and any(player.is_computer for player in seated.values()):
        sentence = await computer_refusal(connection, me.user_id, game)
    return sentence


async def _known_rematch(connection: Connection, match_id: MatchId) -> MatchRow | None:
    """Return the rematch that is open or has begun."""
    query = select(matches).where(follows(match_id), matches.c.status != MatchStatus.CLOSED)
    row = (await connection.execute(query)).first()
    return None if row is None else MatchRow.of(row)


async def _seated(connection: Connection, match_id: MatchId) -> dict[str, Player]:
    """Return seat → player, in seat order."""
    people = await seats_of(connection, match_id)
    return {person.seat: person.player for person in people}


def rematch_options(
    row: MatchRow, next_seats: Mapping[str, str], handicap: int | None
) -> dict[str, str]:
    """Return the options of a rematch; those that name a seat follow its player."""
    game = games.get(row.game)
    options = dict(row.options)
    if handicap is not None:
        offers = game.handicaps(options, game.result(row.state()))
        options = dict(enumerate(offers)).get(handicap, options)
    return game.move_options(options, next_seats)


def terms_after(row: MatchRow) -> Terms:
    """Return the terms of the next match after a match."""
    return Terms(
        game=row.game,
        rules=row.rules,
        options=row.options,
        clock=common_clock(row.clock),
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        parent_channel_id=row.parent_channel_id,
        parent_id=row.id,
        rated=row.rated != Rated.CASUAL,
    )
