"""Which tests run which block of the modules, and imports of modules with other code."""

from __future__ import annotations

import ast
import builtins
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

from tools.mutation.operators import blocks, units

AT_IMPORT = "import"
"""Instead of a test: blocks that run while modules are imported."""

NOTE = "_note_call"


class Recording(NamedTuple):
    """What tests do: their seconds, and block (`file:function:block`) → tests."""

    seconds: dict[str, float]
    tests: dict[str, list[str]]

    def of(
        self, file: str, block: str, most_seconds: float, first: Container[str] = ()
    ) -> dict[str, float]:
        """Return the tests of a block, and their seconds.

        Together they take at most `most_seconds`. Those of `first` and of the module's name come
        first, then the quickest of each file, because the others often run a block alike. Those
        that take more than a quarter of that time come last.

        Args:
            block: `function:block`; `function:` for all blocks of a function, empty for all.
            most_seconds: limit of all the tests.
            first: tests that have noticed other mutants of the module.
        """
        full_name = f"{file}:{block}"
        matching = {
            test
            for name, tests in self.tests.items()
            if name == full_name or (block[-1:] in {"", ":"} and name.startswith(full_name))
            for test in tests
            if test != AT_IMPORT
        }
        stem = Path(file).stem
        if not block:  # a test may read a constant without running anything of the module
            matching |= {test for test in self.seconds if f"/test_{stem}.py::" in test}
        seconds = {test: self.seconds.get(test, 0.0) for test in matching}
        ranks = dict[str, tuple[bool, bool, int]]()
        in_file = Counter[str]()
        for test in sorted(seconds, key=seconds.__getitem__):
            is_other = stem not in test and test not in first
            is_long = seconds[test] > most_seconds / 4
            ranks[test] = is_long, is_other, is_other * in_file[test.partition("::")[0]]
            in_file[test.partition("::")[0]] += 1
        selection = dict[str, float]()
        left = most_seconds
        for test in sorted(ranks, key=ranks.__getitem__):
            if seconds[test] < left:
                selection[test] = seconds[test]
                left -= seconds[test]
        return selection

    def is_imported(self, file: str, function: str) -> bool:
        """Return whether what a function does may be done while modules are imported."""
        blocks = (tests for name, tests in self.tests.items() if _is_of(name, file, function))
        return not function or any(AT_IMPORT in tests for tests in blocks)


def _is_of(block: str, file: str, function: str) -> bool:
    return block.rpartition(":")[0] == f"{file}:{function}"


class Recorder:
    """A plugin that notices which test runs which block of the modules."""

    def __init__(self, root: Path, modules: Iterable[str], target: Path) -> None:
        self._target = target
        self._test = AT_IMPORT
        self._calls: defaultdict[str, set[str]] = defaultdict(set)
        self._seconds: defaultdict[str, float] = defaultdict(float)
        vars(builtins)[NOTE] = lambda name: self._calls[name].add(self._test)
        import_instead({module: noting(root / module, module) for module in modules})

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self._test = item.nodeid
        begin = time.perf_counter()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.perf_counter() - begin

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus != pytest.ExitCode.OK:
            return  # the tests after a failure may be missing
        tests = {name: sorted(tests) for name, tests in self._calls.items()}
        self._target.write_text(json.dumps([self._seconds, tests]), encoding="utf-8")


def noting(path: Path, file: str) -> CodeType:
    """Return the code of a module whose functions note which of their blocks run."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for unit, name in units(tree.body):
        if name:
            by_node = blocks(unit)
            for node in [unit, *by_node]:
                for statements in _bodies(node):
                    _note_blocks(statements, f"{file}:{name}", by_node)
    ast.fix_missing_locations(tree)
    return compile(tree, str(path), "exec")


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield value


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _note_blocks(statements: list[ast.stmt], name: str, by_node: dict[ast.AST, int]) -> None:
    """Add a call to the beginning of each block; docstrings stay first."""
    instrumented: list[ast.stmt] = []
    block = None
    for statement in statements:
        if by_node[statement] != block and not _is_text(statement):
            block = by_node[statement]
            call = ast.parse(f"{NOTE}({f'{name}:{block}'!r})").body
            instrumented += [ast.copy_location(node, statement) for node in call]
        instrumented.append(statement)
    statements[:] = instrumented


class ChangedModules:
    """An importer of changed modules, by their names."""

    def __init__(self, codes: dict[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Find a module as usual, but let its loader execute the changed code."""
        spec = PathFinder.find_spec(name, path) if name in self._codes else None
        if spec is not None:
            loader: Any = spec.loader
            loader.get_code = self._codes.__getitem__
        return spec


def import_instead(codes: dict[str, CodeType]) -> None:
    """Have imports of these files execute this code instead."""
    finders: list[Any] = sys.meta_path
    finders.insert(0, ChangedModules({dotted(file): code for file, code in codes.items()}))


def dotted(file: str) -> str:
    """Return the name of the module in a file."""
    return file.removesuffix(".py").replace("/", ".")
