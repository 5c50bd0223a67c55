"""The version, the changelog, and the configuration of CI and pre-commit."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_installed_version_is_that_of_the_project() -> None:
    assert version("starpost") == PROJECT["version"], "run make .venv/bin/starpost"


def test_the_changelog_has_a_dated_section_of_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert released[0] == PROJECT["version"]


def test_pre_commit_runs_the_tools_of_make_fmt() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    makefile = (ROOT / "Makefile").read_text("utf-8").partition("\nfmt:")[2].partition("\n\n")[0]
    commands = re.findall(r"@\$\(BIN\)/(.+) \.$", makefile, re.MULTILINE)
    assert hooks == [f".venv/bin/{command} --force-exclude" for command in commands]


def test_ci_runs_with_the_oldest_python_and_may_only_read() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert workflow["permissions"] == {"contents": "read"}
    assert job["steps"][-1]["run"] == ".ci/run"
    assert job["steps"][1]["with"]["python-version"] == PROJECT["requires-python"].strip(">=")
    assert all(re.fullmatch(r"[\w/-]+@(v\d+|[0-9a-f]{40})", each) for each in used)
