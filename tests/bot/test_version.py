"""The version names the commit, wherever the program comes from."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from bot import version as module
from bot.version import version
from tests.support.command import ROOT

NUMBER = metadata.version("starpost")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file with the commit, of a program in an empty folder."""
    path = tmp_path / "bot/commit.txt"
    path.parent.mkdir()
    monkeypatch.setattr(module, "BUILT_FROM", path)
    version.cache_clear()
    yield path
    version.cache_clear()


def test_checkout_names_its_commit(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUILT_FROM", ROOT / "bot/commit.txt")
    command = ("git", "rev-parse", "HEAD")
    head = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert version() == f"{NUMBER} ({head[:12]})"


def test_wheel_names_the_commit_it_was_built_from(place: Path) -> None:
    place.write_text("0123456789ab\n", encoding="ascii")
    (place.parents[1] / ".git").mkdir()
    assert version() == f"{NUMBER} (0123456789ab)"


def test_copy_without_history_names_none(place: Path) -> None:
    assert version() == NUMBER


@pytest.mark.parametrize("path", ["", None])
def test_commit_is_unknown_if_git_does_not_answer(
    place: Path, monkeypatch: pytest.MonkeyPatch, path: str | None
) -> None:
    (place.parents[1] / ".git").mkdir()  # not a repository
    if path is not None:
        monkeypatch.setenv("PATH", path)
    assert version() == NUMBER
