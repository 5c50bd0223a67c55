"""docs/hosts/hosting.md lists every setting and command, and no others."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from importlib.metadata import version

import pytest
import yaml

from bot.app.cli import main
from bot.app.settings import SETTINGS, choice
from bot.storage import inspection
from tests.support.command import ROOT
from tools.settings import written

TEXT = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")

NEWER = """
CREATE TABLE alembic_version (version_num);
CREATE TABLE facts (name, value);
INSERT INTO alembic_version VALUES ('0021');
INSERT INTO facts VALUES ('migrated_by', '0.3.0');
"""
"""The database of the example on the page."""

NOT_FOR_HOSTS = {"engine", "new-game", "sandbox"}


def test_table_of_settings_is_made_from_their_definitions() -> None:
    assert all(setting.metadata["description"] for setting in SETTINGS.values())
    assert written(TEXT) == TEXT, "run make settings"


def test_settings_with_fixed_values_name_exactly_these() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \|[^|]*\|([^|]*)\|", TEXT, re.MULTILINE))
    fixed = {
        name.upper(): [*setting.metadata["read"].args[0]]
        for name, setting in SETTINGS.items()
        if getattr(setting.metadata["read"], "func", None) is choice
    }
    assert fixed
    assert {name: re.findall(r"`(\w+)`", rows[name]) for name in fixed} == fixed


def test_container_section_names_the_settings_it_takes() -> None:
    section = TEXT.partition("\n### A container\n")[2].partition("\n### ")[0]
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
    given = compose["services"]["starpost"]["environment"].items()
    taken = {name for name, value in given if value == f"${{{name}:-}}"}
    assert set(re.findall(r"`([A-Z_]+)`", section)) == taken


def test_every_command_is_documented() -> None:
    documented = set(re.findall(r"^\| `starpost (\w+)", TEXT, re.MULTILINE))
    assert documented == set(main.commands) - NOT_FOR_HOSTS


def test_table_of_versions_names_this_one() -> None:
    rows = re.findall(r"^\| ([\w. ]+) \| (\d{4})(?: to \d{4})? \|", TEXT, re.MULTILINE)
    name, schema = rows[0]
    assert schema == inspection.revisions()[-1]
    assert name == ("next release" if ".dev" in version("starpost") else version("starpost"))


def test_line_about_a_newer_database_is_that_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inspection, "revisions", lambda: ["0006"])
    monkeypatch.setattr(inspection, "version", lambda: "0.2.0")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(NEWER)
        line = inspection.newer_text(connection.execute)
    assert f"starpost: starpost.db {line}" in " ".join(TEXT.split())
