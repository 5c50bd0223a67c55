"""The tests are where ARCHITECTURE.md says, and their names can be read at a glance."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LAYERS = sorted(each.name for each in (ROOT / "bot").iterdir() if (each / "__init__.py").exists())
NAME_LIMIT = 60


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Yield path and syntax tree of each file of the tests."""
    for file in sorted(TESTS.rglob("*.py")):
        yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


def test_names_of_tests_are_short() -> None:
    long = [
        f"{path}: {node.name}"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name.startswith("test_") and len(node.name) > NAME_LIMIT
    ]
    assert not long


def test_no_file_imports_a_test_module() -> None:
    modules = [
        (path, node.module or "")
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    ]
    assert len(modules) > 500
    assert not [each for each in modules if each[1].rpartition(".")[2].startswith("test_")]


def test_unit_tests_mirror_the_layers_of_bot() -> None:
    files = [file for layer in LAYERS for file in (TESTS / "bot" / layer).glob("test_*.py")]
    assert len(files) > 30
    for file in files:
        tested = ROOT / "bot" / file.parent.name / file.stem.removeprefix("test_")
        assert tested.is_dir() or tested.with_suffix(".py").exists(), file
