"""`engine check` finds leaks in games of other distributions: `tests/leaks/`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import packages
from engine.__main__ import main
from tests.support.announced import Shelf

TESTS = Path(__file__).parents[1]

LEAKS = {
    "inview": "secrets: view: hands",
    "inevent": "secrets: event",
    "inrecord": "secrets: record",
    "inmemory": "secrets: memory",
    "inrefusal": "secrets: refusal",
    "inlegallist": "secrets: view: legal",
    "inplan": "secrets: plan",
    "biased": "views",
    "unequal": "worlds",
    "excluding": "worlds",
    "dumped": "secrets: view: position",
    "inlabel": "secrets: label",
    "inalttext": "secrets: alt text",
    "incustomid": "secrets: custom_id",
    "inpicture": "secrets: picture",
}
"""Name of a game that leaks → the check that finds it."""


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The packages from outside, installed: an honest game, and those that leak."""
    Shelf(TESTS / "packages", monkeypatch)
    shelf = Shelf(TESTS / "leaks", monkeypatch)
    shelf.install()
    return shelf


@pytest.mark.first(check=7)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "place"), LEAKS.items(), ids=LEAKS)
def test_command_fails_for_each_leak(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], name: str, place: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["check", name, "--json", "--matches", "12"])
    assert caught.value.code == 1
    assert place in [finding["check"] for finding in json.loads(capsys.readouterr().out)]


@pytest.mark.slow
def test_honest_game_passes(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "spoof"]) == 0
    assert capsys.readouterr().out == "ok\n"


def test_every_leak_is_tried(shelf: Shelf) -> None:
    assert set(packages.from_outside()) == {*LEAKS, "spoof"}
