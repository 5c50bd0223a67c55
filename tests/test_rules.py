"""Each numbered rule of docs/rules has a test that carries its number."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from engine import games
from engine.tomtube.tables import PATTERNS, STATIONS
from engine.warp6.board import SPOKES, WARP
from engine.wormholes.board import TILE_COLUMNS

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules"

RULE = re.compile(r"^- ([A-Z]\d\.\d+[a-z]?) ", re.MULTILINE)
NAME = re.compile(r"def test_(\w+)")
NUMBER = re.compile(r"(?:^|_)([a-z]\d_\d+[a-z]?)(?=_)")


@cache
def named() -> frozenset[str]:
    """The numbers in the names of all tests, e.g. `W5.3` of `test_w5_3_the_owner_chooses`."""
    names = (
        name for file in TESTS.rglob("test_*.py") for name in NAME.findall(file.read_text("utf-8"))
    )
    return frozenset(
        number.replace("_", ".").capitalize() for name in names for number in NUMBER.findall(name)
    )


@pytest.mark.parametrize("game", games.names())
def test_each_numbered_rule_has_a_test_named_by_it(game: str) -> None:
    rules = RULE.findall((RULES / f"{game}.md").read_text("utf-8"))
    assert len(rules) > 15
    assert [rule for rule in rules if rule not in named()] == []


def page(game: str) -> str:
    """Return the page of a game with plain hyphens and spaces."""
    return " ".join((RULES / f"{game}.md").read_text("utf-8").replace("−", "-").split())


def test_w1_1_the_tiles_of_the_page_are_those_of_the_engine() -> None:
    columns = " | ".join(" ".join(row) for row in reversed(TILE_COLUMNS))
    assert f"| tile columns | {columns} |" in page("wormholes")


def test_x1_3_the_spokes_of_the_page_are_those_of_the_engine() -> None:
    for spoke in SPOKES:
        chain = [spoke]
        while chain[-1]:
            chain.append(WARP[chain[-1]])
        assert "-".join(map(str, chain)) in page("warp6")


def test_t1_3_the_stations_of_the_page_are_those_of_the_engine() -> None:
    for number, station in enumerate(STATIONS):
        owner, kind = ("Tom", "Dave")[station.owner], ("module", "base")[station.is_base]
        knots = (f"({q},{r})" for q, r in (station.middle, *station.gates))
        assert f"| {number} | {owner} | {kind} | {' | '.join(knots)} |" in page("tomtube")


def test_t2_2_the_patterns_of_the_page_are_those_of_the_engine() -> None:
    assert " ".join(PATTERNS) in page("tomtube")


def test_a_name_may_carry_several_numbers() -> None:
    assert NUMBER.findall("w7_4_a_sent_ship_may_send_in_turn_and_w5_5_bounds_it") == [
        "w7_4",
        "w5_5",
    ]
