"""Takebacks of a player's last choice, with the consent of another player if needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update

from bot.services.abuse_limits import TakebackRequests
from bot.services.chance import ChanceResult
from bot.services.clocks import delete_earlier, earlier_clocks_of, ran_out
from bot.services.going_on import (
    Automatic,
    Progress,
    StopReason,
    stop_plan,
    unchanged_decisions,
)
from bot.services.match_rows import people_of
from bot.services.matches import redraw
from bot.services.models import MatchStatus, Rated
from bot.services.outbox import OutboxKind
from bot.services.outcomes import Outcome, OutcomeKind
from bot.services.stored import StoredAction, StoredMatch, StoredSeat
from bot.services.transactions import Transactions
from bot.storage.connection import Connection
from bot.storage.schema import actions
from engine import games
from engine.endings import ENDING_VERBS, FORFEIT_REASONS
from engine.game import CHANCE, PUBLIC, Action, AnyGame
from render.i18n import N_, _

_BY_COMPUTER = N_("The computer made that move, so you can't take it back.")

_RATED = N_(
    "This match is rated, and something hidden has been revealed since your move, so it stays."
)


class Takebacks:
    """Takes back choices, with the consent of another player if needed."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._requests = TakebackRequests()

    async def take_back(
        self,
        interaction_id: int,
        match_id: int,
        user_id: int,
        *,
        requested_version: int | None = None,
    ) -> Outcome:
        """Take back the player's last choice, or agree to another player's request.

        Consent is needed once any player has learned something from the choice. Dice are never
        rolled again: a choice followed by a roll stays. Each clock continues as if the choice had
        not been made.

        Args:
            interaction_id: id of the click or command.
            match_id: number of the match.
            user_id: user ID of the player who asks or agrees.
            requested_version: the version at which another player asked; None for the player's
                own request.

        Returns:
            The outcome; `ask` if another player has been asked to agree.
        """

        async def undo(connection: Connection, row: StoredMatch, seat: str) -> Outcome:
            log = await _log(connection, match_id)
            undone = last_choice(log)
            lines = [Action.parse(each.line) for each in log]
            kept = len(lines) - len(undone)
            people = await people_of(connection, match_id)
            player = next(each for each in people if each.seat == seat)
            now = await self._transactions.heartbeats.time_of(connection, row)
            open_lines = lines[: kept + 1]
            refused = no_takeback(
                row, open_lines, player, people, requested_version=requested_version, now=now
            )
            if refused:
                return refused
            if undone[0].chosen_by:
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=_(_BY_COMPUTER))
            game = games.get(row.game)
            state = game.start(row.rules, row.options)
            for line in lines[:kept]:
                state, __ = game.apply(state, line)
            others = [each for each in people if each.seat != seat and each.is_person]
            reveals = reveals_information(game, state, row.state(), lines[:kept])
            if row.rated == Rated.RATED and (reveals or requested_version is not None):
                return Outcome(OutcomeKind.REFUSED, match_id, sentence=_(_RATED))
            if (
                reveals
                and requested_version is None
                and others  # the computer agrees to everything in its own seats
            ):
                if not any(each.decides_itself for each in others):
                    return _refuse_while_away(row, others)
                return await self._ask_for_consent(connection, interaction_id, row, len(lines))
            return await self._undo(connection, row, people, undone, state, by=seat)

        try:
            return await self._transactions.run(
                interaction_id, match_id, user_id, MatchStatus.RUNNING, undo
            )
        except BaseException:
            self._requests.withdraw(match_id, interaction_id)
            raise

    async def _ask_for_consent(
        self, connection: Connection, interaction_id: int, row: StoredMatch, action_count: int
    ) -> Outcome:
        """Ask the other players to agree, unless they have been asked too often."""
        if sentence := self._requests.refusal(row.id, row.version, action_count, interaction_id):
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        payload = {"version": row.version}
        await self._transactions.queue(connection, row.id, OutboxKind.TAKEBACK_REQUEST, payload)
        outcome = Outcome(OutcomeKind.ASK, row.id)
        await self._transactions.remember(connection, interaction_id, outcome)
        return outcome

    async def _undo(
        self,
        connection: Connection,
        row: StoredMatch,
        people: Sequence[StoredSeat],
        undone: Sequence[StoredAction],
        before: Any,
        *,
        by: str,
    ) -> Outcome:
        """Mark the last actions as undone, and store the position and the clocks before them."""
        now, game = self._transactions.clock(), games.get(row.game)
        clock_time = await self._transactions.heartbeats.time_of(connection, row)
        made = [Action.parse(each.line) for each in undone]
        actor, earlier = made[0].actor, await earlier_clocks_of(connection, row, people, undone[0])
        if actor not in row.decisions and earlier and earlier[actor].remaining(clock_time) <= 0:
            sentence = _("You'd be out of time for that move by now, so it can't be taken back.")
            return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
        same = (actions.c.match_id == row.id) & (actions.c.number >= undone[0].number)
        live = actions.c.undone_at.is_(None)
        await connection.execute(update(actions).where(same, live).values(undone_at=now))
        await delete_earlier(connection, undone[0])
        if any(each.automatic == Automatic.PLAN for each in undone):
            await stop_plan(connection, row, actor, StopReason.TAKEBACK)
        unchanged = unchanged_decisions(row.decisions, made)
        progress = Progress.of(game, ChanceResult(before, (), row.chance_count))
        notify = game.pending(before)
        await self._transactions.store(
            connection,
            row,
            progress,
            unchanged=unchanged,
            notify=notify,
            redraw=redraw(game, row.state(), before),
            earlier=earlier,
            by=by,
            taken_back=actor,
        )
        return Outcome(OutcomeKind.DONE, row.id)


def last_choice(log: Sequence[StoredAction]) -> Sequence[StoredAction]:
    """Return the last action that was not forced, and the forced actions after it.

    Forced choices would be made again at once, so they are taken back with the one before them.
    """
    place = len(log) - 1
    while place > 0 and log[place].automatic == Automatic.FORCED:
        place -= 1
    return log[max(place, 0) :]


async def _log(connection: Connection, match_id: int) -> list[StoredAction]:
    """Return the actions of a match that were not taken back."""
    live = select(actions).where(actions.c.match_id == match_id, actions.c.undone_at.is_(None))
    found = await connection.execute(live.order_by(actions.c.number))
    return [StoredAction(*each) for each in found]


def _refuse_while_away(row: StoredMatch, others: Sequence[StoredSeat]) -> Outcome:
    """Return the refusal while the computer stands in for all who could agree."""
    sentence = _("Something hidden has been revealed since, and {name} isn't here to agree.")
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence.format(name=others[0].name))


def no_takeback(
    row: StoredMatch,
    lines: list[Action],
    player: StoredSeat,
    people: Sequence[StoredSeat],
    *,
    requested_version: int | None,
    now: float,
) -> Outcome | None:
    """Return why a player may not take back the last line, or agree to that; None if they may."""
    own = lines[row.lines_taken_over :]
    last = own[-1] if own and _is_move(own[-1]) else None
    if requested_version is None:
        if last and last.actor == player.seat:
            return None
        sentence = _too_late(own, player, people)
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
        sentence = _("Your own time is up, so you can no longer agree.")
        return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
    return None


def _is_move(line: Action) -> bool:
    """Return whether a line is a choice of a player that can be taken back."""
    return line.actor not in (CHANCE, PUBLIC) and line.verb not in ENDING_VERBS


def _too_late(lines: Sequence[Action], player: StoredSeat, people: Sequence[StoredSeat]) -> str:
    """Return why a player has no move that can still be taken back.

    Args:
        lines: of the match, without those taken over.
        player: who asks.
        people: the seats of the match.
    """
    own = [
        place for place, line in enumerate(lines) if _is_move(line) and line.actor == player.seat
    ]
    if not own:
        return _("You haven't made a move yet that you could take back.")
    since = lines[own[-1] + 1 :]
    movers = {line.actor for line in since if _is_move(line)}
    if any(each.seat in movers and not each.decides_itself for each in people):
        return _("The computer has already answered, so it's too late to take back.")
    if movers:
        return _("Another player has moved since, so it's too late to take back.")
    if any(line.actor == CHANCE for line in since):
        return _(
            "Something has been rolled or drawn since your move, so it's too late to take it back."
        )
    return _("Something else has happened since your move, so it's too late to take it back.")


def reveals_information(game: AnyGame, before: Any, after: Any, lines: list[Action]) -> bool:
    """Return whether any player or the public has learned hidden information about these lines."""
    readers = (PUBLIC, *game.view(before).seats)
    return any(
        game.redact(before, reader, lines) != game.redact(after, reader, lines)
        for reader in readers
    )
