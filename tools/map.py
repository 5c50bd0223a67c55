"""Write docs/developers/map.md, the list of all modules, from their docstrings: `make map`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "developers" / "map.md"

ROOMS = ("bot", "engine", "render", "tools")
"""The folders whose modules are listed."""

HEAD = """\
# Map

All modules, by package, with the first sentence of their docstrings. `make map` writes this page.
[ARCHITECTURE.md](../../ARCHITECTURE.md) explains how they work together; `tests/` mirrors them.
"""

SIZES = "\n## Sizes\n\nLines of Python, rounded to hundreds.\n\n| folder | lines |\n|---|---:|\n"
"""The start of the last section, which changes more often than the modules do."""

DOCSTRING = re.compile(r'\Ar?""".*?"""', re.DOTALL)
"""At the start of a module: parsing no more than this is ten times as fast."""

SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z`])")


def first_sentence(docstring: str) -> str:
    r"""Return the first sentence of a docstring, as a cell of a table.

    Example:
        >>> first_sentence("Read `A|B`, e.g.\nc. Then write.\n\nMore.")
        'Read `A\\|B`, e.g. c.'
    """
    paragraph = " ".join(docstring.partition("\n\n")[0].split())
    return SENTENCE_END.split(paragraph)[0].replace("|", r"\|")


def summary(module: Path) -> str:
    """Return the first sentence of a module's docstring.

    Raises:
        ValueError: it does not begin with one.
    """
    start = DOCSTRING.match(module.read_text("utf-8"))
    if start is None:
        raise ValueError(f"{module} does not begin with a docstring")
    return first_sentence(str(ast.literal_eval(start[0])))


def packages(root: Path) -> Iterator[Path]:
    """Yield the packages in the rooms under `root`, each before those inside it."""
    for room in ROOMS:
        yield from sorted(file.parent for file in (root / room).rglob("__init__.py"))


def section(package: Path, root: Path) -> str:
    """Return the heading, the summary and the table of a package."""
    name = package.relative_to(root).as_posix()
    level = "##" if package.parent == root else "###"
    lines = [f"\n{level} {name}/\n\n{summary(package / '__init__.py')}\n"]
    modules = sorted(file for file in package.glob("*.py") if file.name != "__init__.py")
    if modules:
        lines.append("\n| file | subject |\n|---|---|\n")
    for module in modules:
        link = f"[`{module.name}`](../../{name}/{module.name})"
        lines.append(f"| {link} | {summary(module)} |\n")
    return "".join(lines)


def listing(root: Path = ROOT) -> str:
    """Return the page without its last section: the modules."""
    return HEAD + "".join(section(package, root) for package in packages(root))


def sizes(root: Path = ROOT) -> str:
    """Return the last section: how long each room and each feature is."""
    features = sorted(file.parent for file in (root / "bot" / "features").glob("*/__init__.py"))
    lines = {feature.relative_to(root).as_posix(): _lines(feature) for feature in features}
    core = _lines(root / "bot") - sum(lines.values())
    others = {room: _lines(root / room) for room in ("engine", "render", "tests", "tools")}
    rows = {"bot without features": core, **lines, **others}
    return SIZES + "".join(f"| {name} | {round(count, -2):,} |\n" for name, count in rows.items())


def _lines(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.rglob("*.py"))


if __name__ == "__main__":
    PAGE.write_text(listing() + sizes(), "utf-8")
