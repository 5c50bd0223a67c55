"""The examples in docstrings."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = "bot", "engine", "render", "tests", "tools"
PROMPT = re.compile("^ +>>> ", re.MULTILINE)


def modules_with_examples() -> list[str]:
    """Return the names of the modules whose docstrings have examples."""
    files = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    with_examples = (path for path in files if PROMPT.search(path.read_text("utf-8")))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in with_examples]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_give_what_they_show(name: str) -> None:
    tested = doctest.testmod(import_module(name))
    assert tested.attempted
    assert not tested.failed
