"""The kit for authors of games: random matches, and rules that hold in all of them.

python -m engine check GAME
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import packages
from engine.testing import contract, secrecy
from engine.testing.drawn import picture_of, words_of
from engine.testing.matches import Played


class Finding(NamedTuple):
    """A fault of a game: the check that found it, and an example."""

    check: str
    text: str


def findings(name: str, matches: int) -> list[Finding]:
    """Check a game in random matches, and return its faults.

    Args:
        name: name of an installed game.
        matches: number of matches to play.
    """
    try:
        renderer = packages.load(packages.installed()[name].renderer, object)
        return check(name, renderer, matches)
    except Exception as error:  # noqa: BLE001 - other people's code may raise anything
        return [Finding("error", f"{type(error).__name__}: {error}")]


def check(name: str, renderer: Any, matches: int) -> list[Finding]:
    """Check a game with a renderer; see `findings`.

    Raises:
        Exception: the game or the renderer does, beyond the checks of single positions.
    """

    def facts(match: Played, reader: str, drawn: bool) -> dict[str, Any]:
        """Return all that a reader can know by rules, words and picture."""
        names = match.game.sides
        by_rules = secrecy.facts(match, reader) | words_of(renderer, match, reader, names)
        return by_rules | (picture_of(renderer, match, reader, names) if drawn else {})

    faults = contract.faults(name, matches)
    leaks = secrecy.leaks(name, matches, facts)
    return [
        *(Finding(place, text) for place, text in faults.items()),
        *(Finding(f"secrets: {place}", text) for place, text in leaks.items()),
    ]
