"""Typed input, complete or not: one reading feeds autocomplete, selects, buttons and notation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from engine.game import OPEN_VALUE, Action, AnyGame, IllegalActionError, Verb


class Complete(NamedTuple):
    """The text means exactly this legal action."""

    action: Action


class Illegal(NamedTuple):
    """The text means an action that is not legal, or nothing at all; why."""

    error: IllegalActionError


class Ambiguous(NamedTuple):
    """The text means each of these legal actions."""

    actions: tuple[Action, ...]


class Incomplete(NamedTuple):
    """Something is missing: these words can come next."""

    words: tuple[str, ...]


ParseResult = Complete | Illegal | Ambiguous | Incomplete


def parse(game: AnyGame, state: Any, seat: str, text: str) -> ParseResult:
    """What a seat's words mean here. The verb may be left out; upper and lower case are the same.

    Args:
        game: whose rules.
        state: the position.
        seat: who types.
        text: words of the notation without the actor, e.g. `move S NE`, `S NE` or `S`.
    """
    legal = [action for action in game.legal(state) if action.actor == seat]
    as_listed = Action(seat, *_parts(text))
    if as_listed in legal and not as_listed.is_form:  # as buttons say it
        return Complete(as_listed)
    words = text.lower().split()
    possible = _meant(game, legal, words)
    if not possible:
        return _illegal(game, state, seat, text)
    matches = [action for action, rest in possible if not rest]
    if len(matches) == 1:
        return _complete(game, state, matches[0], words)
    if matches:
        return Ambiguous(tuple(matches))
    return Incomplete(tuple(dict.fromkeys(rest[0] for _, rest in possible)))


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """A verb and its arguments, as they stand."""
    verb, *args = text.split() or [""]
    return verb, tuple(args)


def completions(game: AnyGame, legal: Sequence[Action], text: str) -> tuple[Action, ...]:
    """The legal actions that these words can be the beginning of, read as `parse` does.

    Args:
        game: whose rules.
        legal: one seat's.
        text: words of the notation without the actor.
    """
    return tuple(action for action, _ in _meant(game, legal, text.lower().split()))


def find_action(game: AnyGame, legal: Sequence[Action], text: str) -> Action | None:
    """The one legal action that these words say in full; a form has the values typed.

    Args:
        game: whose rules.
        legal: one seat's.
        text: words of the notation without the actor.
    """
    words = text.lower().split()
    found = [action for action, rest in _meant(game, legal, words) if not rest]
    return _filled(game, found[0], words) if len(found) == 1 else None


def _meant(
    game: AnyGame, legal: Sequence[Action], words: list[str]
) -> list[tuple[Action, tuple[str, ...]]]:
    """The legal actions that begin with these words, each with the words that are missing."""
    for first in (0, 1):
        verb, args = words[: 1 - first], words[1 - first :]
        typed = {each.name: (*verb, *_spelled(each, args)) for each in game.verbs}
        spelled = [(action, (action.verb, *action.args)[first:]) for action in legal]
        found = [
            (action, full[len(words) :])
            for action, full in spelled
            if len(words) <= len(full) and all(map(_fits, full, typed[action.verb]))
        ]
        if found:
            return found
    return []


def _fits(word: str, typed: str) -> bool:
    """Whether this was typed for a word of a legal action; an open value takes anything."""
    if word.endswith(OPEN_VALUE):
        return typed.lower().startswith(word[:-1].lower()) and len(typed) >= len(word)
    return typed.lower() == word.lower()


def _complete(game: AnyGame, state: Any, said: Action, words: list[str]) -> Complete | Illegal:
    """The action that is meant; where it is a form, the rules look at the values typed."""
    action = _filled(game, said, words)
    if said.is_form:
        try:
            game.apply(state, action)
        except IllegalActionError as error:
            return Illegal(error)
    return Complete(action)


def _filled(game: AnyGame, said: Action, words: list[str]) -> Action:
    """A legal action, where it is a form with the values typed."""
    if not said.is_form:
        return said
    typed = words[len(words) - len(said.args) :]
    return said._replace(args=_spelled(_verb(game, said.verb), typed))


def _illegal(game: AnyGame, state: Any, seat: str, text: str) -> Illegal:
    """Let the rules say why: the words are tried as they stand, in the notation's own case."""
    name, args = _parts(text)
    if verb := _verb(game, name.lower()):
        try:
            game.apply(state, Action(seat, verb.name, _spelled(verb, args)))
        except IllegalActionError as error:
            return Illegal(error)
    return Illegal(IllegalActionError("notation", "“{text}” cannot be done now.", text=text))


def _verb(game: AnyGame, name: str) -> Verb | None:
    return next((verb for verb in game.verbs if verb.name == name), None)


def _spelled(verb: Verb | None, args: Sequence[str]) -> tuple[str, ...]:
    """Arguments in the notation's own case; too many of them stay as they are."""
    parameters = verb.parameters if verb else ()
    return tuple(
        parameter.spell(arg) if parameter else arg
        for arg, parameter in zip_longest(args, parameters[: len(args)])
    )
