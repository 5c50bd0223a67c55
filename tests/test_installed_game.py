"""A game from outside is installed with pip into a fresh environment, beside the built wheel.

Nothing of the repository is on its path. The packages that Starpost needs are those of the tests.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.alone import play_alone
from tests.support.chromium import opened_tab
from tests.support.command import ROOT

KEPT = ("PATH", "LANG", "HOME", "TMPDIR")
"""Variables of the environment that the programs get."""

INSTALL = ("install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")


class Installation:
    """A fresh environment with Starpost and two games from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "fresh" / "bin"

    def run(self, *command: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        return subprocess.run(
            [self.bin / command[0], *command[1:]],
            cwd=self.folder,
            env=self.variables,
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def variables(self) -> dict[str, str]:
        """Return the environment variables, without any path of this repository."""
        return {name: os.environ[name] for name in KEPT if name in os.environ}

    def do(self, *command: str | Path, text: str = "") -> str:
        """Run a program that must not fail, and return what it prints."""
        result = self.run(*command, text=text)
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    @contextmanager
    def sandbox(self) -> Iterator[str]:
        """Run the page of `make play` inside the block and yield its address."""
        with subprocess.Popen(
            [self.bin / "starpost", "sandbox", "--port", "0"],
            cwd=self.folder,
            env=self.variables,
            stdout=subprocess.PIPE,
            text=True,
        ) as running:
            try:
                assert running.stdout
                yield re.findall(r"http\S+", running.stdout.readline())[0]
            finally:
                running.terminate()


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The wheel, a package that `new-game` writes, and an example, installed by pip."""
    folder = tmp_path_factory.mktemp("installation")
    subprocess.run(
        (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder),
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    subprocess.run((sys.executable, "-m", "venv", folder / "fresh"), check=True)
    fresh = Installation(folder)
    (site,) = (folder / "fresh" / "lib").glob("python*/site-packages")
    (site / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    (wheel,) = folder.glob("*.whl")
    fresh.do("python", "-m", "pip", *INSTALL, wheel)
    fresh.do("starpost", "new-game", "hilo")
    dudo = shutil.copytree(
        ROOT / "docs" / "examples" / "starpost-dudo",
        folder / "starpost-dudo",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    fresh.do("python", "-m", "pip", *INSTALL, folder / "starpost-hilo", dudo)
    return fresh


WHERE = "import bot, engine, render, starpost_hilo as h; print(bot, engine, render, h)"


@pytest.mark.slow
def test_nothing_comes_from_the_repository(installation: Installation) -> None:
    places = installation.do("python", "-c", WHERE)
    assert places.count(str(installation.folder / "fresh")) == 4
    names = "from engine import games; print(*games.names())"
    assert installation.do("python", "-c", names).split()[-2:] == ["dudo", "hilo"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dudo", "hilo"])
def test_games_from_outside_pass_the_check(installation: Installation, name: str) -> None:
    assert installation.do("starpost", "engine", "check", name, "--matches", "20") == "ok\n"


@pytest.mark.slow
def test_a_new_game_passes_its_tests(installation: Installation) -> None:
    tests = installation.folder / "starpost-hilo" / "tests"
    printed = installation.do("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tests)
    assert "2 passed" in printed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dudo", "hilo"])
def test_a_record_is_replayed_shown_and_verified(installation: Installation, name: str) -> None:
    record = installation.do("starpost", "engine", "play", name, "--seed", "3")
    assert installation.do("starpost", "engine", "replay", "-", text=record).strip()
    assert "chance lines follow" in installation.do(
        "starpost", "engine", "verify", "-", text=record
    )
    view = installation.do("starpost", "engine", "view", "-", text=record)
    assert f'"game": "{name}"' in view


@pytest.mark.slow
def test_levels_play_each_other(installation: Installation) -> None:
    players = ("--player", "a=admiral", "--player", "c=cadet")
    command = ("starpost", "engine", "arena", "dudo", "--matches", "4", *players, "--json")
    assert '"matches": 4' in installation.do(*command)


@pytest.mark.slow
async def test_a_level_is_played_on_the_page_to_the_end(
    installation: Installation, tmp_path: Path
) -> None:
    with installation.sandbox() as address:
        async with opened_tab(address, tmp_path) as tab:
            result = await play_alone(tab, "Dudo")
    assert result.clicks >= 3


@pytest.mark.slow
def test_examples_of_the_library_run_from_the_wheel(installation: Installation) -> None:
    page = ROOT / "docs" / "developers" / "library.md"
    assert installation.do("python", "-m", "doctest", shutil.copy(page, installation.folder)) == ""
