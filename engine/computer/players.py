"""The computer players by name, and how they choose."""

from __future__ import annotations

from dataclasses import dataclass

from engine.computer.baselines import choose_greedily, choose_randomly
from engine.computer.levels import LEVELS
from engine.computer.memory import Memory, remember
from engine.computer.situation import (
    Choice,
    Chooser,
    PlayerError,
    Situation,
    before_latest_decision,
    situation_of,
)
from engine.dice import Dice
from engine.endings import FORFEIT_REASONS
from engine.record import Record

VERSION = 9
"""Version of the choices of all players: it is raised whenever one of them chooses differently."""

DEFAULT_NODES = 400
"""Default maximum of positions that a player may evaluate for one action."""

MAX_DRAW_SCORE = 2500
"""A player accepts a draw if it expects less than this part of `SCALE` in a match of two.

It is half of an even score, so that no opponent can collect draws by offering them early: in Warp 6
the second player of two expects between 2500 and 4500 after its first move.
"""

_HEADERS = ("Game", "Version", "Rules", "Options")
"""The headers that a choice depends on."""

_BASELINES: dict[str, Chooser] = {"random": choose_randomly, "greedy": choose_greedily}

_LEVELS: dict[str, Chooser] = {name: level.choose for name, level in LEVELS.items()}

_CHOOSERS = _BASELINES | _LEVELS


def names() -> tuple[str, ...]:
    """Return the names of the players: the baselines, then the levels, the weakest first."""
    return tuple(_CHOOSERS)


def player_named(name: str, seed: bytes) -> ComputerPlayer | None:
    """Return the player with this `ComputerPlayer.name`; None if it is one of another version.

    Args:
        name: such as `admiral/1`.
        seed: see `ComputerPlayer`.

    Raises:
        PlayerError: this version has no such player.
    """
    level, _, version = name.partition("/")
    return ComputerPlayer(level, seed) if version == str(VERSION) else None


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A player that chooses by its seat's record alone.

    Attributes:
        level: one of `names()`.
        seed: the player's seed for a whole match; independent of the dice.
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

    @property
    def name(self) -> str:
        """The level and the version of the choices, such as `admiral/1`."""
        return f"{self.level}/{VERSION}"

    def choose(self, record: Record, seat: str) -> Choice:
        """Choose for a seat: a function of the record and this player, the same on every machine.

        Of the record, only the actions and the headers of the rules count. A draw offer is answered
        before anything else. Where the record hides actions of the seat itself, the player takes
        them to be its own choices, see `remember`.

        Args:
            record: the record as the seat knows it, see `Record.redact_for_infostate`; or only sees
                it, see `Record.redact`.
            seat: the seat that decides.

        Raises:
            RecordError: the record breaks a rule, or the seat has nothing to decide.
        """
        memory = self._memory(record, seat)
        situation = memory.situation(seat)
        if situation.answers:
            return self._answer(memory.record, situation)
        return self._decide(situation, len(record.actions))

    def advise(self, record: Record, seat: str) -> Choice:
        """Choose for a person: as `choose` does, but see `Level.explained`.

        Args:
            record: see `choose`.
            seat: see `choose`.

        Raises:
            RecordError: see `choose`.
        """
        choice = self.choose(record, seat)
        level, situation = LEVELS.get(self.level), self._memory(record, seat).situation(seat)
        if level is None or situation.answers:
            return choice
        draw = Dice(self.seed, seat).draw(len(record.actions))
        return level.explained(situation, choice, draw, self.nodes)

    def _memory(self, record: Record, seat: str) -> Memory:
        """Return the memory of a seat: its knowledge, and its choices so far."""
        headers = {key: record.headers[key] for key in _HEADERS if key in record.headers}
        relevant = Record(headers, record.actions, record.lines)
        return remember(relevant, seat, repr(self), self._decide)

    def _decide(self, situation: Situation, number: int) -> Choice:
        """Choose an action of the game, after a number of actions."""
        draw = Dice(self.seed, situation.seat).draw(number)
        choice = _CHOOSERS[self.level](situation, draw, self.nodes)
        return choice._replace(nodes=situation.tally.nodes)

    def _answer(self, record: Record, situation: Situation) -> Choice:
        """Answer a draw offer by the score that the seat expected at its latest decision."""
        accept, decline = situation.answers
        earlier = before_latest_decision(record, situation.seat)
        if earlier is None:
            return Choice(decline)
        value = self._decide(situation_of(earlier, situation.seat), len(earlier.actions)).value
        departed = {action.actor for action in record.actions if action.verb in FORFEIT_REASONS}
        players = len(situation.game.seats(record.options())) - len(departed)
        return Choice(accept if value * players < 2 * MAX_DRAW_SCORE else decline, value)
