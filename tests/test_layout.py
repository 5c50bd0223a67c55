"""The tests are where ARCHITECTURE.md says, and their names can be read at a glance."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LAYERS = sorted(
    folder.name for folder in (ROOT / "bot").iterdir() if (folder / "__init__.py").exists()
)
NAME_LIMIT = 60
VAGUE = re.compile("_(nobody|somebody|anybody|everybody|whoever)s?(_|$)")

MAX_FUNCTION_LINES = 60

MAX_PARAMETERS = 7
"""Of a function, without `self` and `cls`."""

LONG_FUNCTIONS = {
    "bot/app/client.py:__init__",
    "bot/app/runtime.py:__init__",
    "bot/app/wiring.py:context_on",
    "bot/views/private_boards.py:board",
}
"""Functions that are still too long. None may be added."""

MANY_PARAMETERS = {
    "bot/app/client.py:__init__",
    "bot/app/runtime.py:__init__",
    "bot/app/wiring.py:context_on",
    "bot/interactions/boards.py:board",
    "bot/features/cups/commands.py:create",
    "bot/outbox/boards.py:__init__",
    "bot/features/cups/posts.py:__init__",
    "bot/outbox/sender.py:__init__",
    "bot/services/matches.py:act",
    "bot/services/plans.py:write",
    "bot/views/private_boards.py:board",
    "bot/views/public_boards.py:_board",
    "bot/views/public_boards.py:board",
}
"""Functions that still have too many parameters. None may be added."""

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
    assert not [module for module in modules if module[1].rpartition(".")[2].startswith("test_")]


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


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield path with name, and definition, of each function that is shipped."""
    for room in ("bot", "engine", "render"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if "migrations" not in file.parts:
                for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                        yield f"{file.relative_to(ROOT)}:{node.name}", node


def parameter_count(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of parameters without `self` and `cls`."""
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_functions_are_short() -> None:
    long = {
        name
        for name, node in functions()
        if (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION_LINES
    }
    assert long == LONG_FUNCTIONS


def test_functions_have_few_parameters() -> None:
    many = {name for name, node in functions() if parameter_count(node) > MAX_PARAMETERS}
    assert many == MANY_PARAMETERS


def test_the_client_is_short() -> None:
    text = (ROOT / "bot/app/client.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_CLIENT_LINES
