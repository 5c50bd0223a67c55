"""Lines that a user tries in private: choices after a position of a finished match.

Nothing of it is stored: the record is attached to the message, as that of `/import` is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bot.domain.models import Match
from bot.domain.origin import Origin, record_taken_over
from bot.services.chance import random_seed, resolve_chance
from engine import games
from engine.dice import Dice
from engine.game import Action, AnyGame, IllegalActionError, View
from engine.notation import SEPARATOR, choice_of
from engine.record import TAKEN_OVER_HEADER, Record
from render.i18n import N_


@dataclass(frozen=True, slots=True)
class TriedLine:
    """A tried line.

    Attributes:
        record: its actions from the start of the match, without the match's own seed.
        match: the match that it belongs to, without a number.
        state: the position after it.
        side: the user's seat; empty if the user decides for all of them.
    """

    record: Record
    match: Match
    state: Any
    side: str

    @property
    def game(self) -> AnyGame:
        """Return the rules."""
        return games.get(self.match.game)

    @property
    def seat(self) -> str:
        """Return the seat that the user decides for, now or next."""
        return self.side or self.game.view(self.state).pending[:1]

    @property
    def view(self) -> View:
        """Return the position as the user's seat sees it."""
        view: View = self.game.view(self.state, self.seat)
        return view

    @property
    def waits_for(self) -> str:
        """Return a seat that the computer decides for now; empty if there is none."""
        pending = self.game.view(self.state).pending
        return "" if not self.side or self.side in pending else pending[:1]

    @property
    def action_count(self) -> int:
        """Return the number of its actions."""
        return len(self.record.actions)

    @property
    def before(self) -> int | None:
        """Return the number of actions before the user's last choice; None if there is none."""
        actions, seats = self.record.actions, self.side or self.match.players.keys()
        tried = range(self.record.taken_over(), len(actions))
        return next((place for place in reversed(tried) if actions[place].actor in seats), None)

    def after(self, action: Action) -> TriedLine:
        """Return the line after a choice, and the dice that follow.

        Raises:
            IllegalActionError: it is not legal.
        """
        state, _events = self.game.apply(self.state, action)
        rolled = resolve_chance(self.game, state, Dice(random_seed(), ""), 0, (action,))
        record = replace(self.record, actions=self.record.actions + rolled.actions)
        return replace(self, record=record, state=rolled.state)

    def after_typed(self, text: str) -> TriedLine | None:
        """Return the line after the choices of a button.

        Returns:
            None if the text is only the beginning of a choice.

        Raises:
            IllegalActionError: the first choice is not legal; others are left out.
        """
        line, seat = self, self.seat
        for number, part in enumerate(text.split(SEPARATOR)):
            if number and seat not in line.game.view(line.state).pending:
                break
            try:
                action = choice_of(line.game, line.state, seat, part.strip())
            except IllegalActionError:
                if number:
                    break
                raise
            if action is None:
                return line if number else None
            line = line.after(action)
        return line


def begun(origin: Origin, state: Any, side: str) -> TriedLine:
    """Return the line before its first choice.

    Args:
        origin: a position of a finished match.
        state: the same position.
        side: the user's seat.
    """
    record = record_taken_over(origin.match, origin.lines)
    names = {f"Seat {seat}": name for seat, name in origin.match.names.items()}
    headers = {**record.headers, **names, TAKEN_OVER_HEADER: f"{len(origin.lines)}"}
    return TriedLine(Record(headers, record.actions), origin.match, state, side)


OUTDATED = N_("This line has changed; choose again.")


def cut(record: Record, action_count: int) -> Record:
    """Return the first actions of a tried line.

    Raises:
        IllegalActionError: the line is shorter, or does not begin before that.
    """
    if not record.taken_over() <= action_count <= len(record.actions):
        raise IllegalActionError("", OUTDATED)
    return Record(record.headers, record.actions[:action_count])
