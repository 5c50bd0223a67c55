"""The computer as a player: its levels and their names."""

from __future__ import annotations

from bot.domain.ids import COMPUTER_USER_ID
from bot.domain.models import Player
from engine import packages
from render.i18n import N_

COMPUTER_NAMES = {
    "cadet": N_("Cadet (bot)"),
    "navigator": N_("Navigator (bot)"),
    "captain": N_("Captain (bot)"),
    "admiral": N_("Admiral (bot)"),
}
"""Level → name, the weakest first; see `engine.computer.levels`."""

LEVEL_TITLES = {
    N_("Cadet"): "cadet",
    N_("Navigator"): "navigator",
    N_("Captain"): "captain",
    N_("Admiral"): "admiral",
}
"""Title → level, the weakest first."""

TITLE_OF_LEVEL = {level: title for title, level in LEVEL_TITLES.items()}


DEFAULT_LEVEL = "cadet"
"""The level for players who have never met the computer: about a beginner's equal."""

STAND_IN_LEVEL = "navigator"
"""The level that stands in for players who have left the server."""

PLAY_ON_LEVEL = "captain"
"""The level for players who play on from a position and have never met the computer."""

FALLBACK = "random"
"""The engine's player that needs no search; it replaces a player that fails."""


def has_computer(game: str) -> bool:
    """Return whether the computer can play a game: its package names computer players."""
    package = packages.installed().get(game)
    return package is not None and bool(package.computer)


def computer_player(level: str = DEFAULT_LEVEL) -> Player:
    """Return the computer as a player of this level."""
    return Player(COMPUTER_USER_ID, COMPUTER_NAMES[level], level)


def with_fallbacks(level: str) -> tuple[str, ...]:
    """Return the players to try in turn: this level, the next lower one, and the fallback.

    Example:
        >>> with_fallbacks("admiral"), with_fallbacks("cadet")
        (('admiral', 'captain', 'random'), ('cadet', 'random'))
    """
    levels = list(COMPUTER_NAMES)
    place = levels.index(level)
    return (*reversed(levels[max(0, place - 1) : place + 1]), FALLBACK)
