"""The only input of a computer player: the redacted record of its seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.game import Action, AnyGame, RandomSource
from engine.record import Record, RecordError

SCALE = 10_000
"""Value of a win. Values are integers, so that every machine chooses the same."""


class PlayerError(Exception):
    """A player that does not exist, does not fit the match, or gives no legal answer."""


class Choice(NamedTuple):
    """The choice of a player.

    Attributes:
        action: one of the legal actions, without open values.
        value: expected score of the seat, from 0 to `SCALE`.
        reason: a short explanation; empty if there is none.
    """

    action: Action
    value: int = SCALE // 2
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """A decision of a seat.

    Attributes:
        game: the game.
        seat: the seat that decides.
        legal: its legal actions; some may be forms.
        world: a position that fits the record; hidden information in it is invented.
    """

    game: AnyGame
    seat: str
    legal: tuple[Action, ...]
    world: Any

    def draw_world(self, draw: RandomSource) -> Any:
        """Draw a position uniformly from all that fit the record."""
        return self.game.redeal(self.world, self.seat, draw)


Chooser = Callable[[Situation, RandomSource, int], Choice]
"""Chooses by a situation, a random source, and the maximum of positions to evaluate."""


def situation_of(record: Record, seat: str) -> Situation:
    """Return the situation of a seat at the end of its redacted record.

    Raises:
        RecordError: the record breaks a rule, or the seat has nothing to decide.
    """
    game = record.game()
    filled = Record(record.headers, game.complete(record.options(), record.actions), record.lines)
    world = filled.replay().state
    if len(seat) != 1 or seat not in game.pending(world):
        raise RecordError(f"Seat {seat or '?'} has nothing to decide here.")
    legal = tuple(action for action in game.legal(world) if action.actor == seat)
    return Situation(game, seat, legal, world)
