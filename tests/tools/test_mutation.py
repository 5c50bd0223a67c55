"""The mutants are what their names say, and are planted; `make mutation` tries them all."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from engine.warp6 import rules
from tests.support.warp6.positions import position
from tools.mutation.operators import mutants
from tools.mutation.trial import NOTICED, Job, Note, in_processes, planted, replace, verdict

ROOT = Path(__file__).parents[2]

SOURCE = '''
"""A module."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elsewhere import Thing

LIMIT = 3


def pay(purse: Purse, sum: int) -> str:
    """Pay."""
    if sum < LIMIT and purse.open:
        raise PoorError("Not enough in it.", rule="P1")
    purse.money -= sum
    logger.info("paid %s", sum)
    return shown(purse.money, purse.left)
'''


def test_mutants_are_all_changes_of_one_thing() -> None:
    _, found = mutants(SOURCE)
    assert [f"{each.line} {each.operator}: {each.text}" for each in found] == [
        "8 constant: 3 → 4",
        "13 condition negation: sum < LIMIT and purse.open → not (sum < LIMIT and purse.open)",
        "13 boolean: sum < LIMIT and purse.open → sum < LIMIT or purse.open",
        "13 boolean: sum < LIMIT and purse.open → purse.open",
        "13 boolean: sum < LIMIT and purse.open → sum < LIMIT",
        "13 comparison: sum < LIMIT → sum <= LIMIT",
        "13 comparison: sum < LIMIT → sum >= LIMIT",
        "14 statement deletion: raise PoorError('Not enough in it.', rule='P1') → pass",
        "14 constant: 'P1' → ''",
        "15 statement deletion: purse.money -= sum → pass",
        "15 arithmetic: purse.money -= sum → purse.money += sum",
        "17 return value: return shown(purse.money, purse.left) → return None",
        "17 argument swap: shown(purse.money, purse.left) → shown(purse.left, purse.money)",
    ]
    assert [each.function for each in found] == ["", *["pay"] * 12]


@pytest.mark.parametrize("operator", ["arithmetic", "return value"])
def test_a_function_is_changed_in_another_process_only(operator: str) -> None:
    file = "engine/warp6/rules.py"
    tree, found = mutants((ROOT / file).read_text(encoding="utf-8"))
    change = next(
        each for each in found if (each.function, each.operator) == ("free_space", operator)
    )
    changed = partial(planted, tree, change.plant)
    job = Job("key", "place", file, change.function, change.function, changed, {}, ())
    state = position("b8a5@40")
    before = rules.free_space(state)
    told = []

    def attempt(job: Job, note: Note) -> int:
        replace(job)
        note("a test")
        return NOTICED if rules.free_space(state) != before else 0

    in_processes([job], 1, attempt, lambda *each: told.append(each[1:]))
    assert told == [("killed", "a test")]
    assert rules.free_space(state) == before


def test_a_process_that_was_stopped_is_a_timeout() -> None:
    statuses = 0, NOTICED << 8, 9, 3 << 8
    assert [*map(verdict, statuses)] == ["survived", "killed", "timeout", "error"]
