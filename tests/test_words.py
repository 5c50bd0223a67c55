"""Docstrings, comments and pages name players and processes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("bot", "engine", "render", "tools")
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md", "deploy/*.md")

VAGUE = re.compile(
    r"\b(somebody|nobody|anybody|everybody|whoever|anew|mend(?:s|ed|ing)?|all the same|by so much"
    r"|for ever|ever after|tells? of|by post|time to think|shall|thereby|parcels?|couriers?)\b"
    r"|; gives\b",
    re.IGNORECASE,
)
"""Words that leave open who does what, and those that no engineer would use."""


def documentation(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring and comment of a program."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, str(node.value.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_name_players_and_processes(folder: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {word}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, text in documentation(file.read_text(encoding="utf-8"))
        for word in VAGUE.findall(text)
    ]
    assert not found


def test_pages_name_players_and_processes() -> None:
    pages = [file for pattern in PAGES for file in ROOT.glob(pattern)]
    texts = {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in pages}
    assert len(texts) > len(PAGES)
    assert not {name: found for name, text in texts.items() if (found := VAGUE.findall(text))}


def test_a_vague_word_is_found() -> None:
    source = '"""Whoever asks."""\n\nN = 1  # for nobody\n\ntext = "somebody"\n'
    assert [VAGUE.findall(text) for _, text in documentation(source)] == [["Whoever"], ["nobody"]]
