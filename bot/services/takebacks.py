"""Takebacks of a player's last choice, with the consent of another player if needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import PING_PREFIX, TAKEN_BACK_PREFIX, OutboxKind
from bot.domain.outcomes import Outcome, OutcomeKind
from bot.services.abuse_limits import TakebackRequests
from bot.services.automatic_moves import (
    Automatic,
    Progress,
    StopReason,
    stop_plans,
    unchanged_decisions,
)
from bot.services.chance import ChanceResult
from bot.services.clocks import delete_earlier, earlier_clocks_of, ran_out, schedule
from bot.services.match_changes import MatchChange, redraw
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore
from bot.services.requests import REQUEST_SECONDS
from bot.services.rows import LoggedAction, MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import actions
from engine import games
from engine.endings import ENDING_VERBS, FORFEIT_REASONS
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from engine.plans import forced_action
from render.i18n import N_, _

_BY_COMPUTER = N_("The computer made that move, so you can't take it back.")

_RATED = N_(
    "This match is rated, and something hidden has been revealed since your move, so it stays."
)


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
        requested_version: int | None = None,
        asking: str = "",
    ) -> Outcome:
        """Take back the player's last choice, or agree to another player's request.

        Consent is needed once any player has learned something from the choice, or once a plan has
        answered it at once; if that has revealed nothing, the answer is taken back as well. Dice
        are never rerolled: a choice followed by a roll stays. Each clock continues as if the
        undone actions had not happened.

        Args:
            user_id: user ID of the player who asks or agrees.
            requested_version: the version at which another player asked; None for the player's
                own request.
            asking: the seat of that player; empty for the one that chose last.

        Returns:
            The outcome; `ask`, with the question, if another player has to agree.
        """

        async def undo(connection: Connection, row: MatchRow, seat: str) -> Outcome:
            agrees = requested_version is not None
            undone, lines = await _last_lines(connection, row, asking if agrees else seat)
            people = await seats_of(connection, match_id)
            player = next(person for person in people if person.seat == seat)
            now = await self._match_store.heartbeats.time_of(connection, row)
            open_lines = lines[: len(lines) - len(undone) + 1]
            if refused := no_takeback(
                row, open_lines, player, people, requested_version=requested_version, now=now
            ):
                return refused
            wish = _Wish.of(row, people, player, undone, lines, agrees=agrees)
            if refused := _refusal(wish):
                return refused
            if wish.needs_consent:
                return await self._ask_for_consent(connection, interaction_id, wish, len(lines))
            return await self._undo(connection, row, people, undone, wish.before, by=seat)

        try:
            return await self._match_store.handle(
                interaction_id, match_id, user_id, MatchStatus.RUNNING, undo
            )
        except BaseException:
            self._requests.withdraw(match_id, interaction_id)
            raise

    async def _ask_for_consent(
        self, connection: Connection, interaction_id: int, wish: _Wish, action_count: int
    ) -> Outcome:
        """Ask the other players to agree, unless that exceeds the limit of requests."""
        row = wish.row
        if sentence := self._requests.refusal(row.id, row.version, action_count, interaction_id):
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        payload = {"version": row.version, f"{TAKEN_BACK_PREFIX}{wish.player.seat}": 1}
        payload |= {f"{PING_PREFIX}{seat}": row.version for seat in wish.answering}
        await self._match_store.queue(connection, row.id, OutboxKind.TAKEBACK_REQUEST, payload)
        due = {TimerKind.TAKEBACK: self._match_store.clock() + REQUEST_SECONDS}
        await schedule(connection, wish.player, row.version, due)
        outcome = Outcome(OutcomeKind.ASK, row.id, sentence=_asked(wish))
        await self._match_store.remember(connection, interaction_id, outcome)
        return outcome

    async def _undo(
        self,
        connection: Connection,
        row: MatchRow,
        people: Sequence[SeatRow],
        undone: Sequence[LoggedAction],
        before: Any,
        *,
        by: str,
    ) -> Outcome:
        """Mark the last actions as undone, and store the position and the clocks before them."""
        now, game = self._match_store.clock(), games.get(row.game)
        clock_time = await self._match_store.heartbeats.time_of(connection, row)
        undone_actions = [Action.parse(action.line) for action in undone]
        actor, earlier = (
            undone_actions[0].actor,
            await earlier_clocks_of(connection, row, people, undone[0]),
        )
        still_decides = actor in row.decisions and {action.actor for action in undone_actions} == {
            actor
        }
        if not still_decides and earlier and earlier[actor].remaining(clock_time) <= 0:
            sentence = _("You'd be out of time for that move by now, so it can't be taken back.")
            if actor != by:
                name = next(seat.name for seat in people if seat.seat == actor)
                sentence = _("{name} would be out of time for that move by now, so it stays.")
                sentence = sentence.format(name=name)
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        from_first = (actions.c.match_id == row.id) & (actions.c.number >= undone[0].number)
        live = actions.c.undone_at.is_(None)
        await connection.execute(update(actions).where(from_first, live).values(undone_at=now))
        await delete_earlier(connection, undone[0])
        await stop_plans(
            connection,
            row,
            StopReason.TAKEBACK,
            made_by=_planned_by(undone),
            since=undone[0].made_at,
            deciding=game.pending(before),
        )
        unchanged = unchanged_decisions(row.decisions, undone_actions)
        progress = Progress.of(game, ChanceResult(before, (), row.chance_count))
        change = MatchChange(
            row,
            progress,
            await seats_of(connection, row.id),
            unchanged,
            notify=game.pending(before),
            redraw=redraw(game, row.state(), before),
            by=by,
            taken_back=actor,
            earlier=earlier,
        )
        await self._match_store.save(connection, change)
        return Outcome(OutcomeKind.DONE, row.id)


class _Wish(NamedTuple):
    """A takeback that a player asks for or agrees to.

    Attributes:
        row: the match.
        people: its seats.
        player: the seat of the player who asks or agrees.
        undone: the actions to take back.
        before: the position before those actions.
        answering: the seats of other players whose plans have answered the choice, although they
            could have made another one. Whether a player has a choice is public, whether a plan
            has made a forced one is not.
        reveals: whether any reader has learned something hidden since.
        agrees: whether the player agrees to the request of another one.
    """

    row: MatchRow
    people: Sequence[SeatRow]
    player: SeatRow
    undone: Sequence[LoggedAction]
    before: Any
    answering: frozenset[str]
    reveals: bool
    agrees: bool

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
    ) -> _Wish:
        """Return the takeback of the last of some lines, with the position before it."""
        game, earlier = games.get(row.game), lines[: len(lines) - len(undone)]
        before = game.start(row.rules, row.options)
        for line in earlier:
            before, __ = game.apply(before, line)
        reveals = reveals_information(game, before, row.state(), earlier)
        answering = _planned_freely(game, before, undone) - {lines[len(earlier)].actor}
        return cls(row, people, player, undone, before, answering, reveals, agrees)

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
        """Whether another person has to be asked; the computer agrees to everything."""
        concerns_others = self.reveals or bool(self.answering)
        return concerns_others and not self.agrees and bool(self.consenting)


def _refusal(wish: _Wish) -> Outcome | None:
    """Return the refusal to undo a choice that only the bot has answered; None if it is allowed."""
    sentence = ""
    if wish.undone[0].chosen_by:
        sentence = _(_BY_COMPUTER)
    elif wish.answering and wish.reveals:
        sentence = _("Your move has been answered and something hidden revealed, so it stays.")
    elif len(wish.answering) > 1:
        sentence = _("Several players have moved since, so it's too late to take back.")
    elif wish.answering and wish.agrees and wish.player.seat not in wish.answering:
        sentence = _("Only the player who has answered that move can agree.")
    elif wish.row.rated == Rated.RATED and not wish.answering and (wish.reveals or wish.agrees):
        sentence = _(_RATED)
    elif wish.needs_consent and not any(seat.decides_itself for seat in wish.consenting):
        sentence = _("Something hidden has been revealed since, and {name} isn't here to agree.")
        if wish.answering:
            sentence = _("{name} has answered that move, and isn't here to agree.")
        sentence = sentence.format(name=wish.consenting[0].name)
    return Outcome(OutcomeKind.REFUSED, wish.row.id, sentence=sentence) if sentence else None


def _asked(wish: _Wish) -> str:
    """Return the reason for asking the other players, as a sentence."""
    if not wish.answering:
        return _("Something hidden has been revealed since, so I've asked the other players.")
    sentence = _("{name} has answered that move at once, so I've asked whether both go back.")
    return sentence.format(name=wish.consenting[0].name)


def last_choice(log: Sequence[LoggedAction], seat: str = "") -> Sequence[LoggedAction]:
    """Return the last choice of a seat and all after it, if the bot has made all those at once.

    Forced choices would be made again at once, so they are taken back with the one before them. If
    a person has chosen since, or the dice have been rolled, it is the last choice of any seat.

    Args:
        log: the actions of the match.
        seat: the seat that takes back; empty for the one that chose last.
    """
    last = len(log) - 1
    while last > 0 and log[last].automatic == Automatic.FORCED:
        last -= 1
    for place in range(last, -1, -1):
        if log[place].automatic != Automatic.FORCED and log[place].actor == seat:
            return log[place:]
        if log[place].automatic is None:
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


async def _last_lines(
    connection: Connection, row: MatchRow, seat: str
) -> tuple[Sequence[LoggedAction], list[Action]]:
    """Return the actions that a seat takes back, see `last_choice`, and all lines of the match."""
    log = await _log(connection, row.id)
    return last_choice(log, seat), [Action.parse(action.line) for action in log]


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
    requested_version: int | None,
    now: float,
) -> Outcome | None:
    """Return the refusal of a takeback of the last line, or of agreeing to it; None if allowed."""
    played = lines[row.lines_taken_over :]
    last = played[-1] if played and _is_move(played[-1]) else None
    if requested_version is None:
        if last and last.actor == player.seat:
            return None
        sentence = _too_late(played, player, people)
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


def _too_late(lines: Sequence[Action], player: SeatRow, people: Sequence[SeatRow]) -> str:
    """Return a sentence about why no move of a player can be taken back any more.

    Args:
        lines: the lines of the match, without those taken over from another.
        player: the seat of the player who asks.
        people: the seats of the match.
    """
    move_places = [
        place for place, line in enumerate(lines) if _is_move(line) and line.actor == player.seat
    ]
    if not move_places:
        return _("You haven't made a move yet that you could take back.")
    since = lines[move_places[-1] + 1 :]
    movers = {line.actor for line in since if _is_move(line)}
    if any(person.seat in movers and not person.decides_itself for person in people):
        return _("The computer has already answered, so it's too late to take back.")
    if movers:
        return _("Another player has moved since, so it's too late to take back.")
    if any(line.actor == CHANCE for line in since):
        return _(
            "Something has been rolled or drawn since your move, so it's too late to take it back."
        )
    return _("Something else has happened since your move, so it's too late to take it back.")


def reveals_information(game: AnyGame, before: Any, after: Any, lines: list[Action]) -> bool:
    """Return whether these lines have revealed hidden information to a player or the public."""
    readers = (PUBLIC, *game.view(before).seats)
    return any(
        game.redact(before, reader, lines) != game.redact(after, reader, lines)
        for reader in readers
    )
