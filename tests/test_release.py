"""The version, and what the changelog says of it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_installed_version_is_that_of_the_project() -> None:
    assert version("starpost") == PROJECT["version"], "run make .venv/bin/starpost"


def test_the_changelog_has_a_dated_section_of_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert released[0] == PROJECT["version"]
