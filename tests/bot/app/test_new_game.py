"""`starpost new-game` writes a game that passes its tests, and whose secrets are checked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.app.new_game import NewGameError, write
from engine import games
from engine.testing import findings
from tests.support.announced import Shelf, announce
from tests.support.command import STARPOST


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of a new game, announced as if it were installed."""
    folder = write("hilo", tmp_path)
    announce(folder, "starpost-hilo", {"hilo": "starpost_hilo:PACKAGE"})
    Shelf(folder, monkeypatch).install()
    return folder


def test_package_is_small_and_has_the_name_everywhere(package: Path) -> None:
    files = [path for path in package.rglob("*") if path.suffix in {".py", ".md", ".toml"}]
    texts = {path.relative_to(package).as_posix(): path.read_text("utf-8") for path in files}
    assert texts.keys() == {
        "pyproject.toml",
        *(f"starpost_hilo/{name}.py" for name in ("__init__", "rules", "drawn")),
        "starpost_hilo/texts/en.md",
        "tests/test_hilo.py",
    }
    assert "mygame" not in "".join(texts.values()).lower()
    assert sum(text.count("\n") for text in texts.values()) <= 160
    assert games.get("hilo").title == "Hilo"


@pytest.mark.slow
def test_its_tests_pass(package: Path) -> None:
    command = (sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests")
    result = subprocess.run(
        command, cwd=package, env={"PYTHONPATH": str(package)}, capture_output=True, check=False
    )
    assert result.returncode == 0, result.stdout.decode()
    assert b"2 passed" in result.stdout, "one of them is the check"


SEES = "    def sees("

RECORD = """\
    def redact(self, state, seat, actions):
        return tuple(actions) if seat else super().redact(state, seat, actions)

"""

WORLDS = """\
    def resample_view(self, state, seat, draw):
        return super().resample_view(state, seat, lambda count: {draw})

"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("honest", "leak", "place"),
    [
        (SEES, RECORD + SEES, "secrets: record"),
        ('.with_event("dealt")', '.with_event("dealt", *action.args)', "secrets: event"),
        ("=action.args)", '=action.args, turn=1 + (action.args[0] > "3"))', "secrets: view: turn"),
        (SEES, WORLDS.format(draw="draw(draw(count) + 1)") + SEES, "worlds"),
        (SEES, WORLDS.format(draw="draw(count - 1)") + SEES, "worlds"),
    ],
    ids=["record", "event", "view", "unequal", "excluding"],
)
def test_a_dealt_card_that_is_shown_is_found(
    package: Path, honest: str, leak: str, place: str
) -> None:
    rules = package / "starpost_hilo" / "rules.py"
    source = rules.read_text("utf-8")
    assert source.count(honest) == 1
    rules.write_text(source.replace(honest, leak), "utf-8")
    assert place in dict(findings("hilo", matches=12))


@pytest.mark.parametrize("name", ["n", "Nim", "my-game", "6nim", "../nim"])
def test_names_that_games_cannot_have_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NewGameError, match="2 to 16 lower-case letters"):
        write(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["cup", "warp6"])
def test_names_of_commands_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NewGameError, match=f"^/{name} is a command already"):
        write(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_command_says_what_to_do_and_overwrites_nothing(tmp_path: Path) -> None:
    command = [*STARPOST, "new-game", "hilo"]
    first = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "pip install --editable starpost-hilo" in first.stdout
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (1, "starpost: starpost-hilo exists already.\n")
