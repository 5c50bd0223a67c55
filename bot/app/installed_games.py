"""The games from other distributions: all parts are tried, and broken games are left out.

Starpost's games are read when they are needed, because its tests read them all.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from discord.app_commands import Command, Group

from bot.interactions.context import Context
from bot.interactions.game_commands import group_of
from bot.rulebook import book, diagrams, lessons, positions
from engine import games, packages
from engine.computer.support import ComputerSupport
from engine.packages import STRANGE_ERRORS, PackageError
from render import for_game

log = logging.getLogger(__name__)

TITLE_LENGTH = 20
"""Maximum length of a game's title, which is a tag of forums on Discord."""


def leave_out_broken(
    context: Context, commands: Callable[[], Iterable[Command[Any, ..., Any] | Group]]
) -> None:
    """Leave out the games from outside that do not work here, and log the reasons.

    Args:
        context: for the commands of the games.
        commands: returns all commands, those of games as well.
    """
    try_parts(packages.from_outside())
    try_commands(context, commands)
    for fault in packages.faults():
        log.error("the game %s of %s is left out: %s", *fault)


def try_commands(
    context: Context, commands: Callable[[], Iterable[Command[Any, ..., Any] | Group]]
) -> None:
    """Leave out the games from outside whose commands cannot be made; see `leave_out_broken`."""
    for name in packages.from_outside():
        try:
            group_of(context, games.get(name))
        except STRANGE_ERRORS as error:
            packages.leave_out(name, error)
    if packages.from_outside():
        names = Counter(command.name for command in commands())
        for name in packages.from_outside():
            if names[name] > 1:
                packages.leave_out(name, PackageError(f"/{name} is another command"))


def try_parts(names: Iterable[str]) -> None:
    """Read all parts of games, and leave out a game if one of them is broken."""
    for name in tuple(names):
        try:
            _try(name)
        except STRANGE_ERRORS as error:
            packages.leave_out(name, error)


def _try(name: str) -> None:
    """Read all parts of a game, and look at its beginning.

    Raises:
        PackageError: it has the title of another game, or a file lacks something.
        Exception: a part cannot be read.
    """
    package, game, renderer = packages.installed()[name], games.get(name), for_game(name)
    if not 0 < len(game.title) <= TITLE_LENGTH:
        raise PackageError(f"a title has 1 to {TITLE_LENGTH} characters, not {len(game.title)}")
    if game.title in {games.get(other).title for other in games.names() if other != name}:
        raise PackageError(f"another game is called {game.title}")
    if package.computer:
        packages.load(package.computer, ComputerSupport)
    view = game.view(game.start(game.rules[0], {}))
    renderer.text_board(view, game.sides)
    if package.texts:
        _try_texts(name)
    for place in (*lessons.places(name), *positions.pool_of(name)):
        if not place.view.legal:
            raise PackageError(f"there is nothing to choose in “{place.step.position}”")


def _try_texts(name: str) -> None:
    """Read the book of a game.

    Raises:
        PackageError: it has no section, or names a diagram that is missing.
        LookupError: it is not in English.
    """
    sections = book.read(name).sections
    if not sections:
        raise PackageError("the book has no section")
    named = {section.diagram.name for section in sections if section.diagram}
    if missing := named.difference(diagrams.names(name)):
        raise PackageError(f"there is no diagram “{min(missing)}”")
