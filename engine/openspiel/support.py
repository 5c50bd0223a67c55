"""What a game must say to be played in OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import packages
from engine.game import Action
from engine.packages import GamePackage


def _unchanged(_state: Any, _world: Any, _seat: str, actions: Sequence[Action]) -> Iterable[Action]:
    return actions


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSpielSupport:
    """A game in OpenSpiel.

    Attributes:
        actions: returns all actions of players without their seat, in the order of their numbers,
            which never change; a value of an action with open values is an action of its own.
        max_outcomes: maximum number of outcomes of a draw.
        observe: returns the contents of a view as named vectors; see `engine.openspiel.tensors`.
        hidden_with: options with which information is hidden, as pairs of name and value; empty if
            it always is, None if it never is.
        max_values: maximum number of open values of an action.
        lines_in: returns the actions that lead to another world, by a state, that world, a seat
            that cannot distinguish them, and the actions that led to the state.
    """

    actions: Callable[[], Iterable[str]]
    max_outcomes: int
    observe: Callable[[Any], Mapping[str, Sequence[float]]]
    hidden_with: tuple[tuple[str, str], ...] | None = None
    max_values: int = 0
    lines_in: Callable[[Any, Any, str, Sequence[Action]], Iterable[Action]] = _unchanged


def _load(_name: str, package: GamePackage) -> OpenSpielSupport | None:
    """Return the support of a package; None if it has none.

    Raises:
        PackageError: it names something else.
        Exception: it cannot be imported.
    """
    if not package.openspiel:
        return None
    support: OpenSpielSupport = packages.load(package.openspiel, OpenSpielSupport)
    return support


@cache
def supported() -> dict[str, OpenSpielSupport]:
    """Return the support of each installed game that has it, by name."""
    parts = packages.collect(_load)
    return {name: support for name, support in parts.items() if support}


def support_of(name: str) -> OpenSpielSupport:
    """Return the support of a game.

    Raises:
        KeyError: it has none.
    """
    return supported()[name]
