"""The mutants are what their names say, and are planted; `make mutation` tries them all."""

from __future__ import annotations

import ast
import json
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.warp6 import rules
from tests.support.warp6.positions import position
from tools.mutation import __main__ as program
from tools.mutation.checker import type_checker
from tools.mutation.operators import blocks, mutants
from tools.mutation.recording import NOTE, Recording, noting
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
    _, changes = mutants(SOURCE)
    assert [f"{change.line} {change.operator}: {change.text}" for change in changes] == [
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
    assert [change.function for change in changes] == ["", *["pay"] * 12]


BRANCHES = '''
def pay(purse):
    """Pay."""
    if purse.open:
        purse.money -= 1
        return purse.money
    for coin in purse.coins:
        match coin:
            case 1:
                purse.drop(coin)
    return None
'''


def test_block_ends_where_the_code_branches() -> None:
    (function,) = ast.parse(BRANCHES).body
    assert isinstance(function, ast.FunctionDef)
    lines: dict[int, set[int]] = {}
    for node, block in blocks(function).items():
        if isinstance(node, ast.stmt):
            lines.setdefault(block, set()).add(node.lineno - function.lineno)
    assert lines == {1: {1, 2}, 3: {3, 4}, 5: {5}, 6: {6}, 8: {8}, 9: {9}}


def test_recording_tells_which_test_runs_a_block(tmp_path: Path) -> None:
    (tmp_path / "purse.py").write_text(BRANCHES)
    noted = list[str]()
    code = noting(tmp_path / "purse.py", "purse.py")
    module: dict[str, Any] = {NOTE: noted.append}
    exec(code, module)  # noqa: S102 - the text above
    assert module["pay"](SimpleNamespace(open=True, money=3)) == 2
    assert noted == ["purse.py:pay:1", "purse.py:pay:3"]
    recording = Recording(
        {"a": 0.1, "b": 3.0, "c": 9.0}, {noted[1]: ["b", "c", "a"], "x:pay:3": []}
    )
    assert recording.of("purse.py", "pay:3", 10.0) == {"a": 0.1, "b": 3.0}
    assert recording.of("purse.py", "pay:5", 10.0) == {}
    assert recording.of("purse.py", "pay:", 10.0) == {"a": 0.1, "b": 3.0}


@pytest.mark.soak
def test_mutant_that_the_type_checker_refuses_is_noticed() -> None:
    file = "engine/warp6/rules.py"
    source = (ROOT / file).read_text(encoding="utf-8")
    verdicts = []
    with type_checker(ROOT, [file]) as checker:
        for operator in ("return value", "arithmetic"):
            tree, changes = mutants(source)
            change = next(
                mutant
                for mutant in changes
                if (mutant.function, mutant.operator) == ("free_space", operator)
            )
            changed = partial(planted, tree, change.plant)
            job = Job("key", "place", file, change.function, change.function, changed, {}, ())
            verdicts.append(checker.attempt(job, lambda _: None))
    assert verdicts == [NOTICED, 0]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("operator", ["arithmetic", "return value"])
def test_a_function_is_changed_in_another_process_only(operator: str) -> None:
    file = "engine/warp6/rules.py"
    tree, changes = mutants((ROOT / file).read_text(encoding="utf-8"))
    change = next(
        mutant
        for mutant in changes
        if (mutant.function, mutant.operator) == ("free_space", operator)
    )
    changed = partial(planted, tree, change.plant)
    job = Job("key", "place", file, change.function, change.function, changed, {}, ())
    state = position("b8a5@40")
    before = rules.free_space(state)
    results = []

    def attempt(job: Job, note: Note) -> int:
        replace(job)
        note("a test")
        return NOTICED if rules.free_space(state) != before else 0

    in_processes([job], 1, attempt, lambda *result: results.append(result[1:]))
    assert results == [("killed", "a test")]
    assert rules.free_space(state) == before


def test_a_process_that_was_stopped_is_a_timeout() -> None:
    statuses = 0, NOTICED << 8, 9, 3 << 8
    assert [*map(verdict, statuses)] == ["survived", "killed", "timeout", "error"]


def untried(*tests: str) -> Job:
    tree = partial(ast.parse, "")
    return Job("key", "place", "bot/x.py", "", "f", tree, dict.fromkeys(tests, 1.0), ())


def test_tests_that_have_passed_are_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(__file__).relative_to(ROOT).as_posix()
    passed, changed, new = f"{file}::passed", f"{file}::changed", f"{file}::new"
    versions = [program._version(passed), f"{changed} 0123456789ab"]
    results = tmp_path / "results.jsonl"
    results.write_text(json.dumps(["key", "survived", "place", "", versions]) + "\n")
    monkeypatch.setattr(program, "RESULTS", results)
    (job,) = program._without_passed([untried(passed, changed, new)])
    assert [*job.tests] == [changed, new]


def test_few_files_are_imported_again_for_a_mutant() -> None:
    tests = [f"tests/test_{file}.py::test_{number}" for number in (1, 2) for file in "abcdefgh"]
    kept = program._with_few_files(untried(*tests)).tests
    assert {test.partition("::")[0] for test in kept} == {f"tests/test_{f}.py" for f in "abcdef"}
    assert len(kept) == 2 * program.MOST_FILES
