"""docs/decisions/ has one page for each decision, and an index of them."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "decisions"
PAGES = {
    file.name: file.read_text("utf-8")
    for file in sorted(FOLDER.glob("*.md"))
    if file.name != "README.md"
}
TITLE = re.compile(r"\A# (\d+)\. (.+)\n")


def titles() -> list[tuple[str, str, str]]:
    """Return number, title and name of each page, in order."""
    headings = [(TITLE.match(text), name) for name, text in PAGES.items()]
    return [(title[1], title[2], name) for title, name in headings if title]


def test_decisions_are_numbered_without_gaps() -> None:
    assert len(PAGES) > 30
    numbers = [int(number) for number, _title, _name in titles()]
    assert numbers == list(range(1, len(PAGES) + 1))
    assert [int(name[:4]) for name in PAGES] == numbers


def test_the_index_has_each_decision_by_its_title() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \|$", index, re.MULTILINE)
    assert rows == titles()


def test_each_decision_has_context_and_consequences() -> None:
    parts = {
        name: re.findall(r"^## (\w+)\n\n\S", text, re.MULTILINE) for name, text in PAGES.items()
    }
    assert set(map(tuple, parts.values())) == {("Context", "Decision", "Consequences")}
