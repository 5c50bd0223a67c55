"""Docstrings, comments, pages and texts for players name who acts."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.catalogues import gathered

ROOT = Path(__file__).parent.parent
RULES = ROOT / "bot" / "rulebook" / "texts" / "en"
FOLDERS = ("bot", "engine", "render", "tests", "tools")
PAGES = (
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/**/*.md",
    "deploy/*.md",
)

VAGUE = re.compile(
    r"\b(somebody|nobody|anybody|everybody|whoever|anew|mend(?:s|ed|ing)?|all the same|by so much"
    r"|for ever|ever after|tells? of|by post|time to think|shall|thereby|parcels?|couriers?)\b"
    r"|; gives\b",
    re.IGNORECASE,
)
"""Words that leave open who does what, and those that no engineer would use."""


UNCLEAR = re.compile(
    r"\b(somebody|nobody|anybody|everybody|whoever|anew|all the same|just now|by post)\b"
    r"|(?<!computer )\bmeanwhile\b"
    r"|\bIt is (?:\{\w+\}|\w+) (?:that|who|to)\b|\b(?:lie|stand)s? still\b|\bhas gone on\b",
    re.IGNORECASE,
)
"""Words that native speakers would not write to players."""


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
    sources = {file: file.read_text("utf-8") for file in sorted((ROOT / folder).rglob("*.py"))}
    vague = [
        f"{file.relative_to(ROOT)}:{line}: {word}"
        for file, source in sources.items()
        if VAGUE.search(source)
        for line, text in documentation(source)
        for word in VAGUE.findall(text)
    ]
    assert not vague


def test_pages_name_players_and_processes() -> None:
    pages = [file for pattern in PAGES for file in ROOT.glob(pattern)]
    # Code in a page, for example a constant, is not its language.
    texts = {
        str(file.relative_to(ROOT)): re.sub("`[^`\n]*`", "", file.read_text(encoding="utf-8"))
        for file in pages
    }
    assert len(texts) > len(PAGES)
    assert not {name: vague for name, text in texts.items() if (vague := VAGUE.findall(text))}


@pytest.mark.slow
def test_texts_for_players_are_clear() -> None:
    messages = [message.id for message in gathered() if message.id]
    texts = [
        text
        for message in messages
        for text in ([message] if isinstance(message, str) else message)
    ]
    texts += [file.read_text(encoding="utf-8") for file in RULES.glob("*.md")]
    assert len(texts) > len(messages)
    assert not [(text[:60], unclear[0]) for text in texts if (unclear := UNCLEAR.search(text))]


@pytest.mark.parametrize(
    "text",
    ["Nobody has joined", "It is {name} who decides", "your clocks stand still", "It is Suns that"],
)
def test_an_unclear_text_is_found(text: str) -> None:
    assert UNCLEAR.search(text)


def test_a_vague_word_is_found() -> None:
    source = '"""Whoever asks."""\n\nN = 1  # for nobody\n\ntext = "somebody"\n'
    assert [VAGUE.findall(text) for _, text in documentation(source)] == [["Whoever"], ["nobody"]]
