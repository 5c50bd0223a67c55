"""Each numbered rule has a test that carries its number."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SHARED = TESTS.parents[1] / "shared" / "rules"

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


@pytest.mark.parametrize("game", ["wormholes", "warp6", "tomtube"])
def test_each_numbered_rule_has_a_test_named_by_it(game: str) -> None:
    file = SHARED / f"{game}.md"
    if not file.is_file():
        pytest.skip("the shared rules are not at hand, so nothing says which rules there are")
    rules = RULE.findall(file.read_text("utf-8"))
    assert len(rules) > 15
    assert [rule for rule in rules if rule not in named()] == []


def test_a_name_may_carry_several_numbers() -> None:
    assert NUMBER.findall("w7_4_a_sent_ship_may_send_in_turn_and_w5_5_bounds_it") == [
        "w7_4",
        "w5_5",
    ]
