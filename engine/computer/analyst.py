"""How a finished match is analysed: the outcomes of chance and the decisions, one by one."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.computer.analysis import Analysis, Decision, Parts, Roll, Step
from engine.computer.choosers import choosers_of
from engine.computer.games import support_of
from engine.computer.levels import LEVELS
from engine.computer.players import ComputerPlayer
from engine.computer.shares import Shares, even, mean
from engine.computer.situation import MAX_REASONS, SCALE, situation_of
from engine.computer.suggestion import STRONGEST, is_setup, suggested_places
from engine.dice import Dice, computer_seed
from engine.endings import FORFEIT_REASONS, is_ending
from engine.game import CHANCE, Action, AnyGame
from engine.record import Record, RecordError

NODES = LEVELS[STRONGEST].nodes
"""Maximum positions that are evaluated to judge one decision."""

SMALLEST_RATE = 0.001
"""Error rates below this are hardly different."""

_SEED = bytes(32)
"""An analysis of the same record is always the same."""

_HEADERS = ("Game", "Version", "Rules", "Options")


def analyse(record: Record) -> Analysis:
    """Analyse a match that is over.

    Args:
        record: see `Analyst`.

    Raises:
        RecordError: the record is broken, or the match is not over.
    """
    analyst = Analyst(record)
    return analyst.add_up([*analyst.steps()])


def _advisor(record: Record) -> ComputerPlayer | None:
    """Return the player that gave hints in a match; None if its seed is not known."""
    try:
        seed = bytes.fromhex(record.headers.get("Seed", ""))
    except ValueError:
        return None
    return ComputerPlayer(STRONGEST, computer_seed(seed)) if seed else None


def level_like(error_rate: float, error_rates: Sequence[float]) -> str:
    """Return the level whose error rate is nearest, in proportion.

    Args:
        error_rate: mean loss of a decision, as part of a win.
        error_rates: error rates of the levels, the weakest first.
    """
    distances = {
        level: abs(math.log((error_rate + SMALLEST_RATE) / (rate + SMALLEST_RATE)))
        for level, rate in zip(LEVELS, error_rates, strict=True)
    }
    return min(distances, key=distances.__getitem__)


def dice_luck(record: Record) -> Shares:
    """Return the luck of the dice of each seat, as in an analysis, in a tenth of its time."""
    return _Judge(record).dice_luck()


class _Judge:
    """Judges the actions of a match, and adds the changes of the expected scores up.

    Args:
        advisor: see `_advisor`.
        by_computer: places of the actions that computers chose, without advice.
    """

    def __init__(
        self,
        record: Record,
        advisor: ComputerPlayer | None = None,
        by_computer: Collection[int] = (),
    ) -> None:
        self._record = record
        self._advisor = advisor
        self._by_computer = by_computer
        self._suggested: dict[str, frozenset[int]] = {}
        self._game: AnyGame = record.game()
        self._support = support_of(self._game)
        self._seats = self._game.seats(record.options())
        self._states = [position.state for position in record.positions()]

    def steps(self, first: int = 0) -> Iterator[Step]:
        """Yield the judgements of the actions, one after another.

        Args:
            first: number of actions to skip, those that have been judged.
        """
        for place in range(first, len(self._record.actions)):
            yield self._step(place)

    def _step(self, place: int) -> Step:
        action, state = self._record.actions[place], self._states[place]
        scores = self._expected_scores(state)
        if action.actor == CHANCE:
            return Step(scores, self._luck(place, scores))
        if is_ending(action):
            return Step(scores)
        return self._judge_decision(place, action, scores)

    def add_up(self, steps: Sequence[Step]) -> Analysis:
        """Return the analysis of the judgements of all actions.

        Raises:
            RecordError: there are more or fewer.
        """
        if len(steps) != len(self._record.actions):
            raise RecordError("There is one judgement an action.")
        sums = _Sums(self._seats)
        for place, (action, step) in enumerate(zip(self._record.actions, steps, strict=True)):
            sums.add_luck(place, step.luck)
            sums.add_decision(step)
            after = self._states[place + 1]
            if is_ending(action) and (action.verb in FORFEIT_REASONS or self._game.result(after)):
                sums.add_ending(action, self._support.values.expected_scores(after))
        curve = (*[step.scores for step in steps], self._expected_scores(self._states[-1]))
        return sums.analysis(curve, self._support.error_rates)

    def dice_luck(self) -> Shares:
        """Return the luck of the dice of each seat."""
        sums = _Sums(self._seats)
        for place, action in enumerate(self._record.actions):
            if action.actor == CHANCE:
                sums.add_luck(place, self._luck(place, self._expected_scores(self._states[place])))
        return tuple(sums.dice)

    def _expected_scores(self, state: Any) -> Shares:
        """Return the expected scores; before a chance event, the mean of its outcomes."""
        values = self._support.values
        if self._game.pending(state) == CHANCE:
            after = [
                values.expected_scores(self._game.apply(state, outcome)[0])
                for outcome in values.outcomes(state)
            ]
            if after:
                return mean(after)
        return values.expected_scores(state)

    def _luck(self, place: int, expected: Shares) -> Shares:
        """Compare the outcome of a chance event with the mean of all; empty if it has none."""
        before, after = self._states[place : place + 2]
        values = self._support.values
        if not any(True for _ in values.outcomes(before)):
            return ()
        return _difference(values.expected_scores(after), expected)

    def _judge_decision(self, place: int, action: Action, scores: Shares) -> Step:
        """Compare a decision with the best one in the view of its seat."""
        seat, state = action.actor, self._states[place]
        legal = [option for option in self._game.legal(state) if option.actor == seat]
        if len(legal) < 2 or action not in legal:
            return Step(scores)
        history = self._game.redact_for_infostate(state, seat, self._record.actions[:place])
        situation = situation_of(Record(self._record.headers, history), seat)
        draw = Dice(_SEED, seat).draw(place)
        rated = self._support.values.score_choices(situation, action, draw, NODES)
        if not rated:
            return Step(scores)
        expected = {option: min(max(value, 0), SCALE) for value, option in rated}
        best = max(expected, key=lambda option: (expected[option], option == action))
        loss = expected[best] - expected[action]
        if loss and self._is_advised(place, action, history):
            best, loss = action, 0
        reasons = self._support.explain(situation, best)[:MAX_REASONS] if loss else ()
        decision = Decision(place, seat, action, best, loss, tuple(reasons))
        weights = self._effects(state, best, action)
        return Step(scores, (), decision, expected[action], weights)

    def _is_advised(self, place: int, action: Action, history: tuple[Action, ...]) -> bool:
        """Return whether the computer would have advised a decision: then it is no error.

        A hint and a suggested setup follow from the seed and from what the seat knew, so they can
        be given again. The judge looks further, and also at what they leave to chance on purpose.
        """
        if self._advisor is None or place in self._by_computer:
            return False
        seat = action.actor
        if not is_setup(self._game, self._states[place]):
            seat_record = Record(self._record.headers, history)
            return self._advisor.advise(seat_record, seat).action == action
        if seat not in self._suggested:
            places = suggested_places(self._record, self._states, seat, self._advisor)
            self._suggested[seat] = frozenset(places)
        return place in self._suggested[seat]

    def _effects(self, state: Any, best: Action, choice: Action) -> Shares:
        """Return the other seats' shares in the loss of a decision, as weights."""
        if len(self._seats) == 2:
            return (1, 1)
        values = self._support.values
        after = (
            values.expected_scores(self._game.apply(state, outcome)[0])
            for outcome in (choice, best)
        )
        return tuple(max(gain, 0) for gain in _difference(*after))


class Analyst(_Judge):
    """Analyses a match that is over, action by action.

    Args:
        record: with nothing hidden. If it has a seed, what the computer would have advised to a
            person is no error.

    Raises:
        RecordError: the record is broken, or the match is not over.
    """

    def __init__(self, record: Record) -> None:
        last = record.replay()
        if not last.game.result(last.state):
            raise RecordError("The match is not over.")
        if any(action.is_form for action in record.actions):
            raise RecordError("The record leaves hidden information out.")
        headers = {key: record.headers[key] for key in _HEADERS if key in record.headers}
        advisor = _advisor(record)
        by_computer = frozenset(choosers_of(record)) if advisor else frozenset[int]()
        super().__init__(Record(headers, record.actions), advisor, by_computer)


class _Sums:
    """Adds up what changed the expected scores of the seats."""

    def __init__(self, seats: str) -> None:
        self.dice = [0] * len(seats)
        self._seats = seats
        self._errors = [[0] * len(seats) for _ in seats]
        self._ending_changes = [[0] * len(seats) for _ in seats]
        self._endings: dict[str, str] = {}
        self._expected = dict(zip(seats, even(len(seats)), strict=True))
        self._decisions: list[Decision] = []
        self._rolls: list[Roll] = []

    def add_luck(self, place: int, luck: Shares) -> None:
        """Add the luck of a chance event; empty if it was not judged."""
        if luck:
            self.dice = [total + change for total, change in zip(self.dice, luck, strict=True)]
            self._rolls.append(Roll(place, luck))

    def add_decision(self, step: Step) -> None:
        """Add the loss by a decision, if one was judged."""
        if decision := step.decision:
            self._decisions.append(decision)
            self._expected[decision.seat] = step.expected
            self._add_loss(self._errors, decision.seat, decision.loss, step.weights)

    def add_ending(self, action: Action, shares: Shares) -> None:
        """Count what a seat gave away that left, or agreed to a draw, by its latest decision."""
        ending = (action.actor,) if action.verb in FORFEIT_REASONS else self._seats
        for seat, score in zip(self._seats, shares, strict=True):
            if seat in ending and seat not in self._endings:
                loss = max(self._expected[seat] - score, 0)
                self._add_loss(self._ending_changes, seat, loss, shares)
                self._endings[seat] = action.verb

    def _add_loss(
        self, by_seat: list[list[int]], seat: str, loss: int, weights: Sequence[int]
    ) -> None:
        """Take a loss from a seat and share it among the others."""
        number = self._seats.index(seat)
        changes = by_seat[number]
        changes[number] -= loss
        for other, gain in _split(loss, weights, number):
            changes[other] += gain

    def analysis(self, curve: tuple[Shares, ...], error_rates: Sequence[float]) -> Analysis:
        """Return the analysis.

        Args:
            curve: the expected scores in each position.
            error_rates: see `level_like`.
        """
        return Analysis(
            self._seats,
            curve,
            tuple(self._parts(seat, curve) for seat in range(len(self._seats))),
            tuple(self._decisions),
            tuple(self._rolls),
            tuple(self._level(seat, error_rates) for seat in self._seats),
            tuple(self._endings.get(seat, "") for seat in self._seats),
        )

    def _level(self, seat: str, error_rates: Sequence[float]) -> str:
        """Return the level whose decisions lose about as much as a seat's."""
        losses = [decision.loss for decision in self._decisions if decision.seat == seat]
        if not losses:
            return ""
        return level_like(sum(losses) / (SCALE * len(losses)), error_rates)

    def _parts(self, seat: int, curve: Sequence[Shares]) -> Parts:
        errors = tuple(changes[seat] for changes in self._errors)
        endings = tuple(changes[seat] for changes in self._ending_changes)
        change = curve[-1][seat] - curve[0][seat]
        unknown = change - self.dice[seat] - sum(errors) - sum(endings)
        return Parts(self.dice[seat], unknown, errors, endings)


def _difference(first: Shares, second: Shares) -> Shares:
    return tuple(a - b for a, b in zip(first, second, strict=True))


def _split(amount: int, weights: Sequence[int], without: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of an amount for all places but one, by weight; they add up to it."""
    others = [place for place in range(len(weights)) if place != without]
    parts = [weights[place] for place in others]
    parts = parts if any(parts) else [1] * len(parts)
    remaining, total = amount, sum(parts)
    for place, weight in zip(others, parts, strict=True):
        share = remaining * weight // total if total else 0
        remaining, total = remaining - share, total - weight
        yield place, share
