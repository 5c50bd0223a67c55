"""The games as a library, as its page says."""

from __future__ import annotations

import ast
import copy
import doctest
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import engine
from bot.version import version
from engine import Action, Player, Position, Record, games, read_records
from engine.computer.situation import PlayerError
from engine.game import CHANCE, IllegalActionError
from engine.record import RecordError

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_examples_of_the_page_give_what_they_show() -> None:
    tested = doctest.testfile(str(ROOT / "docs/developers/library.md"), module_relative=False)
    assert tested.attempted > 15
    assert not tested.failed


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_a_match_is_played_verified_and_read_again(name: str) -> None:
    position = Position(name, seed=5)
    with Player("greedy", nodes=20) as player:
        while not position.is_over:
            position = position.play(player.choose(position))
    assert position.record.verify() > 0
    (record,) = read_records(str(position.record).splitlines(keepends=True))
    assert record == position.record
    again = Position.of(record)
    assert again == position
    assert hash(again) == hash(position)


def test_a_position_never_changes() -> None:
    position = Position("wormholes", seed=1)
    before = position.record
    after = position.play("first move")
    assert position.record == before
    assert after != position
    assert after.actions[: len(before.actions)] == before.actions
    assert repr(position) == "<Position of wormholes: 1 actions, D to decide>"


def test_positions_can_be_keys_copied_and_pickled() -> None:
    position = Position("wormholes", options={"placing": "secret"}, seed=1)
    after = position.play("place S0 g1", seat="O")
    again = pickle.loads(pickle.dumps(after))  # noqa: S301 - our own
    assert {after: 1}[again] == 1
    assert again != position
    assert again.game is after.game
    assert again.record == after.record
    assert copy.copy(after) is copy.deepcopy(after) is after
    choice = after.parse("place C0 g1", seat="D")
    assert choice in after.legal
    assert again.play(choice) == after.play(choice)


@pytest.mark.parametrize("name", ["chain", "storm", "tubes"])
def test_a_record_that_is_read_stays_as_it_is(name: str) -> None:
    path = ROOT / "docs" / "players" / "gallery" / f"{name}.match"
    record = Record.parse(path.read_text("utf-8"))
    position = Position.of(record)
    assert position.record == record
    assert pickle.loads(pickle.dumps(position)).record == record  # noqa: S301 - our own
    positions = list(Position.all_of(record))
    assert len(positions) == len(record.actions) + 1
    assert positions[-1] == position
    assert [len(before.actions) for before in positions] == [*range(len(positions))]
    assert positions[0].play(record.actions[0]) == positions[1]


def test_a_continued_record_has_no_headers_of_the_other_match() -> None:
    record = Record.parse("Game: wormholes\nDice: sha256:0\nO: Ada\n\n* rolloff S3 M0 C5 A2\n")
    position = Position.of(record)
    assert position.record is record
    assert position.play("first move").record.headers == {
        "Game": "wormholes",
        "Rules": "0.6",
        "Version": "1",
    }


def test_the_winner_is_a_seat() -> None:
    position = Position("wormholes", seed=1)
    assert (position.seats, position.winner) == ("OD", "")
    assert position.play(Action("D", "resign")).winner == "O"
    drawn = position.play(Action("O", "draw", ("offer",))).play(Action("D", "draw", ("accept",)))
    assert (drawn.result[0], drawn.winner) == ("-", "")


def test_chance_waits_without_a_seed() -> None:
    position = Position("wormholes")
    assert position.pending == CHANCE
    assert position.play("* rolloff S3 M0 C5 A2").pending == "D"
    assert "Seed" not in position.record.headers


def test_seed_stays_out_of_records_in_progress() -> None:
    headers = Position("wormholes", seed=1).record.headers
    assert "Dice" in headers
    assert "Seed" not in headers


def test_texts_and_pictures_are_those_of_a_seat() -> None:
    position = Position("wormholes", options={"placing": "secret"}, seed=1)
    position = position.play("place S0 g1", seat="O")
    assert position.text("O") != position.text("D")
    assert str(position) == position.text()
    assert position._repr_png_() == position.png() != position.png("O")
    assert position.view("O").seat == "O"


def test_words_that_mean_several_moves_are_refused() -> None:
    position = Position("wormholes", seed=1)
    for ask in (position.play, position.parse):
        with pytest.raises(IllegalActionError, match="“first” can mean several moves of D"):
            ask("first")
    with pytest.raises(IllegalActionError):
        position.play("first move", seat="O")
    with pytest.raises(IllegalActionError, match="There is no game “chess” here"):
        Position("chess")


def test_players_are_levels_or_programs() -> None:
    position = Position("wormholes", seed=1)
    with pytest.raises(PlayerError):
        Player("emperor")
    with pytest.raises(RecordError, match="nothing to decide"):
        Player("cadet").choose(position, "O")


@pytest.mark.slow
def test_a_program_chooses_and_ends_with_the_statement() -> None:
    position = Position("wormholes", seed=1)
    with Player(f"cmd:{sys.executable} -m engine seat --level greedy", nodes=20) as player:
        choice = player.choose(position)
        assert player._program
        process = player._program._process
    assert choice in position.legal
    assert process.poll() is not None


def test_records_of_a_file_are_separated() -> None:
    text = "\n# of a friend\nGame: warp6\n\nGame: tomtube\nRules: x\n\nO a b  # Game: no\n\n"
    records = list(read_records(text.splitlines(keepends=True)))
    assert [record.headers for record in records] == [
        {"Game": "warp6"},
        {"Game": "tomtube", "Rules": "x"},
    ]
    assert [len(record.actions) for record in records] == [0, 1]
    assert list(read_records(["\n", "\r\n"])) == []


def test_bot_starts_without_the_library() -> None:
    command = "import sys, engine.games; sys.exit('engine.library' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
    with pytest.raises(AttributeError, match="module 'engine' has no attribute 'Board'"):
        _ = engine.Board


def test_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert (citation["title"], citation["type"]) == ("Starpost", "software")
    assert version().startswith(citation["version"])


@pytest.mark.parametrize("package", ["bot", "engine", "render"])
def test_types_are_shipped(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def cells_of_the_notebook() -> list[dict[str, Any]]:
    notebook = json.loads((ROOT / "docs/developers/library.ipynb").read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_is_stored_without_outputs() -> None:
    for cell in cells_of_the_notebook():
        assert (cell["outputs"], cell["execution_count"]) == ([], None)


@pytest.mark.slow
def test_the_notebook_plays_draws_and_analyses(capsys: pytest.CaptureFixture[str]) -> None:
    """Like Jupyter, it shows the picture of the last expression of a cell."""
    names: dict[str, Any] = {}
    pictures = []
    for cell in cells_of_the_notebook():
        *statements, last = ast.parse("".join(cell["source"])).body
        if not isinstance(last, ast.Expr):
            statements.append(last)
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)  # noqa: S102 - our page
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307
            pictures += [value._repr_png_()] if isinstance(value, Position) else []
    assert len(pictures) == len(set(pictures)) == 3
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert names["analysis"].decisions
    assert "chance events are those of the seed" in capsys.readouterr().out
