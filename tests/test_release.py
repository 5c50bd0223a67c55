"""The version, the changelog, and the configuration of CI and pre-commit."""

from __future__ import annotations

import hashlib
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.release import SUMS, notes, sums

ROOT = Path(__file__).parent.parent


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_installed_version_is_that_of_the_project() -> None:
    assert version("starpost") == PROJECT["version"], "run make .venv/bin/starpost"


def test_only_a_release_has_the_number_of_one() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased = changelog.partition("## [Unreleased]")[2].partition("\n## [")[0].strip()
    latest = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)[0]
    number, _, development = PROJECT["version"].partition(".dev")
    assert bool(development) == bool(unreleased), "only a release has the number of one"
    parts, before = ([int(part) for part in text.split(".")] for text in (number, latest))
    assert parts > before if development else parts == before


def test_pre_commit_runs_make_fmt_and_the_style_check() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    makefile = (ROOT / "Makefile").read_text("utf-8").partition("\nfmt:")[2].partition("\n\n")[0]
    commands = re.findall(r"@\$\(BIN\)/(.+) \.$", makefile, re.MULTILINE)
    assert hooks == [
        *(f".venv/bin/{command} --force-exclude" for command in commands),
        ".venv/bin/python -m tools.style",
    ]


def workflow(name: str) -> dict[str, Any]:
    """Return a workflow of GitHub's."""
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    return dict(yaml.safe_load(text))


def test_ci_runs_with_the_oldest_python_and_may_only_read() -> None:
    ci = workflow("ci")
    job = ci["jobs"]["test"]
    assert ci["permissions"] == {"contents": "read"}
    assert job["steps"][-1]["run"] == ".ci/run"
    assert job["steps"][1]["with"]["python-version"] == PROJECT["requires-python"].strip(">=")


def test_newer_pythons_run_the_first_tier() -> None:
    job = workflow("ci")["jobs"]["pythons"]
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if " 3." in line]
    assert ["3.11", *job["strategy"]["matrix"]["python"]] == named
    assert job["steps"][-1]["run"] == "make test"


@pytest.mark.parametrize("name", ["ci", "release", "weekly"])
def test_actions_are_pinned_by_their_commits(name: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    used = re.findall(r"uses: (.+)$", text, re.MULTILINE)
    assert used
    pinned = r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert [action for action in used if not re.fullmatch(pinned, action)] == []


def test_release_publishes_only_what_was_tested() -> None:
    jobs = workflow("release")["jobs"]
    tested = [step.get("run", "") for step in jobs["build"]["steps"]]
    assert tested.index(".ci/run") < tested.index('make release TAG="$GITHUB_REF_NAME"')
    assert jobs["build"]["permissions"] == {"contents": "read"}
    assert jobs["image"]["needs"] == "build"
    assert jobs["publish"]["needs"] == ["build", "image"]


def test_commands_of_a_release_are_targets_of_make() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    steps = workflow("release")["jobs"]["build"]["steps"]
    commands = [step["run"].split()[1] for step in steps if step.get("run", "").startswith("make")]
    assert commands
    assert set(commands) <= set(targets)


def test_release_publishes_with_the_locked_version_of_uv() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    locked = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    assert re.findall(r"\buv==[\d.]+", text) == re.findall(r"^uv==[\d.]+", locked, re.MULTILINE)


def test_notes_of_a_release_are_its_section() -> None:
    section = notes("v0.2.0", "0.2.0", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert "### Upgrading\n" in section
    assert "\n## " not in section


def test_development_version_cannot_be_released() -> None:
    with pytest.raises(ValueError, match="no dated section"):
        notes("v0.4.0.dev0", "0.4.0.dev0", (ROOT / "CHANGELOG.md").read_text("utf-8"))


@pytest.mark.parametrize(
    ("tag", "fault"), [("v9.9.9", "not that of version"), ("v0.9.0", "no dated section")]
)
def test_tag_that_cannot_be_released_is_refused(tag: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        notes(tag, "0.9.0", "## [0.9.0]\n\nNot yet.\n")


def test_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"")
    (tmp_path / SUMS).write_text("old")
    assert sums(tmp_path) == f"{hashlib.sha256().hexdigest()}  a.whl\n"
