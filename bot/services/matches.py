"""Matches in progress: actions, draws and resignations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import NO_DECISION, MatchStatus
from bot.domain.outcomes import NO_CONFIRMATION, Confirmation, Outcome, OutcomeKind
from bot.i18n import refusal_text
from bot.services.automatic_moves import Progress, apply_automatic_moves, unchanged_decisions
from bot.services.challenges import Challenges
from bot.services.chance import resolve_match_chance
from bot.services.events import UserLeaving, UserLeft
from bot.services.match_changes import MatchChange
from bot.services.match_end import after_end
from bot.services.match_repository import actions_of, seat_row, seats_of
from bot.services.match_store import MatchStore, load, played_by, seat_of
from bot.services.rematches import Rematches
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.hooks import publish
from engine import games
from engine.endings import DRAW_ANSWERS, ENDING_VERBS, FORFEIT_REASONS, is_final, is_offer
from engine.game import CHANCE, Action, AnyGame, IllegalActionError, View
from engine.notation import SEPARATOR, Complete, Illegal, Incomplete, parse
from render.i18n import _, format_list, quoted

CLAIM_VERBS = frozenset({"flag", "abandon"})
"""Endings that players cannot choose themselves."""


class Matches:
    """Applies the actions of players to matches in progress."""

    def __init__(
        self, match_store: MatchStore, challenges: Challenges, rematches: Rematches
    ) -> None:
        self._match_store = match_store
        self._challenges = challenges
        self._rematches = rematches

    async def act(
        self,
        interaction_id: int,
        match_id: MatchId,
        user_id: UserId,
        line: str,
        decision: Version | None = None,
        *,
        confirmation: Confirmation = NO_CONFIRMATION,
        as_typed: Callable[[str], str] = str,
    ) -> Outcome:
        """Apply a player's choice.

        Args:
            line: the choice in notation, without the actor.
            decision: the version that the button or form carries, `NO_DECISION` for a form that
                was opened without one; None for a command.
            confirmation: whether to ask for one, or when it was given.
            as_typed: returns a line of notation as the player types it.
        """

        async def choose(connection: Connection, row: MatchRow, seat: str) -> Outcome:
            if decision is not None and decision != row.decisions.get(seat, NO_DECISION):
                return await _too_late(connection, row, decision)
            if confirmation.version not in (None, row.version):
                sentence = _("The match has moved on since I asked you.")
                return Outcome(OutcomeKind.STALE, match_id, sentence=sentence)
            try:
                return await self._choose(connection, row, seat, line, asks=confirmation.asks)
            except IllegalActionError as error:
                sentence = refusal_text(error, row.game, as_typed)
                return Outcome(OutcomeKind.REFUSED, match_id, error.rule, sentence)

        ends = not confirmation.asks and line in ("resign", "leave")
        return await self._match_store.handle(
            interaction_id, match_id, user_id, MatchStatus.RUNNING, choose, ends=ends
        )

    async def _choose(
        self, connection: Connection, row: MatchRow, seat: str, line: str, *, asks: bool
    ) -> Outcome:
        """Apply a choice, or return that it is incomplete or has to be confirmed.

        Raises:
            IllegalActionError: the rules do not allow it.
        """
        game, state = games.get(row.game), row.state()
        first, *more = line.split(SEPARATOR)
        action = _understand(game, state, seat, first)
        if action is None:
            return Outcome(OutcomeKind.MISSING, row.id)
        view = game.view(state)
        refused = await _own_offer(connection, row, view, action)
        if refused := refused or await _repeated_offer(connection, row, view, action):
            return refused
        if asks and is_final(action):
            game.apply(state, action)
            return Outcome(OutcomeKind.CONFIRM, row.id)
        pending = await self.apply(connection, row, action, more=more)
        return Outcome(OutcomeKind.DONE, row.id, again=seat in pending)

    async def apply(
        self,
        connection: Connection,
        row: MatchRow,
        action: Action,
        by: str = "",
        more: Sequence[str] = (),
    ) -> str:
        """Apply an action, roll the dice that follow, store both and return the seats to move.

        Args:
            row: the match before the action.
            by: the seat of the player who makes it, if not the action's actor.
            more: lines of the actor's next choices, see `_followed`.

        Raises:
            IllegalActionError: the rules do not allow it.
        """
        game = games.get(row.game)
        new_actions: tuple[Action, ...] = (action,)
        state, __ = game.apply(row.state(), action)
        if action.verb in FORFEIT_REASONS:
            state, new_actions = await _end_among_computers(connection, row, state, new_actions)
        progress = Progress.of(game, resolve_match_chance(row, game, state, new_actions))
        progress = _followed(row, game, progress, action.actor, more)
        return await self.store(connection, row, progress, by=by or action.actor)

    async def store(
        self,
        connection: Connection,
        row: MatchRow,
        progress: Progress,
        chosen_by: Sequence[str | None] = (),
        *,
        by: str = "",
    ) -> str:
        """Store some choices with the automatic ones after them, and return the seats to move.

        Args:
            row: the match before them.
            chosen_by: see `MatchChange`.
            by: see `MatchChange`.
        """
        unchanged = unchanged_decisions(row.decisions, progress.rolled.actions)
        people, now = await seats_of(connection, row.id), self._match_store.clock()
        progress = await apply_automatic_moves(
            connection, row, people, progress, unchanged, now=now
        )
        change = MatchChange.of_choices(
            row, progress, people, unchanged, by=by, chosen_by=chosen_by
        )
        await self.store_change(connection, change)
        return change.pending

    async def store_change(self, connection: Connection, change: MatchChange) -> None:
        """Store a change of a match in progress, and the consequences if it ends the match."""
        await self._match_store.save(connection, change)
        if change.is_over:
            await after_end(self._match_store, self._rematches, connection, change)

    async def leave_all(self, connection: Connection, user_id: UserId) -> None:
        """Resign or leave a user's matches in progress, and withdraw their challenges."""
        await publish(connection, UserLeaving(user_id))
        done: set[int] = set()
        while running := [
            row
            for row in await played_by(connection, user_id, MatchStatus.RUNNING)
            if row.id not in done
        ]:  # again, because in a series against the computer the next match begins at once
            for row in running:
                await self.leave(connection, row, await seat_of(connection, row.id, user_id))
            done |= {row.id for row in running}
        for row in await played_by(connection, user_id, MatchStatus.CHALLENGE):
            await self._challenges.close(connection, row, user_id, named=False)
        await publish(connection, UserLeft(user_id))

    async def leave_running(
        self, connection: Connection, match_id: MatchId, user_id: UserId
    ) -> None:
        """Resign or leave a match on behalf of a user, if it is still in progress."""
        row = await load(connection, match_id)
        if row is not None and row.status == MatchStatus.RUNNING:
            await self.leave(connection, row, await seat_of(connection, match_id, user_id))

    async def leave(self, connection: Connection, row: MatchRow, seat: str) -> None:
        """Resign or leave a match in progress on behalf of a seat."""
        if row.is_outdated:
            await self._match_store.end_outdated(connection, row)
            return
        is_pair = len(await seats_of(connection, row.id)) == 2
        with suppress(IllegalActionError):  # a player who has left already
            await self.apply(connection, row, Action(seat, "resign" if is_pair else "leave", ()))


def _followed(
    row: MatchRow, game: AnyGame, progress: Progress, seat: str, lines: Sequence[str]
) -> Progress:
    """Return a change with a seat's next choices, as far as they fit.

    The first choice that does not fit, and all after it, are left to the player. They are not
    refused: a refusal would reveal the results of the earlier choices without making them. For the
    same reason, no choice follows a roll.
    """
    for line in lines:
        rolled = progress.rolled
        is_rolled = any(action.actor == CHANCE for action in progress.choices[-1].actions)
        if is_rolled or seat not in game.pending(rolled.state):
            return progress
        try:
            action = _understand(game, rolled.state, seat, line)
            if action is None or action.verb in ENDING_VERBS:
                return progress
            after, __ = game.apply(rolled.state, action)
        except IllegalActionError:
            return progress
        rolled = resolve_match_chance(row, game, after, (action,), rolled.chance_count)
        progress = progress.followed_by(game, rolled)
    return progress


async def _own_offer(
    connection: Connection, row: MatchRow, view: View, action: Action
) -> Outcome | None:
    """Return the refusal of an answer to a draw offer by a player who has agreed; else None."""
    answers = action.verb == "draw" and action.args in {(answer,) for answer in DRAW_ANSWERS}
    if not (answers and action.actor in view.offer and view.answering):
        return None
    sentence = _("You've agreed to the draw already; {players} can still answer.")
    if action.actor == view.offer[0]:
        sentence = _("It's your own offer; {players} can answer it.")
    people = await seats_of(connection, row.id)
    players = format_list([person.name for person in people if person.seat in view.answering])
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence.format(players=players))


async def _repeated_offer(
    connection: Connection, row: MatchRow, view: View, action: Action
) -> Outcome | None:
    """Return the refusal of a player's second draw offer since their last move; else None."""
    if not is_offer(action) or view.offer:
        return None
    past_actions = [
        past for past in await actions_of(connection, row.id) if past.actor == action.actor
    ]
    moves_and_offers = [
        past for past in past_actions if is_offer(past) or past.verb not in ENDING_VERBS
    ]
    if not (moves_and_offers and is_offer(moves_and_offers[-1])):
        return None
    sentence = _("You've offered a draw since your last move; please play on first.")
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)


async def _end_among_computers(
    connection: Connection, row: MatchRow, state: Any, new_actions: tuple[Action, ...]
) -> tuple[Any, tuple[Action, ...]]:
    """End a match that the last person has left: the computer leaves as well.

    Returns:
        The position, and all actions made.
    """
    game, people = games.get(row.game), await seats_of(connection, row.id)
    playing = game.view(state).playing
    staying = [person for person in people if person.seat in playing]
    if not any(person.is_person for person in staying):
        for person in staying[1:]:
            new_actions += (Action(person.seat, "leave", ()),)
            state, __ = game.apply(state, new_actions[-1])
    return state, new_actions


def _understand(game: AnyGame, state: Any, seat: str, line: str) -> Action | None:
    """Return the action that a line means; None if more words are needed.

    Raises:
        IllegalActionError: it means no legal action, or more than one.
    """
    line = line.strip()
    verb = line.split(" ", maxsplit=1)[0].lower()
    if verb in ENDING_VERBS - CLAIM_VERBS:
        return Action.parse(f"{seat} {line.lower()}")
    reading = parse(game, state, seat, line)
    if isinstance(reading, Complete):
        return reading.action
    if isinstance(reading, Illegal):
        raise reading.error
    if isinstance(reading, Incomplete):
        return None
    lines = [quoted(action.notation) for action in reading.actions]
    raise IllegalActionError(
        "notation", "That could mean {lines}.", lines=format_list(lines, style="or")
    )


async def _too_late(connection: Connection, row: MatchRow, decision: Version) -> Outcome:
    """Return the refusal of a button: another player decides, or the decision is made."""
    if decision == NO_DECISION:
        sentence = _("It has become your turn since you opened this window.")
        return Outcome(OutcomeKind.STALE, row.id, sentence=sentence)
    others = [seat for seat, version in row.decisions.items() if version == decision]
    if not others:
        return Outcome(OutcomeKind.STALE, row.id, sentence=_("That move has already been made."))
    name = (await seat_row(connection, row.id, others[0])).name
    sentence = _("Only {name} can decide this.").format(name=name)
    return Outcome(OutcomeKind.REFUSED, row.id, sentence=sentence)
