"""Links between the pages of the repository lead somewhere."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^()\s]+)\)|<(?:img|a) [^>]*?(?:src|href)=\"([^\"]+)\"")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PATH = re.compile(
    r"(?<![\w/.-])"
    r"((?:bot|engine|render|tests|tools|deploy|docs|requirements)/(?!\.)[\w./-]*[\w/])"
    r"(?:::(test_\w+))?"
)
"""A file or folder of the repository, or one test in it."""

PLACEHOLDER = re.compile(r"(?<![A-Za-z])[A-Z]{3,}(?![A-Za-z])")
"""A part of a path that stands for any name, such as `GAME`."""

RULEBOOK = ":!bot/rulebook"
"""Its pages have links of their own, to diagrams; tests/bot/rulebook checks them."""

HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: str) -> set[str]:
    r"""Return the anchors that GitHub gives the headings of a page.

    Example:
        >>> sorted(anchors("# The `Dice` header\n\n## W1 Board\n\n## W1 Board\n"))
        ['the-dice-header', 'w1-board', 'w1-board-1']
    """
    slugs: set[str] = set()
    for heading in HEADING.findall(page):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        earlier = sum(
            earlier_slug == slug or bool(re.fullmatch(rf"{slug}-\d+", earlier_slug))
            for earlier_slug in slugs
        )
        slugs.add(f"{slug}-{earlier}" if earlier else slug)
    return slugs


def broken(file: Path) -> Iterator[str]:
    """Yield the relative links of a page that have no target."""
    for pair in LINK.findall(CODE.sub("", file.read_text("utf-8"))):
        target = pair[0] or pair[1]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        other = file.parent / path if path else file
        if not other.exists() or (anchor and anchor not in anchors(other.read_text("utf-8"))):
            yield f"{file.name}: {target}"


def missing(page: str) -> Iterator[str]:
    """Yield the paths and tests in a page that do not exist."""
    for path, test in PATH.findall(page):
        if PLACEHOLDER.search(path.removesuffix(".md")):
            continue
        file = ROOT / path
        if not file.exists() or (test and f"def {test}(" not in file.read_text("utf-8")):
            yield f"{path}::{test}" if test else path


def pages() -> list[Path]:
    """Return all pages that are or will be in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", RULEBOOK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.split() if (ROOT / name).exists()]


def test_every_relative_link_and_anchor_has_a_target() -> None:
    assert len(pages()) > 10
    assert [link for page in pages() for link in broken(page)] == []


def test_every_path_and_test_named_in_a_page_exists() -> None:
    current = [page for page in pages() if page.name != "CHANGELOG.md"]
    missing_paths = {str(page): list(missing(page.read_text("utf-8"))) for page in current}
    assert {name: paths for name, paths in missing_paths.items() if paths} == {}


def test_missing_paths_and_tests_are_found() -> None:
    this = "tests/test_links.py"
    page = f"`{this}` `{this}::test_gone` `bot/gone.py` `engine/GAME/board.py` `docs/`"
    assert list(missing(page)) == [f"{this}::test_gone", "bot/gone.py"]


def test_broken_links_and_anchors_are_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# There\n", "utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "# Here\n\n[a](other.md) [b](other.md#there) [c](#here) [d](https://a.test/#x) `[e](f)`\n"
        '[g](gone.md) [h](other.md#gone) ![i](gone.png) <img src="gone.gif">\n',
        "utf-8",
    )
    links = ["gone.md", "other.md#gone", "gone.png", "gone.gif"]
    assert list(broken(page)) == [f"page.md: {link}" for link in links]
