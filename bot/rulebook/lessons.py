"""Guided first matches: prepared positions, with instructions and replies to each choice.

A lesson is a file of a game's package. The engine applies the choices, so a lesson
only holds positions, sentences, and patterns of the choices that it replies to. It ends with a few
puzzles: positions that `tools/puzzles.py` has found, with the expected score after each choice.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from bot.domain.computer_players import has_computer
from engine import games, packages
from engine.game import Action, View
from engine.notation import SEPARATOR, choice_of
from render.hints import Reasons


class Answer(NamedTuple):
    """The reply to actions that match a pattern, and whether they are right."""

    accept: str
    right: bool
    text: str


class Step(NamedTuple):
    """One position of a lesson.

    Attributes:
        title: a few words.
        rule: the rule to read about it.
        seat: the learner's.
        position: the position as the engine prints it.
        text: the instruction.
        answers: the first one that matches counts.
        other: the reply to every other legal action.
        continues: whether it begins where the right answer of the step before has left its player.
        values: of a puzzle, the choices worth a thought with the expected score after each in
            percent, the best first; the best one is right.
    """

    title: str
    rule: str
    seat: str
    position: str
    text: str
    answers: tuple[Answer, ...]
    other: str = ""
    continues: bool = False
    values: tuple[tuple[str, int], ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, in English, for translators."""
        texts = (self.title, self.text, *(answer.text for answer in self.answers), self.other)
        return tuple(filter(None, texts))


class Lesson(NamedTuple):
    """The lesson of a game.

    Attributes:
        aim: the winning condition, and the idea of the game.
        tip: the most important advice for getting better.
        steps: with the puzzles at the end.
    """

    aim: str = ""
    tip: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, in English, for translators."""
        steps = (text for step in self.steps for text in step.texts)
        return tuple(filter(None, (self.aim, self.tip, *steps)))

    @property
    def puzzles(self) -> int:
        """The number of its puzzles."""
        return sum(bool(step.values) for step in self.steps)


class Place(NamedTuple):
    """A step with its place in the lesson, a number from 0."""

    game: str
    number: int
    step: Step

    @property
    def lesson(self) -> Lesson:
        """The lesson of the step."""
        return lesson(self.game)

    @property
    def view(self) -> View:
        """The position as the player sees it."""
        rules = games.get(self.game)
        view: View = rules.view(rules.load(self.step.position), self.step.seat)
        return view

    @property
    def after(self) -> int:
        """The number of the next step; after the last one it is the first."""
        return (self.number + 1) % len(self.lesson.steps)

    @property
    def first_puzzle(self) -> int:
        """The number of the lesson's first puzzle; the steps before it teach the rules."""
        return len(self.lesson.steps) - self.lesson.puzzles

    @property
    def ends_part(self) -> bool:
        """Whether it is the last step before the puzzles, or the last puzzle."""
        return self.number + 1 in (len(self.lesson.steps), self.first_puzzle)


class TryResult(NamedTuple):
    """The result of a choice.

    Attributes:
        text: the reply, in English; empty for a wrong choice in a puzzle.
        right: whether it was right.
        view: after the choice.
        value: in a puzzle, the expected score after it in percent, if it was worth a thought.
    """

    text: str
    right: bool
    view: View
    action: Action
    reasons: Reasons = ()
    value: int | None = None


@cache
def lesson(game: str) -> Lesson:
    """Return the lesson of a game; empty if it has none."""
    file = packages.file_of(game, "lesson")
    if file is None:
        return Lesson()
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    steps = (*map(_step, read["steps"]), *map(_puzzle, read["puzzles"]))
    return Lesson(_joined(read["aim"]), _joined(read["tip"]), steps)


def steps(game: str) -> tuple[Step, ...]:
    """Return the steps of a game's lesson; empty if it has none."""
    return lesson(game).steps


def taught() -> dict[str, str]:
    """Return the games that have a lesson, with their titles."""
    return {game: games.get(game).title for game in games.names() if steps(game)}


def _step(written: Mapping[str, Any]) -> Step:
    fields = {"other": "", **written}
    answers = (Answer(**answer | {"text": _joined(answer["text"])}) for answer in fields["answers"])
    return Step(**fields | {"answers": tuple(answers)} | _texts(fields, "text", "other"))


def _puzzle(written: Mapping[str, Any]) -> Step:
    values: dict[str, int] = written["values"]
    answer = Answer(next(iter(values)), right=True, text=_joined(written["learned"]))
    fields = {name: value for name, value in written.items() if name != "learned"}
    computed = {"answers": (answer,), "values": tuple(values.items())}
    return Step(**fields | computed | _texts(fields, "text"))


def _texts(fields: Mapping[str, Any], *names: str) -> dict[str, str]:
    return {name: _joined(fields[name]) for name in names}


def _joined(text: str) -> str:
    """Return a text without its line ends."""
    return " ".join(text.split())


def place(game: str, number: int) -> Place:
    """Return a step of a lesson, by its number from 0.

    Raises:
        LookupError: there is no such step.
    """
    all_steps = steps(game)
    if not 0 <= number < len(all_steps):
        raise LookupError(number)
    return Place(game, number, all_steps[number])


def places(game: str) -> tuple[Place, ...]:
    """Return all steps of a game's lesson with their places."""
    return tuple(Place(game, number, step) for number, step in enumerate(steps(game)))


def right_choices(place: Place) -> tuple[Action, ...]:
    """Return the legal choices that lead on to the next step."""
    return tuple(action for action in place.view.legal if _answer(place.step, action).right)


@cache
def hint(place: Place) -> tuple[Action, Reasons]:
    """Return the best right choice of a step, and the reasons for it."""
    from engine.computer.advice import advise  # noqa: PLC0415 - loads all networks

    rules, step = games.get(place.game), place.step
    state = rules.load(step.position)
    right = right_choices(place)
    if step.values or not has_computer(place.game):
        return right[0], _reasons(place, right[0])
    advice = advise(rules, state, step.seat, right)
    return advice.action, advice.reasons


def attempt(place: Place, line: str) -> TryResult | None:
    """Make a choice in a step.

    Args:
        line: the choice in the notation, without the actor; or a whole turn, whose first choice
            counts.

    Returns:
        The result; None if it is only the beginning of a choice.

    Raises:
        IllegalActionError: it is not legal.
    """
    first, *more = line.split(SEPARATOR)
    action, step = choice_in(place, first), place.step
    if action is None:
        return None
    rules = games.get(place.game)
    after, _ = rules.apply(rules.load(step.position), action)
    for words in more:
        if following := choice_of(rules, after, step.seat, words.strip()):
            after, _ = rules.apply(after, following)
    answer, view = _answer(step, action), rules.view(after, step.seat)
    if not step.values:
        return TryResult(answer.text, answer.right, view, action)
    value = dict(step.values).get(action.notation)
    return TryResult(answer.text, answer.right, view, action, _reasons(place, action), value)


def choice_in(place: Place, line: str) -> Action | None:
    """Return the action that a line means in a step; None if it is only the beginning of one.

    Raises:
        IllegalActionError: it is not legal.
    """
    rules, step = games.get(place.game), place.step
    return choice_of(rules, rules.load(step.position), step.seat, line)


@cache
def _reasons(place: Place, action: Action) -> Reasons:
    """Return the reasons for an action that the learner's knowledge supports.

    Without computer players, there are none.
    """
    if not has_computer(place.game):
        return ()
    from engine.computer.advice import reasons  # noqa: PLC0415 - loads all networks

    rules = games.get(place.game)
    return reasons(rules, rules.load(place.step.position), place.step.seat, action)


def _answer(step: Step, action: Action) -> Answer:
    """Return the reply to an action."""
    notation = action.notation
    fitting = (answer for answer in step.answers if fnmatchcase(notation, answer.accept))
    return next(fitting, Answer("*", right=False, text=step.other))
