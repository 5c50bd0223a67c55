"""docs/hosts/logs.md explains each line at warning or above, and no others."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.support.command import ROOT

TEXT = (ROOT / "docs" / "hosts" / "logs.md").read_text("utf-8")

LEVELS = {
    "warning": "warning",
    "warn": "warning",
    "error": "error",
    "exception": "error",
    "critical": "critical",
}
"""Methods of a logger → the level of their lines."""

FIELD = re.compile(r"%(?:\.\d+)?[sdfgr]")


def lines(source: str) -> Iterator[tuple[str, str]]:
    r"""Yield each line that a file logs at warning or above, with its level.

    Example:
        >>> list(lines('log.warning("%s dropped: %.1f s", name, seconds)'))
        [('… dropped: … s', 'warning')]
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[template, *_]) if method in LEVELS:
                assert isinstance(template, ast.Constant), ast.unparse(node)
                yield FIELD.sub("…", str(template.value)), LEVELS[method]


@pytest.mark.slow
def test_every_line_is_explained_once_with_its_level() -> None:
    logged = {pair for file in (ROOT / "bot").rglob("*.py") for pair in lines(file.read_text())}
    rows = Counter(re.findall(r"^\| `([^`]+)` \| (\w+) \|", TEXT, re.MULTILINE))
    assert logged
    assert dict(rows) == dict.fromkeys(logged, 1)


def test_every_row_says_what_it_means_and_what_to_do() -> None:
    rows = [line for line in TEXT.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert all(len(row) == 4 and all(row) for row in cells)


def test_no_line_is_nothing_but_fields() -> None:
    """Each can be searched for."""
    explained = re.findall(r"^\| `([^`]+)` \|", TEXT, re.MULTILINE)
    assert [line for line in explained if not re.search(r"[a-z]{4}", line)] == []
