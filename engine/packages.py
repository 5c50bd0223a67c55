"""The installed games: packages announce them as entry points of the group `starpost.games`.

An entry point names a `GamePackage`. Starpost's games are announced in its pyproject.toml and are
found like any other. The parts of a game are references, which are followed by the layer that needs
them: so `engine` imports no renderer, and a computer's networks are only loaded where it plays.

    [project.entry-points."starpost.games"]
    nim = "starpost_nim:PACKAGE"

A package with a broken part is left out, and its fault is listed; it never stops the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, NamedTuple, TypeVar

GROUP = "starpost.games"
"""The group of entry points."""

OUR_DISTRIBUTION = "starpost"
"""The distribution whose games are not from outside."""

CONTRACT = 1
"""Version of the contract that games are written for: of `GamePackage`, `Game`, and `Renderer`."""

NAME = re.compile(r"[a-z][a-z0-9]{1,15}")
"""The pattern of a name: it is part of commands and custom_ids."""

STRANGE_ERRORS = (Exception, SystemExit)
"""Whatever the code of others may raise, or end its program with."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePackage:
    """A game: references to its parts; all but the first two are optional.

    A reference to an object is written `module:attribute`; the object may be a class that takes no
    arguments. A reference to a file is written `package:path`.

    Attributes:
        contract: the `CONTRACT` that it is written for.
        game: the rules, an `engine.game.Game`.
        renderer: words and pictures, a `render.renderer.Renderer`.
        computer: an `engine.computer.support.ComputerSupport`.
        texts: the rules as a book, a file with `{language}` in its path, at least for `en`; see
            `bot.rulebook.book`.
        diagrams, lesson, positions: files for the pictures of the rules, for `/howto`, and for
            positions of the day; see `bot.rulebook`.
        anchors: file with the ratings of the computer's levels; see `bot.domain.anchors`.
        gallery: pictures for the gallery, a `render.scenes.GameGallery`.
        openspiel: an `engine.openspiel.support.OpenSpielSupport`.
        place: order in lists; the game with the lowest place is the default.
    """

    contract: int
    game: str
    renderer: str
    computer: str = ""
    texts: str = ""
    diagrams: str = ""
    lesson: str = ""
    positions: str = ""
    anchors: str = ""
    gallery: str = ""
    openspiel: str = ""
    place: int = 100


Part = Literal["texts", "diagrams", "lesson", "positions", "anchors"]
"""The parts that are files."""


class PackageFault(NamedTuple):
    """A game that is left out.

    Attributes:
        name: name of the game.
        distribution: the distribution that announces it.
        reason: the reason in one line.
    """

    name: str
    distribution: str
    reason: str


class PackageError(Exception):
    """A package is not as it must be; the text is a reason without a period."""


@dataclass(frozen=True, slots=True)
class _Packages:
    """The packages by name, and those that are left out."""

    installed: dict[str, GamePackage] = field(default_factory=dict)
    distributions: dict[str, str] = field(default_factory=dict)
    folders: dict[str, None] = field(default_factory=dict)
    faults: dict[tuple[str, str], PackageFault] = field(default_factory=dict)

    def leave_out(self, name: str, distribution: str, error: BaseException) -> None:
        reason = " ".join(str(error).split()) or "no reason is given"
        if not isinstance(error, PackageError):
            reason = f"{type(error).__name__}: {reason}"
        self.faults[name, distribution] = PackageFault(name, distribution, reason)


def installed() -> Mapping[str, GamePackage]:
    """Return the packages that are not left out, by name, in the order of lists."""
    return _packages().installed


def from_outside() -> tuple[str, ...]:
    """Return the names of the games that other distributions announce."""
    packages = _packages()
    return tuple(n for n in packages.installed if packages.distributions[n] != OUR_DISTRIBUTION)


def folders() -> tuple[str, ...]:
    """Return the folders of the distributions from outside, for `PYTHONPATH` of other processes."""
    return tuple(_packages().folders)


def faults() -> tuple[PackageFault, ...]:
    """Return the packages that are left out, as far as their parts have been read."""
    return tuple(_packages().faults.values())


def collect(read: Callable[[str, GamePackage], T]) -> dict[str, T]:
    """Return a part of each package by name; leave out packages where it is broken.

    Args:
        read: returns the part; whatever it raises is the fault of the package.
    """
    parts = {}
    for name, package in tuple(installed().items()):
        try:
            parts[name] = read(name, package)
        except STRANGE_ERRORS as error:
            leave_out(name, error)
    return parts


def leave_out(name: str, error: BaseException) -> None:
    """Leave out a package from now on; the error is the reason."""
    packages = _packages()
    if packages.installed.pop(name, None):
        packages.leave_out(name, packages.distributions[name], error)


def load(reference: str, kind: type) -> Any:
    """Return the object that a reference names.

    Args:
        reference: such as `render.nim:NimRenderer`.
        kind: its class.

    Raises:
        PackageError: it is of another class.
        Exception: it cannot be imported.
    """
    module, _, attribute = reference.partition(":")
    part = getattr(import_module(module), attribute)
    if isinstance(part, type):
        part = part()
    if not isinstance(part, kind):
        raise PackageError(f"{reference} is no {kind.__name__}")
    return part


def file_of(name: str, part: Part, language: str = "") -> Traversable | None:
    """Return a file of a game; None if the game is not installed, or has no such file.

    Args:
        name: name of the game.
        part: the part.
        language: in place of `{language}`.
    """
    package = installed().get(name)
    reference: str = getattr(package, part) if package else ""
    if not reference:
        return None
    anchor, _, path = reference.format(language=language).partition(":")
    return files(anchor).joinpath(*path.split("/"))


@cache
def _packages() -> _Packages:
    """Read the entry points, once in a process.

    Raises:
        ImportError: not even Starpost's games are announced.
    """
    packages = _Packages()
    named: dict[str, GamePackage] = {}
    for entry, distribution in _announced():
        if entry.dist and distribution != OUR_DISTRIBUTION:
            packages.folders[str(entry.dist.locate_file(""))] = None
        try:
            named[entry.name] = _package(entry, packages.distributions)
            packages.distributions[entry.name] = distribution
        except STRANGE_ERRORS as error:
            packages.leave_out(entry.name, distribution, error)
    if not named:
        raise ImportError(
            "No game is installed. Starpost's source is newer than its installation: run "
            "`make .venv/bin/starpost`, or `pip install --editable .`"
        )
    packages.installed.update(sorted(named.items(), key=lambda pair: (pair[1].place, pair[0])))
    return packages


def _announced() -> Iterator[tuple[EntryPoint, str]]:
    """Yield entry points with the names of their distributions, Starpost's first."""
    announced = [
        (entry, entry.dist.name if entry.dist else "") for entry in entry_points(group=GROUP)
    ]
    yield from sorted(
        announced, key=lambda pair: (pair[1] != OUR_DISTRIBUTION, pair[1], pair[0].name)
    )


def _package(entry: EntryPoint, taken: Mapping[str, str]) -> GamePackage:
    """Return the package of an entry point.

    Args:
        entry: the entry point.
        taken: name of another game → its distribution.

    Raises:
        PackageError: its name cannot be used, it is no package, or written for another contract.
        Exception: it cannot be imported.
    """
    if not NAME.fullmatch(entry.name):
        raise PackageError("a name has 2 to 16 lower-case letters and digits, a letter first")
    if entry.name in taken:
        raise PackageError(f"{taken[entry.name]} has a game of this name")
    package = entry.load()
    if not isinstance(package, GamePackage):
        raise PackageError(f"{entry.value} is no GamePackage")
    if package.contract != CONTRACT:
        raise PackageError(
            f"it is written for contract {package.contract}, and this version has {CONTRACT}"
        )
    return package
