"""The games in docs/examples/, as if they were installed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest

from bot.app.installed_games import try_parts
from engine import games, packages
from engine.game import CHANCE
from engine.openspiel.position import terms_of
from tests.support.announced import Shelf, announce
from tests.support.command import ROOT
from tests.support.spiel import chosen

EXAMPLES = sorted((ROOT / "docs" / "examples").glob("starpost-*"))


@pytest.fixture(params=EXAMPLES, ids=lambda folder: folder.name)
def example(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The folder of an example that is announced as its pyproject.toml says."""
    folder: Path = request.param
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    Shelf(folder, monkeypatch)
    shelf = Shelf(tmp_path, monkeypatch)
    announce(tmp_path, project["name"], project["entry-points"][packages.GROUP])
    shelf.install()
    return folder


def test_an_example_is_complete(example: Path) -> None:
    (name,) = packages.from_outside()
    try_parts([name])
    assert packages.faults() == ()
    package = packages.installed()[name]
    assert package.computer
    assert package.texts
    assert name in games.names()


def test_an_example_is_played_in_openspiel(example: Path) -> None:
    (name,) = packages.from_outside()
    random, position = Random(1), terms_of(name).start()
    shape = [len(part) for part in position.recalled("").values()]
    while position.pending:
        for seat in position.terms.seats:
            numbers = position.recalled(seat)
            assert [len(part) for part in numbers.values()] == shape
            if position.pending != CHANCE:
                world = position.world(seat, random.randrange)
                assert world.recalled(seat) == numbers
                assert world.information(seat) == position.information(seat)
        position = position.after(chosen(position, random))
    assert sum(position.returns()) == 0 < max(position.returns())


@pytest.mark.slow
def test_tests_of_an_example_pass(example: Path, tmp_path: Path) -> None:
    paths = os.pathsep.join(map(str, (ROOT, example, tmp_path)))
    result = subprocess.run(
        (sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests"),
        cwd=example,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
