"""Cups: creating them, joining, starting, substitutes, withdrawals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from secrets import token_hex
from typing import NamedTuple

from sqlalchemy import delete, func, insert, or_, select

from bot.domain.ids import GuildId, UserId
from bot.domain.models import MatchStatus, Player
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.domain.seating import options_with_seats
from bot.features.cups.drafts import CupDraft, draft_refusal
from bot.features.cups.formats import (
    MAX_ENTRANTS,
    MIN_ENTRANTS,
    draw_lots,
    schedule,
)
from bot.features.cups.listings import OpenMatch, joinable_cups, open_matches
from bot.features.cups.matches import TOPIC, CupMatches
from bot.features.cups.rows import (
    Cup,
    CupStatus,
    StoredCup,
    StoredEntrant,
    add_pairings,
    load_cup,
    update_entrant,
)
from bot.features.cups.seasons import (
    begin_season,
    create_league,
    end_league,
    plays_in_another_group,
    season_of,
    unfinished_before,
)
from bot.services.match_store import MatchStore, played_by, recorded_outcome, seat_of
from bot.services.matches import Matches
from bot.storage.connection import Connection
from bot.storage.schema import cup_entrants, cups
from engine import games
from render.i18n import N_, _, ngettext

MAX_OPEN_CUPS = 3
"""Maximum number of unfinished cups of one organiser."""

MAX_PER_PLAYER = 4
"""Maximum number of open matches of a player in one cup."""

CLOSED = N_("The sign-up for this cup is over.")

OVER = N_("This cup is over.")

NOT_IN_CUP = N_("You're not playing in this cup.")

NOT_THERE = N_("That player isn't in this cup, or has withdrawn.")

NOT_ORGANISER = N_(
    "Only the organiser of this cup, or a member who manages this server, can do that."
)

Work = Callable[[Connection, Cup], Awaitable[Outcome]]
"""Changes a cup."""


class Actor(NamedTuple):
    """A user who changes a cup, and whether the user may manage its server."""

    user_id: UserId
    manages: bool = False


class Cups:
    """Changes and reads cups.

    Args:
        matches: ends the matches of players who withdraw.
    """

    def __init__(self, match_store: MatchStore, matches: Matches, cup_matches: CupMatches) -> None:
        self._match_store = match_store
        self._database = match_store.database
        self._matches = matches
        self._cup_matches = cup_matches

    # Changes

    async def create(self, interaction_id: int, draft: CupDraft, organiser_id: UserId) -> Outcome:
        """Create a cup; its sign-up is open at once."""
        if refusal := draft_refusal(draft, self._match_store.clock()):
            return _refused(refusal)
        async with self._database.write() as connection:
            if (outcome := await recorded_outcome(connection, interaction_id)) is not None:
                return outcome
            unfinished = cups.c.status.in_((CupStatus.SIGN_UP, CupStatus.RUNNING))
            # The groups of a season are one cup
            kind = func.coalesce(-cups.c.league_id, cups.c.id)
            count = select(func.count(kind.distinct()))
            count = count.where(cups.c.organiser_id == organiser_id, unfinished)
            if (await connection.execute(count)).scalar_one() >= MAX_OPEN_CUPS:
                return _refused(
                    ngettext(
                        "You already organise {count} cup; finish it first.",
                        "You already organise {count} cups; finish one first.",
                        MAX_OPEN_CUPS,
                    ).format(count=MAX_OPEN_CUPS)
                )
            game = games.get(draft.game)
            league = await create_league(connection, draft) if draft.divisions else {}
            values = (
                draft.columns()
                | league
                | {
                    "options": options_with_seats(game, draft.options, draft.format.seats),
                    "rules": game.rules[0],
                    "organiser_id": organiser_id,
                    "status": CupStatus.SIGN_UP,
                    "seed": token_hex(8),
                    "version": 1,
                    "created_at": self._match_store.clock(),
                    "shown_version": 0,
                    "announced": 0,
                }
            )
            new = insert(cups).values(values).returning(cups.c.id)
            cup_id = (await connection.execute(new)).scalar_one()
            self._database.notify(TOPIC)
            return await self._done(connection, interaction_id, cup_id)

    async def join(self, interaction_id: int, cup_id: int, player: Player) -> Outcome:
        """Sign up for a cup, or take over the place that was offered to the user."""

        async def sign_up(connection: Connection, cup: Cup) -> Outcome:
            place = _offered(cup, player.user_id)
            if cup.row.status == CupStatus.RUNNING and place:
                if await plays_in_another_group(connection, cup.row, player.user_id):
                    return _refused(_("You already play in another group of this season."), cup)
                await update_entrant(
                    connection,
                    place,
                    user_id=player.user_id,
                    name=player.name,
                    joined_by=interaction_id,
                    substitute_id=None,
                    checked_at=self._match_store.clock(),
                    has_left=False,
                )
                return await self._shown(connection, interaction_id, cup)
            if cup.row.status != CupStatus.SIGN_UP:
                return _refused(_(CLOSED), cup)
            if entrant := cup.entrant_of(player.user_id):
                if entrant.joined_by:
                    return _refused(_("You're already in this cup."), cup)
                await update_entrant(
                    connection,
                    entrant,
                    name=player.name,
                    joined_by=interaction_id,
                    checked_at=self._match_store.clock(),
                )
                return await self._shown(connection, interaction_id, cup)
            if len(cup.entrants) >= MAX_ENTRANTS:
                return _refused(_("This cup is full: all 16 places are taken."), cup)
            number = max((entrant.number for entrant in cup.entrants), default=0) + 1
            new = {
                "cup_id": cup.row.id,
                "number": number,
                "user_id": player.user_id,
                "name": player.name,
                "joined_by": interaction_id,
                "checked_at": self._match_store.clock(),
            }
            await connection.execute(insert(cup_entrants).values(new))
            return await self._shown(connection, interaction_id, cup)

        return await self._change(interaction_id, cup_id, sign_up)

    async def leave(
        self,
        interaction_id: int,
        cup_id: int,
        actor: Actor,
        user_id: UserId,
        *,
        confirms: bool = False,
    ) -> Outcome:
        """Leave a cup before its start, or withdraw from it; its organiser may withdraw others.

        Args:
            confirms: return `confirm` if the cup is running, because this cannot be undone.
        """

        async def withdraw(connection: Connection, cup: Cup) -> Outcome:
            entrant = cup.entrant_of(user_id)
            if actor.user_id != user_id and not may_organise(cup, actor):
                return _refused(_(NOT_ORGANISER), cup)
            if entrant is None or not entrant.is_active:
                return _refused(_(NOT_IN_CUP if actor.user_id == user_id else NOT_THERE), cup)
            if cup.row.status == CupStatus.SIGN_UP:
                is_entrant = (cup_entrants.c.cup_id == cup_id) & (cup_entrants.c.user_id == user_id)
                await connection.execute(delete(cup_entrants).where(is_entrant))
                return await self._shown(connection, interaction_id, cup)
            if cup.row.status != CupStatus.RUNNING:
                return _refused(_(OVER), cup)
            if confirms:
                return Outcome(OutcomeKind.CONFIRM, cup_id=cup_id)
            await self._withdraw(connection, cup, entrant)
            return await self._done(connection, interaction_id, cup_id)

        return await self._change(interaction_id, cup_id, withdraw, exclusive=not confirms)

    async def _withdraw(self, connection: Connection, cup: Cup, entrant: StoredEntrant) -> None:
        """Withdraw a player from a running cup, and resign their matches in progress.

        A match of the place that another player began before the place was taken over stays theirs.
        """
        now = self._match_store.clock()
        await update_entrant(connection, entrant, withdrawn_at=now, substitute_id=None)
        match_ids = {pairing.match_id for pairing in cup.running}
        for row in await played_by(connection, entrant.user_id, MatchStatus.RUNNING):
            if row.id in match_ids:
                seat = await seat_of(connection, row.id, entrant.user_id)
                await self._matches.leave(connection, row, seat)
        await self._cup_matches.advance_cup(connection, cup.row.id)

    async def start(self, interaction_id: int, cup_id: int, actor: Actor) -> Outcome:
        """Start a cup: draw the players' numbers, store all pairings, begin the first matches."""

        async def begin(connection: Connection, cup: Cup) -> Outcome:
            if not may_organise(cup, actor):
                return _refused(_(NOT_ORGANISER), cup)
            if cup.row.status != CupStatus.SIGN_UP:
                return _refused(_("This cup has already started."), cup)
            if cup.row.league_id and await unfinished_before(connection, cup.row):
                return _refused(_("The last season is still in progress, until this one starts."))
            if len(cup.confirmed) < MIN_ENTRANTS:
                return _refused(_too_few(len(cup.confirmed)), cup)
            await self.begin(connection, cup)
            return await self._done(connection, interaction_id, cup_id)

        return await self._change(interaction_id, cup_id, begin)

    async def begin(self, connection: Connection, cup: Cup) -> None:
        """Start a cup, or each group of a season, in the transaction of the caller."""
        for group in await begin_season(connection, cup, self._match_store.clock()):
            await self._begin(connection, group)

    async def _begin(self, connection: Connection, cup: Cup) -> None:
        await self._draw(connection, cup)
        rounds = schedule(cup.row.format, len(cup.entrants))
        await add_pairings(connection, cup.row, rounds)
        byes = {place: pairing[0] for place, pairing in enumerate(rounds[0]) if len(pairing) == 1}
        await self._cup_matches.begin(connection, cup.row.id, byes)

    async def _draw(self, connection: Connection, cup: Cup) -> None:
        """Number the players of a cup at random."""
        order = draw_lots(cup.row.seed, [entrant.number for entrant in cup.entrants])
        rows = [
            {
                "cup_id": cup.row.id,
                "number": number,
                "user_id": cup.by_number[former].user_id,
                "name": cup.by_number[former].name,
                "joined_by": cup.by_number[former].joined_by,
                "checked_at": cup.by_number[former].checked_at,
            }
            for number, former in enumerate(order, 1)
        ]
        await connection.execute(delete(cup_entrants).where(cup_entrants.c.cup_id == cup.row.id))
        await connection.execute(insert(cup_entrants), rows)

    async def offer_place(
        self, interaction_id: int, cup_id: int, actor: Actor, user_id: UserId, substitute: Player
    ) -> Outcome:
        """Offer the place of a player to a substitute, who takes it over by joining.

        Matches and series in progress stay with the player who began them.
        """

        async def offer(connection: Connection, cup: Cup) -> Outcome:
            entrant = cup.entrant_of(user_id)
            if actor.user_id != user_id and not may_organise(cup, actor):
                return _refused(_(NOT_ORGANISER), cup)
            if cup.row.status != CupStatus.RUNNING:
                sentence = _(
                    "Substitutes are for cups that have started; this one can still be joined."
                )
                return _refused(sentence if cup.row.status == CupStatus.SIGN_UP else _(OVER), cup)
            if entrant is None or not entrant.is_active:
                return _refused(_(NOT_THERE), cup)
            if cup.entrant_of(substitute.user_id) or _offered(cup, substitute.user_id):
                return _refused(
                    _("{name} already has a place in this cup.").format(name=substitute.name), cup
                )
            if await plays_in_another_group(connection, cup.row, substitute.user_id):
                sentence = _("{name} already plays in another group of this season.")
                return _refused(sentence.format(name=substitute.name), cup)
            await update_entrant(connection, entrant, substitute_id=substitute.user_id)
            return await self._shown(connection, interaction_id, cup)

        return await self._change(interaction_id, cup_id, offer)

    async def cancel(self, interaction_id: int, cup_id: int, actor: Actor) -> Outcome:
        """Cancel a cup; its matches in progress continue, but count for no cup."""

        async def end(connection: Connection, cup: Cup) -> Outcome:
            if not may_organise(cup, actor):
                return _refused(_(NOT_ORGANISER), cup)
            if cup.row.status not in (CupStatus.SIGN_UP, CupStatus.RUNNING):
                return _refused(_(OVER), cup)
            await self.close(connection, cup_id)
            return await self._done(connection, interaction_id, cup_id)

        return await self._change(interaction_id, cup_id, end)

    async def close(self, connection: Connection, cup_id: int) -> None:
        """Cancel a cup in the transaction of the caller; no further season follows."""
        now = self._match_store.clock()
        await self._cup_matches.show(connection, cup_id, status=CupStatus.CANCELLED, ended_at=now)
        await end_league(connection, cup_id)

    async def _change(
        self, interaction_id: int, cup_id: int, work: Work, *, exclusive: bool = False
    ) -> Outcome:
        """Change a cup once for each interaction."""
        async with self._database.write(exclusive=exclusive) as connection:
            cup = await load_cup(connection, cup_id, lock=True)
            if (outcome := await recorded_outcome(connection, interaction_id)) is not None:
                return outcome
            if cup is None:
                return Outcome(OutcomeKind.UNKNOWN, sentence=_("There is no such cup."))
            return await work(connection, cup)

    async def _shown(self, connection: Connection, interaction_id: int, cup: Cup) -> Outcome:
        await self._cup_matches.show(connection, cup.row.id)
        return await self._done(connection, interaction_id, cup.row.id)

    async def _done(self, connection: Connection, interaction_id: int, cup_id: int) -> Outcome:
        outcome = Outcome(OutcomeKind.DONE, cup_id=cup_id)
        await self._match_store.remember(connection, interaction_id, outcome)
        return outcome

    # Reading

    async def get(self, cup_id: int) -> Cup | None:
        """Return a cup; None if there is none of this number."""
        async with self._database.read() as connection:
            cup = await load_cup(connection, cup_id)
            return cup and replace(cup, season=await season_of(connection, cup))

    async def of_user(self, user_id: UserId) -> set[int]:
        """Return the cups that a user organises, plays, or has been offered a place in."""
        organised = select(cups.c.id).where(cups.c.organiser_id == user_id)
        joined = select(cup_entrants.c.cup_id).where(
            or_(cup_entrants.c.user_id == user_id, cup_entrants.c.substitute_id == user_id)
        )
        async with self._database.read() as connection:
            return set((await connection.execute(organised.union(joined))).scalars())

    async def of_server(
        self, guild_id: GuildId, text: str = "", limit: int = 25
    ) -> list[StoredCup]:
        """Return the cups of a server whose name contains a text: unfinished first, then latest."""
        is_over = cups.c.status.in_((CupStatus.FINISHED, CupStatus.CANCELLED))
        query = select(cups).where(cups.c.guild_id == guild_id)
        query = query.where(cups.c.name.icontains(text, autoescape=True))
        query = query.order_by(is_over, cups.c.id.desc()).limit(limit)
        async with self._database.read() as connection:
            return [StoredCup.of(row) for row in await connection.execute(query)]

    async def joinable(self, guild_id: GuildId, user_id: UserId, limit: int) -> list[StoredCup]:
        """Return cups of a server that a user can join; see `bot.features.cups.listings`."""
        async with self._database.read() as connection:
            return await joinable_cups(connection, guild_id, user_id, limit)

    async def open_matches(self, cup: Cup) -> dict[int, OpenMatch]:
        """Return a cup's matches in progress by their numbers, with their places."""
        if not cup.running:
            return {}
        async with self._database.read() as connection:
            return await open_matches(connection, cup)


def _offered(cup: Cup, user_id: UserId) -> StoredEntrant | None:
    """Return the place that is offered to a user."""
    return next((entrant for entrant in cup.active if entrant.substitute_id == user_id), None)


def may_organise(cup: Cup, actor: Actor) -> bool:
    """Return whether a user may organise a cup."""
    return actor.manages or actor.user_id == cup.row.organiser_id


def _refused(sentence: str, cup: Cup | None = None) -> Outcome:
    return Outcome(OutcomeKind.REFUSED, sentence=sentence, cup_id=cup.row.id if cup else 0)


def _too_few(players: int) -> str:
    """Return the refusal to start a cup with so few players."""
    words = ngettext(
        "A cup needs at least {count} players; there is {players} now. The computer plays in no "
        "cups, but `/play` begins a match against it at once.",
        "A cup needs at least {count} players; there are {players} now. The computer plays in no "
        "cups, but `/play` begins a match against it at once.",
        players,
    )
    return words.format(count=MIN_ENTRANTS, players=players)
