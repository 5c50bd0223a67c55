"""The only input of a computer player: the record as its seat knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.computer.reasons import Reason
from engine.endings import draw_answers, is_ending
from engine.game import CHANCE, OPEN_VALUE, Action, AnyGame, RandomSource
from engine.record import Record, RecordError

MAX_REASONS = 2
"""Maximum number of reasons that are given for a choice."""

SCALE = 10_000
"""Value of a win. Values are integers, so that every machine chooses the same."""


class PlayerError(Exception):
    """A player that does not exist, does not fit the match, or gives no legal answer."""


class Choice(NamedTuple):
    """The choice of a player.

    Attributes:
        action: one of the legal actions, without open values.
        value: expected score of the seat, from 0 to `SCALE`.
        reasons: at most `MAX_REASONS`, the most important first.
        nodes: number of positions that were evaluated.
    """

    action: Action
    value: int = SCALE // 2
    reasons: tuple[Reason, ...] = ()
    nodes: int = 0

    @property
    def reason(self) -> str:
        """The reasons in English; empty if there are none."""
        return "; ".join(map(str, self.reasons))


@dataclass(slots=True)
class Tally:
    """The number of positions evaluated for a decision."""

    nodes: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A decision of a seat.

    Attributes:
        game: the game.
        seat: the seat that decides.
        legal: the seat's legal actions; some may be forms. Empty if it only has to answer an offer.
        sampled_state: a position that fits the record; hidden information in it is invented.
        answers: the seat's answers to a draw offer, accepting first; empty if none awaits it.
        earlier: the positions that led to `sampled_state`, the first one first; empty if they are
            not known.
        tally: counts the positions that are evaluated.
    """

    game: AnyGame
    seat: str
    legal: tuple[Action, ...]
    sampled_state: Any
    answers: tuple[Action, ...] = ()
    earlier: tuple[Any, ...] = ()
    tally: Tally = field(default_factory=Tally)

    def determinize(self, draw: RandomSource) -> Any:
        """Draw a position uniformly from all that fit the record."""
        return self.game.resample_infostate(self.sampled_state, self.seat, draw)


Chooser = Callable[[Situation, RandomSource, int], Choice]
"""Chooses by a situation, a random source, and the maximum of positions to evaluate."""


def situation_of(record: Record, seat: str) -> Situation:
    """Return the situation of a seat at the end of its record.

    Args:
        record: the record as the seat knows it, see `Record.redact_for_infostate`.
        seat: the seat that decides.

    Raises:
        RecordError: the record breaks a rule or hides actions of the seat, or the seat has nothing
            to decide.
    """
    game = record.game()
    *earlier, state = (position for _, position in _completed(record, seat).positions())
    legal = tuple(action for action in game.legal(state) if action.actor == seat)
    answers = draw_answers(game, state, seat)
    if not (legal or answers) or seat == CHANCE:
        raise RecordError(f"Seat {seat or '?'} has nothing to decide here.")
    return Situation(game, seat, legal, state, answers, tuple(earlier))


def before_latest_decision(record: Record, seat: str) -> Record | None:
    """Return the record as a seat knew it at its latest decision in the game; None without one."""
    filled = _completed(record, seat)
    for number, action in reversed(list(enumerate(record.actions))):
        if action.actor == seat and not is_ending(action):
            return Record(record.headers, filled.actions[:number]).redact_for_infostate(seat)
    return None


def _completed(record: Record, seat: str) -> Record:
    """Return the record with values that fit in place of what the seat does not know."""
    hidden = (action for action in record.actions if action.actor == seat)
    if any(OPEN_VALUE in arg for action in hidden for arg in action.args):
        raise RecordError(f"The record hides actions of seat {seat} itself, which it remembers.")
    game = record.game()
    return Record(
        record.headers, game.fill_redacted(record.options(), record.actions), record.lines
    )
