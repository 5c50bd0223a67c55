"""The computer players by name, and how they choose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.computer.baselines import choose_greedily, choose_randomly
from engine.computer.levels import LEVELS
from engine.computer.situation import Choice, Chooser, PlayerError, situation_of
from engine.dice import Dice
from engine.game import OPEN_VALUE, Action
from engine.record import Record

DEFAULT_NODES = 400
"""Default maximum of positions that a player may evaluate for one action."""

MAX_REMEMBERED_CHOICES = 4096

_BASELINES: dict[str, Chooser] = {"random": choose_randomly, "greedy": choose_greedily}

_LEVELS: dict[str, Chooser] = {name: level.choose for name, level in LEVELS.items()}

_CHOOSERS = _BASELINES | _LEVELS


def names() -> tuple[str, ...]:
    """Return the names of the players: the baselines, then the levels, the weakest first."""
    return tuple(_CHOOSERS)


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A player that chooses by its seat's record alone.

    Attributes:
        level: its name, one of `names()`.
        seed: its own, for a whole match; not that of the dice.
        nodes: maximum positions it may evaluate for one action.
    """

    level: str
    seed: bytes
    nodes: int = DEFAULT_NODES

    def __post_init__(self) -> None:
        """Check the level.

        Raises:
            PlayerError: there is no such level.
        """
        if self.level not in _CHOOSERS:
            raise PlayerError(f"There is no player “{self.level}”.")

    def choose(self, record: Record, seat: str) -> Choice:
        """Choose for a seat: a function of the record and this player, the same on every machine.

        Args:
            record: the redacted record of the seat.
            seat: the seat that decides.

        Raises:
            RecordError: the record breaks a rule, or the seat has nothing to decide.
        """
        return _choose(self, tuple(record.headers.items()), record.actions, seat)


@lru_cache(maxsize=MAX_REMEMBERED_CHOICES)
def _choose(
    player: ComputerPlayer,
    headers: tuple[tuple[str, str], ...],
    actions: tuple[Action, ...],
    seat: str,
) -> Choice:
    """Choose; first repeat the seat's own choices that the record hides, to know them again."""
    own = list(actions)
    for number, action in enumerate(actions):
        if action.actor == seat and _is_hidden(action):
            earlier = _as_seen_then(Record(dict(headers), tuple(own[:number])), seat)
            again = _choose(player, headers, earlier, seat).action
            if _fits(again, action):
                own[number] = again
    situation = situation_of(Record(dict(headers), tuple(own)), seat)
    draw = Dice(player.seed, seat).draw(len(actions))
    return _CHOOSERS[player.level](situation, draw, player.nodes)


def _is_hidden(action: Action) -> bool:
    return any(OPEN_VALUE in arg for arg in action.args)


def _fits(action: Action, hidden: Action) -> bool:
    """Return whether a redacted action may be this one."""
    return action.verb == hidden.verb and all(
        shown == arg or (OPEN_VALUE in shown and arg.startswith(shown.partition(OPEN_VALUE)[0]))
        for shown, arg in zip(hidden.args, action.args, strict=False)
    )


def _as_seen_then(record: Record, seat: str) -> tuple[Action, ...]:
    """Return the actions up to an earlier time, as the seat could see them then."""
    game = record.game()
    whole = Record(record.headers, game.complete(record.options(), record.actions))
    return game.redact(whole.replay().state, seat, whole.actions)
