"""Games are found by their entry points, ours like others; a broken one is left out and named."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from engine import games, packages
from engine.game import Game, IllegalActionError
from engine.packages import CONTRACT, GROUP, PackageError
from tests.support.announced import Shelf

OURS = ("wormholes", "warp6", "tomtube")

IMPORT = "from engine.packages import GamePackage\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A folder for distributions from outside."""
    return Shelf(tmp_path, monkeypatch)


def reasons() -> dict[str, str]:
    return {fault.distribution: fault.reason for fault in packages.faults()}


def test_our_games_are_announced_like_others() -> None:
    announced = entry_points(group=GROUP)
    ours = {entry.name for entry in announced if entry.dist and entry.dist.name == "starpost"}
    assert ours == set(OURS)
    assert games.names() == OURS, "the first one is the default"
    assert (*packages.faults(), *packages.from_outside(), *packages.folders()) == ()


def test_a_game_from_outside_is_found_after_ours(shelf: Shelf, tmp_path: Path) -> None:
    shelf.put()
    assert tuple(packages.installed()) == (*OURS, "nim")
    assert packages.from_outside() == ("nim",)
    assert packages.folders() == (str(tmp_path),)
    assert packages.faults() == ()


def test_games_from_outside_are_sorted_by_place_then_name(shelf: Shelf) -> None:
    for name, place in (("bb", 100), ("aa", 100), ("zz", 4)):
        shelf.put(name, by=name, more=f"place={place}")
    assert tuple(packages.installed()) == (*OURS, "zz", "aa", "bb")


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("PACKAGE = 7", "starpost_nim:PACKAGE is no GamePackage"),
        ("PACKAGE = GamePackage", "starpost_nim:PACKAGE is no GamePackage"),
        ("raise OSError('two\\nlines')", "OSError: two lines"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise OSError", "OSError: no reason is given"),
        ("", "AttributeError: module 'starpost_nim' has no attribute 'PACKAGE'"),
    ],
)
def test_a_package_that_is_broken_is_named(shelf: Shelf, source: str, reason: str) -> None:
    shelf.put(source=IMPORT + (source or "pass"))
    assert tuple(packages.installed()) == OURS
    (fault,) = packages.faults()
    assert fault == ("nim", "starpost-nim", reason)


@pytest.mark.parametrize("contract", [CONTRACT - 1, CONTRACT + 1])
def test_another_contract_is_refused(shelf: Shelf, contract: int) -> None:
    shelf.put(contract=contract)
    expected = f"it is written for contract {contract}, and this version has {CONTRACT}"
    assert reasons() == {"starpost-nim": expected}
    assert "nim" not in packages.installed()


@pytest.mark.parametrize("name", ["n", "a" * 17, "Nim", "6nim", "n-m", "n_m"])
def test_a_name_that_commands_cannot_have_is_refused(shelf: Shelf, name: str) -> None:
    shelf.put(name)
    reason = "a name has 2 to 16 lower-case letters and digits, a letter first"
    assert reasons() == {"starpost-nim": reason}


@pytest.mark.parametrize("name", ["ab", "a" * 16, "a6"])
def test_names_within_the_limits_are_taken(shelf: Shelf, name: str) -> None:
    shelf.put(name)
    assert name in packages.installed()


def test_a_name_of_ours_is_not_replaced(shelf: Shelf) -> None:
    shelf.put("wormholes", by="another")
    assert reasons() == {"starpost-another": "starpost has a game of this name"}
    assert packages.installed()["wormholes"].game == "engine.wormholes.game:Wormholes"
    assert games.names() == OURS


def test_of_two_strangers_with_one_name_the_first_is_taken(shelf: Shelf) -> None:
    shelf.put(by="bb")
    shelf.put(by="aa")
    assert reasons() == {"starpost-bb": "starpost-aa has a game of this name"}
    assert packages.from_outside() == ("nim",)


def test_nothing_announced_says_what_to_do(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(group: str) -> tuple[EntryPoint, ...]:
        return ()

    monkeypatch.setattr(packages, "entry_points", nothing)
    shelf.read_again()
    with pytest.raises(ImportError, match="newer than its installation: run `make"):
        packages.installed()


def test_a_package_left_out_later_is_no_game(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.put()
    shelf.install()
    assert games.names() == (*OURS, "nim")
    assert games.get("nim").title == "Nim"
    packages.leave_out("nim", PackageError("it is dull"))
    assert games.names() == OURS
    assert not games.is_installed("nim")
    with pytest.raises(IllegalActionError, match="no game “nim” here"):
        games.require("nim")
    assert games.get("nim").title == "nim"
    with pytest.raises(IllegalActionError, match="nim isn't installed here right now"):
        games.get("nim").start("last", {})
    packages.leave_out("nim", PackageError("it is not here"))
    assert reasons() == {"starpost-nim": "it is dull"}, "the first reason counts"


def test_rules_of_another_name_are_refused(shelf: Shelf) -> None:
    shelf.put("mini", by="mini")
    assert "mini" not in packages.collect(games._load)
    assert reasons() == {"starpost-mini": "its rules are those of a game named nim"}


def test_a_part_of_another_kind_is_refused() -> None:
    assert packages.load("tests.support.nim:Nim", Game).name == "nim", "a class is called"
    with pytest.raises(PackageError, match="NimRenderer is no Game"):
        packages.load("tests.support.nim:NimRenderer", Game)
    with pytest.raises(AttributeError):
        packages.load("tests.support.nim", Game)


def test_files_are_found_in_their_package(shelf: Shelf) -> None:
    shelf.put(more="texts='tests.support:{language}/nim.md'")
    file = packages.file_of("nim", "texts", "de")
    assert str(file) == str(Path(__file__).parents[1] / "support" / "de" / "nim.md")
    assert packages.file_of("nim", "lesson") is None
    assert packages.file_of("chess", "lesson") is None
