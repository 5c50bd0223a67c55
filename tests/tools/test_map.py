"""The map lists every module with the first sentence of its docstring."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.map import PAGE, ROOMS, ROOT, SIZES, listing, sizes, summary


def write(root: Path, path: str, text: str) -> None:
    """Write a file, with the folders in which it is."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def test_the_page_is_generated() -> None:
    assert PAGE.read_text("utf-8").partition(SIZES)[0] == listing(), "run make map"


def test_every_module_is_on_the_page_once() -> None:
    page = listing()
    files = [
        file.relative_to(ROOT).as_posix()
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
        if file.name != "__init__.py" and "migrations" not in file.parts
    ]
    assert len(files) > 400
    assert {file: page.count(f"](../../{file}) |") for file in files} == dict.fromkeys(files, 1)


def test_packages_and_modules_are_in_order(tmp_path: Path) -> None:
    for room in ROOMS:
        write(tmp_path, f"{room}/__init__.py", f'"""Room {room}."""\n')
    write(tmp_path, "bot/z.py", '"""Read\n`a|b`. Then write.\n\nMore.\n"""\n\nX = "Y"\n')
    write(tmp_path, "bot/a.py", 'r"""A \\d."""\n')
    write(tmp_path, "bot/storage/__init__.py", '"""Tables."""\n')
    write(tmp_path, "bot/storage/migrations/env.py", '"""Not listed."""\n')
    start = (
        "\n## bot/\n\nRoom bot.\n\n| file | subject |\n|---|---|\n"
        "| [`a.py`](../../bot/a.py) | A \\d. |\n"
        "| [`z.py`](../../bot/z.py) | Read `a\\|b`. |\n"
        "\n### bot/storage/\n\nTables.\n\n## engine/\n\nRoom engine.\n"
    )
    assert start in listing(tmp_path)
    assert "Not listed" not in listing(tmp_path)


def test_a_summary_is_that_of_the_parsed_module() -> None:
    file = ROOT / "bot" / "services" / "plans.py"
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert docstring
    assert docstring.startswith(summary(file))


def test_a_module_without_a_docstring_is_named(tmp_path: Path) -> None:
    write(tmp_path, "a.py", 'import os\n\nX = """Not a docstring."""\n')
    with pytest.raises(ValueError, match=r"a\.py does not begin with a docstring"):
        summary(tmp_path / "a.py")


def test_lines_of_features_are_not_in_those_of_the_bot(tmp_path: Path) -> None:
    write(tmp_path, "bot/main.py", "X = 1\n" * 140)
    write(tmp_path, "bot/features/__init__.py", "X = 1\n" * 40)
    write(tmp_path, "bot/features/daily/__init__.py", "X = 1\n" * 260)
    write(tmp_path, "tests/test_main.py", "X = 1\n" * 1949)
    write(tmp_path, "tests/data.txt", "X\n" * 400)
    assert sizes(tmp_path) == SIZES + (
        "| bot without features | 200 |\n| bot/features/daily | 300 |\n"
        "| engine | 0 |\n| render | 0 |\n| tests | 1,900 |\n| tools | 0 |\n"
    )
