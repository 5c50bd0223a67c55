"""Games from outside are tried at the start of the bot; a broken one is left out and named."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from discord.app_commands import Group

from bot.app.client import Starpost
from bot.app.installed_games import try_parts
from bot.app.self_check import run_checks
from bot.domain import anchors
from bot.rulebook import book, diagrams, lessons, positions
from bot.storage.database import Database
from engine import games, packages
from tests.support.announced import Shelf

NO_COMPUTER = "AttributeError: module 'starpost_nim' has no attribute 'computer'"

OURS = ("wormholes", "warp6", "tomtube")

READERS = (book.read, book._has_text, lessons.lesson, positions.pool_of, diagrams._prepared)

BOOK = "# Nim {aim}\n\nTake sticks.\n"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """A folder for distributions from outside; the files of earlier tests are read again."""
    for cached in READERS:
        cached.cache_clear()
    return Shelf(tmp_path, monkeypatch)


def reasons() -> list[str]:
    return [fault.reason for fault in packages.faults()]


def put_files(shelf: Shelf, **files: str) -> None:
    """Put Nim on the shelf with files as parts, such as `lesson`."""
    folder = shelf.folder / "starpost_nim"
    folder.mkdir()
    for part, text in files.items():
        (folder / part).write_text(text, "utf-8")
    more = ", ".join(f"{part}='starpost_nim:{part}'" for part in files)
    shelf.put(more=more)


def test_ours_are_whole() -> None:
    try_parts(games.names())
    assert games.names() == OURS
    assert reasons() == []


async def test_a_game_from_outside_has_commands(shelf: Shelf, database: Database) -> None:
    put_files(shelf, texts=BOOK)
    shelf.install()
    client = Starpost(database)
    assert reasons() == []
    command = client.tree.get_command("nim")
    assert isinstance(command, Group)
    assert command.description == "Play Nim"
    assert [verb.name for verb in command.commands] == ["take"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"texts": "no heading"}, "the book has no section"),
        ({"texts": f"{BOOK}\n![Sticks.](heap)\n"}, "there is no diagram “heap”"),
        ({"lesson": "steps = []"}, "KeyError: 'puzzles'"),
        ({"positions": "a = 1"}, "KeyError: 'positions'"),
        ({"computer": ""}, NO_COMPUTER),
    ],
)
def test_a_broken_part_leaves_a_game_out(shelf: Shelf, files: dict[str, str], reason: str) -> None:
    put_files(shelf, **files)
    shelf.install()
    try_parts(packages.from_outside())
    assert reasons() == [reason]
    assert games.names() == OURS


def test_a_position_without_a_choice_leaves_a_game_out(shelf: Shelf) -> None:
    where = 'seat = "B"\nposition = "3;0;1;;;"\n'
    put_files(shelf, positions=f'[[positions]]\n{where}[positions.values]\n"take 1" = 50\n')
    shelf.install()
    try_parts(["nim"])
    assert reasons() == ["there is nothing to choose in “3;0;1;;;”"]


@pytest.mark.errors_wanted
@pytest.mark.parametrize(
    "announced",
    [
        ("cup", "Nim", "/cup is another command"),
        ("nim", "Warp 6", "another game is called Warp 6"),
        ("nim", "N" * 21, "a title has 1 to 20 characters, not 21"),
        ("nim", "", "a title has 1 to 20 characters, not 0"),
    ],
)
async def test_a_game_that_is_in_the_way_is_left_out(
    shelf: Shelf,
    database: Database,
    caplog: pytest.LogCaptureFixture,
    announced: tuple[str, str, str],
) -> None:
    name, title, reason = announced
    source = (
        "from engine.packages import GamePackage\n"
        "from tests.support import nim\n"
        f"class Nim(nim.Nim):\n    name, title = {name!r}, {title!r}\n"
        "PACKAGE = GamePackage(contract=1, game='starpost_nim:Nim',"
        " renderer='tests.support.nim:NimRenderer')\n"
    )
    shelf.put(name, source=source)
    shelf.install()
    assert name in games.names()
    with caplog.at_level(logging.ERROR):
        client = Starpost(database)
    line = f"the game {name} of starpost-nim is left out: {reason}"
    assert [record.getMessage() for record in caplog.records] == [line]
    assert games.names() == OURS
    assert client.tree.get_command("cup")
    assert not client.tree.get_command("nim")


def test_check_names_a_game_that_is_left_out(shelf: Shelf) -> None:
    put_files(shelf, lesson="steps = []")
    shelf.install()
    faults = [fault.text for fault in run_checks().faults if fault.check == "games"]
    assert faults == ["nim of starpost-nim is left out: KeyError: 'puzzles'."]


def test_check_names_a_game_whose_command_is_taken(shelf: Shelf) -> None:
    source = (
        "from engine.packages import GamePackage\n"
        "from tests.support import nim\n"
        "class Cup(nim.Nim):\n    name, title = 'cup', 'Cup'\n"
        "PACKAGE = GamePackage(contract=1, game='starpost_nim:Cup',"
        " renderer='tests.support.nim:NimRenderer')\n"
    )
    shelf.put("cup", source=source)
    shelf.install()
    faults = [fault.text for fault in run_checks().faults if fault.check == "games"]
    assert faults == ["cup of starpost-nim is left out: /cup is another command."]


@pytest.mark.parametrize("number", ["1500.5", "true", "'1500'"])
def test_anchors_that_are_no_numbers_leave_a_game_out(shelf: Shelf, number: str) -> None:
    put_files(shelf, anchors=f'["nim/2/computers"]\n"cadet/7" = {number}\n')
    assert "nim" not in packages.collect(anchors._pools)
    assert reasons() == ["anchors are whole numbers"]


def test_anchors_of_other_games_do_not_count(shelf: Shelf) -> None:
    pools = '["nim/2/computers"]\n"cadet/7" = 1500\n["warp6/2/computers"]\n"cadet/7" = 1\n'
    put_files(shelf, anchors=pools)
    pools_of = packages.collect(anchors._pools)
    assert pools_of["nim"] == {"nim/2/computers": {"cadet/7": 1500}}
    assert pools_of["warp6"]["warp6/2/computers"]["cadet/7"] > 1
