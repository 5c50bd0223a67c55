"""A model of a match: the lines that were accepted. Everything else follows from them.

The rules of a game are those of the engine, which has tests of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.domain.ids import OPEN_USER_ID, UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.outcomes import OutcomeKind
from engine import games
from engine.endings import ENDING_VERBS, is_offer
from engine.game import CHANCE, Action, IllegalActionError
from engine.plans import forced_action

NEVER_SAID = ("flag", "abandon")
"""Endings that players can only claim or agree to."""


class MatchModel:
    """The lines of a match, and which of them had no alternative."""

    def __init__(self, match: Match, lines: Sequence[Action]) -> None:
        self.id, self.game = match.id, games.get(match.game)
        self.rules, self.options = match.rules, match.options
        self.seats = {player.user_id: seat for seat, player in match.players.items()}
        self.lines, self.forced = list(lines), [False for _ in lines]

    @property
    def state(self) -> Any:
        """The position after all lines."""
        state = self.game.start(self.rules, self.options)
        for line in self.lines:
            state, _ = self.game.apply(state, line)
        return state

    @property
    def status(self) -> MatchStatus:
        """Whether the match is over."""
        return MatchStatus.FINISHED if self.game.result(self.state) else MatchStatus.RUNNING

    def answer(self, user: UserId, line: str, *, is_late: bool = False) -> OutcomeKind:
        """Return the answer to a line; late if the user's decision is not the one answered."""
        if user not in self.seats:
            return OutcomeKind.UNKNOWN
        if self.status != MatchStatus.RUNNING or is_late:
            return OutcomeKind.STALE
        if line in NEVER_SAID:
            return OutcomeKind.REFUSED
        action = Action.parse(f"{self.seats[user]} {line}")
        try:
            self.game.apply(self.state, action)
        except IllegalActionError:
            return OutcomeKind.REFUSED
        is_repeated = is_offer(action) and self._has_offered_since_moving(action.actor)
        return OutcomeKind.REFUSED if is_repeated else OutcomeKind.DONE

    def add(self, action: Action, stored: Sequence[Action]) -> None:
        """Add a choice with the dice that follow it, and choices without an alternative."""
        assert stored[: len(self.lines) + 1] == [*self.lines, action]
        self.lines, self.forced = [*self.lines, action], [*self.forced, False]
        for line in stored[len(self.lines) :]:
            state = self.state
            assert line.actor == CHANCE or line == forced_action(self.game, state, line.actor)
            self.lines, self.forced = [*self.lines, line], [*self.forced, line.actor != CHANCE]
        assert self.game.pending(self.state) != CHANCE

    @property
    def last_choice(self) -> Action | None:
        """The last line that had an alternative; None before the first line."""
        return self.lines[self._last] if self.lines else None

    @property
    def _last(self) -> int:
        return max(number for number, forced in enumerate(self.forced) if not forced)

    def may_take_back(self, user: UserId, *, is_own: bool) -> bool:
        """Return whether a player may take back the last choice, or agree to that.

        Args:
            is_own: whether the player asks, so that it must be the player's own choice.
        """
        line, seat = self.last_choice, self.seats.get(user, CHANCE)
        has_left = seat in self.game.view(self.state).departed
        return (
            self.status == MatchStatus.RUNNING
            and line is not None
            and CHANCE not in (line.actor, seat)
            and line.verb not in ENDING_VERBS
            and (line.actor == seat) == is_own
            and not has_left
        )

    def _has_offered_since_moving(self, seat: str) -> bool:
        """Return whether a seat has offered a draw after its last move."""
        for line in reversed(self.lines):
            if line.actor == seat and (is_offer(line) or line.verb not in ENDING_VERBS):
                return is_offer(line)
        return False

    def take_back(self) -> None:
        """Drop all lines from the last choice on."""
        last = self._last
        del self.lines[last:], self.forced[last:]

    def user_of(self, action: Action | None) -> UserId:
        """Return the player of an action; 0 if it is by chance."""
        actor = action.actor if action else CHANCE
        return next((user for user, seat in self.seats.items() if seat == actor), OPEN_USER_ID)
