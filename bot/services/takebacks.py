"""Takebacks of a player's last choice, with the consent of another player if needed.

What the bot has answered goes back as well: choices of plans if their players agree, forced ones,
and in casual matches those of the computer. Nothing goes back that has shown anything to a player:
no roll or draw, and against the computer no hidden value. So a takeback changes no dice, and a
player who chooses again knows no more than before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import select, update

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import PING_PREFIX, TAKEN_BACK_PREFIX, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.abuse_limits import TakebackRequests
from bot.services.automatic_moves import (
    Automatic,
    Progress,
    StopReason,
    put_back_orders,
    stop_plans,
    unchanged_decisions,
)
from bot.services.chance import ChanceResult
from bot.services.clocks import (
    EarlierClock,
    delete_earlier,
    earlier_clocks_of,
    ran_out,
    schedule,
)
from bot.services.match_changes import MatchChange, redraw
from bot.services.match_repository import match_with_board, seats_of
from bot.services.match_store import MatchStore
from bot.services.requests import REQUEST_SECONDS, requests_of
from bot.services.rows import LoggedAction, MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import actions
from engine import games
from engine.endings import ENDING_VERBS, FORFEIT_REASONS
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from engine.plans import forced_action
from render import for_game
from render.i18n import N_, _

_BY_COMPUTER = N_("The computer made that move, so you can't take it back.")

_RATED = N_(
    "This match is rated, and something hidden has been revealed since your move, so it stays."
)

_ANSWERED = N_("The computer has already answered, so it's too late to take back.")

_ANSWERED_RATED = N_("The computer has already answered, and this match is rated, so it stays.")

_REVEALED = N_("Something hidden has been revealed since")


class Takebacks:
    """Takes back choices, with the consent of another player if needed."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store
        self._requests = TakebackRequests()

    async def take_back(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        *,
        requested_version: Version | None = None,
        asking: str = "",
    ) -> Outcome:
        """Take back the player's last choice, or agree to another player's request.

        Consent is needed once any player has learned something from the choice, or once a plan has
        answered it at once; if that has revealed nothing, the answer is taken back as well. The
        computer agrees in casual matches, unless something was revealed. Dice are never rerolled:
        a choice followed by a roll stays. Each clock continues as if the undone actions had not
        happened.

        Args:
            user_id: user ID of the player who asks or agrees.
            requested_version: the version at which another player asked; None for the player's
                own request.
            asking: the seat of that player; empty for the one that chose last.

        Returns:
            The outcome; `ask`, with the question, if another player has to agree.
        """

        async def undo(connection: Connection, row: MatchRow, seat: str) -> Outcome:
            people = await seats_of(connection, match_id)
            wish = await self._examine(
                connection, row, people, seat, requested_version=requested_version, asking=asking
            )
            if isinstance(wish, Outcome):
                return wish
            if wish.needs_consent:
                return await self._ask_for_consent(connection, interaction_id, wish)
            return await self._undo(connection, wish)

        try:
            return await self._match_store.handle(
                interaction_id, match_id, user_id, MatchStatus.RUNNING, undo
            )
        except BaseException:
            self._requests.withdraw(match_id, interaction_id)
            raise

    async def obstacle(self, match_id: MatchId, user_id: UserId) -> str | None:
        """Return the obstacle to a player's takeback, or to the request for it.

        Returns:
            A sentence; empty if it is possible, None if the user is not playing.
        """
        async with self._match_store.database.read() as connection:
            row = (await match_with_board(connection, match_id)).match
            people = await seats_of(connection, match_id)
            seat = next((person.seat for person in people if person.user_id == user_id), PUBLIC)
            if not seat or row.status != MatchStatus.RUNNING or row.is_outdated:
                return None
            requests = (await requests_of(connection, [match_id])).get(match_id)
            if requests and requests.takeback == seat:
                return _("You've asked to take back your move; wait for the answer.")
            wish = await self._examine(connection, row, people, seat)
            return wish.sentence if isinstance(wish, Outcome) else ""

    async def _examine(
        self,
        connection: Connection,
        row: MatchRow,
        people: Sequence[SeatRow],
        seat: str,
        *,
        requested_version: Version | None = None,
        asking: str = "",
    ) -> _Wish | Outcome:
        """Examine a takeback, or the agreement to one; return the refusal if there is one."""
        log, now = (
            await _log(connection, row.id),
            await self._match_store.heartbeats.time_of(connection, row),
        )
        agrees = requested_version is not None
        undone = last_choice(log, asking if agrees else seat, computers_that_agree(row, people))
        lines = [Action.parse(action.line) for action in log]
        player = next(person for person in people if person.seat == seat)
        open_lines = lines[: len(lines) - len(undone) + 1]
        if refused := no_takeback(
            row, open_lines, player, people, requested_version=requested_version, now=now
        ):
            return refused
        earlier = await earlier_clocks_of(connection, row, people, undone[0])
        wish = _Wish.of(row, people, player, undone, lines, agrees=agrees, earlier=earlier)
        if sentence := _refusal(wish, now):
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        return wish

    async def _ask_for_consent(
        self, connection: Connection, interaction_id: int, wish: _Wish
    ) -> Outcome:
        """Ask the other players to agree, unless that exceeds the limit of requests."""
        row = wish.row
        if sentence := self._requests.refusal(
            row.id, row.version, wish.action_count, interaction_id
        ):
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        payload = {"version": row.version, f"{TAKEN_BACK_PREFIX}{wish.player.seat}": 1}
        payload |= {f"{PING_PREFIX}{seat}": row.version for seat in wish.answering}
        await self._match_store.queue(connection, row.id, OutboxKind.TAKEBACK_REQUEST, payload)
        due = {TimerKind.TAKEBACK: self._match_store.clock() + REQUEST_SECONDS}
        await schedule(connection, wish.player, row.version, due)
        outcome = Outcome(OutcomeKind.ASK, row.id, sentence=_asked(wish))
        await self._match_store.remember(connection, interaction_id, outcome)
        return outcome

    async def _undo(self, connection: Connection, wish: _Wish) -> Outcome:
        """Mark the last actions as undone, and store the position and the clocks before them."""
        row, undone, game = wish.row, wish.undone, games.get(wish.row.game)
        from_first = (actions.c.match_id == row.id) & (actions.c.number >= undone[0].number)
        live, now = actions.c.undone_at.is_(None), self._match_store.clock()
        planning = _planned_by(undone)
        for person in wish.people:
            if person.seat in planning:
                await put_back_orders(connection, person, undone, now=now)
        await connection.execute(update(actions).where(from_first, live).values(undone_at=now))
        await delete_earlier(connection, undone[0])
        await stop_plans(
            connection,
            row,
            StopReason.TAKEBACK,
            made_by=planning,
            since=undone[0].made_at,
            deciding=game.pending(wish.before),
        )
        undone_actions = [Action.parse(action.line) for action in undone]
        change = MatchChange(
            row,
            Progress.of(game, ChanceResult(wish.before, (), row.chance_count)),
            await seats_of(connection, row.id),
            unchanged_decisions(row.decisions, undone_actions),
            notify=game.pending(wish.before),
            redraw=redraw(game, row.state(), wish.before),
            by=wish.player.seat,
            taken_back=wish.actors,
            earlier=wish.earlier,
        )
        await self._match_store.save(connection, change)
        return Outcome(OutcomeKind.DONE, row.id)


class _Wish(NamedTuple):
    """A takeback that a player asks for or agrees to.

    Attributes:
        player: the seat of the player who asks or agrees.
        undone: the actions to take back.
        before: the position before those actions.
        answering: the seats of other players whose plans have answered the choice, although they
            could have made another one. Whether a player has a choice is public, whether a plan
            has made a forced one is not.
        revealed: the first line that any reader knows otherwise than before, see `revealed_line`.
        agrees: whether the player agrees to the request of another one.
        earlier: seat → the clock to restore.
    """

    row: MatchRow
    people: Sequence[SeatRow]
    player: SeatRow
    undone: Sequence[LoggedAction]
    before: Any
    answering: frozenset[str]
    revealed: Action | None
    agrees: bool
    action_count: int
    earlier: Mapping[str, EarlierClock]

    @classmethod
    def of(
        cls,
        row: MatchRow,
        people: Sequence[SeatRow],
        player: SeatRow,
        undone: Sequence[LoggedAction],
        lines: list[Action],
        *,
        agrees: bool,
        earlier: Mapping[str, EarlierClock],
    ) -> _Wish:
        """Return the takeback of the last of some lines, with the position before it."""
        game, kept = games.get(row.game), len(lines) - len(undone)
        states = [game.start(row.rules, row.options)]
        for line in lines:
            states.append(game.apply(states[-1], line)[0])
        before, revealed = states[kept], revealed_line(game, states[kept:], lines)
        answering = _planned_freely(game, before, undone) - {lines[kept].actor}
        return cls(
            row, people, player, undone, before, answering, revealed, agrees, len(lines), earlier
        )

    @property
    def actor(self) -> str:
        """The seat whose choice goes back."""
        return self.undone[0].actor

    @property
    def actors(self) -> list[str]:
        """The seats whose choices go back, first the one whose choice was answered."""
        return list(dict.fromkeys(action.actor for action in self.undone))

    @property
    def consenting(self) -> list[SeatRow]:
        """The people, one of whom has to agree; if plans have answered, their players."""
        return [
            seat
            for seat in self.people
            if seat.is_person
            and seat.seat != self.player.seat
            and (seat.seat in self.answering or not self.answering)
        ]

    @property
    def needs_consent(self) -> bool:
        """Whether another person has to be asked."""
        concerns_others = bool(self.revealed or self.answering)
        return concerns_others and not self.agrees and bool(self.consenting)

    @property
    def is_with_bot(self) -> bool:
        """Whether a plan or the computer has answered, or all others are computers."""
        by_computer = any(action.chosen_by for action in self.undone)
        return by_computer or bool(self.answering) or not self.consenting

    def is_out_of_time(self, now: float) -> bool:
        """Return whether the time of the choice's player would be over without it.

        While its turn lasts, its clock runs on whether or not it is taken back.
        """
        earlier = self.earlier.get(self.actor)
        still_decides = (
            self.actor in self.row.decisions
            and all(action.actor == self.actor for action in self.undone)
            and (earlier is None or earlier.guessed)
        )
        return not still_decides and earlier is not None and earlier.remaining(now) <= 0


def _refusal(wish: _Wish, now: float) -> str:
    """Return the reason for refusing to undo a choice that only the bot has answered, or ""."""
    if wish.undone[0].chosen_by:
        return _(_BY_COMPUTER)
    if wish.is_with_bot and wish.revealed:
        return _stays(wish.row.game, wish.revealed)
    if len(wish.answering) > 1:
        return _("Several players have moved since, so it's too late to take back.")
    if wish.answering and wish.agrees and wish.player.seat not in wish.answering:
        return _("Only the player who has answered that move can agree.")
    if wish.row.rated == Rated.RATED and not wish.answering and (wish.revealed or wish.agrees):
        return _(_RATED)
    if wish.needs_consent and not any(seat.decides_itself for seat in wish.consenting):
        sentence = _("Something hidden has been revealed since, and {name} isn't here to agree.")
        if wish.answering:
            sentence = _("{name} has answered that move, and isn't here to agree.")
        return sentence.format(name=wish.consenting[0].name)
    if wish.is_out_of_time(now) and not wish.needs_consent:
        if wish.actor == wish.player.seat:
            return _("You'd be out of time for that move by now, so it can't be taken back.")
        name = next(seat.name for seat in wish.people if seat.seat == wish.actor)
        sentence = _("{name} would be out of time for that move by now, so it stays.")
        return sentence.format(name=name)
    return ""


def _stays(game: str, line: Action) -> str:
    """Return the refusal that names what a line since the choice has shown."""
    revelations = for_game(game).revelations
    sentence = _("{reason}, so your move can't be taken back.")
    return sentence.format(reason=_(revelations.get(line.verb, _REVEALED)))


def _asked(wish: _Wish) -> str:
    """Return the reason for asking the other players, as a sentence."""
    if not wish.answering:
        return _("Something hidden has been revealed since, so I've asked the other players.")
    sentence = _("{name} has answered that move at once, so I've asked whether both go back.")
    return sentence.format(name=wish.consenting[0].name)


def computers_that_agree(row: MatchRow, people: Sequence[SeatRow]) -> frozenset[str]:
    """Return the seats of computers whose answers can go back: those of casual matches.

    A computer that stands in for a person agrees to nothing.
    """
    if row.rated == Rated.RATED:
        return frozenset()
    return frozenset(seat.seat for seat in people if seat.player.is_computer)


def last_choice(
    log: Sequence[LoggedAction], seat: str = "", computers: Collection[str] = ()
) -> Sequence[LoggedAction]:
    """Return the last choice of a seat and all after it, if the bot has made all those.

    Forced choices would be made again at once, so they are taken back with the one before them. If
    a person has chosen since, or the dice have been rolled, it is the last choice of any seat.

    Args:
        seat: the seat that takes back; empty for the one that chose last.
        computers: the seats whose choices can be taken back with that one.
    """
    last = len(log) - 1
    while last > 0 and log[last].automatic == Automatic.FORCED:
        last -= 1
    for place in range(last, -1, -1):
        if log[place].automatic != Automatic.FORCED and log[place].actor == seat:
            return log[place:]
        if log[place].automatic is None and log[place].actor not in computers:
            break
    return log[max(last, 0) :]


def _planned_by(log: Sequence[LoggedAction]) -> frozenset[str]:
    """Return the seats whose plans have made some of these actions."""
    return frozenset(action.actor for action in log if action.automatic == Automatic.PLAN)


def _planned_freely(game: AnyGame, before: Any, log: Sequence[LoggedAction]) -> frozenset[str]:
    """Return the seats whose plans have made some of these actions while they had a choice.

    Args:
        game: the game's rules.
        before: the position before the actions.
    """
    state, planning = before, set[str]()
    for stored in log:
        action = Action.parse(stored.line)
        is_planned = stored.automatic == Automatic.PLAN
        if is_planned and forced_action(game, state, action.actor) is None:
            planning.add(action.actor)
        state, __ = game.apply(state, action)
    return frozenset(planning)


async def _log(connection: Connection, match_id: MatchId) -> list[LoggedAction]:
    """Return the actions of a match that were not taken back."""
    live = select(actions).where(actions.c.match_id == match_id, actions.c.undone_at.is_(None))
    rows = await connection.execute(live.order_by(actions.c.number))
    return [LoggedAction(*row) for row in rows]


def no_takeback(
    row: MatchRow,
    lines: list[Action],
    player: SeatRow,
    people: Sequence[SeatRow],
    *,
    requested_version: Version | None,
    now: float,
) -> Outcome | None:
    """Return the refusal of a takeback of the last line, or of agreeing to it; None if allowed."""
    played = lines[row.lines_taken_over :]
    last = played[-1] if played and _is_move(played[-1]) else None
    if requested_version is None:
        if last and last.actor == player.seat:
            return None
        sentence = _too_late(row, played, player, people)
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if last is None:
        sentence = _("Something else has happened since, so it's too late to take that move back.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if row.version != requested_version or last.actor == player.seat:
        return Outcome(OutcomeKind.STALE, row.id, sentence=_("That has already been answered."))
    if any(line.actor == player.seat and line.verb in FORFEIT_REASONS for line in lines):
        sentence = _("You've left this match, so only the other players can agree.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    if player.seat in row.decisions and ran_out(player, now) is not None:
        sentence = _("You're out of time yourself, so you can no longer agree.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    return None


def _is_move(line: Action) -> bool:
    """Return whether a line is a choice of a player that can be taken back."""
    return line.actor not in (CHANCE, PUBLIC) and line.verb not in ENDING_VERBS


def _too_late(
    row: MatchRow, lines: Sequence[Action], player: SeatRow, people: Sequence[SeatRow]
) -> str:
    """Return a sentence about why no move of a player can be taken back any more.

    Args:
        lines: its lines, without those taken over from another.
    """
    move_places = [
        place for place, line in enumerate(lines) if _is_move(line) and line.actor == player.seat
    ]
    if not move_places:
        return _("You haven't made a move yet that you could take back.")
    since = lines[move_places[-1] + 1 :]
    movers = {line.actor for line in since if _is_move(line)}
    if any(person.seat in movers and person.decides_itself for person in people):
        return _("Another player has moved since, so it's too late to take back.")
    if rolled := next((line for line in since if line.actor == CHANCE), None):
        return _stays(row.game, rolled)
    if movers - computers_that_agree(row, people):
        return _(_ANSWERED_RATED if row.rated == Rated.RATED else _ANSWERED)
    return _("Something else has happened since your move, so it's too late to take it back.")


def revealed_line(game: AnyGame, states: Sequence[Any], lines: Sequence[Action]) -> Action | None:
    """Return the first line that a player or the public knows otherwise than before, if any.

    Values that were shown only for a while count, and so do those that a player could see before.

    Args:
        states: the positions before and after each of the last lines.
        lines: all lines of the match.
    """
    readers = (PUBLIC, *game.view(states[0]).seats)
    first = len(lines) - len(states) + 1
    for count, (earlier, later) in enumerate(pairwise(states), first):
        first_lines = lines[:count]
        for reader in readers:
            before, after = (game.redact(state, reader, first_lines) for state in (earlier, later))
            for line, old, new in zip(first_lines, before, after, strict=True):
                if old != new:
                    return line
    return None
