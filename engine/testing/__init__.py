"""The kit for authors of games: random matches, and rules that hold in all of them.

On the command line, `python -m engine check GAME`; with pytest, one line in a file of tests:

    test_nim = game_test("nim")
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine import games, packages
from engine.testing import contract, secrecy, worlds
from engine.testing.drawn import checks_of, picture_of, words_of
from engine.testing.matches import Played, described

__all__ = ["DEFAULT_MATCHES", "Finding", "check", "findings", "game_test"]

DEFAULT_MATCHES = 40
"""Default number of matches in which a game is checked."""


class Finding(NamedTuple):
    """A fault of a game.

    Attributes:
        check: the check that found it.
        text: an example.
    """

    check: str
    text: str

    def __str__(self) -> str:
        """Print the finding as one line."""
        return f"{self.check}: {' '.join(self.text.split())}"


def game_test(name: str, matches: int = DEFAULT_MATCHES) -> Callable[[], None]:
    """Return a test of a game for pytest, which fails with a line for each finding.

    Args:
        name: name of an installed game.
        matches: number of matches to play.
    """

    def test_game() -> None:
        """Check the game; see `findings`.

        Raises:
            AssertionError: it has a fault.
        """
        if faults := findings(name, matches):
            raise AssertionError("\n".join([f"{name} has faults:", *map(str, faults)]))

    return test_game


def findings(name: str, matches: int = DEFAULT_MATCHES) -> list[Finding]:
    """Check a game in random matches, and return its faults.

    Args:
        name: name of an installed game.
        matches: number of matches to play.
    """
    try:
        if name not in games.names():
            return [Finding("package", _reason(name))]
        renderer = packages.load(packages.installed()[name].renderer, object)
        return check(name, renderer, matches)
    except packages.STRANGE_ERRORS as error:
        return [Finding("error", described(error))]


def _reason(name: str) -> str:
    """Return the reason why a game is not installed."""
    there = ", ".join(games.names())
    reasons = [fault.reason for fault in packages.faults() if fault.name == name]
    return f"“{name}” is not installed: {'; '.join(reasons) or f'there are {there}'}"


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

    faults = contract.faults(name, matches, checks_of(renderer)) | worlds.faults(name, matches)
    leaks = secrecy.leaks(name, matches, facts)
    return [
        *(Finding(place, text) for place, text in faults.items()),
        *(Finding(f"secrets: {place}", text) for place, text in leaks.items()),
    ]
