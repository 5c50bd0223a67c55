"""Typed input, complete or not: one reading feeds autocomplete, selects, buttons and notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.game import Action, AnyGame, Refused


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
    words = text.lower().split()
    legal = game.legal(state) if seat in game.pending(state) else ()
    meant = _meant(legal, words)
    if not meant:
        return _illegal(game, state, seat, text)
    matches = [action for action, rest in meant if not rest]
    if len(matches) == 1:
        return Complete(matches[0])
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
            if [word.lower() for word in full[: len(words)]] == words
        ]
        if found:
            return found
    return []


def _illegal(game: AnyGame, state: Any, seat: str, text: str) -> Illegal:
    """Let the rules say why: the words are tried as they stand, in the notation's own case."""
    verb, *args = text.split() or [""]
    action = Action(seat, verb.lower(), tuple(_cased(word) for word in args))
    if action.verb in {verb.name for verb in game.verbs}:
        try:
            game.apply(state, action)
        except Refused as refused:
            return Illegal(refused)
    return Illegal(Refused("notation", "“{text}” cannot be done now.", text=text))


def _cased(word: str) -> str:
    """Only names of spaces are in lower case among the arguments that can be wrong."""
    lower = word.lower()
    return lower if lower[:1].isalpha() and lower[1:].isdigit() else word.upper()
