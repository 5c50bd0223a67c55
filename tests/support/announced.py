"""Announce games of the tests as other distributions do: by modules and metadata in a folder."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

import render
from engine import games, packages
from engine.openspiel import support
from engine.packages import CONTRACT

PACKAGE = """\
from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract={contract},
    game="tests.support.nim:Nim",
    renderer="tests.support.nim:NimRenderer",
    {more}
)
"""


class Shelf:
    """A folder on `sys.path`, in which distributions with games are put.

    Args:
        folder: empty.
        patch: takes it away at the end of the test.
    """

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._patch = patch
        patch.syspath_prepend(folder)
        for module in [name for name in sys.modules if name.startswith("starpost_")]:
            patch.delitem(sys.modules, module)
        self.read_again()

    def put(
        self,
        name: str = "nim",
        *,
        by: str = "nim",
        source: str = "",
        contract: int = CONTRACT,
        more: str = "",
    ) -> None:
        """Put a distribution with one game on the shelf.

        Args:
            by: end of the distribution's name.
            source: of its module; by default a package of the game Nim.
            contract: see `GamePackage`.
        """
        source = source or PACKAGE.format(contract=contract, more=more)
        package = self.folder / f"starpost_{by}"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text(source, "utf-8")
        announce(self.folder, f"starpost-{by}", {name: f"starpost_{by}:PACKAGE"})

    def read_again(self) -> None:
        """Read the entry points again when they are needed."""
        self._patch.setattr(packages, "_packages", cache(packages._packages.__wrapped__))

    def install(self) -> None:
        """Read the games and renderers on the shelf, as a process does at its start."""
        self._patch.setattr(games, "_all", cache(games._all.__wrapped__))
        self._patch.setattr(render, "_all", cache(render._all.__wrapped__))
        self._patch.setattr(support, "supported", cache(support.supported.__wrapped__))


def announce(folder: Path, distribution: str, announced: dict[str, str]) -> None:
    """Write the metadata of a distribution.

    Args:
        announced: name of the game → its reference, such as `starpost_nim:PACKAGE`.
    """
    metadata = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    header = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(header, "utf-8")
    lines = [f"{name} = {reference}" for name, reference in announced.items()]
    text = "\n".join([f"[{packages.GROUP}]", *lines, ""])
    (metadata / "entry_points.txt").write_text(text, "utf-8")
