"""Check names, words and sizes, beside ruff: `python -m tools.style [FILE…]`.

It prints one line for each fault, with the advice what to write instead, and exits 1 if there is
one. Without files it checks all that git tracks.

| code | checked | where |
|---|---|---|
| N1 | local names that say nothing about their value | all programs |
| N2 | names of tests that are long or do not say who acts | tests |
| W1 | words that leave open who does what, or that no engineer uses | docstrings, comments, pages |
| W2 | docstrings that begin with *Return what, why, how …* | docstrings |
| W3 | *what* with a verb, as a noun | docstrings, comments |
| W4 | *which* after *of*, *by* or *from* | docstrings, comments |
| W5 | words that native speakers would not write to players | texts for players, rules |
| S1 | functions of more than 60 lines | shipped code |
| S2 | functions with more than 7 parameters | shipped code |
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.messages import MARKERS

ROOT = Path(__file__).parent.parent

DIALECT = frozenset("each found own chosen same told said shown made held here known".split())
"""Names that describe the history of a value, or point at it, in place of naming it."""

VAGUE = re.compile(
    r"\b(somebody|nobody|anybody|everybody|whoever|anew|mend(?:s|ed|ing)?|all the same|by so much"
    r"|for ever|ever after|tells? of|by post|time to think|shall|thereby|parcels?|couriers?)\b"
    r"|; gives\b",
    re.IGNORECASE,
)

RETURN_CLAUSE = re.compile(r"(?:Return|Yield) (?:what|why|how|who|where|when)\b")

CLAUSE_AS_NOUN = re.compile(
    r"\b[Ww]hat (?:is|was|are|were|has|have|had|can|may|must|should|belongs|comes|follows|happens"
    r"|happened|remains)\b(?![^.]*\?)"
)

RELATIVE_CHAIN = re.compile(r"\b(?:of|by|from) which\b")

UNCLEAR = re.compile(
    r"\b(somebody|nobody|anybody|everybody|whoever|anew|all the same|just now|by post)\b"
    r"|(?<!computer )\bmeanwhile\b"
    r"|\bIt is (?:\{\w+\}|\w+) (?:that|who|to)\b|\b(?:lie|stand)s? still\b|\bhas gone on\b",
    re.IGNORECASE,
)

PAGE = (("W1", VAGUE, "say who acts, in an engineer's words"),)
"""Rules for pages: code, pattern and advice."""

SENTENCES = (
    *PAGE,
    ("W3", CLAUSE_AS_NOUN, "use a noun"),
    ("W4", RELATIVE_CHAIN, "use whose, where, a possessive, or two sentences"),
)
"""Rules for docstrings and comments."""

PLAYER_TEXT = (("W5", UNCLEAR, "write it as you would say it to a player"),)
"""Rules for texts for players."""

VAGUE_NAME = re.compile("_(nobody|somebody|anybody|everybody|whoever)s?(_|$)")

MAX_TEST_NAME = 60
"""Characters in the name of a test."""

MAX_LINES = 60
"""Lines of a function, from `def` on."""

MAX_PARAMETERS = 7
"""Parameters of a function, without `self` and `cls`."""

SHIPPED = ("bot", "engine", "render")

PLAYER_TEXTS = ("bot/rulebook/texts/en/", "bot/rulebook/prepared/lessons/")
"""Files whose whole text is for players."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Fault:
    """A line that should be written differently.

    Args:
        path: path of the file, from the root of the repository.
        line: line number, from 1.
        code: code of the rule, see the module's docstring.
        advice: names the fault and what to write instead.
    """

    path: str
    line: int
    code: str
    advice: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.code} {self.advice}"


def check(path: str, text: str) -> list[Fault]:
    """Return the faults of a file, in the order of its lines.

    Args:
        path: path from the root of the repository; it decides which rules apply.
    """
    faults = program_faults(path, text) if path.endswith(".py") else page_faults(path, text)
    return sorted(Fault(path, *fault) for fault in faults)


def program_faults(path: str, source: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, code and advice for each fault of a Python file."""
    for node in ast.walk(ast.parse(source)):
        yield from name_faults(node)
        if isinstance(node, Function):
            yield from function_faults(path, node)
        yield from player_text_faults(node)
    for line, text in documentation(source):
        yield from word_faults(line, text, SENTENCES)
        if RETURN_CLAUSE.match(text):
            first = text.partition("\n")[0]
            yield line, "W2", f"“{first}”: name the value returned, or use another verb"


def name_faults(node: ast.AST) -> Iterator[tuple[int, str, str]]:
    """Yield the fault of a variable or parameter whose name says nothing."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) if name in DIALECT:
            yield node.lineno, "N1", f"“{name}”: name the value (seat, row, query, match …)"


def function_faults(path: str, node: Function) -> Iterator[tuple[int, str, str]]:
    """Yield the faults of a function's name and size."""
    if path.startswith("tests/"):
        if node.name.startswith("test_") and len(node.name) > MAX_TEST_NAME:
            yield node.lineno, "N2", f"shorten “{node.name}” to {MAX_TEST_NAME} characters"
        if VAGUE_NAME.search(node.name):
            yield node.lineno, "N2", f"“{node.name}”: name the player or process that acts"
    if path.startswith(SHIPPED) and "/migrations/" not in path:
        for code, advice in size_faults(node):
            yield node.lineno, code, f"“{node.name}” has {advice}"


def size_faults(node: Function) -> Iterator[tuple[str, str]]:
    """Yield code and advice for each size of a function that is above its limit."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    if lines > MAX_LINES:
        yield "S1", f"{lines} lines: split it (at most {MAX_LINES})"
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    parameters = len(names) - (names[:1] in (["self"], ["cls"]))
    if parameters > MAX_PARAMETERS and not is_command(node):
        yield "S2", f"{parameters} parameters: group those of one thing (at most {MAX_PARAMETERS})"


def is_command(node: Function) -> bool:
    """Return whether a function is a slash command: its parameters are the options for users."""
    calls = (item.func for item in node.decorator_list if isinstance(item, ast.Call))
    return any(isinstance(call, ast.Name) and call.id == "command" for call in calls)


def player_text_faults(node: ast.AST) -> Iterator[tuple[int, str, str]]:
    """Yield the faults of a text that is marked for translation."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in MARKERS:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield from word_faults(argument.lineno, argument.value, PLAYER_TEXT)


def page_faults(path: str, text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, code and advice for each fault of a page; code in it is not its language."""
    for number, line in enumerate(text.splitlines(), 1):
        if path.startswith(PLAYER_TEXTS):
            yield from word_faults(number, line, PLAYER_TEXT)
        elif path.endswith(".md"):
            yield from word_faults(number, re.sub("`[^`]*`", "", line), PAGE)


def word_faults(
    line: int, text: str, rules: Sequence[tuple[str, re.Pattern[str], str]]
) -> Iterator[tuple[int, str, str]]:
    """Yield the faults of a text that begins in a line, by rules of code, pattern and advice."""
    for code, pattern, advice in rules:
        for match in pattern.finditer(text):
            yield line + text.count("\n", 0, match.start()), code, f"“{match[0]}”: {advice}"


def documentation(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring of a program, and of each comment with a fault."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.lineno, str(node.value.value)
    comments = "\n".join(line.partition("#")[2] for line in source.splitlines())
    if any(pattern.search(comments) for _, pattern, _ in SENTENCES):  # tokenizing is slow
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def tracked() -> list[str]:
    """Return the programs and pages that git tracks, from the root."""
    command = ["git", "ls-files", "*.py", "*.md", f"{PLAYER_TEXTS[1]}*.toml"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in files.stdout.splitlines() if (ROOT / path).exists()]


def main(arguments: list[str] | None = None) -> int:
    """Check files; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.style", description=__doc__)
    parser.add_argument("files", nargs="*", help="all that git tracks if there are none")
    paths = parser.parse_args(arguments).files or tracked()
    faults = [
        fault for path in paths for fault in check(path, (ROOT / path).read_text(encoding="utf-8"))
    ]
    print(*faults, sep="\n", end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
