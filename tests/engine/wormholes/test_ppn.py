"""Matches in Portable Piecepack Notation: read strictly, and played with pieces alone."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine.__main__ import main
from engine.dice import Dice
from engine.game import Action
from engine.record import Record, RecordError, play
from engine.wormholes.board import XY
from engine.wormholes.pieces import COIN_AT, EMPTY, SUIT_UP, SUITS
from engine.wormholes.state import State
from tests.support.tiers import examples
from tests.support.wormholes.positions import GAME

MAX_ACTIONS = 400
PLACINGS = GAME.options["placing"]
ENDINGS = ((), ("O draw offer", "D draw accept"), ("D resign",))

RANKS = "na2345"
SPACE = r"([a-j])(\d+)"
FORMS = {
    "coin": re.compile(rf"([SMCA])([{RANKS}])cb@{SPACE}"),
    "die": re.compile(rf"([SMCA])([{RANKS}])d@\((-?\d+),(\d+)\)"),
    "turn die": re.compile(rf"\?([SMCA])d~([{RANKS}])"),
    "ship": re.compile(rf"\?([SMCA])p-{SPACE}"),
    "turn coin": re.compile(rf"\+\?([SMCA])([{RANKS}])c"),
}
"""The moves of PPN that are used: a piece put on the board, moved, or turned."""

TOKEN = re.compile(r"\s+|\{ (?P<comment>[^{};]*) \}(?=\s|$)|(?P<number>\d+)\.(?=\s)|(?P<move>\S+)")


class Piece(NamedTuple):
    """Where a piece is, and the side that is up: the rank of a die, `suit` or `value` of a coin."""

    x: int
    y: int
    side: str = ""


class Table:
    """Pieces on a table. It begins with the set-up *Wormholes* of the R package ppdf."""

    def __init__(self) -> None:
        places = zip((10, 10, 1, 1), (1, 2, 17, 18), strict=True)
        self.pieces = {f"{suit}p": Piece(x, y) for suit, (x, y) in zip("SMCA", places, strict=True)}

    def move(self, text: str) -> None:
        """Carry out a move; a piece that is named must be there once, a new one not at all."""
        ((kind, parts),) = [
            (kind, match) for kind, form in FORMS.items() if (match := form.fullmatch(text))
        ]
        suit, *rest = parts.groups()
        if kind == "coin":
            self._put(f"{suit}{rest[0]}c", Piece(_column(rest[1]), int(rest[2]), "suit"))
        elif kind == "die":
            self._put(f"{suit}d", Piece(int(rest[1]), int(rest[2]), rest[0]))
        elif kind == "turn die":
            self.pieces[f"{suit}d"] = self.pieces[f"{suit}d"]._replace(side=rest[0])
        elif kind == "ship":
            assert f"{suit}p" in self.pieces
            self.pieces[f"{suit}p"] = Piece(_column(rest[0]), int(rest[1]))
        else:
            name = f"{suit}{rest[0]}c"
            side = {"suit": "value", "value": "suit"}[self.pieces[name].side]
            self.pieces[name] = self.pieces[name]._replace(side=side)

    def _put(self, name: str, piece: Piece) -> None:
        assert name not in self.pieces
        self.pieces[name] = piece


def _column(letter: str) -> int:
    return "abcdefghij".index(letter) + 1


def parsed(text: str) -> tuple[dict[str, Any], Table, list[str]]:
    """Return metadata, the last position, and the comments of a match in PPN."""
    assert text.startswith("---\n")
    head, _, moves = text.removeprefix("---\n").partition("\n...\n")
    table, comments, numbers = Table(), list[str](), list[int]()
    place = 0
    while place < len(moves):
        token = TOKEN.match(moves, place)
        assert token
        place = token.end()
        if number := token["number"]:
            numbers.append(int(number))
        elif token["move"]:
            table.move(token["move"])
        elif token["comment"]:
            comments.append(token["comment"])
    assert numbers == list(range(1, len(numbers) + 1))
    return yaml.safe_load(head), table, comments


def expected(state: State, actions: tuple[Action, ...]) -> dict[str, Piece]:
    """Return the pieces of a position of the engine."""
    pieces = {f"{SUITS[ship]}p": Piece(*XY[space]) for ship, space in enumerate(state.ships)}
    for space, at in enumerate(state.board):
        if at != EMPTY:
            coin, side = COIN_AT[at], "suit" if at in SUIT_UP else "value"
            pieces[f"{SUITS[coin // 6]}{RANKS[coin % 6]}c"] = Piece(*XY[space], side)
    places = {"S": (12, 1), "M": (12, 2), "C": (-1, 17), "A": (-1, 18)}
    for action in actions:
        if action.verb in ("rolloff", "roll"):
            for arg in action.args:
                if not arg.endswith("-"):
                    pieces[f"{arg[0]}d"] = Piece(*places[arg[0]], RANKS[int(arg[1])])
    return pieces


def played(rules: str, placing: str, seed: int, limit: int, ending: tuple[str, ...]) -> Record:
    """Return the record of a random match."""
    choose = Random(seed).choice
    state = GAME.start(rules, {"placing": placing})
    state, actions = play(GAME, state, choose, Dice(b"ppn", str(seed)).draw, limit)
    for line in ending if GAME.pending(state) not in ("", "*") else ():
        actions = (*actions, Action.parse(line))
    headers = {"Game": "wormholes", "Rules": rules, "Options": f"placing={placing}"}
    return Record(headers, actions)


@examples(15, 60, 4000)
@given(
    rules=st.sampled_from(GAME.rules),
    placing=st.sampled_from(PLACINGS),
    seed=st.integers(0, 10**6),
    limit=st.integers(0, MAX_ACTIONS),
    ending=st.sampled_from(ENDINGS),
)
def test_the_pieces_end_where_the_engine_has_them(
    rules: str, placing: str, seed: int, limit: int, ending: tuple[str, ...]
) -> None:
    record = played(rules, placing, seed, limit, ending)
    metadata, table, comments = parsed(record.piecepack())
    state = record.replay().state
    assert table.pieces == expected(state, record.actions)
    assert metadata["GameType"] == "Wormholes"
    assert metadata["Rules"] == rules
    lines = list(map(str, record.actions))
    assert comments == lines + [f"Result: {state.result}"] * bool(state.result)


@pytest.mark.parametrize("rules", GAME.rules)
@pytest.mark.parametrize("placing", PLACINGS)
def test_whole_matches_of_each_rule_set_are_exported(rules: str, placing: str) -> None:
    record = played(rules, placing, 1, 3 * MAX_ACTIONS, ())
    _, table, _ = parsed(record.piecepack())
    assert table.pieces == expected(record.replay().state, record.actions)


@examples(50, 60, 4000)
@given(name=st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_name_is_read_again(name: str) -> None:
    record = Record({"Game": "wormholes", "Seat O": name}, ())
    metadata, _, _ = parsed(record.piecepack())
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    assert metadata.get("OrthogonAliens", "") == printable


def test_a_redacted_record_is_refused() -> None:
    record = played("0.6", "one", 1, 12, ()).redact("O")
    with pytest.raises(RecordError, match=r"line \d+: [OD] place"):
        record.piecepack()


def test_other_games_have_no_piecepack() -> None:
    with pytest.raises(RecordError, match="Warp 6 is not played with a piecepack"):
        Record({"Game": "warp6"}, ()).piecepack()


def test_the_command_line_prints_the_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = played("0.6", "one", 3, MAX_ACTIONS, ())
    file = tmp_path / "a.match"
    file.write_text(str(record), encoding="utf-8")
    assert main(["ppn", str(file)]) == 0
    assert capsys.readouterr().out == record.piecepack()


READER = """
suppressMessages(library(ppn)); options(warn = 2)
frames <- read_ppn(commandArgs(TRUE)[1])[[1]]$dfs
last <- frames[[length(frames)]]
last <- last[last$piece_side != "tile_back", ]
cat(paste(last$piece_side, last$suit, last$rank, last$x, last$y), sep = "\\n")
"""
"""Prints the pieces in the last position, as the R package ppn has them."""


def has_ppn() -> bool:
    """Return whether R and its package ppn are installed."""
    check = ["Rscript", "-e", "quit(status = !requireNamespace('ppn', quietly = TRUE))"]
    return bool(shutil.which("Rscript")) and not subprocess.run(check, check=False).returncode


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAME.rules)
@pytest.mark.parametrize("placing", PLACINGS)
def test_the_r_package_reads_the_match(rules: str, placing: str, tmp_path: Path) -> None:
    if not has_ppn():
        pytest.skip("the R package ppn is not installed")
    record = played(rules, placing, 2, MAX_ACTIONS, ())
    file = tmp_path / "a.ppn"
    headers = {**record.headers, "Seat O": 'Ada "the" \\ Löve: {x}'}
    file.write_text(Record(headers, record.actions).piecepack(), encoding="utf-8")
    done = subprocess.run(
        ["Rscript", "-e", READER, file], capture_output=True, check=True, text=True
    )
    pieces: dict[str, Piece] = {}
    for line in done.stdout.splitlines():
        kind, suit, rank, x, y = line.split()
        letter, value = SUITS[int(suit) - 1], RANKS[int(rank) - 1]
        place = int(x), int(y)
        pieces |= {
            "pawn_face": {f"{letter}p": Piece(*place)},
            "die_face": {f"{letter}d": Piece(*place, value)},
            "coin_back": {f"{letter}{value}c": Piece(*place, "suit")},
            "coin_face": {f"{letter}{value}c": Piece(*place, "value")},
        }[kind]
    assert pieces == expected(record.replay().state, record.actions)
