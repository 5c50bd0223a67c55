"""Guided first matches: prepared positions, with instructions and replies to each choice.

A lesson is a file in `prepared/lessons/`, one a game. The engine applies the choices, so a lesson
only holds positions, sentences, and patterns of the choices that it replies to.
"""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine import games
from engine.game import Action, View
from engine.notation import Complete, Illegal, parse
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
        position: as the engine prints it.
        text: the instruction.
        answers: the first one that matches counts.
        other: the reply to every other legal action.
    """

    title: str
    rule: str
    seat: str
    position: str
    text: str
    answers: tuple[Answer, ...]
    other: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, in English, for translators."""
        said = (self.title, self.text, *(answer.text for answer in self.answers), self.other)
        return tuple(filter(None, said))


class Place(NamedTuple):
    """A step with its place in the lesson: its number from 0, and how many there are in all."""

    game: str
    number: int
    total: int
    step: Step

    @property
    def view(self) -> View:
        """The position as the player sees it."""
        rules = games.get(self.game)
        view: View = rules.view(rules.load(self.step.position), self.step.seat)
        return view

    @property
    def after(self) -> int:
        """The number of the next step; after the last one it is the first."""
        return (self.number + 1) % self.total


class TryResult(NamedTuple):
    """The result of a choice: the reply, whether it was right, and the view after it."""

    said: str
    right: bool
    view: View


@cache
def steps(game: str) -> tuple[Step, ...]:
    """Return the lesson of a game; empty if it has none."""
    file = files("bot.rulebook") / "prepared" / "lessons" / f"{game}.toml"
    if not file.is_file():
        return ()
    return tuple(_step(**step) for step in tomllib.loads(file.read_text(encoding="utf-8"))["steps"])


def _step(*, text: str, answers: list[dict[str, Any]], other: str = "", **fields: str) -> Step:
    said = (each | {"text": _joined(each["text"])} for each in answers)
    replies = tuple(Answer(**each) for each in said)
    return Step(text=_joined(text), answers=replies, other=_joined(other), **fields)


def _joined(text: str) -> str:
    """Return a text without its line ends."""
    return " ".join(text.split())


def place(game: str, number: int) -> Place:
    """Return a step of a lesson, by its number from 0.

    Raises:
        LookupError: there is no such step.
    """
    every = steps(game)
    if not 0 <= number < len(every):
        raise LookupError(number)
    return Place(game, number, len(every), every[number])


@cache
def hint(here: Place) -> tuple[Action, Reasons]:
    """Return the best of the right choices of a step, and what speaks for it."""
    from engine.computer.advice import advise  # noqa: PLC0415 - loads all networks

    rules, step = games.get(here.game), here.step
    state = rules.load(step.position)
    right = [action for action in here.view.legal if _answer(step, action).right]
    advice = advise(rules, state, step.seat, right)
    return advice.action, advice.reasons


def attempt(here: Place, line: str) -> TryResult | None:
    """Make a choice in a step.

    Args:
        here: the step.
        line: the choice in the notation, without the actor.

    Returns:
        The result; None if it is only the beginning of a choice.

    Raises:
        IllegalActionError: it is not legal.
    """
    rules, step = games.get(here.game), here.step
    state = rules.load(step.position)
    reading = parse(rules, state, step.seat, line)
    if isinstance(reading, Illegal):
        raise reading.error
    if not isinstance(reading, Complete):
        return None
    after, _ = rules.apply(state, reading.action)
    answer = _answer(step, reading.action)
    return TryResult(answer.text, answer.right, rules.view(after, step.seat))


def _answer(step: Step, action: Action) -> Answer:
    """Return the reply to an action."""
    made = action.notation
    fitting = (answer for answer in step.answers if fnmatchcase(made, answer.accept))
    return next(fitting, Answer("*", right=False, text=step.other))
