"""The API pages have all public names of the library."""

from __future__ import annotations

import sys

import pytest

from tools.docs import MODULES, ROOT, undocumented

MODULE = '''"""Has names with and without a docstring."""

from typing import NamedTuple, TypeVar

T = TypeVar("T")
KNOWN = 1
"""A number."""
UNKNOWN = 2
_OWN = 3


class Pair(NamedTuple):
    """Two numbers.

    Attributes:
        first, second: the numbers.
    """

    first: int
    second: int
    third: int = 0

    def total(self) -> int:
        return sum(self)

    def mean(self) -> float:
        """Return the mean."""
        return sum(self) / 2


def bare() -> None:
    pass
'''


@pytest.mark.parametrize("name", MODULES)
def test_public_names_have_docstrings(name: str) -> None:
    assert undocumented(name) == []


def test_names_without_a_docstring_are_reported(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("modules")
    (folder / "has_gaps.py").write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(folder)
    missing = ["UNKNOWN", "Pair.third", "Pair.total", "bare"]
    assert undocumented("has_gaps") == [f"has_gaps.{name}" for name in missing]
    del sys.modules["has_gaps"]


def test_docs_tools_are_installed_by_make_docs_only() -> None:
    for name in ("run", "play", "dev"):
        assert "pdoc==" not in (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    assert "pdoc==" in (ROOT / "requirements" / "docs.txt").read_text("utf-8")
