"""Typed input, complete or not: one reading feeds autocomplete, selects, buttons and notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.game import OPEN, Action, AnyGame, Refused


class Complete(NamedTuple):
    """The text means exactly this legal action."""

    action: Action


class Illegal(NamedTuple):
    """The text means an action that is not legal, or nothing at all; why."""

    refused: Refused


class Ambiguous(NamedTuple):
    """The text means each of these legal actions."""

    actions: tuple[Action, ...]


class Missing(NamedTuple):
    """Something is missing: these words can come next."""

    words: tuple[str, ...]


Reading = Complete | Illegal | Ambiguous | Missing


def read(game: AnyGame, state: Any, seat: str, text: str) -> Reading:
    """What a seat's words mean here. The verb may be left out; upper and lower case are the same.

    Args:
        game: whose rules.
        state: the position.
        seat: who types.
        text: words of the notation without the actor, e.g. `move S NE`, `S NE` or `S`.
    """
    words = [game.spell(word).lower() for word in text.split()]
    legal = [action for action in game.legal(state) if action.actor == seat]
    meant = _meant(legal, words)
    if not meant:
        return _illegal(game, state, seat, text)
    matches = [action for action, rest in meant if not rest]
    if len(matches) == 1:
        return _complete(game, state, matches[0], words)
    if matches:
        return Ambiguous(tuple(matches))
    return Missing(tuple(dict.fromkeys(rest[0] for _, rest in meant)))


def _meant(legal: Sequence[Action], words: list[str]) -> list[tuple[Action, tuple[str, ...]]]:
    """The legal actions that begin with these words, each with the words that are missing."""
    for first in (0, 1):
        spelled = [(action, (action.verb, *action.args)[first:]) for action in legal]
        found = [
            (action, full[len(words) :])
            for action, full in spelled
            if len(words) <= len(full) and all(map(_fits, full, words))
        ]
        if found:
            return found
    return []


def _fits(word: str, typed: str) -> bool:
    """Whether this was typed for a word of a legal action; an open value takes anything."""
    if word.endswith(OPEN):
        return typed.startswith(word[:-1].lower()) and len(typed) >= len(word)
    return typed == word.lower()


def _complete(game: AnyGame, state: Any, meant: Action, words: list[str]) -> Complete | Illegal:
    """The action that is meant; where it is a form, the rules look at the values typed."""
    if not any(arg.endswith(OPEN) for arg in meant.args):
        return Complete(meant)
    typed = words[len(words) - len(meant.args) :]
    action = meant._replace(args=tuple(map(game.spell, typed)))
    try:
        game.apply(state, action)
    except Refused as refused:
        return Illegal(refused)
    return Complete(action)


def _illegal(game: AnyGame, state: Any, seat: str, text: str) -> Illegal:
    """Let the rules say why: the words are tried as they stand, in the notation's own case."""
    verb, *args = text.split() or [""]
    action = Action(seat, verb.lower(), tuple(map(game.spell, args)))
    if action.verb in {verb.name for verb in game.verbs}:
        try:
            game.apply(state, action)
        except Refused as refused:
            return Illegal(refused)
    return Illegal(Refused("notation", "“{text}” cannot be done now.", text=text))
