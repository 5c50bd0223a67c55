"""A game that is not installed: its name is all that is known, and its matches wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Any, ClassVar, NoReturn

from engine.game import (
    PUBLIC,
    Action,
    AnyGame,
    Event,
    Game,
    IllegalActionError,
    RandomSource,
    Verb,
    View,
)

NAMES_KEPT = 100
"""Maximum number of absent games at a time; their names come from outside as well."""


def absence(name: str) -> IllegalActionError:
    """Return the refusal of all that needs the rules of an absent game."""
    return IllegalActionError(
        "",
        "{game} isn't installed here right now. Its matches wait until my host installs it again.",
        game=name,
    )


class AbsentGame(Game[Any, Any]):
    """Stands for a game in the facts about its matches; whatever needs rules is refused.

    Its version is that of no match, so that each one is outdated. It has every seat.
    """

    version = 0
    rules = ("standard",)
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    verbs: ClassVar[tuple[Verb, ...]] = ()
    events: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    sides: ClassVar[Mapping[str, str]] = {seat: seat for seat in ascii_uppercase}

    def seats(self, options: Mapping[str, str]) -> str:
        """Return all seats that a match can have."""
        return ascii_uppercase

    def start(self, rules: str, options: Mapping[str, str]) -> NoReturn:
        """Refuse to begin a match."""
        raise absence(self.name)

    def pending(self, state: Any) -> str:
        """Refuse to look at a position."""
        raise absence(self.name)

    def result(self, state: Any) -> str:
        """Refuse to look at a position."""
        raise absence(self.name)

    def legal(self, state: Any) -> tuple[Action, ...]:
        """Refuse to look at a position."""
        raise absence(self.name)

    def apply(self, state: Any, action: Action) -> tuple[Any, tuple[Event, ...]]:
        """Refuse every action."""
        raise absence(self.name)

    def chance(self, state: Any, draw: RandomSource) -> Action:
        """Refuse to draw."""
        raise absence(self.name)

    def view(self, state: Any, seat: str = PUBLIC) -> View:
        """Refuse to show a position."""
        raise absence(self.name)

    def resample_view(self, state: Any, seat: str, draw: RandomSource) -> Any:
        """Refuse to look at a position."""
        raise absence(self.name)

    def redact(self, state: Any, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        """Refuse to show actions: their secrets are unknown."""
        raise absence(self.name)

    def dump(self, state: Any) -> str:
        """Refuse to print a position."""
        raise absence(self.name)

    def load(self, text: str) -> Any:
        """Refuse to read a position."""
        raise absence(self.name)


@lru_cache(NAMES_KEPT)
def absent(name: str) -> AnyGame:
    """Return the stand-in for a game of this name."""
    game: AnyGame = type("AbsentGame", (AbsentGame,), {"name": name, "title": name})()
    return game
