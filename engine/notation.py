"""Parser of typed moves, complete or not; autocomplete, lists and buttons use it too."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from engine.dispatch import UnreadableError
from engine.game import OPEN_VALUE, Action, AnyGame, IllegalActionError, Verb


class Complete(NamedTuple):
    """The text denotes exactly one legal action.

    Attributes:
        action: that action.
    """

    action: Action


class Illegal(NamedTuple):
    """The text denotes no legal action.

    Attributes:
        error: the reason.
    """

    error: IllegalActionError


class Ambiguous(NamedTuple):
    """The text denotes several legal actions.

    Attributes:
        actions: those actions, in the order of the legal ones.
    """

    actions: tuple[Action, ...]


class Incomplete(NamedTuple):
    """The text is the beginning of legal actions.

    Attributes:
        words: the words that can follow.
    """

    words: tuple[str, ...]


SEPARATOR = ";"
"""Between several choices of a player in one text, each made as if it were typed alone."""

ParseResult = Complete | Illegal | Ambiguous | Incomplete
"""The meaning of a text."""


def parse(game: AnyGame, state: Any, seat: str, text: str) -> ParseResult:
    """Parse a typed move of a seat. The verb can be left out or come last; case does not matter.

    Args:
        game: the game's rules.
        state: the position.
        seat: the player's.
        text: words of the notation without the actor, e.g. `move S NE`, `S NE` or `S`.
    """
    legal = [action for action in game.legal(state) if action.actor == seat]
    if listed := find_listed(seat, legal, text):
        return Complete(listed)
    words = _words(game, text)
    possible = Readings(game, legal).begun_by(words)
    if not possible:
        return _illegal(game, state, seat, text)
    matches = [action for action, open_words in possible if not open_words]
    if len(matches) == 1:
        return _complete(game, state, matches[0], words)
    if matches:
        return Ambiguous(tuple(matches))
    return Incomplete(tuple(dict.fromkeys(open_words[0] for _, open_words in possible)))


def choice_of(game: AnyGame, state: Any, seat: str, text: str) -> Action | None:
    """Return the action that a text means; None if it is only the beginning of one, or ambiguous.

    Raises:
        IllegalActionError: it is not legal.
    """
    reading = parse(game, state, seat, text)
    if isinstance(reading, Illegal):
        raise reading.error
    return reading.action if isinstance(reading, Complete) else None


def find_listed(seat: str, actions: Collection[Action], text: str) -> Action | None:
    """Return the action with exactly this notation, as buttons say it; a form has none.

    Args:
        seat: the player's.
        actions: the actions to choose from; looking one up in a set is fastest.
        text: words of the notation without the actor.
    """
    action = Action(seat, *_parts(text))
    return action if action in actions and not action.is_form else None


def _parts(text: str) -> tuple[str, tuple[str, ...]]:
    """Split a text into a verb and its arguments."""
    verb, *args = text.split() or [""]
    return verb, tuple(args)


class Readings:
    """Actions to choose from, and which of them a text can mean; quick for many texts.

    Args:
        game: the game's rules.
        actions: actions of one seat; forms have open values.
    """

    def __init__(self, game: AnyGame, actions: Sequence[Action]) -> None:
        self._game = game
        self._actions = tuple(actions)
        self._lower = [tuple(map(str.lower, action.args)) for action in self._actions]
        self._longest = max(map(len, self._lower), default=0)
        self._places: dict[str, list[int]] = {}
        self._by_first: dict[tuple[str, str], list[int]] = {}
        self._forms: dict[str, list[int]] = {}
        for place, action in enumerate(self._actions):
            self._places.setdefault(action.verb, []).append(place)
            if action.is_form:
                self._forms.setdefault(action.verb, []).append(place)
            elif args := self._lower[place]:
                self._by_first.setdefault((action.verb, args[0]), []).append(place)

    def completions(self, text: str) -> tuple[Action, ...]:
        """Return the actions that begin with these words, read as `parse` does.

        Args:
            text: words of the notation without the actor.
        """
        return tuple(action for action, _ in self.begun_by(_words(self._game, text)))

    def meanings(self, text: str) -> tuple[Action, ...]:
        """Return the actions that these words denote completely, forms filled in.

        Args:
            text: words of the notation without the actor.
        """
        words = _words(self._game, text)
        readings = self.begun_by(words)
        return tuple(
            _filled(self._game, action, words) for action, open_words in readings if not open_words
        )

    def begun_by(self, words: Sequence[str]) -> list[tuple[Action, tuple[str, ...]]]:
        """Return the actions that begin with these words, each with its remaining words.

        Args:
            words: lower-case words, with a verb at the beginning or none.
        """
        if words and (completions := self._after_verb(words[0], words[1:])):
            return completions
        places = [place for verb in self._game.verbs for place in self._fitting(verb, words)]
        first = 0 if not words else 1
        return [
            (action, (action.verb, *action.args)[first:][len(words) :])
            for action in (self._actions[place] for place in sorted(places))
        ]

    def _after_verb(self, name: str, args: Sequence[str]) -> list[tuple[Action, tuple[str, ...]]]:
        """Return the actions of a verb that begin with these arguments, with the remaining ones."""
        return [
            (self._actions[place], self._actions[place].args[len(args) :])
            for verb in self._game.verbs
            if verb.name.lower() == name
            for place in self._fitting(verb, args)
        ]

    def _fitting(self, verb: Verb, args: Sequence[str]) -> list[int]:
        """Return the places of a verb's actions that begin with these arguments, in order."""
        if len(args) > self._longest:
            return []
        if not args:
            return self._places.get(verb.name, [])
        spelled = _spelled(verb, args)
        lower, count = tuple(map(str.lower, spelled)), len(spelled)
        listed = [
            place
            for place in self._by_first.get((verb.name, lower[0]), ())
            if self._lower[place][:count] == lower
        ]
        forms = [
            place
            for place in self._forms.get(verb.name, ())
            if count <= len(self._lower[place]) and all(map(_fits, self._lower[place], lower))
        ]
        return sorted(listed + forms) if forms else listed


def completions(game: AnyGame, legal: Sequence[Action], text: str) -> tuple[Action, ...]:
    """Return the legal actions that begin with these words, see `Readings`."""
    return Readings(game, legal).completions(text)


def find_action(game: AnyGame, legal: Sequence[Action], text: str) -> Action | None:
    """Return the legal action that these words denote, see `Readings`; None if unclear."""
    meanings = Readings(game, legal).meanings(text)
    return meanings[0] if len(meanings) == 1 else None


def _words(game: AnyGame, text: str) -> list[str]:
    """Return the words of a text in lower case; a verb at the end is moved to the beginning."""
    words, verbs = text.lower().split(), {verb.name for verb in game.verbs}
    if words and words[-1] in verbs and words[0] not in verbs:
        return [words[-1], *words[:-1]]
    return words


def _fits(word: str, text: str) -> bool:
    """Return whether a typed word matches one of an action; any value matches an open one."""
    if word.endswith(OPEN_VALUE):
        return text.startswith(word[:-1]) and len(text) >= len(word)
    return text == word


def _complete(game: AnyGame, state: Any, parsed: Action, words: list[str]) -> Complete | Illegal:
    """Return the action; the rules check the values of a form."""
    action = _filled(game, parsed, words)
    if parsed.is_form:
        try:
            game.apply(state, action)
        except IllegalActionError as error:
            return Illegal(error)
    return Complete(action)


def _filled(game: AnyGame, parsed: Action, words: list[str]) -> Action:
    """Fill in the values of a form."""
    if not parsed.is_form:
        return parsed
    values = words[len(words) - len(parsed.args) :]
    return parsed._replace(args=_spelled(_verb(game, parsed.verb), values))


def _illegal(game: AnyGame, state: Any, seat: str, text: str) -> Illegal:
    """Return the error of an illegal text: the error of the rules, if its verb is known."""
    name, *args = _words(game, text) or [""]
    if verb := _verb(game, name):
        try:
            game.apply(state, Action(seat, verb.name, _spelled(verb, args)))
        except UnreadableError:
            pass  # the text says it better than the action made of it
        except IllegalActionError as error:
            return Illegal(error)
    return Illegal(IllegalActionError("notation", "I can't read “{text}”.", text=text))


def _verb(game: AnyGame, name: str) -> Verb | None:
    return next((verb for verb in game.verbs if verb.name == name), None)


def _spelled(verb: Verb | None, args: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments in the spelling of the notation; surplus ones are unchanged."""
    parameters = verb.parameters if verb else ()
    return tuple(
        parameter.spell(arg) if parameter else arg
        for arg, parameter in zip_longest(args, parameters[: len(args)])
    )
