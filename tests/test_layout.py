"""The tests are where ARCHITECTURE.md says, and their names can be read at a glance."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LAYERS = sorted(each.name for each in (ROOT / "bot").iterdir() if (each / "__init__.py").exists())
NAME_LIMIT = 60
VAGUE = re.compile("_(nobody|somebody|anybody|everybody|whoever)s?(_|$)")

MAX_LINES = 400
"""Of a module, unless it has or tests the rules of a game or is a table of data."""

LONG_FILES = {
    "bot/views/custom_ids.py",
    "engine/warp6/rules.py",
    "engine/wormholes/rules.py",
    "tests/engine/warp6/test_rules.py",
    "tests/engine/wormholes/test_rules.py",
}

MAX_CLIENT_LINES = 150


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """Return path and node of each definition and each import of the tests."""
    return [
        (str(file.relative_to(ROOT)), node)
        for file in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ImportFrom)
    ]


def test_names_of_tests_are_short_and_say_who() -> None:
    names = [
        f"{path}: {node.name}"
        for path, node in nodes()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name.startswith("test_")
        if len(node.name) > NAME_LIMIT or VAGUE.search(node.name)
    ]
    assert not names


def test_no_file_imports_a_test_module() -> None:
    modules = [
        (path, node.module or "") for path, node in nodes() if isinstance(node, ast.ImportFrom)
    ]
    assert len(modules) > 500
    assert not [each for each in modules if each[1].rpartition(".")[2].startswith("test_")]


def test_unit_tests_mirror_the_layers_of_bot() -> None:
    files = [file for layer in LAYERS for file in (TESTS / "bot" / layer).glob("test_*.py")]
    assert len(files) > 30
    for file in files:
        name = file.stem.removeprefix("test_").removesuffix("_stateful")
        tested = ROOT / "bot" / file.parent.name / name
        assert tested.is_dir() or tested.with_suffix(".py").exists(), file


def test_each_feature_has_a_folder_of_tests() -> None:
    features = {file.parent.name for file in (ROOT / "bot" / "features").glob("*/__init__.py")}
    tested = {file.parent.name for file in (TESTS / "bot" / "features").glob("*/test_*.py")}
    assert tested == features


def test_modules_are_short() -> None:
    lines = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines())
        for room in ("bot", "engine", "render", "tests", "tools")
        for file in (ROOT / room).rglob("*.py")
    }
    assert {path for path, count in lines.items() if count > MAX_LINES} == LONG_FILES
    assert lines["bot/app/client.py"] <= MAX_CLIENT_LINES
