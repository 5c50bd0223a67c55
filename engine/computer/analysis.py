"""The analysis of a finished match: the luck, and the losses by each seat's decisions.

The result is split exactly. From the start to the end of a match, each step changes the expected
scores, as the strongest level judges them; every change is one of

- *dice*: the outcome of a roll or draw, against the mean of all its outcomes;
- an *error*: the loss of a decision against the best one, judged by its seat's knowledge then;
  none if the computer would have advised it;
- an *ending*: the loss of a seat that resigned, left, was out of time or agreed to a draw;
- *unknown*: all else, from hidden information and from turns too far ahead to be judged.

The terms come from backgammon programs; see docs/players/analysis.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.computer.reasons import Reason
from engine.computer.shares import Shares
from engine.computer.situation import SCALE
from engine.game import Action

VERSION = 8
"""Version of the judgements: an analysis by an earlier one is made again."""


class Parts(NamedTuple):
    """What changed the expected score of a seat, in `SCALE`; the parts add up to the whole change.

    Attributes:
        dice: luck of rolls and draws.
        unknown: change by hidden information and turns too far ahead.
        errors: changes by each seat's decisions; at most 0 for itself.
        endings: changes by each seat's ending, see `Analysis.endings`; at most 0 for itself.
    """

    dice: int
    unknown: int
    errors: tuple[int, ...]
    endings: tuple[int, ...]

    @property
    def total(self) -> int:
        """The change from the first position to the last."""
        return self.dice + self.unknown + sum(self.errors) + sum(self.endings)


class Decision(NamedTuple):
    """A decision with more than one choice.

    Attributes:
        place: number of the actions before it.
        seat: the seat that decided.
        choice: the action that was chosen.
        best: the action that looked best by what the seat knew.
        loss: loss by the choice, judged by the seat's knowledge, in `SCALE`; 0 if none is better.
        reasons: reasons for the best action, the most important first; empty without a loss.
    """

    place: int
    seat: str
    choice: Action
    best: Action
    loss: int
    reasons: tuple[Reason, ...] = ()

    def to_json(self) -> list[Any]:
        """Return the decision as plain values; see `from_json`."""
        actions = str(self.choice), str(self.best)
        return [self.place, self.seat, *actions, self.loss, self.reasons]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Decision:
        """Return the decision of plain values.

        Raises:
            TypeError, ValueError: they are no decision.
        """
        place, seat, action, best, loss, reasons = data
        return cls(
            int(place),
            str(seat),
            Action.parse(action),
            Action.parse(best),
            int(loss),
            tuple(
                Reason(str(template), dict(fields), str(named))
                for template, fields, named in reasons
            ),
        )


class Roll(NamedTuple):
    """The luck of a chance event.

    Attributes:
        place: number of the actions before it.
        luck: change of each seat's expected score, in `SCALE`.
    """

    place: int
    luck: Shares


class Step(NamedTuple):
    """The judgement of one action; an analysis adds up those of all actions.

    Attributes:
        scores: the expected scores before it, in `SCALE`.
        luck: of a chance event, what it changed for each seat; empty if it was not judged.
        decision: the decision, if it was judged.
        expected: the expected score of the seat that decided, by what it knew.
        weights: the other seats' shares in the loss of the decision.
    """

    scores: Shares
    luck: Shares = ()
    decision: Decision | None = None
    expected: int = 0
    weights: Shares = ()

    def to_json(self) -> list[Any]:
        """Return the judgement as plain values; see `from_json`."""
        decision = self.decision and self.decision.to_json()
        return [self.scores, self.luck, decision, self.expected, self.weights]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Step:
        """Return the judgement of plain values.

        Raises:
            TypeError, ValueError: they are no judgement.
        """
        scores, luck, decision, expected, weights = data
        return cls(
            tuple(map(int, scores)),
            tuple(map(int, luck)),
            None if decision is None else Decision.from_json(decision),
            int(expected),
            tuple(map(int, weights)),
        )


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match from its first position to its last.

    Attributes:
        seats: letters of the seats.
        curve: the expected scores in each position, in `SCALE`; one more than there are actions.
        parts: parts for each seat.
        decisions: all that were judged, in order.
        rolls: all chance events that were judged, in order.
        levels: for each seat the level of the computer that loses about as much by a decision;
            empty without decisions.
        endings: for each seat the verb of its leaving the match, or `draw` if it agreed to one;
            empty if it did neither.
    """

    seats: str
    curve: tuple[Shares, ...]
    parts: tuple[Parts, ...]
    decisions: tuple[Decision, ...]
    rolls: tuple[Roll, ...]
    levels: tuple[str, ...]
    endings: tuple[str, ...]

    def of(self, seat: str) -> tuple[Decision, ...]:
        """Return the decisions of a seat."""
        return tuple(decision for decision in self.decisions if decision.seat == seat)

    def error_rate(self, seat: str) -> float | None:
        """Return the mean loss of a decision as part of the score; None without decisions."""
        decisions = self.of(seat)
        return (
            sum(decision.loss for decision in decisions) / (SCALE * len(decisions))
            if decisions
            else None
        )

    def worst(self, seats: str, count: int) -> tuple[Decision, ...]:
        """Return the decisions of some seats that lost most, the worst first."""
        costly = [
            decision for decision in self.decisions if decision.loss and decision.seat in seats
        ]
        return tuple(sorted(costly, key=lambda decision: (-decision.loss, decision.place))[:count])

    def to_json(self) -> dict[str, Any]:
        """Return the analysis as plain values; see `from_json`."""
        return {
            "version": VERSION,
            "seats": self.seats,
            "curve": self.curve,
            "parts": self.parts,
            "decisions": [decision.to_json() for decision in self.decisions],
            "rolls": self.rolls,
            "levels": self.levels,
            "endings": self.endings,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Analysis:
        """Return the analysis of plain values.

        Raises:
            KeyError, TypeError, ValueError: they are no analysis of this version.
        """
        if data["version"] != VERSION:
            raise ValueError("an analysis of another version")
        return cls(
            str(data["seats"]),
            tuple(tuple(map(int, shares)) for shares in data["curve"]),
            tuple(
                Parts(int(dice), int(unknown), tuple(map(int, errors)), tuple(map(int, endings)))
                for dice, unknown, errors, endings in data["parts"]
            ),
            tuple(map(Decision.from_json, data["decisions"])),
            tuple(Roll(int(place), tuple(map(int, luck))) for place, luck in data["rolls"]),
            tuple(map(str, data["levels"])),
            tuple(map(str, data["endings"])),
        )
